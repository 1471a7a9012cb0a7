"""Redis only carries wake-ups: whatever happens to it costs time and nothing else."""

import asyncio
from statistics import quantiles

import pytest
from harness import HOST, LONG_LEASE
from posting import PACE, post_many, post_steadily
from victims import Process

from app.operations.embedded.ports import free_port
from cases import eventually
from judge_replies import well
from stub_server import hang

# Seconds that a single try to publish to a frozen broker takes.
PUBLISH_TIMEOUT = 2.0


async def test_the_broker_is_flushed(open_, holds):
    stack = await open_(**LONG_LEASE)
    await stack.publish(await stack.answer(20, publish=False))
    assert stack.redis.count("live") == 20, "there must be something to lose"
    stack.redis.flush()
    await stack.start()

    await holds(stack, "Redis flushed with 20 wake-ups in it")

    assert stack.judge.count == 40, "two calls for each answer"


@pytest.mark.slow_fault
async def test_the_broker_is_killed_and_comes_back(open_, holds):
    stack = await open_()
    await stack.start(workers=2, dispatchers=2)
    await stack.answer(20)
    stack.redis.kill()
    await stack.answer(20)
    await asyncio.to_thread(stack.redis.start)
    await stack.answer(20)

    await holds(stack, "Redis killed and started again, 60 answers around it")


@pytest.mark.slow_fault
async def test_the_broker_is_killed_while_workers_hold_messages(open_, holds):
    stack = await open_(**LONG_LEASE)
    stack.judge.default = hang()
    worker, _ = await stack.start()
    await stack.answer(10)
    await stack.judge.until_in_flight(20)
    assert not stack.redis.count("live"), "there must be something to hold"
    stack.redis.kill()
    stack.judge.default = well()
    await asyncio.to_thread(stack.redis.start)
    await worker.logged("Connection to broker lost")
    await stack.answer(10)

    await holds(stack, "Redis killed while a worker holds 10 messages, started again")

    assert worker.alive, worker.log


@pytest.mark.slow_fault
async def test_a_frozen_broker_does_not_delay_requests(open_, holds):
    stack = await open_()
    port = free_port(HOST)
    (_, dispatcher), _ = await asyncio.gather(stack.start(), stack.start_api(port))
    async with await stack.api_client(port) as client:
        await post_many(client, 50)
        stack.redis.freeze()
        client.timeout = PUBLISH_TIMEOUT  # which an answer that waited for it would exceed
        await post_many(client, 50)
        await eventually(lambda: complained(dispatcher, 3))
        stack.redis.thaw()

    await holds(stack, "Redis frozen while 50 of 100 answers are posted, until 3 ticks failed")


@pytest.mark.slow_fault
async def test_the_broker_is_frozen_for_twenty_seconds(open_, holds):
    """Answers come at their own pace, whether or not those before them have been taken. They are
    counted, but not refused for being many."""
    stack = await open_(**LONG_LEASE, rate_limit_writes="100000/minute")
    port = free_port(HOST)
    await asyncio.gather(stack.start(), stack.start_api(port))
    async with await stack.api_client(port) as client:
        usual = await post_steadily(client, 200)
        stack.redis.freeze()
        client.timeout = PUBLISH_TIMEOUT
        frozen = await post_steadily(client, round(20 / PACE))
        stack.redis.thaw()

    p99, before = (1000 * quantiles(took, n=100)[-1] for took in (frozen, usual))
    fault = (
        f"Redis frozen for 20 s while {len(frozen)} answers are posted:"
        f" 99 % of them taken within {p99:.0f} ms, before that {before:.0f} ms"
    )
    await holds(stack, fault)


@pytest.mark.slow_fault
async def test_the_api_dies_before_it_could_publish(open_, holds):
    stack = await open_()
    port = free_port(HOST)
    api, (_, dispatcher) = await asyncio.gather(stack.start_api(port), stack.start())
    stack.redis.kill()
    async with await stack.api_client(port) as client:
        await post_many(client, 10)
    api.kill()
    await asyncio.to_thread(stack.redis.start)

    await holds(stack, "API killed between commit and publish (Redis), 10 answers")

    assert dispatcher.alive
    assert stack.judge.count == 10, "one call for each answer"


async def complained(dispatcher: Process, times: int) -> bool:
    return dispatcher.log.count("rows stay due") >= times
