"""Readers of event streams: far too many, one that never reads, and an API that dies under them.
Whatever happens, what a reader has heard is the table of events: no gap, no repeat."""

import asyncio
import resource
from collections.abc import Sequence
from pathlib import Path

import pytest
from harness import HOST, LONG_LEASE, Stack
from readers import EventReader, listening, stored_events, wait_for_events
from victims import Process

from api_client import NOTES
from app.operations.embedded.ports import free_port
from app.verdicts.reading.events import SUBSCRIBER_BACKLOG
from cases import TIMEOUT_SECONDS, eventually
from judge_replies import good_reply
from stub_server import answer
from verdict_world import verdict

READERS = 500
STALLED = 5
# Characters of three bytes each. A verdict must be long, or the kernel takes all of them.
LONG_SUMMARY = "가" * 4000
# What the API may grow by (bytes) while five readers do not read. It keeps 1,000 events of some
# 200 bytes and 64 KiB of unsent text for each, together 1.5 MB, and Python's allocator is allowed
# ten times as much. The texts that it must not keep are 60 MB.
MAX_GROWTH = 16 * 2**20


@pytest.fixture(autouse=True)
def _enough_descriptors() -> None:
    """For this process and those that it starts."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4 * READERS if hard == resource.RLIM_INFINITY else min(4 * READERS, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))


@pytest.mark.slow_fault
async def test_five_hundred_readers_hear_everything_once(open_, holds):
    stack = await open_(**LONG_LEASE)
    port = free_port(HOST)
    await asyncio.gather(stack.start_api(port), stack.start())
    await stack.answer()
    await stack.settle()
    async with listening(stack, port, READERS) as readers:
        await wait_for_events(stack, readers)
        await stack.answer(20)

        await holds(stack, f"{READERS} readers of events at once, 20 answers judged before them")

        expected = await wait_for_events(stack, readers)
        assert len(expected) == 21 * len(("queued", "running", "succeeded"))
        for reader in readers:
            assert reader.received == expected


@pytest.mark.slow_fault
async def test_readers_that_never_read(open_, holds):
    """The test is the worker: so many verdicts would take a judge minutes."""
    stack = await open_()
    port = free_port(HOST)
    api = await stack.start_api(port)
    await load_everything(stack, port)
    token = await stack.token()
    stalled = [EventReader(port, token) for _ in range(STALLED)]
    async with listening(stack, port, 1) as (quick,):
        for reader in stalled:
            await reader.connect(receive_buffer=4096)
        await judge_by_hand(stack, 100)
        await wait_for_events(stack, [quick])
        before = memory(api)
        # In portions, or the quick one would be too slow as well.
        for _ in range(9):
            await judge_by_hand(stack, 100)
            await wait_for_events(stack, [quick])
        grown = memory(api) - before

        fault = f"{STALLED} readers that never read 3,000 events, API grown by {grown >> 20} MiB"
        await holds(stack, fault, runs=STALLED)

        expected = await stored_events(stack)
        assert len(expected) == 3000
        assert quick.received == expected, "the others are not held up"
        assert grown < MAX_GROWTH
        # Now they read.
        await asyncio.gather(*(reader.listen() for reader in stalled))
        await asyncio.wait_for(
            asyncio.gather(*(reader.ended() for reader in stalled)), TIMEOUT_SECONDS
        )
        for reader in stalled:
            assert SUBSCRIBER_BACKLOG <= len(reader.received) < 3000, "let go when it fell behind"
            await (await reader.connect()).listen()
        await wait_for_events(stack, stalled)
        for reader in stalled:
            assert reader.received == expected, "and misses nothing when it comes back"
            await reader.close()


async def load_everything(stack: Stack, port: int) -> None:
    """The API's memory is that of a process that has worked, Korean morphemes loaded."""
    async with await stack.api_client(port) as client:
        assert (await client.post("/notes/import", json=NOTES)).is_success


async def judge_by_hand(stack: Stack, count: int) -> None:
    long = verdict()
    evaluation = long.evaluation.model_copy(update={"summary": LONG_SUMMARY})
    claims = await stack.world.lifecycle.claim(await stack.answer(count, publish=False))
    outcomes = [(claim, verdict(evaluation=evaluation)) for claim in claims]
    assert len(await stack.world.lifecycle.record(outcomes)) == count


def memory(process: Process) -> int:
    """Bytes that are resident."""
    status = Path(f"/proc/{process.popen.pid}/status").read_text()
    (line,) = [line for line in status.splitlines() if line.startswith("VmRSS:")]
    return int(line.split()[1]) * 1024


@pytest.mark.slow_fault
async def test_the_api_is_killed_under_its_readers(open_, holds):
    stack = await open_(**LONG_LEASE)
    stack.judge.default = answer(good_reply, latency=0.1)
    port = free_port(HOST)
    api, _ = await asyncio.gather(stack.start_api(port), stack.start())
    async with listening(stack, port, 20) as readers:
        for _ in range(3):
            before = len(await stored_events(stack))
            await stack.answer(10)
            await eventually(lambda least=before: each_heard_more(readers, least))
            api.kill()
            await asyncio.gather(*(reader.ended() for reader in readers))
            await stack.answer(5)
            await stack.settle()
            api = await stack.start_api(port)
            for reader in readers:
                await (await reader.connect()).listen()

        await holds(stack, "API killed under 20 readers of events", runs=3)

        expected = await wait_for_events(stack, readers)
        assert len(expected) == 3 * 15 * len(("queued", "running", "succeeded"))
        for reader in readers:
            assert reader.received == expected


async def each_heard_more(readers: Sequence[EventReader], than: int) -> bool:
    return all(len(reader.received) > than for reader in readers)
