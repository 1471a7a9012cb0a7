"""The one asyncio loop of a worker process: all of its calls run here, side by side."""

import asyncio
import logging
import uuid
from collections.abc import Collection, Sequence
from concurrent.futures import Future
from contextlib import AsyncExitStack, suppress
from typing import Any

import psycopg
from psycopg_pool import PoolTimeout

from app.ai_router.router import Providers
from app.broker import Queue
from app.db.pool import create_pool
from app.errors import ConfigurationError
from app.settings import Settings
from app.verdicts.judge_by_rules import CORES
from app.verdicts.judging import Judging
from app.verdicts.lifecycle import VerdictLifecycle
from app.verdicts.outcome import Claim, Outcome, Release
from app.verdicts.policy import RULES_MODEL
from worker.hot_path import HotPath
from worker.loop_thread import LoopStopping, LoopThread

logger = logging.getLogger(__name__)


class JudgeLoop:
    """Runs in a thread of its own; Celery's task threads hand it ids and wait.

    Claims, replies and records of all tasks are coalesced, so that answers published one by
    one cost what batches cost. queues: those that this process serves.
    """

    def __init__(
        self,
        settings: Settings,
        database_url: str,
        *,
        queues: Collection[str] = frozenset(Queue),
    ) -> None:
        self._settings = settings
        self._queues = queues
        self._database_url = database_url
        self._loop = LoopThread("judge-loop")
        self._in_flight: set[asyncio.Task[None]] = set()
        self._judgings: set[asyncio.Task[Any]] = set()
        self._drained: Future[None] | None = None
        self._stopping = False
        self._releasing = False

    def start(self) -> None:
        """Returns when ids may be run. PostgreSQL need not be there yet."""
        self._loop.start()
        self._loop.submit(self._open()).result(timeout=30)

    def run(self, ids: Sequence[uuid.UUID]) -> None:
        """Judges what is free of `ids`; returns when each of them is recorded, or after the time
        limit of a task. Thread-safe.

        Raises LoopStopping when the process is about to end and some were not claimed.
        """
        if self._stopping:
            raise LoopStopping
        future = self._loop.submit(self._judge_all(ids))
        try:
            future.result(timeout=self._settings.task_time_limit)
        except TimeoutError:
            # They are judged all the same; only the message must not come back for them.
            logger.warning("%d evaluations wait longer than a task may take", len(ids))

    def begin_stop(self, grace: float) -> None:
        """Claims nothing more, lets calls in flight end for `grace` seconds, then gives their
        rows back. Returns at once: it is called from a signal handler."""
        self._stopping = True
        self._drained = self._loop.submit(self._drain(grace))

    def close(self) -> None:
        """Waits for the end of `begin_stop`, then frees connections and the thread."""
        if self._drained is None:
            self.begin_stop(0)
        self._loop.submit(self._close()).result(timeout=15)
        self._loop.stop()

    async def _open(self) -> None:
        self._resources = AsyncExitStack()
        pool = await self._resources.enter_async_context(create_pool(self._database_url))
        providers = Providers(self._settings)
        with suppress(ConfigurationError):  # its rows wait and say so
            # The first answer need not wait until the clients of HTTP are imported.
            providers.check(self._settings.judge_model)
        self._resources.push_async_callback(providers.aclose)
        lifecycle = VerdictLifecycle(pool, self._settings)
        self._hot_path = HotPath(lifecycle, self._queues)
        self._slots = asyncio.Semaphore(self._settings.max_in_flight)
        self._claiming = asyncio.Semaphore(_most_claiming(self._settings))
        self._judging = Judging(
            self._settings,
            routers=lambda model: providers.router(model, deadline=self._settings.judge_deadline),
            stash=self._hot_path.stash,
            stored=self._hot_path.stored,
        )
        try:
            # Whoever starts a worker may have mended the judge.
            await lifecycle.probe_soon()
        except (psycopg.Error, PoolTimeout) as error:
            logger.warning("PostgreSQL is not there yet (%s)", error)

    async def _drain(self, grace: float) -> None:
        if self._in_flight:
            await asyncio.wait(self._in_flight, timeout=grace)
        self._releasing = True
        self._hot_path.let_go()
        for judging in self._judgings:
            judging.cancel()
        await asyncio.gather(*self._in_flight, return_exceptions=True)

    async def _close(self) -> None:
        if self._drained is not None:
            await asyncio.wrap_future(self._drained)
        await self._resources.aclose()

    async def _judge_all(self, ids: Sequence[uuid.UUID]) -> None:
        tasks = [asyncio.create_task(self._judge_one(id_)) for id_ in ids]
        self._in_flight.update(tasks)
        for task in tasks:
            task.add_done_callback(self._in_flight.discard)
        results = await asyncio.gather(*tasks, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception):
                raise result

    async def _judge_one(self, id_: uuid.UUID) -> None:
        async with self._slots:
            async with self._claiming:
                if self._stopping:
                    raise LoopStopping
                claim = await self._hot_path.claim(id_)
                if claim is None:
                    return
                if claim.judge_model == RULES_MODEL:
                    outcome = await self._outcome(claim)
            # Whose judge it is shows only now: a call waits elsewhere and lets others claim.
            if claim.judge_model != RULES_MODEL:
                outcome = await self._outcome(claim)
        # The next call need not wait until this one is recorded.
        if not await self._hot_path.record(claim, outcome):
            logger.warning("Evaluation %s: attempt %d had lost its lease", claim.id, claim.attempt)

    async def _outcome(self, claim: Claim) -> Outcome:
        if self._releasing:
            return Release()
        task = asyncio.current_task()
        assert task
        self._judgings.add(task)
        try:
            return await self._judging.judge(claim)
        except asyncio.CancelledError:
            # By `_drain`, and for the judging alone: the row is still to be given back.
            task.uncancel()
            return Release()
        finally:
            self._judgings.discard(task)


def _most_claiming(settings: Settings) -> int:
    """Rules compute, so a claim beyond a few for each core would only use its lease up waiting.
    Where a model judges, workspaces that have chosen rules are the few: see JudgeByRules."""
    if settings.judge_model == RULES_MODEL:
        return 4 * CORES
    return settings.max_in_flight
