"""Texts that hang, crash or swell what reads them, and parts that hang as a whole."""

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from functools import partial

import httpx
import psycopg
import pytest
from harness import Tally, customized

from app.operations.embedded import parts
from app.operations.embedded.supervisor import Part
from app.platform.settings import Settings
from cases import eventually
from judge_replies import well
from live_stack import NOTES, LiveStack, live_stack
from stub_server import Exchange

HARMLESS = 20
ANSWERS = 10
PLACES, ANSWERS_BEFORE = 8, 60
QUESTION = {"feature": "search_qa", "content": "PCR 변성 온도는?"}
DEADLY = {
    "This text hangs.": "Judging by rules took longer than 3 s",
    "This text crashes.": "Judging by rules ended its process (SIGSEGV)",
    "This text swells.": "Judging by rules needed more than 256 MB of memory",
}

_COUNTS = """
SELECT count(DISTINCT a.id) AS answers,
       count(*) FILTER (WHERE e.status = 'succeeded') AS verdicts,
       count(*) FILTER (WHERE e.degraded) AS degraded,
       count(*) FILTER (WHERE e.status = 'failed') AS failed,
       count(*) FILTER (WHERE e.status IS NULL OR e.status NOT IN ('succeeded', 'failed')) AS lost,
       count(e.id) - count(DISTINCT e.answer_id) AS duplicates
FROM qa_answers a LEFT JOIN qa_evaluations e ON e.answer_id = a.id
"""


def with_hanging_rules(number: int, settings: Settings, environment: Mapping[str, str]) -> Part:
    return parts.worker(number, settings, customized("hanging_rules", environment))


@pytest.mark.slow_fault
async def test_texts_that_rules_cannot_judge(open_, holds):
    stack = await open_(
        judge_model="offline:rules", judge_lease=60, task_time_limit=70,
        rules_time_limit=3, text_memory_limit=256,
    )  # fmt: skip
    worker, _ = await stack.start(worker=with_hanging_rules)
    deadly = {}
    for text in DEADLY:
        (deadly[text],) = await stack.answer(answer=text)
        await stack.answer(HARMLESS // len(DEADLY))

    tally = await holds(stack, "texts that hang, crash or swell the rules", runs=len(DEADLY))

    assert (tally.verdicts, tally.failed) == (tally.answers - len(DEADLY), len(DEADLY))
    for text, error in DEADLY.items():
        row = await stack.world.row(deadly[text])
        assert row["status"] == "failed"
        assert row["error"].startswith(error)
    assert worker.alive
    rows = await stack.world.rows("SELECT DISTINCT crashes, attempt FROM qa_evaluations")
    assert rows == [{"crashes": 0, "attempt": 1}]


class HangsLater:
    """A judge that works well for a number of calls, then for none until it is let."""

    def __init__(self, calls: int) -> None:
        self.let = asyncio.Event()
        self._left = calls
        self._reply = well()

    async def __call__(self, exchange: Exchange) -> None:
        self._left -= 1
        if self._left < 0:
            await self.let.wait()
        # Long enough for rows to wait for a place.
        await asyncio.sleep(0.01)
        await self._reply(exchange)


async def test_a_judge_begins_to_hang_with_rows_claimed_ahead_of_it(open_, holds):
    """What waits for a place behind it goes back before it could look dead."""
    # A claimed row waits for a second at most: lease less deadline, rules and ten more.
    stack = await open_(
        judge_deadline=30, rules_time_limit=1, judge_lease=42, task_time_limit=60,
        max_in_flight=PLACES,
    )  # fmt: skip
    stack.judge.default = judge = HangsLater(ANSWERS_BEFORE)
    await stack.start()
    await stack.answer(ANSWERS_BEFORE)

    async def prefetched_released() -> bool:
        """Some were claimed ahead, and nobody holds any more what has no place."""
        (rows,) = await stack.world.rows(
            "SELECT count(*) FILTER (WHERE status = 'running') AS running,"
            " count(*) FILTER (WHERE status = 'queued' AND attempt > 0) AS returned"
            " FROM qa_evaluations"
        )
        return rows["running"] == PLACES and rows["returned"] > 0

    await eventually(prefetched_released)
    judge.let.set()

    tally = await holds(stack, "judge that begins to hang with rows claimed ahead of it")

    assert tally.degraded == tally.failed == 0
    assert await stack.world.rows("SELECT DISTINCT crashes FROM qa_evaluations") == [{"crashes": 0}]


@pytest.mark.slow_fault
async def test_parts_that_hang_are_restarted(new_folder, note):
    """Each is frozen as a whole, so it can neither end itself nor obey SIGTERM."""
    ours, servers = ("worker-1@", "worker.dispatcher", "app.api"), ("valkey-server", "postgres")
    with live_stack(new_folder, "--no-flower", SEARCHQA_HEARTBEAT_LIMIT="12") as stack:
        async with stack.client(await stack.token()) as client:
            (await client.post("/notes/import", json=NOTES)).raise_for_status()
            spared = stack.part("bulk@")
            for frozen in (ours, servers):
                for _ in range(ANSWERS):
                    await eventually(lambda: answer_stored(client))
                await replaced_when_frozen(stack, frozen)
            await eventually(lambda: answer_stored(client))
            await eventually(lambda: all_judged(stack))
        (row,) = await stack.rows(_COUNTS)
        assert spared == stack.part("bulk@")
        assert stack.process.poll() is None

    fault = "hung parts: worker, dispatcher, API, Redis and PostgreSQL frozen for good"
    tally = Tally(fault=fault, calls=0, paid_again=0, runs=len(ours) + len(servers), **row)
    note(tally)
    assert tally.answers == tally.verdicts >= 2 * ANSWERS + 1
    assert (tally.lost, tally.duplicates) == (0, 0)


@pytest.mark.slow_fault
async def test_the_api_dies_while_postgresql_refuses_connections(new_folder, note):
    """PostgreSQL is frozen, and then asked to stop by somebody else: the stack goes on."""
    signals = (signal.SIGSTOP, signal.SIGTERM)
    with live_stack(new_folder, "--no-flower", SEARCHQA_HEARTBEAT_LIMIT="12") as stack:
        async with stack.client(await stack.token()) as client:
            (await client.post("/notes/import", json=NOTES)).raise_for_status()
            for number in signals:
                await eventually(lambda: answer_stored(client))
                postgres, logged = stack.part("postgres"), len(stack.log)
                os.kill(postgres, number)
                os.kill(stack.part("app.api"), signal.SIGKILL)
                await stack.logged("api waits for postgres", after=logged)
                await eventually(lambda: answer_stored(client))
                assert stack.part("postgres") != postgres
            await eventually(lambda: all_judged(stack))
        (row,) = await stack.rows(_COUNTS)
        assert stack.process.poll() is None

    fault = "PostgreSQL stopped by somebody or frozen, API killed meanwhile"
    tally = Tally(fault=fault, calls=0, paid_again=0, runs=len(signals), **row)
    note(tally)
    assert (tally.lost, tally.duplicates) == (0, 0)


# Pages look every 2 s, and the banner is to be there within 10.
NOTICED_SECONDS = 8


@pytest.mark.slow_fault
@pytest.mark.parametrize(
    ("part", "condition"), [("worker-1@", "no_worker"), ("worker.dispatcher", "no_dispatcher")]
)
async def test_a_frozen_part_is_noticed_before_anybody_waits(new_folder, part, condition):
    with live_stack(new_folder, "--no-flower") as stack:
        async with stack.client(await stack.token()) as client:

            async def condition_is(wanted: str) -> bool:
                health = (await client.get("/system/health")).json()
                return health["condition"] == wanted and health["delayed"] == (wanted != "ok")

            await eventually(partial(condition_is, "ok"))
            pid = stack.part(part)
            os.kill(pid, signal.SIGSTOP)
            await eventually(partial(condition_is, condition), within=NOTICED_SECONDS)
            os.kill(pid, signal.SIGCONT)
            await eventually(partial(condition_is, "ok"), within=NOTICED_SECONDS)


async def replaced_when_frozen(stack: LiveStack, parts_: Sequence[str]) -> None:
    """Returns when another process runs in the place of each."""
    pids = {part: stack.part(part) for part in parts_}
    for pid in pids.values():
        os.kill(pid, signal.SIGSTOP)

    async def replaced() -> bool:
        try:
            return not any(stack.part(part) == pid for part, pid in pids.items())
        except ValueError:  # between two processes there is none
            return False

    await eventually(replaced)
    for name in ("worker-1", "api") if "app.api" in parts_ else ("redis", "postgres"):
        assert f"{name} does not answer its heartbeat; killing it" in stack.log


async def answer_stored(client: httpx.AsyncClient) -> bool:
    """Whether the answer is stored; while parts are away it may not be."""
    try:
        reply = await client.post("/ai/chat", json=QUESTION)
    except httpx.TransportError:
        return False
    return reply.is_success and bool(reply.json()["quality"]["evaluation_id"])


async def all_judged(stack: LiveStack) -> bool:
    try:
        rows = await stack.rows("SELECT status FROM qa_evaluations")
    except psycopg.OperationalError:
        return False
    return {row["status"] for row in rows} == {"succeeded"}
