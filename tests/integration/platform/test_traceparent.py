"""A caller's trace, from its request to the answer and the calls to models."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Iterable
from typing import Any

import pytest
import redis
from psycopg.errors import CheckViolation

from api_client import QUESTION, Api, import_notes, open_api, parse_events
from app.ai_router.router import Providers
from app.platform.broker import Publisher, Queue
from cases import TIMEOUT_SECONDS, for_each
from judge_replies import material, well
from refinements import MODEL, QUICK, SCRIPT, judged_answer, work_with
from stub_server import Exchange, Request, StubServer, answer, embed, reply_text
from verdict_world import World, settings, store_answers
from worker.judge_loop import JudgeLoop

TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
SPAN = TRACEPARENT[36:52]
SUBMITTED = {
    "question": "변성 온도는?",
    "answer": "95도입니다. [노트 1]",
    "sources": [{"title": "PCR 조건", "content": "변성은 95도에서 한다."}],
}


@pytest.fixture
async def api(world: World, redis_url: str) -> AsyncIterator[Api]:
    """One whose streams do not wait for the verdict."""
    async with open_api(world, redis_url, stream_wait=0.05) as api:
        await import_notes(api)
        yield api


async def answer_ids(api: Api, headers: list[tuple[str, str]]) -> dict[str, str]:
    """Of one answer for each way in, whose request has these headers besides."""

    async def post(path: str, body: object) -> str:
        response = await api.client.post(path, json=body, headers=headers)
        assert response.is_success, response.text
        return response.text

    chat = json.loads(await post("/ai/chat", QUESTION))
    metadata, *_ = parse_events(await post("/ai/stream", QUESTION))
    submitted = json.loads(await post("/qa-evaluations", SUBMITTED))
    return {
        "chat": chat["quality"]["answer_id"],
        "stream": metadata.data["answer_id"],
        "external": submitted["answer_id"],
    }


async def stored(api: Api, answer_id: str) -> str | None:
    query = "SELECT traceparent FROM qa_answers WHERE id = %s"
    (row,) = await api.world.rows(query, uuid.UUID(answer_id))
    return row["traceparent"]


class TestAnswers:
    async def test_keep_the_trace_of_their_request(self, api):
        ids = await answer_ids(api, [("traceparent", TRACEPARENT)])

        assert {name: await stored(api, id_) for name, id_ in ids.items()} == dict.fromkeys(
            ids, TRACEPARENT
        )

    @for_each(
        "headers",
        [
            [],
            [("traceparent", "00-" + "0" * 32 + "-b7ad6b7169203331-01")],
            [("traceparent", TRACEPARENT), ("traceparent", TRACEPARENT)],
            [("traceparent", "x" * 10_000)],
        ],
    )
    async def test_an_invalid_one_counts_as_none(self, api, headers):
        ids = await answer_ids(api, headers)

        assert {await stored(api, id_) for id_ in ids.values()} == {None}

    async def test_the_key_of_a_retry_holds_whatever_its_trace(self, api):
        key = {"Idempotency-Key": "one"}
        first = await api.client.post(
            "/qa-evaluations", json=SUBMITTED, headers=key | {"traceparent": TRACEPARENT}
        )
        again = await api.client.post(
            "/qa-evaluations", json=SUBMITTED, headers=key | {"traceparent": "00-" + "1" * 52}
        )

        assert (again.status_code, again.json()["id"]) == (202, first.json()["id"])
        assert await stored(api, again.json()["answer_id"]) == TRACEPARENT

    @for_each("other", ["", f"{TRACEPARENT}0", TRACEPARENT[3:], "x" * 55])
    async def test_the_table_takes_no_other_form(self, world, other):
        with pytest.raises(CheckViolation, match="traceparent_valid"):
            await store_answers(world, traceparent=other)


def trace(number: int) -> str:
    """The traceparent of the n-th caller."""
    return f"00-{number:032x}-{SPAN}-01"


def trace_ids(requests: Iterable[Request]) -> list[str | None]:
    """Of requests to models. Each is a span of its own."""
    sent = [request.headers.get("traceparent") for request in requests]
    spans = [one[36:52] for one in sent if one]
    assert len({SPAN, *spans}) == len(spans) + 1
    return [one and one[3:35] for one in sent]


async def answers_and_vectors(exchange: Exchange) -> None:
    if exchange.request.path.endswith("/embeddings"):
        await embed(lambda _: [1.0, 0.0])(exchange)
    else:
        await answer(reply_text("95도입니다. [노트 1]"))(exchange)


def request_text(request: Request) -> str:
    """What a request to a model says, the question in it."""
    return json.dumps(request.json, ensure_ascii=False)


class TestModelCalls:
    @pytest.mark.usefixtures("pgvector")
    async def test_of_questions_asked_at_once_each_join_their_own_trace(self, world, redis_url):
        async with StubServer(answers_and_vectors) as model:
            changes = {"answer_model": MODEL, "embedding_model": MODEL, "stream_wait": 0.05}
            url = {"openai_base_url": model.base_url}
            async with open_api(world, redis_url, **changes, **url) as api:
                await import_notes(api)
                await asyncio.gather(*(self.ask(api, number) for number in range(12)))

        for number in range(12):
            requests = [one for one in model.requests if f"{number:02}번 장비" in request_text(one)]
            # Every third caller has no trace.
            expected = trace(number)[3:35] if number % 3 else None
            assert {one.path for one in requests} == {"/v1/embeddings", "/v1/chat/completions"}
            assert trace_ids(requests) == [expected] * 2
        assert len(model.requests) == 24

    async def ask(self, api: Api, number: int) -> None:
        headers = {"traceparent": trace(number)} if number % 3 else {}
        path = "/ai/stream" if number % 2 else "/ai/chat"
        question = QUESTION | {"content": f"{number:02}번 장비의 변성은 몇 도에서 하나요?"}
        response = await api.client.post(path, json=question, headers=headers)
        assert response.status_code == 200, response.text

    async def test_of_judges_join_the_trace_of_the_answer(self, world):
        ids = []
        for number in range(6):
            traceparent = trace(number) if number % 3 else None
            (new,) = await store_answers(world, question=f"{number}?", traceparent=traceparent)
            ids.append(new.evaluation_id)
        await world.rows("UPDATE qa_evaluations SET judge_model = %s", MODEL)

        async with StubServer(well()) as judge:
            loop = JudgeLoop(settings(openai_base_url=judge.base_url), world.url)
            await asyncio.to_thread(loop.start)
            async with asyncio.timeout(TIMEOUT_SECONDS):
                ends = await asyncio.wrap_future(loop.submit(ids))
            await asyncio.to_thread(loop.close)

        assert ends.line == "6 judged"
        questions = [str(material(one.json)["question"]) for one in judge.requests]
        expected = [trace(int(text[0]))[3:35] if int(text[0]) % 3 else None for text in questions]
        assert trace_ids(judge.requests) == expected
        assert set(questions) == {f"{number}?" for number in range(6)}

    async def test_that_improve_an_answer_join_its_trace(self, api):
        api.client.headers["traceparent"] = TRACEPARENT
        id_ = await judged_answer(api)
        del api.client.headers["traceparent"]
        await api.client.post(f"/qa-evaluations/{id_}/refine")

        async with StubServer() as model:
            model.script(*(answer(reply_text(text)) for text in SCRIPT))
            by_model = {"answer_model": MODEL, "judge_model": MODEL} | QUICK
            given = settings(openai_base_url=model.base_url, **by_model)
            async with Providers(given) as providers:
                await work_with(api, given, providers)

        assert trace_ids(model.requests) == [TRACEPARENT[3:35]] * len(SCRIPT)


class TestMessages:
    async def test_carry_the_trace_of_an_answer(self, api, redis_url):
        headers = {"traceparent": TRACEPARENT}
        created = await api.client.post("/qa-evaluations", json=SUBMITTED, headers=headers)

        message = await asyncio.to_thread(fetched, redis_url)

        assert message["headers"]["traceparent"] == TRACEPARENT
        assert "traceparents" not in message["headers"]
        assert created.json()["id"] in message["headers"]["argsrepr"]

    def test_of_several_callers_name_the_trace_of_each(self, redis_url):
        untraced, first, second = (uuid.uuid4() for _ in range(3))
        publisher = Publisher(redis_url, settings())

        publisher.publish(Queue.LIVE, [untraced])
        publisher.publish(Queue.LIVE, [first, second], traces={first: trace(1), second: trace(1)})
        publisher.publish(Queue.LIVE, [untraced, first], traces={first: trace(1)})
        publisher.publish(Queue.LIVE, [first, second], traces={first: trace(1), second: trace(2)})
        publisher.close()

        found = [fetched(redis_url)["headers"] for _ in range(4)]
        names = ("traceparent", "traceparents")
        assert [{name: each[name] for name in names if name in each} for each in found] == [
            {},
            {"traceparent": trace(1)},
            {"traceparents": {str(first): trace(1)}},
            {"traceparents": {str(first): trace(1), str(second): trace(2)}},
        ]


def fetched(redis_url: str) -> dict[str, Any]:
    """The oldest message of fresh answers, once there is one."""
    with redis.Redis.from_url(redis_url) as client:
        found = client.brpop(["live"], timeout=TIMEOUT_SECONDS)
    return dict(json.loads(found[1]))
