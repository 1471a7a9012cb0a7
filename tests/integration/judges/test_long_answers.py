"""From a long answer that another application gave to the verdict that a reader gets of it."""

import json
from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pytest

from api_client import Api, open_api
from app.judges.answer_parts import MAX_ANSWER_CHARS, MAX_PARTS
from judge_replies import good_reply, material, sentences_in
from stub_server import Json, StubServer, answer
from verdict_world import World, set_policy, settings, store_answers
from workers import judge_once

TRUE = "변성은 95도에서 합니다. [노트 1] "
LIE = "끝으로 배양기는 61도로 맞춥니다."
NOTES = [
    {"title": "PCR 조건", "content": "변성은 95도에서 30초 동안 한다."},
    {"title": "배양기", "content": "배양기는 37도로 맞춘다."},
]


def answer_of(chars: int, end: str = "") -> str:
    return (TRUE * (chars // len(TRUE) + 1))[: chars - len(end)] + end


def judging_reply(request: Json) -> str:
    """The judge sees the lie where it is shown it."""
    reply = json.loads(good_reply(request))
    shown = sentences_in(material(request))
    for text, claim in zip(shown.values(), reply["claims"], strict=True):
        if LIE in text:
            reason = "gap" if "gap" in claim else "reasoning"
            claim |= {"verdict": "unsupported", "quote": "", reason: "61도는 노트와 다름"}
    return json.dumps(reply, ensure_ascii=False)


@pytest.fixture
async def model() -> AsyncIterator[StubServer]:
    async with StubServer(answer(judging_reply)) as stub:
        yield stub


class Reader:
    """Sends answers, has them judged as a worker does, and reads the verdict."""

    def __init__(self, api: Api, judge_model: str, model: StubServer) -> None:
        self.api = api
        self._settings = settings(judge_model=judge_model, openai_base_url=model.base_url)

    async def verdict_on(self, text: str, notes: list[dict[str, str]] = NOTES) -> dict[str, Any]:
        body = {"question": "변성은 몇 도에서 하나요?", "answer": text, "sources": notes}
        created = await self.api.client.post("/qa-evaluations", json=body)
        assert created.status_code == 202, created.text
        id_ = created.json()["id"]
        await judge_once(self.api.world, id_, self._settings)
        view = (await self.api.client.get(f"/qa-evaluations/{id_}")).json()
        assert view["status"] == "succeeded", view["error"]
        return view["qa_evaluation"]


@pytest.fixture(
    params=["offline:rules", "openai:stub/search-qa-eval-5", "openai:stub/search-qa-eval-6"]
)
async def reader(
    request: pytest.FixtureRequest, world: World, redis_url: str, model: StubServer
) -> AsyncIterator[Reader]:
    judge, _, prompt = request.param.partition("/")
    options = {"judge_model": judge, "phases": (), "quality_gate": False}
    if prompt:
        await set_policy(world, settings(**options, openai_api_key="key"), judge_prompt=prompt)
    async with open_api(world, redis_url, **options) as api:
        yield Reader(api, judge, model)


async def test_a_lie_after_twelve_thousand_characters_is_found(reader):
    found = await reader.verdict_on(answer_of(13_066, LIE))
    assert found["confidence"] != "high"
    assert any("61" in issue for issue in found["grounding_issues"])
    assert found["extent"] == {
        "answer_chars": 13_066,
        "judged_answer_chars": 13_066,
        "note_chars": sum(len(note["content"]) for note in NOTES),
        "judged_note_chars": sum(len(note["content"]) for note in NOTES),
    }
    assert (await reader.verdict_on(answer_of(13_066).strip()))["confidence"] == "high"


async def test_a_verdict_on_a_part_is_never_high(reader, model):
    notes = [*NOTES, *({"title": "x", "content": "무관한 글이다. " * 4_000},) * 2]
    found = await reader.verdict_on(TRUE.strip(), notes)
    assert (found["correctness"] >= 0.8, found["utility"] >= 0.7) == (True, True)
    assert found["confidence"] == "medium"
    assert found["extent"]["judged_note_chars"] < found["extent"]["note_chars"]

    model.requests.clear()
    long = await reader.verdict_on(answer_of(MAX_ANSWER_CHARS, LIE))
    extent = long["extent"]
    assert long["confidence"] != "high"
    assert extent["answer_chars"] == MAX_ANSWER_CHARS
    if model.requests:
        assert len(model.requests) == MAX_PARTS
        assert extent["judged_answer_chars"] < MAX_ANSWER_CHARS
    else:
        assert extent["judged_answer_chars"] == MAX_ANSWER_CHARS


@pytest.mark.parametrize("column", ["judged_answer_chars", "judged_note_chars"])
async def test_the_table_takes_no_high_verdict_on_a_part(world, column):
    (new,) = await store_answers(world)
    high = (
        "UPDATE qa_evaluations SET status = 'succeeded', confidence = 'high', answer_chars = 9,"
        " judged_answer_chars = 9, note_chars = 9, judged_note_chars = 9"
    )
    await world.rows(f"{high} WHERE id = %s", new.evaluation_id)
    with pytest.raises(psycopg.errors.CheckViolation, match="high_only_when_all_judged"):
        await world.rows(f"UPDATE qa_evaluations SET {column} = 8 WHERE id = %s", new.evaluation_id)


async def test_the_prompt_that_a_policy_chose_is_sent_and_named(world, redis_url, model):
    options = {"judge_model": "openai:stub", "phases": (), "quality_gate": False}
    await set_policy(
        world, settings(**options, openai_api_key="key"), judge_prompt="search-qa-eval-6"
    )
    async with open_api(world, redis_url, **options) as api:
        found = await Reader(api, "openai:stub", model).verdict_on(TRUE.strip())

    assert (found["correctness"], found["confidence"]) == (1.0, "high")
    (request,) = model.requests
    assert material(request.json)["sentences"] == {"1": TRUE.strip()}
    (row,) = await world.rows("SELECT prompt_version FROM qa_evaluations")
    assert row["prompt_version"] == "search-qa-eval-6"


async def test_analysts_see_how_much_was_judged(reader):
    await reader.verdict_on(answer_of(13_066, LIE))
    (row,) = await reader.api.world.rows(
        "SELECT answer_chars, judged_answer_chars, note_chars, judged_note_chars"
        " FROM analytics.verdicts"
    )
    assert row["answer_chars"] == row["judged_answer_chars"] == 13_066
    assert row["note_chars"] == row["judged_note_chars"] > 0


async def test_each_part_is_one_call_and_paid_for_once(world, redis_url, model):
    options = {"judge_model": "openai:stub", "phases": (), "quality_gate": False}
    async with open_api(world, redis_url, **options) as api:
        await Reader(api, "openai:stub", model).verdict_on(answer_of(30_000))
    calls = await world.rows("SELECT request_hash, prompt_tokens FROM judge_calls")
    (row,) = await world.rows("SELECT prompt_tokens FROM qa_evaluations")
    assert len(calls) == len({call["request_hash"] for call in calls}) == model.count == 3
    assert row["prompt_tokens"] == sum(call["prompt_tokens"] for call in calls)
