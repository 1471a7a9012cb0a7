"""The checks of `searchqa doctor` on queues and who works on them, by the same diagnosis as the
System page."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress

import httpx
import psycopg

from app.ai_router.limits.states import LimitStates
from app.cli import queries
from app.cli.checks import Finding
from app.operations.system.diagnosis import (
    Condition,
    Observation,
    SystemProblem,
    diagnose,
    lives,
    waits_for_limits,
)
from app.operations.system.processes import read_paused, read_processes
from app.platform.db.pool import create_pool
from app.platform.errors import SetupError
from app.platform.settings import Settings
from app.verdicts.reading.backlog_queries import Backlog, read_backlog

START_DISPATCHER = (
    "Check that a dispatcher runs (python -m worker.dispatcher) and reaches the broker."
)
_ABOUT = {
    Condition.NO_DISPATCHER: ("Dispatcher", "none works", START_DISPATCHER),
    Condition.NO_WORKER: (
        "Queue",
        "no worker serves it",
        "Start one: python -m worker -Q {queue}, or searchqa up.",
    ),
    Condition.STUCK: (
        "Queue",
        "workers live, and none claims them",
        "See the logs of workers and dispatchers; then restart the workers.",
    ),
    Condition.SLOW_JUDGE: (
        "Queue",
        "they are being judged more slowly than answers come",
        "Start more workers, or use a faster judge or one with higher limits.",
    ),
    Condition.UNKNOWN: (
        "Queue",
        "no process has reported for long enough to say why",
        "Start the stack, or run this again in a minute.",
    ),
}
# What an API says that has found no queue stuck.
_GOING_ON = {Condition.JUDGE_PAUSED, Condition.SLOW_JUDGE, Condition.UNINDEXED, Condition.OK}


def queues(
    address: str, connection: psycopg.Connection, settings: Settings, stack_api: str | None
) -> Iterator[Finding]:
    """Which processes live, and what is wrong with the queues. stack_api: of a running
    `searchqa up` with a Redis of its own."""
    seen = asyncio.run(_observe(address, settings, stack_api))
    living = [process for process in seen.processes if lives(process, settings)]
    kinds = sorted({process.kind for process in living})
    if living:
        counts = (f"{sum(p.kind is kind for p in living)} {kind}" for kind in kinds)
        yield Finding.ok("Processes", ", ".join(counts))
    found = [
        finding for problem in diagnose(seen, settings).problems if (finding := _finding(problem))
    ]
    yield from found
    if not any(finding.about == "Queue" for finding in found):
        yield _in_time(connection, seen.backlog or ())


def _finding(problem: SystemProblem) -> Finding | None:
    """None for what other checks show, and for silence while nothing waits."""
    condition = problem.condition
    if condition not in _ABOUT or (condition is Condition.UNKNOWN and not problem.due):
        return None
    about, why, mend = _ABOUT[condition]
    names = " ".join(filter(None, (problem.queue, problem.judge_model)))
    waiting = ""
    if problem.due:
        waiting = f"{problem.due:,} verdicts wait, the oldest for {problem.oldest_seconds:.0f} s; "
    detail = f"{names}: {waiting}{why}" if names else f"{waiting}{why}"
    mend = mend.format(queue=problem.queue)
    if condition is Condition.SLOW_JUDGE:
        return Finding.note(about, detail, mend)
    return Finding.broken(about, detail, mend)


def _in_time(connection: psycopg.Connection, backlog: Sequence[Backlog]) -> Finding:
    due = sum(one.due for one in backlog)
    waiting = f"{due:,} verdicts wait, none for too long" if due else "no backlog"
    found = connection.execute(queries.LAST_VERDICT).fetchone()
    last: float | None = found[0] if found else None
    latest = "no verdict yet" if last is None else f"last verdict {age(last)} ago"
    return Finding.ok("Queue", f"{waiting}; {latest}")


async def _observe(address: str, settings: Settings, stack_api: str | None) -> Observation:
    async with create_pool(address, max_size=1) as pool:
        backlog = await read_backlog(pool)
        limited = await _limited(settings)
        if stack_api and await _goes_on(stack_api):
            limited = frozenset(one.judge_model for one in backlog)
        return Observation(
            backlog=backlog,
            processes=await read_processes(pool),
            paused=await read_paused(pool),
            limited=limited,
        )


async def _limited(settings: Settings) -> frozenset[str]:
    # What is wrong with REDIS_URL is a finding of its own.
    with suppress(SetupError):
        if settings.redis.url:
            limits = LimitStates(settings.judge.limits, settings.redis.url)
            limited = waits_for_limits(await limits.read())
            await limits.aclose()
            return limited
    return frozenset()


async def _goes_on(api: str) -> bool:
    """Whether this API has found no queue stuck. It may read the limits in the Redis of
    `searchqa up`, whose password only its processes have."""
    with suppress(httpx.HTTPError, ValueError):
        async with httpx.AsyncClient(timeout=5, trust_env=False) as client:
            return (await client.get(f"{api}/readyz")).json().get("verdicts") in _GOING_ON
    return False


def age(seconds: float) -> str:
    """In words, as `3 min`."""
    for size, unit in ((86_400, "days"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"
