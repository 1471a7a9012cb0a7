"""Publishes what is due in PostgreSQL to the workers. Two or more may run."""

import asyncio
import atexit
import gc
import logging
import signal
import sys
import uuid
from collections.abc import Sequence
from functools import partial
from time import monotonic, time
from typing import Protocol

import psycopg

from app.integrations.traces.settling import Settling
from app.notes.embedding import Indexing
from app.notes.vectors import embedding_model
from app.operations.retention import retentions
from app.operations.system.presence import ProcessKind, Report, delete_silent, present
from app.platform.broker import JOB_TASK_NAME, TASK_NAME, Publisher, PublishError, Queue
from app.platform.db.pool import Pool, create_pool
from app.platform.errors import ConfigurationError, SetupError
from app.platform.heartbeat import heartbeat
from app.platform.jobs.store import JobStore
from app.platform.metrics import (
    LAST_TICK,
    PUBLISHED,
    QUEUE_MESSAGES,
    REAPED,
    TICK_SECONDS,
    serve_metrics,
    stop_metrics,
)
from app.platform.processes.system import configure_logging
from app.platform.settings import Settings, get_settings
from app.quality.analytics.rollup_queries import Rollups
from app.quality.drift.watching import Watch
from app.quality.failures.job import start_grouping
from app.verdicts.batches.collecting import Collecting
from app.verdicts.lifecycle.lifecycle import VerdictLifecycle
from app.verdicts.lifecycle.queries import Backlog, read_backlog
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from worker.batched_lifecycle import is_away
from worker.database_metrics import DatabaseFigures
from worker.periodic import (
    SteadyClock,
    Step,
    Turns,
    alert,
    apply_retention,
    keep_partitions,
    rechecking,
    repeat,
    settle_traces,
    start_embedding,
    warn_of_endings,
)

logger = logging.getLogger("worker.dispatcher")

# Beyond this many unfetched messages a queue is full: publishing more would only repeat ids.
MAX_QUEUE_MESSAGES = 500
MAX_ROWS_PER_TICK = 2000
# A tick that finds this many rows has a backlog before it, and the next one begins at once.
BACKLOG_ROWS = 100
BACKLOG_INTERVAL = 0.05
# What is repeated besides dispatching, over other connections: each keeps the plans of what it has
# sent, up to 10 MB of PostgreSQL's memory.
STEPS_AT_ONCE = 3
# How often each of them is due.
RETENTION_SECONDS = 60.0
RECHECK_SECONDS = 5.0
EMBEDDING_SECONDS = 60.0
TRACES_SECONDS = 1.0
ALERT_SECONDS = 30.0
WATCH_SECONDS = 60.0
ENDINGS_SECONDS = 3600.0
ROLLUP_SECONDS = 30.0
BATCHES_SECONDS = 1.0
FAILURES_SECONDS = 60.0
PARTITIONS_SECONDS = 600.0
BACKLOG_SECONDS = 10.0
# Rows are not reaped for this long after an outage of PostgreSQL: workers hold replies, and it
# takes RECONNECT_SECONDS, a connect and OUTAGE_RETRY_SECONDS until they have stored them.
GRACE_SECONDS = 15.0


class Due(Protocol):
    """Where rows wait: see VerdictLifecycle and JobStore."""

    async def take_due(self, queue: Queue, limit: int) -> list[uuid.UUID]: ...

    async def unpublish(self, ids: Sequence[uuid.UUID]) -> None: ...


class Dispatcher:
    """Each tick: reap rows of dead workers, probe paused judges, move rows to fallback judges,
    publish.

    Faults of Redis or PostgreSQL are logged and the next tick tries again.
    """

    def __init__(
        self, lifecycle: VerdictLifecycle, jobs: JobStore, publisher: Publisher, settings: Settings
    ) -> None:
        self._lifecycle = lifecycle
        self._jobs = jobs
        self._publisher = publisher
        self._interval = settings.worker.dispatch_interval_seconds
        self._batch = settings.worker.dispatch_batch
        self._grace = min(GRACE_SECONDS, settings.judge.lease_seconds)
        self._away = False
        self._reaps_from = 0.0
        self._ticked_at: float | None = None

    async def run(self, stopping: asyncio.Event) -> None:
        """Ticks until `stopping` is set."""
        started = monotonic()
        LAST_TICK.source = lambda: {(): time() - (monotonic() - (self._ticked_at or started))}

        async def tick() -> bool:
            try:
                with TICK_SECONDS.time():
                    return await self.tick() >= BACKLOG_ROWS
            except psycopg.Error as error:
                self._away |= is_away(error)
                raise

        pause = min(self._interval, BACKLOG_INTERVAL)
        await repeat(tick, stopping, interval=self._interval, batch_pause=pause)

    async def tick(self) -> int:
        """One sweep. Returns how many ids were published. Raises PublishError, psycopg.Error."""
        if await self._may_reap() and (reaped := await self._lifecycle.reap()):
            REAPED.labels("verdict").inc(reaped)
            logger.warning("Reaped %d evaluations of workers that died or hung", reaped)
        reaped = await self._jobs.reap()
        if reaped:
            REAPED.labels("job").inc(reaped)
            logger.warning("Reaped %d jobs of workers that died or hung", reaped)
        await self._lifecycle.probe_paused()
        if moved := await self._lifecycle.fall_back():
            logger.warning("Moved %d evaluations of paused judges to other judges", moved)
        published = 0
        for queue in Queue:
            batch = 1 if queue is Queue.ISOLATED else self._batch
            published += await self._publish_due(self._lifecycle, TASK_NAME, queue, batch)
        # Jobs are long: one message for each, so that processes share them.
        for queue in (Queue.BULK, Queue.ISOLATED):
            published += await self._publish_due(self._jobs, JOB_TASK_NAME, queue, 1)
        self._ticked_at = monotonic()
        return published

    @property
    def ticked_seconds(self) -> float | None:
        """Since the last tick without a fault; None before the first."""
        return None if self._ticked_at is None else monotonic() - self._ticked_at

    async def _may_reap(self) -> bool:
        """False for a while after an outage. Leases end while nothing can be recorded, and what
        workers hold then would be paid for again. A lease is the longest that they can need."""
        if self._away:
            await self._lifecycle.ping()
            self._reaps_from = monotonic() + self._grace
            self._away = False
        return monotonic() >= self._reaps_from

    async def _publish_due(self, due: Due, task: str, queue: Queue, batch: int) -> int:
        waiting = await asyncio.to_thread(self._publisher.waiting, queue)
        QUEUE_MESSAGES.labels(queue).set(waiting)
        # Publish one isolated row; its result may clear the others.
        room = (1 if queue is Queue.ISOLATED else MAX_QUEUE_MESSAGES) - waiting
        if room <= 0:
            return 0
        ids = await due.take_due(queue, min(MAX_ROWS_PER_TICK, room * batch))
        for start in range(0, len(ids), batch):
            try:
                sent = ids[start : start + batch]
                await asyncio.to_thread(self._publisher.publish, queue, sent, task)
            except PublishError:
                await due.unpublish(ids[start:])
                raise
            PUBLISHED.labels(task, queue).inc(len(sent))
        return len(ids)


class Reporting:
    """What the dispatcher reports of itself; the backlog, which is counted, is some seconds old."""

    def __init__(self, dispatcher: Dispatcher, pool: Pool, indexing: Indexing | None) -> None:
        self._dispatcher = dispatcher
        self._pool = pool
        self._indexing = indexing
        self._backlog: list[Backlog] | None = None
        self._read_at = -BACKLOG_SECONDS

    async def report(self) -> Report:
        if monotonic() >= self._read_at + BACKLOG_SECONDS:
            self._backlog = None
            try:
                self._backlog = await read_backlog(self._pool)
                self._read_at = monotonic()
            except psycopg.Error as error:  # a slow statement must not make this process look dead
                if not is_away(error):
                    logger.warning("What waits in the queues cannot be read (%s)", error)
        indexing = self._indexing
        return Report(
            ticked_seconds=self._dispatcher.ticked_seconds,
            backlog=self._backlog,
            backlog_age=monotonic() - self._read_at,
            unindexed=indexing.unindexed if indexing else None,
        )


async def _main(settings: Settings, database_url: str, broker_url: str) -> None:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopping.set)
    heartbeat.start(settings.stack.heartbeat_limit_seconds, settings.stack.heartbeat_file)
    publisher = Publisher(broker_url, settings)
    async with (
        create_pool(database_url, name="dispatcher") as dispatching,
        create_pool(database_url, name="steps", max_size=STEPS_AT_ONCE + 3) as pool,
    ):
        serve_metrics(settings, "dispatcher", heartbeat.silences)
        figures = DatabaseFigures(pool, settings)
        logger.info("Dispatching every %g s", settings.worker.dispatch_interval_seconds)
        lifecycle = VerdictLifecycle(dispatching, settings)
        jobs = JobStore(dispatching, settings)
        dispatcher = Dispatcher(lifecycle, jobs, publisher, settings)
        clock = SteadyClock(pool)
        settling = Settling(pool, EvaluationPolicy.from_settings(settings))
        steps: list[tuple[Step, float]] = [
            *(
                (partial(apply_retention, each, clock), RETENTION_SECONDS)
                for each in retentions(pool, settings)
            ),
            (partial(delete_silent, pool), RETENTION_SECONDS),
            (partial(keep_partitions, pool), PARTITIONS_SECONDS),
            (rechecking(pool, settings), RECHECK_SECONDS),
            (partial(settle_traces, settling), TRACES_SECONDS),
            (partial(alert, pool), ALERT_SECONDS),
            (partial(warn_of_endings, pool, settings), ENDINGS_SECONDS),
            (Watch(pool).step, WATCH_SECONDS),
            (Rollups(pool, settings.analytics.rollup_time_zones).step, ROLLUP_SECONDS),
            (Collecting(pool, jobs, settings).step, BATCHES_SECONDS),
            (partial(start_grouping, pool, jobs), FAILURES_SECONDS),
        ]
        indexing: Indexing | None = None
        if model := embedding_model(settings):
            steps.append((partial(start_embedding, pool, jobs, model), EMBEDDING_SECONDS))
            indexing = Indexing(pool, jobs, model, settings.embedding.index_min_vectors)
            steps.append((indexing.step, EMBEDDING_SECONDS))
        turns = Turns(STEPS_AT_ONCE)
        rounds = [
            repeat(partial(turns.run, step), stopping, interval=seconds) for step, seconds in steps
        ]
        beating = asyncio.create_task(heartbeat.keep("dispatcher"))
        report = Reporting(dispatcher, pool, indexing).report
        async with present(pool, settings, ProcessKind.DISPATCHER, report=report):
            await asyncio.gather(dispatcher.run(stopping), *rounds)
        beating.cancel()
        await asyncio.to_thread(stop_metrics)
        await figures.aclose()
    publisher.close()


def main() -> int:
    atexit.register(gc.freeze)  # nothing is left to be looked for at the end
    try:
        settings = get_settings()
        configure_logging(settings.telemetry.log_level)
        if not settings.database.url or not settings.redis.message_url:
            raise SetupError(
                "Set DATABASE_URL and REDIS_URL (or BROKER_URL) for the dispatcher, or run"
                " `searchqa up`."
            )
        asyncio.run(_main(settings, settings.database.url, settings.redis.message_url))
    except (SetupError, ConfigurationError) as error:
        sys.stderr.write(f"dispatcher: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
