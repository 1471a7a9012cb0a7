"""Parts of a `searchqa up` killed, stopped and hung for good by chance, while answers arrive."""

import asyncio
import os
import random
import signal
import time
import uuid
from pathlib import Path

import httpx
import pytest
from harness import ANSWER, Tally
from test_faults_of_hanging import _COUNTS, all_judged
from victims import eventually

from live_stack import LiveStack, live_stack

# `make chaos MINUTES=60` rages longer.
MINUTES = float(os.environ.get("CHAOS_MINUTES", "1"))
SEED = 20_251_125
PARTS = ("worker-1@", "bulk@", "isolated@", "worker.dispatcher", "app.api", "valkey-server")
FAULTS = [
    (part, number)
    for part in (*PARTS, "postgres")
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP)
]
LONGEST_LULL_SECONDS = 10.0
RECOVERED_SECONDS = 40
# A worker that hangs before its first heartbeat: 1.5 times the limit, four times as long.
REPLACED_SECONDS = 90
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
    with live_stack(new_folder, "--no-flower", **SETTINGS) as stack:
        async with stack.client(await stack.token()) as client:
            raging = asyncio.create_task(rage(stack))
            posted = sum(await asyncio.gather(*(post(client, raging) for _ in range(POSTERS))))
            faults, began = await raging, time.monotonic()
            try:
                await eventually(lambda: all_judged(stack), within=RECOVERED_SECONDS)
            except AssertionError:
                left = await stack.rows(_LEFT)
                raise AssertionError(f"{posted} answers, of which: {left}\n{stack.log}") from None
            recovered = time.monotonic() - began
        (row,) = await stack.rows(_COUNTS)
        assert stack.process.poll() is None, stack.log

    fault = "chaos under `searchqa up`: all parts killed, stopped and hung"
    tally = Tally(fault=fault, calls=0, paid_again=0, runs=faults, **row)
    note(tally)
    remark(f"{MINUTES:g} minutes; all judged {recovered:.0f} s after the last fault was over.")
    assert tally.answers == tally.verdicts == posted, "an answer sent twice is one answer"
    assert (tally.lost, tally.duplicates) == (0, 0)


async def rage(stack: LiveStack) -> int:
    """The number of faults; each of them comes up before one comes again. Returns when no part
    hangs any more."""
    chance, until, count = random.Random(SEED), time.monotonic() + 60 * MINUTES, 0
    hung: set[int] = set()
    while time.monotonic() < until:
        for part, number in chance.sample(FAULTS, len(FAULTS)):
            if time.monotonic() > until:
                break
            try:
                pid = stack.part(part)
            except ValueError:  # not yet back after another fault
                pass
            else:
                os.kill(pid, number)
                count += 1
                hung |= {pid} if number == signal.SIGSTOP else set()
            await asyncio.sleep(chance.uniform(0, LONGEST_LULL_SECONDS))
    await eventually(lambda: not any(map(is_there, hung)), within=REPLACED_SECONDS)
    return count


def is_there(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


async def post(client: httpx.AsyncClient, raging: asyncio.Task[int]) -> int:
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
