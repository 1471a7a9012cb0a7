"""Identical requests of a workspace take the reply that one of them had, and what the vendor's
cache had of a prompt is stored."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from decimal import Decimal

import pytest

from app.ai_router.types import ChatResponse
from app.verdicts.lifecycle.lifecycle import ReplyKey
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.verdicts.reading.views import view_of
from cases import TIMEOUT_SECONDS
from judge_replies import good_reply
from stub_server import Exchange, StubServer, completion
from verdict_world import World, settings, store_answers
from worker.batched_lifecycle import BatchedLifecycle
from worker.judge_loop import JudgeLoop

MODEL = "openai:gpt-4o-mini"
FAIL = """
UPDATE qa_evaluations SET status = 'failed', error = 'x', correctness = NULL, utility = NULL
"""


class Bench:
    """Stores answers and has them judged by a running JudgeLoop."""

    def __init__(self, world: World, policy: EvaluationPolicy, loop: JudgeLoop) -> None:
        self._world = world
        self._policy = policy
        self._loop = loop

    async def judged(self, **answer: object) -> uuid.UUID:
        """The evaluation of a new answer."""
        (new,) = await store_answers(self._world, policy=self._policy, **answer)
        await self.judge(new.evaluation_id)
        return new.evaluation_id

    async def judge(self, id_: uuid.UUID) -> None:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await asyncio.wrap_future(self._loop.submit([id_]))


OpenBench = Callable[..., AbstractAsyncContextManager[Bench]]


@pytest.fixture
def opened(world: World, judge: StubServer) -> OpenBench:
    @asynccontextmanager
    async def running(hours: int = 24) -> AsyncIterator[Bench]:
        chosen = settings(
            judge_model=MODEL, openai_base_url=judge.base_url, reuse_replies_hours=hours
        )
        loop = JudgeLoop(chosen, world.url)
        await asyncio.to_thread(loop.start)
        try:
            yield Bench(world, EvaluationPolicy.from_settings(chosen), loop)
        finally:
            await asyncio.to_thread(loop.close)

    return running


async def test_the_same_request_is_paid_for_once(world, opened, judge):
    async with opened() as bench:
        first, second = await bench.judged(), await bench.judged()

    one, other = await world.row(first), await world.row(second)
    assert judge.count == 1
    assert (one["status"], one["from_cache"]) == ("succeeded", False)
    assert (other["status"], other["from_cache"]) == ("succeeded", True)
    assert one["cost_usd"] > 0
    assert (other["prompt_tokens"], other["completion_tokens"], other["cost_usd"]) == (0, 0, 0)
    for column in ("correctness", "utility", "confidence", "claims_supported", "provider", "model"):
        assert one[column] == other[column], column
    calls = await world.rows("SELECT evaluation_id FROM judge_calls")
    assert [call["evaluation_id"] for call in calls] == [first]
    view = await view_of(world.pool, other["workspace_id"], second)
    assert (view.from_cache, view.cost_usd) == (True, 0)


async def test_what_differs_is_asked(opened, judge):
    different = [
        {},
        {"question": "배양 온도는?"},
        {"answer": "변성은 96도에서 합니다. [노트 1]"},
        {"sources": ()},
        {"lang": "en"},
        {"workspace": "another"},
    ]
    async with opened() as bench:
        for answer in different:
            await bench.judged(**answer)

    # Without notes there is nothing to judge by.
    assert judge.count == len(different) - 1


async def test_a_reply_is_not_known_for_longer_than_it_should(world, opened, judge):
    async with opened(hours=2) as bench:
        await bench.judged()
        await world.rows("UPDATE judge_calls SET created_at = now() - interval '119 minutes'")
        await bench.judged()
        await world.rows("UPDATE judge_calls SET created_at = now() - interval '121 minutes'")
        last = await bench.judged()

    assert judge.count == 2
    assert not (await world.row(last))["from_cache"]


async def test_where_it_is_switched_off_each_answer_is_judged_by_itself(opened, judge):
    async with opened(hours=0) as bench:
        await bench.judged()
        await bench.judged()

    assert judge.count == 2


async def test_a_workspace_may_have_each_answer_judged_by_itself(world, opened, judge):
    async with opened() as bench:
        first = await bench.judged()
        workspace_id = (await world.row(first))["workspace_id"]
        switch = "INSERT INTO evaluation_policies (workspace_id, reuse_replies) VALUES (%s, false)"
        await world.rows(switch, workspace_id)
        await bench.judged()
        assert judge.count == 2

        await world.rows("UPDATE evaluation_policies SET reuse_replies = NULL")
        assert (await world.row(await bench.judged()))["from_cache"]


@pytest.mark.parametrize(
    "spoilt",
    [
        "UPDATE judge_calls SET discarded = true",
        "UPDATE judge_calls SET content = NULL",
        "UPDATE qa_evaluations SET degraded = true, provider = 'offline', model = 'rules'",
        "UPDATE qa_evaluations SET model = 'of the chain'",
        FAIL,
    ],
)
async def test_a_reply_that_made_no_verdict_is_none_for_another_answer(
    world, opened, judge, spoilt
):
    async with opened() as bench:
        await bench.judged()
        await world.rows(spoilt)
        last = await bench.judged()

    assert judge.count == 2
    assert not (await world.row(last))["from_cache"]


async def test_an_answer_that_is_judged_again_is_asked_about_again(world, opened, judge):
    async with opened() as bench:
        first = await bench.judged()
        (row,) = await world.rows(
            "INSERT INTO qa_evaluations (id, workspace_id, answer_id, answered_at, judge_key,"
            " is_current, evaluators, judge_model, status)"
            " SELECT %s, workspace_id, answer_id, answered_at, judge_key || '/again', false,"
            " evaluators, judge_model, 'queued' FROM qa_evaluations WHERE id = %s RETURNING id",
            uuid.uuid4(),
            first,
        )
        await bench.judge(row["id"])

    again = await world.row(row["id"])
    assert judge.count == 2
    assert (again["status"], again["from_cache"]) == ("succeeded", False)


async def test_a_stored_reply_is_no_sign_that_a_failing_judge_works(world, opened):
    async with opened() as bench:
        await bench.judged()
        await world.rows(
            "INSERT INTO judge_pauses (judge_model, kind, reason, probe_at, probe_seconds)"
            " VALUES (%s, 'failing', 'busy', now() + interval '1 hour', 60)",
            MODEL,
        )
        probe = await bench.judged()
        assert (await world.row(probe))["status"] == "queued"
        await world.rows("UPDATE qa_evaluations SET reason = 'probe' WHERE id = %s", probe)
        await bench.judge(probe)
        assert (await world.row(probe))["from_cache"]
        assert await world.rows("SELECT judge_model FROM judge_pauses")

        asked = await bench.judged(question="다른 질문")
        await world.rows("UPDATE qa_evaluations SET reason = 'probe' WHERE id = %s", asked)
        await bench.judge(asked)

    assert (await world.row(asked))["status"] == "succeeded"
    assert await world.rows("SELECT judge_model FROM judge_pauses") == []


async def test_a_stored_reply_that_cannot_be_used_is_asked_for_once_more(world, opened, judge):
    async with opened() as bench:
        await bench.judged()
        await world.rows("UPDATE judge_calls SET content = 'no json'")
        last = await bench.judged()

    assert judge.count == 2
    row = await world.row(last)
    assert row["status"] == "succeeded"
    assert row["cost_usd"] > 0


async def test_look_ups_at_the_same_time_are_one_statement(world, monkeypatch):
    found_by, asked = world.lifecycle.find_replies, []

    async def counted(requests: Sequence[ReplyKey]) -> dict[ReplyKey, ChatResponse]:
        asked.append(len(requests))
        return await found_by(requests)

    monkeypatch.setattr(world.lifecycle, "find_replies", counted)
    find, workspace = BatchedLifecycle(world.lifecycle).find_reply, uuid.uuid4()

    found = await asyncio.gather(*(find(ReplyKey(workspace, f"{n}")) for n in range(50)))

    assert found == [None] * 50
    assert asked == [50]


async def test_tokens_that_the_vendor_had_in_its_cache_are_stored_and_cheaper(world, opened, judge):
    async def cached(exchange: Exchange) -> None:
        reply = json.loads(completion(good_reply(exchange.request.json), (2_000, 100)))
        reply["usage"]["prompt_tokens_details"] = {"cached_tokens": 1_024}
        await exchange.send(json.dumps(reply).encode())

    judge.default = cached
    async with opened() as bench:
        await bench.judged()

    (call,) = await world.rows("SELECT * FROM judge_calls")
    assert (call["prompt_tokens"], call["cached_tokens"]) == (2_000, 1_024)
    assert call["cache_write_tokens"] == 0
    # .15 dollars for a million tokens, half of it for those of the cache, .60 for those written.
    million = 1_000_000
    price = (2_000 - 1_024) * Decimal("0.15") + 1_024 * Decimal("0.075") + 100 * Decimal("0.60")
    assert call["cost_usd"] == round(price / million, 8)
