"""What a judge's server says of tokens may be anything; a verdict comes of it all the same."""

import asyncio
import uuid
from decimal import Decimal

import pytest

from app.ai_router.types import ChatResponse
from app.verdicts.lifecycle.lifecycle import StoredCall
from app.verdicts.lifecycle.outcome import MAX_COST_USD, MAX_TOKENS, Retry
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from judge_replies import good_reply
from stub_server import StubServer, answer
from verdict_world import set_policy, settings, store_answers, verdict
from worker.judge_loop import JudgeLoop

MODEL = "openai:gpt-4o"


@pytest.mark.parametrize(
    "count", [2**31 - 1, 2**63, 10**40, -1, 1.5, True, "many", None, [7]], ids=str
)
async def test_senseless_counts_neither_fail_the_verdict_nor_count(world, count):
    async with StubServer(answer(good_reply, usage=(count, count))) as stub:
        server = settings(openai_base_url=stub.base_url, judge_model=MODEL)
        await set_policy(world, server, judge_model=MODEL, daily_budget_usd=1)
        (new,) = await store_answers(world, policy=EvaluationPolicy.from_settings(server))
        loop = JudgeLoop(server, world.url)
        await asyncio.to_thread(loop.start)
        try:
            await asyncio.wrap_future(loop.submit([new.evaluation_id]))
        finally:
            await asyncio.to_thread(loop.close)

    row = await world.row(new.evaluation_id)
    assert (row["status"], row["attempt"]) == ("succeeded", 1)
    assert (row["prompt_tokens"], row["completion_tokens"], row["cost_usd"]) == (None, None, None)
    calls = await world.rows("SELECT prompt_tokens, cost_usd FROM judge_calls")
    assert calls
    assert {(call["prompt_tokens"], call["cost_usd"]) for call in calls} == {(None, None)}
    (day,) = await world.rows("SELECT cost_usd FROM judge_spending")
    assert day["cost_usd"] == 0


async def test_counts_that_were_stored_before_do_not_keep_a_row_for_ever(world):
    (new,) = await store_answers(world)
    (claim,) = await world.lifecycle.claim([new.evaluation_id])
    odd = ChatResponse("{}", "openai", "gpt-4o", MAX_TOKENS, MAX_TOKENS, Decimal(9_000), 1.0)
    calls = [StoredCall(claim, uuid.uuid4().hex, "openai", "gpt-4o", odd) for _ in range(3)]
    await world.lifecycle.save_replies(calls)

    assert await world.lifecycle.record([(claim, Retry("transient: busy", 0))])
    (claim,) = await world.lifecycle.claim([new.evaluation_id])
    assert await world.lifecycle.record([(claim, verdict())])

    row = await world.row(new.evaluation_id)
    assert row["status"] == "succeeded"
    assert (row["prompt_tokens"], row["cost_usd"]) == (MAX_TOKENS, MAX_COST_USD)


async def test_a_days_spending_has_an_end_and_no_error(world):
    await set_policy(world, settings(openai_api_key="sk"), judge_model=MODEL, daily_budget_usd=1)
    (new,) = await store_answers(world)
    await world.rows("UPDATE qa_evaluations SET cost_estimate_usd = 0.01")
    (claim,) = await world.lifecycle.claim([new.evaluation_id])
    await world.rows("UPDATE judge_spending SET cost_usd = 999998")
    dear = ChatResponse("{}", "openai", "gpt-4o", 1, 1, Decimal(9_000), 1.0)
    call = StoredCall(claim, uuid.uuid4().hex, "openai", "gpt-4o", dear)
    await world.lifecycle.save_replies([call])

    (day,) = await world.rows("SELECT cost_usd FROM judge_spending")
    assert day["cost_usd"] == 999_999
