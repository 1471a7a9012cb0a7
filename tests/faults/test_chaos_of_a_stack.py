"""Parts of a `searchqa up` killed, stopped and hung for good by chance, while answers arrive."""

import asyncio
import os
import random
import signal
import time
import uuid
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import httpx
import pytest
from harness import ANSWER, Tally
from test_faults_of_hanging import _COUNTS, all_judged

from cases import eventually
from live_stack import LiveStack, live_stack

# `make chaos MINUTES=60` rages longer.
MINUTES = float(os.environ.get("CHAOS_MINUTES", "1"))
SEED = int(os.environ.get("CHAOS_SEED", "20251125"))
PARTS = ("worker-1@", "bulk@", "worker.dispatcher", "app.api", "valkey-server")
FAULTS = [
    (part, number)
    # The isolated worker is there while there is a suspect.
    for part in (*PARTS, "postgres", "isolated@")
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP)
]
MAX_LULL_SECONDS = 10.0
# From the last fault of a gust until its answers are judged and all parts work again.
RECOVERED_SECONDS = 40
GUST_SECONDS = 60.0
POSTERS = 3
SETTINGS = {
    "SEARCHQA_HEARTBEAT_LIMIT": "12",
    "SEARCHQA_MAX_ATTEMPTS": "20",
    "SEARCHQA_RATE_LIMIT": "100000/minute",
    "SEARCHQA_RATE_LIMIT_WRITES": "100000/minute",
}
_LEFT = """
SELECT status, count(*), max(attempt) AS attempt, max(lease_until) - now() AS lease,
       max(run_at) - now() AS run FROM qa_evaluations GROUP BY status
"""


@pytest.mark.slow_fault
async def test_a_stack_outlives_faults_of_all_its_parts(new_folder, note, remark):
    until, faults, posted = time.monotonic() + 60 * MINUTES, 0, 0
    fates = by_chance()
    recovered: list[float] = []
    with live_stack(new_folder, "--no-flower", **SETTINGS) as stack:
        async with stack.client(await stack.token()) as client:
            while time.monotonic() < until:
                gust = asyncio.create_task(rage(stack, fates))
                posting = [post(client, gust) for _ in range(POSTERS)]
                posted += sum(await asyncio.gather(*posting))
                count, struck, last = await gust
                faults += count
                try:
                    within = RECOVERED_SECONDS - (time.monotonic() - last)
                    await eventually(partial(is_well, stack, struck), within=within)
                except AssertionError:
                    left = await stack.rows(_LEFT)
                    alive = sorted(filter(is_there, struck))
                    raise AssertionError(
                        f"{posted} answers, of which: {left}; alive: {alive}\n{stack.log}"
                    ) from None
                recovered.append(time.monotonic() - last)
        (row,) = await stack.rows(_COUNTS)
        assert stack.process.poll() is None, stack.log

    fault = "chaos under `searchqa up`: all parts killed, stopped and hung"
    tally = Tally(fault=fault, calls=0, paid_again=0, runs=faults, **row)
    note(tally)
    seconds = ", ".join(f"{each:.0f}" for each in recovered)
    remark(f"{MINUTES:g} minutes; all judged and at work after the last fault: {seconds} s.")
    assert tally.answers == tally.verdicts == posted, "an answer sent twice is one answer"
    assert (tally.lost, tally.duplicates) == (0, 0)


def by_chance() -> Iterator[tuple[str, signal.Signals, float]]:
    """Faults, and the seconds until the next one. Each comes up before one comes again."""
    chance = random.Random(SEED)
    while True:
        for part, number in chance.sample(FAULTS, len(FAULTS)):
            yield part, number, chance.uniform(0, MAX_LULL_SECONDS)


async def rage(
    stack: LiveStack, fates: Iterator[tuple[str, signal.Signals, float]]
) -> tuple[int, set[int], float]:
    """The number of faults, the pids of what was struck, and when the last fault was."""
    until, count, last = time.monotonic() + min(GUST_SECONDS, 60 * MINUTES), 0, 0.0
    struck: set[int] = set()
    for part, number, lull in fates:
        try:
            os.kill(pid := stack.part(part), number)
        except (ValueError, ProcessLookupError):  # not yet back after another fault
            pass
        else:
            last, count = time.monotonic(), count + 1
            struck.add(pid)
        if time.monotonic() > until:
            break
        await asyncio.sleep(lull)
    return count, struck, last


async def is_well(stack: LiveStack, struck: set[int]) -> bool:
    """Whether all that was struck is replaced and every answer judged."""
    try:
        for part in (*PARTS, "postgres"):
            stack.part(part)
    except ValueError:
        return False
    return not any(map(is_there, struck)) and await all_judged(stack)


def is_there(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


async def post(client: httpx.AsyncClient, raging: asyncio.Task[object]) -> int:
    """Posts answers until the rage is over, each under its key until the API has taken it."""
    posted = 0
    while not raging.done():
        key = {"Idempotency-Key": uuid.uuid4().hex}

        async def taken(headers: dict[str, str] = key) -> bool:
            try:
                reply = await client.post("/qa-evaluations", json=ANSWER, headers=headers)
            except httpx.TransportError:
                return False
            assert reply.is_success or reply.is_server_error, reply.text
            return reply.is_success

        await eventually(taken, within=180)
        posted += 1
        await asyncio.sleep(0.2)
    return posted
