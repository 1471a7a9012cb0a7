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
from time import monotonic
from typing import Protocol

import psycopg

from app.analytics.rollups import Rollups
from app.batches.collecting import Collecting
from app.broker import JOB_TASK_NAME, TASK_NAME, Publisher, PublishError, Queue
from app.db.pool import create_pool
from app.drift.retention import alarm_retention
from app.drift.watching import Watch
from app.errors import ConfigurationError, SetupError
from app.heartbeat import heartbeat
from app.jobs.store import JobStore
from app.logs import configure_logging
from app.search.vectors import embedding_model
from app.settings import Settings, get_settings
from app.traces.retention import trace_retention
from app.traces.settling import Settling
from app.verdicts.lifecycle.lifecycle import VerdictLifecycle
from app.verdicts.lifecycle.retention import VerdictRetention
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.webhooks.retention import webhook_retention
from worker.periodic import (
    ALERT_SECONDS,
    BATCHES_SECONDS,
    EMBEDDING_SECONDS,
    RECHECK_SECONDS,
    RETENTION_SECONDS,
    ROLLUP_SECONDS,
    TRACES_SECONDS,
    WATCH_SECONDS,
    Step,
    alert,
    apply_retention,
    forget_reader_tokens,
    rechecking,
    repeat,
    settle_traces,
    start_embedding,
)
from worker.reconnecting import is_away

logger = logging.getLogger("worker.dispatcher")

# Beyond this many unfetched messages a queue is full: publishing more would only repeat ids.
MAX_QUEUE_MESSAGES = 500
MAX_ROWS_PER_TICK = 2000
# A tick that finds this many rows has a backlog before it, and the next one begins at once.
BACKLOG_ROWS = 100
BACKLOG_INTERVAL = 0.05
# Rows are not reaped for this long after an outage of PostgreSQL: workers hold replies, and it
# takes RECONNECT_SECONDS, a connect and OUTAGE_RETRY_SECONDS until they have stored them.
GRACE_SECONDS = 15.0


class Due(Protocol):
    """Where rows wait: see VerdictLifecycle and JobStore."""

    async def take_due(self, queue: Queue, limit: int) -> list[uuid.UUID]: ...

    async def unpublish(self, ids: Sequence[uuid.UUID]) -> None: ...


class Dispatcher:
    """Each tick: take rows back from dead workers, let paused judges be tried and others stand
    in for them, publish.

    Faults of Redis or PostgreSQL are logged and the next tick tries again.
    """

    def __init__(
        self, lifecycle: VerdictLifecycle, jobs: JobStore, publisher: Publisher, settings: Settings
    ) -> None:
        self._lifecycle = lifecycle
        self._jobs = jobs
        self._publisher = publisher
        self._interval = settings.dispatch_interval
        self._batch = settings.dispatch_batch
        self._grace = min(GRACE_SECONDS, settings.judge_lease)
        self._away = False
        self._reaps_from = 0.0

    async def run(self, stopping: asyncio.Event) -> None:
        """Ticks until `stopping` is set."""

        async def tick() -> bool:
            try:
                return await self.tick() >= BACKLOG_ROWS
            except psycopg.Error as error:
                self._away |= is_away(error)
                raise

        pause = min(self._interval, BACKLOG_INTERVAL)
        await repeat(tick, stopping, interval=self._interval, batch_pause=pause)

    async def tick(self) -> int:
        """One sweep. Returns how many ids were published. Raises PublishError, psycopg.Error."""
        if await self._may_reap() and (reaped := await self._lifecycle.reap()):
            logger.warning("Took back %d evaluations from workers that died or hung", reaped)
        reaped = await self._jobs.reap()
        if reaped:
            logger.warning("Took back %d jobs from workers that died or hung", reaped)
        await self._lifecycle.probe_paused()
        if moved := await self._lifecycle.fall_back():
            logger.warning("Gave %d evaluations of paused judges to other judges", moved)
        published = 0
        for queue in Queue:
            batch = 1 if queue is Queue.ISOLATED else self._batch
            published += await self._publish_due(self._lifecycle, TASK_NAME, queue, batch)
        # Jobs are long: one message for each, so that processes share them.
        for queue in (Queue.BULK, Queue.ISOLATED):
            published += await self._publish_due(self._jobs, JOB_TASK_NAME, queue, 1)
        return published

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
        # Suspects are taken one at a time, because one may acquit the others.
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
        return len(ids)


async def _main(settings: Settings, database_url: str, redis_url: str) -> None:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopping.set)
    heartbeat.start(settings.heartbeat_limit, settings.heartbeat_file)
    publisher = Publisher(redis_url, settings)
    async with create_pool(database_url, max_size=10) as pool:
        logger.info("Dispatching every %g s", settings.dispatch_interval)
        lifecycle, jobs = VerdictLifecycle(pool, settings), JobStore(pool, settings)
        dispatcher = Dispatcher(lifecycle, jobs, publisher, settings)
        kept = (
            VerdictRetention(pool, settings),
            trace_retention(pool, settings),
            alarm_retention(pool, settings),
            webhook_retention(pool, settings),
        )
        settling = Settling(pool, EvaluationPolicy.from_settings(settings))
        steps: list[tuple[Step, float]] = [
            *((partial(apply_retention, each), RETENTION_SECONDS) for each in kept),
            (partial(forget_reader_tokens, pool), RETENTION_SECONDS),
            (rechecking(pool, settings), RECHECK_SECONDS),
            (partial(settle_traces, settling), TRACES_SECONDS),
            (partial(alert, pool), ALERT_SECONDS),
            (Watch(pool).step, WATCH_SECONDS),
            (Rollups(pool, settings.rollup_time_zones).step, ROLLUP_SECONDS),
            (Collecting(pool, jobs, settings).step, BATCHES_SECONDS),
        ]
        if model := embedding_model(settings):
            steps.append((partial(start_embedding, pool, jobs, model), EMBEDDING_SECONDS))
        rounds = [repeat(step, stopping, interval=seconds) for step, seconds in steps]
        beating = asyncio.create_task(heartbeat.keep("dispatcher"))
        await asyncio.gather(dispatcher.run(stopping), *rounds)
        beating.cancel()
    publisher.close()


def main() -> int:
    atexit.register(gc.freeze)  # nothing is left to be looked for at the end
    try:
        settings = get_settings()
        configure_logging(settings.log_level)
        if not settings.database_url or not settings.redis_url:
            raise SetupError(
                "Set DATABASE_URL and REDIS_URL for the dispatcher, or run `searchqa up`."
            )
        asyncio.run(_main(settings, settings.database_url, settings.redis_url))
    except (SetupError, ConfigurationError) as error:
        sys.stderr.write(f"dispatcher: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
