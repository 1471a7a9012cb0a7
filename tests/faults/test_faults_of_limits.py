"""Workers keep to a judge's limits together, and what they share of them outlives neither Redis nor
the worker that holds it."""

import time

import pytest
from harness import LONG_LEASE, MODEL, Stack

from app.ai_router.limits.model_limit import BURST, MINUTE
from app.ai_router.limits.states import keys_of
from cases import eventually
from judge_replies import well
from stub_server import hang

REQUESTS = 300
IN_FLIGHT = 4


@pytest.mark.slow_fault
async def test_redis_is_killed_while_workers_judge_under_a_limit(open_, holds, remark):
    stack = await open_(**LONG_LEASE, judge_limits=f"{MODEL}={REQUESTS}")
    await stack.start(workers=2)
    began = time.monotonic()
    await stack.answer(20)
    await eventually(lambda: called_at_least(stack, 20))
    stack.redis.kill()
    until_then = stack.judge.count
    await stack.answer(10)
    # By what the workers hold; what they had given back waits for a Redis to be published by.
    await eventually(lambda: called_at_least(stack, until_then + 4))
    stack.redis.start()
    await stack.answer(10)

    fault = f"Redis killed while 2 workers judge within {REQUESTS} requests a minute, started empty"
    tally = await holds(stack, fault)

    assert (tally.calls, tally.degraded) == (80, 0), "two calls for each answer"
    assert stack.judge.last_reply_at
    seconds = stack.judge.last_reply_at - began
    # A burst of the shared limit, those of the workers' parts, and another one of an empty Redis.
    burst = REQUESTS * BURST
    allowed = 3 * burst + (REQUESTS - burst + 1) / MINUTE * seconds
    remark(f"{fault}: {tally.calls} calls in {seconds:.0f} s, {allowed:.0f} allowed.")
    assert tally.calls <= allowed + 1


@pytest.mark.slow_fault
async def test_a_worker_is_killed_while_it_holds_all_calls_that_a_limit_allows(open_, holds):
    stack = await open_(**LONG_LEASE, judge_limits=f"{MODEL}=-/-/{IN_FLIGHT}")
    stack.judge.default = hang()
    worker, _ = await stack.start()
    await stack.answer(10)
    await stack.judge.until_in_flight(IN_FLIGHT)
    flight = keys_of(MODEL)[1]
    assert stack.redis.client.zcard(flight) == IN_FLIGHT
    worker.kill()
    stack.judge.default = well()
    await stack.start(dispatchers=0)

    tally = await holds(
        stack, f"worker killed with all {IN_FLIGHT} calls that a limit allows, 10 answers"
    )

    assert tally.degraded == 0
    assert stack.judge.most_in_flight <= IN_FLIGHT
    assert stack.redis.client.zcount(flight, time.time(), "+inf") == 0, "they came back"


async def called_at_least(stack: Stack, calls: int) -> bool:
    return stack.judge.count >= calls
