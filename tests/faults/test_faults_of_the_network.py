"""Workers on hosts of their own, one of which is cut off from everything in mid-call."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
from harness import LONG_LEASE, Stack
from hosts import Network
from victims import Process

from app.operations.embedded import parts
from cases import eventually
from judge_replies import well
from stub_server import Exchange, hang

HOSTS = FAR, NEAR = "far", "near"
HELD, OTHERS, LATER = 10, 10, 5
# So much time that a slow machine does not make the cut longer than the deadline.
UNHURRIED = {"judge_deadline": 30, "judge_lease": 40.1, "task_time_limit": 45}


@pytest.fixture
async def network() -> AsyncIterator[Network]:
    async with AsyncExitStack() as opened:
        yield Network(opened, *HOSTS, "servers")


async def start_on(network: Network, host: str, stack: Stack, *, dispatchers: int = 0) -> Process:
    if "DATABASE_URL" not in network.addresses:
        await network.serve(stack, network.hosts["servers"])
    worker = network.hosts[host].runs(parts.worker)
    new = await stack.start(dispatchers=dispatchers, worker=worker)
    return new[0]


@pytest.mark.slow_fault
async def test_cut_off_past_its_lease(network, open_, holds):
    stack = await open_(**LONG_LEASE)
    far = await start_on(network, FAR, stack, dispatchers=1)
    stack.judge.default = hang()
    held = await stack.answer(HELD)
    await stack.judge.until_in_flight(2 * HELD)
    network.hosts[FAR].cut()
    stack.judge.default = well()
    near = await start_on(network, NEAR, stack)
    await stack.answer(OTHERS)
    await stack.settle()
    before = [await stack.world.row(id_) for id_ in held]
    network.hosts[FAR].heal()
    for id_ in held:
        await far.logged(f"{id_}: attempt 1 had lost its lease")

    await near.stop()
    await stack.answer(LATER)

    fault = "worker's host cut off past its lease with 10 calls open, then healed; 15 more answers"
    await holds(stack, fault)

    assert {(row["attempt"], row["crashes"]) for row in before} == {(2, 1)}
    assert [await stack.world.row(id_) for id_ in held] == before, "its late record was refused"
    again = 2 * HELD
    assert stack.judge.count == again + 2 * (HELD + OTHERS + LATER), "only what was cut, again"


@pytest.mark.slow_fault
async def test_cut_off_and_healed_within_its_lease(network, open_, holds):
    stack = await open_(**UNHURRIED)
    far = await start_on(network, FAR, stack, dispatchers=1)
    replying = asyncio.Event()

    async def reply_on_signal(exchange: Exchange) -> None:
        await replying.wait()
        await well()(exchange)

    stack.judge.default = reply_on_signal
    held = await stack.answer(HELD)
    await stack.judge.until_in_flight(2 * HELD)
    network.hosts[FAR].cut()
    await start_on(network, NEAR, stack)
    replying.set()
    others = await stack.answer(OTHERS)
    await eventually(lambda: all_final(stack, others))
    waiting = await stack.unfinished()
    network.hosts[FAR].heal()

    fault = "worker's host cut off while 10 replies are sent, healed within its lease; 10 more"
    await holds(stack, fault)

    assert {row["id"] for row in waiting} == set(held), "there must be something to lose"
    assert "lost its lease" not in far.log
    rows = await stack.world.rows("SELECT DISTINCT attempt, crashes FROM qa_evaluations")
    assert rows == [{"attempt": 1, "crashes": 0}]
    assert stack.judge.count == 2 * (HELD + OTHERS), "the replies arrived late, but they arrived"


async def all_final(stack: Stack, ids: list[uuid.UUID]) -> bool:
    return not {row["id"] for row in await stack.unfinished()} & set(ids)
