"""What the dispatcher repeats besides dispatching, a bounded step at a time, and the loop behind
it."""

import asyncio
import datetime as dt
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, suppress

import psycopg

from app.integrations.traces.settling import Settling
from app.integrations.webhooks.outbox import raise_alerts, raise_endings
from app.notes import vectors
from app.notes.embedding import dedupe_key
from app.operations.system.endings import WARNING_DAYS, save_listed, server_models
from app.operations.system.processes import LEAP_SECONDS, observe_clock
from app.platform.broker import PublishError
from app.platform.db.pool import Pool, fetch
from app.platform.db.retention import Retention, add_missing, analyze_due
from app.platform.jobs.store import JobStore
from app.platform.metrics import STEP_FAILURES
from app.platform.settings import Settings
from app.quality.rejudging.service import recheck
from app.verdicts.lifecycle.parking import price_waiting
from app.verdicts.policy.judge_prices import JudgePrices

logger = logging.getLogger("worker.dispatcher")

# How often leaps that other dispatchers have noticed are read, and ours written.
OBSERVATION_SECONDS = 60.0
# It counts on while the machine sleeps, where the system has such a clock.
_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
_NOW = b"SELECT extract(epoch FROM now())::float8"


class SteadyClock:
    """Compares the database clock with a clock of this machine that cannot be set, and with the
    database's own record of earlier observations."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._offset: float | None = None
        self._held_until: dt.datetime | None = None
        self._observed_at = float("-inf")

    async def is_steady(self) -> bool:
        """False for a day after a leap forwards or back, noticed by any dispatcher. Raises
        psycopg.Error."""
        [(now,)] = await fetch(self._pool, _NOW)
        here = time.clock_gettime(_CLOCK)
        offset, before = now - here, self._offset
        leapt = before is not None and abs(offset - before) > LEAP_SECONDS
        if leapt or here >= self._observed_at + OBSERVATION_SECONDS:
            held_until = await observe_clock(self._pool, leapt=leapt)
            self._observed_at = here
            if held_until is not None and held_until != self._held_until:
                logger.warning(
                    "The clock of the database leapt, or no dispatcher ran for a week: nothing is"
                    " deleted by age until %s. Check that clock",
                    f"{held_until:%Y-%m-%d %H:%M %Z}",
                )
            self._held_until = held_until
        self._offset = offset
        return self._held_until is None


# While there is a backlog: other users of the database get their turn.
BATCH_PAUSE_SECONDS = 0.05

# Most steps take milliseconds.
MAX_TURN_SECONDS = 5.0
# Returns whether there may be more to do at once.
Step = Callable[[], Awaitable[bool]]


async def repeat(
    step: Step,
    stopping: asyncio.Event,
    *,
    interval: float,
    batch_pause: float = BATCH_PAUSE_SECONDS,
) -> None:
    """Calls `step` at once and then every `interval` seconds until `stopping` is set; after
    `batch_pause` seconds when it returns True, for more is waiting. Whatever it raises is logged,
    and the next call tries again."""
    while not stopping.is_set():
        more = False
        try:
            more = await step()
        except PublishError as error:
            STEP_FAILURES.labels("broker").inc()
            logger.warning("%s; rows stay due", error)
        except psycopg.Error as error:
            STEP_FAILURES.labels("postgresql").inc()
            logger.warning("PostgreSQL is not available (%s); trying again", error)
        except Exception:  # a mistake of ours in one step must not end all the others
            STEP_FAILURES.labels("internal").inc()
            logger.exception("A step of the dispatcher failed; trying again")
        with suppress(TimeoutError):
            async with asyncio.timeout(batch_pause if more else interval):
                await stopping.wait()


class Turns:
    """Runs steps one after the other, so that short ones share a connection. A step that has waited
    for `MAX_TURN_SECONDS` runs beside the one before it, `most` of them at once."""

    def __init__(self, most: int) -> None:
        self._places = asyncio.Semaphore(most)
        self._turn = asyncio.Lock()

    async def run(self, step: Step) -> bool:
        """The step, once it is its turn."""
        async with self._places, AsyncExitStack() as turn:
            with suppress(TimeoutError):
                async with asyncio.timeout(MAX_TURN_SECONDS):
                    await turn.enter_async_context(self._turn)
            return await step()


async def apply_retention(retention: Retention, clock: SteadyClock) -> bool:
    """Deletes one batch of what was kept long enough. True when there may be more."""
    if not await clock.is_steady():
        return False
    deleted = await retention.delete_batch()
    if deleted:
        logger.info(
            "Retention: deleted %s", ", ".join(f"{n} {what}" for what, n in deleted.items())
        )
    return bool(deleted)


async def keep_partitions(pool: Pool) -> bool:
    """Adds the partitions of the months to come."""
    if added := await add_missing(pool):
        logger.info("Added %d month partitions", added)
    await analyze_due(pool)
    return False


async def settle_traces(settling: Settling) -> bool:
    """Turns due traces into answers, a batch at a time. True when there may be more."""
    return await settling.settle_due() > 0


def rechecking(pool: Pool, settings: Settings) -> Step:
    """A step that enqueues degraded verdicts for the judges they were meant for. The first one
    also prices answers that wait for a price of their judge: prices change only with a start."""
    prices, priced = JudgePrices(settings), False

    async def step() -> bool:
        nonlocal priced
        if not priced:
            await price_waiting(pool, prices)
            priced = True
        added = await recheck(
            pool, prices, judge_model=settings.judge.model, pause=settings.judge.pause_seconds
        )
        if added:
            logger.info("%d degraded verdicts are to be judged again", added)
        return False

    return step


async def start_embedding(pool: Pool, jobs: JobStore, model: str) -> bool:
    """Enqueues a job for each workspace with chunks that lack a vector of `model`."""
    key = dedupe_key(model)
    given = {"model": model, "kind": vectors.EMBED_JOB, "dedupe_key": key}
    async with pool.connection() as connection:
        cursor = await connection.execute(vectors.WORKSPACES_LACKING.encode(), given)
        workspaces = [row[0] for row in await cursor.fetchall()]
    if workspaces:
        await jobs.enqueue(workspaces, vectors.EMBED_JOB, {"model": model}, key)
        logger.info("Notes of %d workspaces are to be embedded by %s", len(workspaces), model)
    return False


async def alert(pool: Pool) -> bool:
    """Raises alerts of backlogs and crossed thresholds for webhooks."""
    if raised := await raise_alerts(pool):
        logger.info("%d alerts go to webhooks", raised)
    return False


async def warn_of_endings(pool: Pool, settings: Settings) -> bool:
    """Raises alerts of models that end, for webhooks."""
    await save_listed(pool)
    if raised := await raise_endings(pool, server_models(settings), WARNING_DAYS):
        logger.info("%d alerts of models that end go to webhooks", raised)
    return False
