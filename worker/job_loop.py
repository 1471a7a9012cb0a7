"""The asyncio loop of a process that does jobs."""

import asyncio
import logging
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence

import psycopg

from app.platform.db.pool import create_pool
from app.platform.db.session import create_engine, create_sessions
from app.platform.jobs.job import Job, JobContext, JobHandler
from app.platform.jobs.store import JobStore
from app.platform.settings import Settings
from worker.allowances import shared_limits
from worker.job_runner import JobRunner
from worker.limited_providers import LimitedProviders
from worker.loop_thread import IdLoop, TaskOutcome
from worker.reconnecting import retry_on_disconnect

logger = logging.getLogger(__name__)

Running = asyncio.Task[TaskOutcome | None]


class JobLoop(IdLoop):
    """A message only wakes it up: what there is no room for is left in PostgreSQL, and when a job
    ends the next due one is taken from there. So a process never holds more than it works on.
    alone: does one job at a time, and only what it is given by id.
    """

    def __init__(
        self,
        settings: Settings,
        database_url: str,
        handlers: Mapping[str, JobHandler],
        wake: Callable[[uuid.UUID], None],
        *,
        alone: bool = False,
    ) -> None:
        super().__init__("job-loop")
        self._settings = settings
        self._database_url = database_url
        self._handlers = handlers
        self._wake = wake
        self._alone = alone
        self._most = 1 if alone else settings.worker.bulk_in_flight
        self._running: set[Running] = set()
        self._looking: set[asyncio.Task[None]] = set()

    async def _open(self) -> None:
        pool = create_pool(self._database_url, name="jobs")
        await self._resources.enter_async_context(pool)
        engine = create_engine(self._database_url)
        self._resources.push_async_callback(engine.dispose)
        limits = shared_limits(self._settings)
        self._resources.push_async_callback(limits.aclose)
        await limits.load(learned=self._settings.judge.learn_limits)
        providers = LimitedProviders(self._settings, limits)
        self._resources.push_async_callback(providers.aclose)
        self._store = JobStore(pool, self._settings)
        self._claiming = asyncio.Lock()
        sessions = create_sessions(engine)
        self._runner = JobRunner(
            self._store,
            self._settings,
            self._handlers,
            lambda job: JobContext(
                job, self._settings, sessions, providers, self._wake, self._store.extend
            ),
        )
        self._look_for_more()

    async def _drain(self, grace: float) -> None:
        """Gives all jobs back at once: they are long, and another process goes on with them."""
        async with self._claiming:
            # Not before a claim under way has ended, because it could take what is given back.
            self._runner.stop()
        await asyncio.gather(*self._running, *self._looking, return_exceptions=True)

    async def _run(self, ids: Sequence[uuid.UUID]) -> TaskOutcome:
        jobs = await self._take(lambda room: self._store.claim(ids, self._handlers.keys(), room))
        if self._stopping and not jobs:
            await self._unpublish(ids)
        if not jobs:
            return TaskOutcome("left to others or for later")
        done, late = await asyncio.wait(jobs, timeout=self._settings.judge.task_limit_seconds)
        for job in done:
            if not job.cancelled() and not job.exception() and (outcome := job.result()):
                return outcome
        return TaskOutcome(f"{len(done)} ended, {len(late)} go on")

    async def _unpublish(self, ids: Sequence[uuid.UUID]) -> None:
        try:
            await self._store.unpublish(ids)
        except psycopg.Error as error:
            logger.warning("%d unclaimed jobs are published again later (%s)", len(ids), error)

    async def _take(self, claim: Callable[[int], Awaitable[list[Job]]]) -> list[Running]:
        async def claimed() -> list[Job]:
            room = self._most - len(self._running)
            return [] if self._stopping or room <= 0 else await claim(room)

        async with self._claiming:
            return [self._begin(job) for job in await retry_on_disconnect(claimed)]

    def _begin(self, job: Job) -> Running:
        running = asyncio.create_task(self._runner.run(job), name=f"job {job.id}")
        self._running.add(running)
        running.add_done_callback(self._end)
        return running

    def _end(self, running: Running) -> None:
        self._running.discard(running)
        if not running.cancelled() and (error := running.exception()):
            logger.error("The end of %s could not be written", running.get_name(), exc_info=error)
        self._look_for_more()

    def _look_for_more(self) -> None:
        if self._alone or self._stopping:
            return
        looking = asyncio.create_task(self._take_next())
        self._looking.add(looking)
        looking.add_done_callback(self._looking.discard)

    async def _take_next(self) -> None:
        try:
            await self._take(lambda room: self._store.claim_next(self._handlers.keys(), room))
        except psycopg.Error as error:
            logger.warning("PostgreSQL cannot be asked for jobs (%s)", error)
