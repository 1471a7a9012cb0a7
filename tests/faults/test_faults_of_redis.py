"""Redis only carries wake-ups: whatever happens to it costs time and nothing else."""

import asyncio
import time
from statistics import quantiles

import httpx
import pytest
from harness import Stack
from victims import Process, eventually

from app.embedded.ports import free_port
from app.workspaces.models import Scope
from app.workspaces.service import create_token, ensure_workspace
from conftest import Holds, OpenStack

HOST = "127.0.0.1"
BODY = {
    "question": "변성 온도는?",
    "answer": "변성은 95도에서 합니다. [노트 1]",
    "feature": "search_qa",
    "sources": [{"title": "PCR 조건", "content": "변성은 95도에서 30초 동안 한다."}],
}


async def test_redis_is_flushed(open_: OpenStack, holds: Holds) -> None:
    stack = await open_()
    await stack.publish(await stack.answer(20, publish=False))
    assert stack.redis.client.llen("live") == 20, "there must be something to lose"
    stack.redis.client.flushall()
    await stack.start()

    await holds(stack, "Redis flushed with 20 wake-ups in it")

    assert stack.judge.count == 40, "two calls for each answer"


@pytest.mark.slow_fault
async def test_redis_is_killed_and_comes_back_empty(open_: OpenStack, holds: Holds) -> None:
    stack = await open_()
    await stack.start(workers=2, dispatchers=2)
    await stack.answer(20)
    stack.redis.kill()
    await stack.answer(20)
    stack.redis.start()
    began = time.monotonic()
    await stack.answer(20)

    await holds(stack, "Redis killed and started empty, 60 answers around it")

    assert time.monotonic() - began < 25


@pytest.mark.slow_fault
async def test_redis_is_frozen_and_nobody_who_asks_notices(open_: OpenStack, holds: Holds) -> None:
    stack = await open_()
    port = free_port(HOST)
    (_, dispatcher), _ = await asyncio.gather(stack.start(), stack.start_api(port))
    async with await api_client(stack, port) as client:
        usual = await post_many(client, 50)
        stack.redis.freeze()
        frozen = await post_many(client, 50)
        await eventually(lambda: complained(dispatcher, 3))
        stack.redis.thaw()

    await holds(stack, "Redis frozen while 50 of 100 answers are posted, until 3 ticks failed")

    assert frozen < max(2 * usual, usual + 0.05), "an answer never waits for Redis"


@pytest.mark.slow_fault
async def test_the_api_dies_before_it_could_publish(open_: OpenStack, holds: Holds) -> None:
    stack = await open_()
    port = free_port(HOST)
    api, (_, dispatcher) = await asyncio.gather(stack.start_api(port), stack.start())
    stack.redis.kill()
    async with await api_client(stack, port) as client:
        await post_many(client, 10)
    api.kill()
    stack.redis.start()

    await holds(stack, "API killed between commit and publish, 10 answers")

    assert dispatcher.alive
    assert stack.judge.count == 20


async def complained(dispatcher: Process, times: int) -> bool:
    return dispatcher.log.count("rows stay due") >= times


async def api_client(stack: Stack, port: int) -> httpx.AsyncClient:
    async with stack.world.sessions.begin() as session:
        token = await create_token(
            session, await ensure_workspace(session), name="fault", scopes=list(Scope)
        )
    return httpx.AsyncClient(
        base_url=f"http://{HOST}:{port}",
        headers={"Authorization": f"Bearer {token}"},
        trust_env=False,
    )


async def post_many(client: httpx.AsyncClient, count: int) -> float:
    """Posts answers one by one; the 95th percentile of their seconds."""
    took = []
    for number in range(count):
        began = time.monotonic()
        reply = await client.post(
            "/qa-evaluations", json=BODY, headers={"Idempotency-Key": f"{began}-{number}"}
        )
        assert reply.status_code == 202, reply.text
        took.append(time.monotonic() - began)
    return quantiles(took, n=20)[-1]
