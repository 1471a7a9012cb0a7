"""Answers in dialogues: where their turns come from, what is kept of them, and for how long."""

import uuid
from typing import Any

import httpx
import pytest

from api_client import QUESTION, import_notes
from app.text.turns import MAX_TURNS
from cases import for_each
from verdict_world import verdict

pytestmark = pytest.mark.asyncio(loop_scope="module")

ANSWER = {
    "question": "그럼 겨울에는?",
    "answer": "겨울에는 오전 11시에 엽니다. [노트 1]",
    "sources": [{"title": "매장", "content": "매장은 여름에 오전 9시, 겨울에 오전 11시에 엽니다."}],
}
TURN = {"question": "여름에 매장은 몇 시에 열어요?", "answer": "오전 9시에 엽니다."}
UNDERSTOOD = "겨울에 매장은 몇 시에 열어요?"


async def submitted(client: httpx.AsyncClient, **given: object) -> dict[str, Any]:
    """The evaluation of an answer that another application gave."""
    response = await client.post("/qa-evaluations", json=ANSWER | given)
    assert response.status_code == 202, response.text
    return (await client.get(f"/qa-evaluations/{response.json()['id']}")).json()


async def test_given_turns_are_shown_and_deleted_with_the_answer(api):
    view = await submitted(api.client, history=[TURN])

    assert (view["history"], view["standalone_question"]) == ([TURN], UNDERSTOOD)
    assert view["question"] == ANSWER["question"]
    deleted = await api.client.delete(f"/answers/{view['answer_id']}")
    assert deleted.status_code == 204
    assert await api.world.rows("SELECT id FROM qa_answers") == []


async def test_what_is_judged_is_the_question_as_it_was_understood(api):
    view = await submitted(api.client, history=[TURN])

    (lease,) = await api.world.lifecycle.claim([uuid.UUID(view["id"])])

    subject = lease.subject
    assert (subject.question, subject.asked) == (UNDERSTOOD, ANSWER["question"])
    assert [turn.answer for turn in subject.history] == [TURN["answer"]]


async def test_people_label_what_was_understood(api):
    view = await submitted(api.client, history=[TURN])
    await api.judge_next(verdict())

    chosen = {"source": "chosen", "evaluation_ids": [view["id"]]}
    body = {"holder": str(uuid.uuid4()), "author": "mina", **chosen}
    (item,) = (await api.client.post("/review/reservations", json=body)).json()["items"]

    assert item["question"] == UNDERSTOOD


async def test_an_answer_alone_has_no_turns(api):
    view = await submitted(api.client)

    assert (view["history"], view["standalone_question"]) == ([], None)


async def test_the_turns_of_a_session_are_those_before_in_its_workspace(api):
    other = await api.as_token(workspace="other")
    for client in (api.client, other):
        await submitted(client, **TURN, session_id="s-1")
    await submitted(other, question="다른 곳의 질문은?", session_id="s-1")
    await submitted(api.client, question="다른 세션의 질문은?", session_id="s-2")

    view = await submitted(api.client, session_id="s-1")
    alone = await submitted(api.client, session_id="s-1", history=[])

    assert (view["history"], view["standalone_question"]) == ([TURN], UNDERSTOOD)
    assert alone["history"] == []


async def test_the_last_of_many_turns_are_kept(api):
    turns = [TURN | {"question": f"{n}층은 언제 열어요?"} for n in range(200)]

    view = await submitted(api.client, history=[*turns, {"question": "", "answer": " "}])

    assert view["history"] == turns[-MAX_TURNS:]


async def test_the_key_of_a_request_is_for_one_history(api):
    body, headers = ANSWER | {"history": [TURN]}, {"Idempotency-Key": "k"}
    first, again, other = [
        await api.client.post("/qa-evaluations", json=given, headers=headers)
        for given in (body, body, ANSWER)
    ]

    assert first.json()["id"] == again.json()["id"]
    assert other.status_code == 409


class TestAConversation:
    async def test_gives_its_questions_their_turns(self, api):
        await import_notes(api)
        conversation = str(uuid.uuid4())
        options = {"conversation_id": conversation}
        questions = ("PCR 변성은 몇 도에서 하나요?", "몇 초 동안요?")
        replies = [
            (await api.client.post("/ai/chat", json={"content": each, "options": options})).json()
            for each in questions
        ]

        assert [reply["standalone_question"] for reply in replies] == [
            None,
            "PCR 변성은 몇 초 동안요?",
        ]
        assert "30초" in replies[1]["content"]
        view = await submitted(api.client, conversation_id=conversation)
        assert [turn["question"] for turn in view["history"]] == list(questions)
        listed = await api.client.get(f"/conversations/{conversation}/answers")
        assert listed.json()["items"][0]["standalone_question"] == "PCR 변성은 몇 초 동안요?"

    async def test_of_somebody_else_is_none(self, api):
        await import_notes(api)
        conversation = str(uuid.uuid4())
        body = QUESTION | {"options": {"conversation_id": conversation}}
        assert (await api.client.post("/ai/chat", json=body)).status_code == 200

        for stranger in (await api.as_token(workspace="other"), await api.as_token(name="kim")):
            response = await stranger.post(
                "/qa-evaluations", json=ANSWER | {"conversation_id": conversation}
            )
            assert response.status_code == 404, response.text
            asked = await stranger.post("/ai/chat", json=body | {"content": "그건 왜요?"})
            assert asked.json()["standalone_question"] is None

    @pytest.mark.parametrize("path", ["/qa-evaluations", "/ai/chat"])
    async def test_goes_with_no_given_history(self, api, path):
        both = {"history": [TURN], "conversation_id": str(uuid.uuid4())}
        body = ANSWER | both if path == "/qa-evaluations" else QUESTION | {"options": both}

        response = await api.client.post(path, json=body)

        assert response.status_code == 422
        assert "history or conversation_id, not both" in response.text


@for_each(
    ("history", "at"),
    [
        ([TURN | {"question": "a\x00b"}], "body.history.0.question"),
        ([TURN | {"answer": "a\x00b"}], "body.history.0.answer"),
        ([{"question": "?"}], "body.history.0.answer"),
        ([TURN | {"question": "x" * 4_001}], "body.history.0.question"),
        ([TURN] * 1_001, "body.history"),
        ("earlier", "body.history"),
    ],
)
async def test_an_invalid_history_is_refused_by_name(api, history, at):
    response = await api.client.post("/qa-evaluations", json=ANSWER | {"history": history})

    assert response.status_code == 422
    assert response.json()["errors"][0]["at"] == at
