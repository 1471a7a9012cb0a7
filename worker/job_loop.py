"""The asyncio loop of a process that does jobs, and one job from its claim to its end."""

import asyncio
import logging
import uuid
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import Any

import psycopg
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as SQLAlchemyTimeoutError

from app.ai_router.jobs import ModelJobContext, ModelJobHandler
from app.ai_router.limits.model_limit import Ask
from app.ai_router.limits.shared import SharedLimits
from app.ai_router.providers.forms import PartsInDatabase
from app.ai_router.router import AIRouter, Providers
from app.ai_router.types import ChatRequest, ChatResponse, ModelName, Provider
from app.judges.judge_names import takes_prompts
from app.platform.db.actor import act_as
from app.platform.db.pool import create_pool, end_task
from app.platform.db.session import create_engine, create_sessions
from app.platform.errors import ProviderError, SearchQAError, TransientProviderError
from app.platform.ids import new_id
from app.platform.jobs.job import Deferred, Job, JobCancelled, NoLongerHeld
from app.platform.jobs.store import JobStore
from app.platform.metrics import JOBS_ENDED
from app.platform.settings import Settings
from app.verdicts.judging.limited_router import LimitedRouter, estimated_tokens
from app.verdicts.lifecycle.retry import Backoff
from worker.allowances import Allowances, limit_recorder, shared_limits
from worker.batched_lifecycle import retry_on_disconnect
from worker.loop_thread import IdLoop, LoopStopping, TaskOutcome, TaskState

# A call of a job waits for so much of its deadline at most. Then it is made and owed, because the
# job holds one of few places meanwhile, and whoever judges in it has a deadline for all of it.
WAIT_SHARE = 0.5


class LimitedProviders(Providers):
    """Each call of a limited model waits for its allowance, behind fresh answers as rows of the
    bulk queue do."""

    def __init__(
        self, settings: Settings, limits: SharedLimits, parts: PartsInDatabase | None = None
    ) -> None:
        super().__init__(settings, on_reply=limit_recorder(limits, settings), parts=parts)
        self._limits = limits
        self._allowances = Allowances(limits)

    async def aclose(self) -> None:
        self._allowances.stop(LoopStopping())
        await super().aclose()

    def _router(self, client: Provider, name: ModelName, deadline: float) -> AIRouter:
        return _WaitingRouter(client, name, deadline, self._limits, self._allowances)


class _WaitingRouter(AIRouter):
    def __init__(
        self,
        provider: Provider,
        model: ModelName,
        deadline: float,
        limits: SharedLimits,
        allowances: Allowances,
    ) -> None:
        super().__init__(provider, model, deadline=deadline)
        self._counted = LimitedRouter(AIRouter(provider, model, deadline=deadline), limits)
        self._allowances = allowances
        self._max_wait_seconds = WAIT_SHARE * deadline

    async def chat(self, request: ChatRequest) -> ChatResponse:
        name = str(self.model)
        if not (takes_prompts(name) and self._allowances.limits(name)):
            return await self._counted.chat(request)
        ask = Ask(str(new_id()), 1, estimated_tokens(request), bulk=True)
        grant = await self._allowances.wait(name, ask, self._max_wait_seconds, owner="jobs")
        try:
            return await self._counted.chat(request)
        finally:
            if grant:
                grant.end()


logger = logging.getLogger(__name__)

_HEARTBEATS_PER_LEASE = 3

_DATABASE_AWAY = (
    *(psycopg.OperationalError, psycopg.InterfaceError),
    *(OperationalError, InterfaceError, SQLAlchemyTimeoutError),
)

# A method of JobStore, named for how the attempt ended, and its arguments. It writes that; False
# when the job was not held any more.
_End = partial[Coroutine[Any, Any, bool]]


class _Stopped(Exception):
    """The process is about to end, and the job is not done."""


class JobRunner:
    """Calls the handlers of a process, on its loop."""

    def __init__(
        self,
        store: JobStore,
        settings: Settings,
        handlers: Mapping[str, ModelJobHandler],
        context: Callable[[Job], ModelJobContext],
    ) -> None:
        self._store = store
        self._handlers = handlers
        self._context = context
        self._heartbeat_seconds = settings.worker.job_lease_seconds / _HEARTBEATS_PER_LEASE
        self._max_attempts = settings.judge.max_attempts
        self._backoff = Backoff.from_settings(settings)
        self._at_work: set[asyncio.Task[None]] = set()
        self._stopping = False

    def stop(self) -> None:
        """Releases every job, also those that are run from now on."""
        self._stopping = True
        for work in self._at_work:
            work.cancel()

    async def run(self, job: Job) -> TaskOutcome | None:
        """Runs the job and writes its end. Returns the outcome of one that did not succeed. Raises
        psycopg.Error when PostgreSQL stays away: then the lease ends, and another process runs the
        job."""
        end = await self._end_of(job)
        JOBS_ENDED.labels(job.kind, end.func.__name__ if end else "cancelled").inc()
        if end is None:
            return None
        if not await retry_on_disconnect(end):
            logger.warning("Job %s: attempt %d had lost its lease", job.id, job.attempt)
            return None
        if end.func == self._store.fail:
            return TaskOutcome(f"{job.kind} failed: {end.args[1]}", TaskState.FAILURE)
        if end.func == self._store.retry:
            line = f"{job.kind} to be tried again: {end.args[1]}"
            return TaskOutcome(line, TaskState.RETRY, job.tries + 1)
        return None

    async def _end_of(self, job: Job) -> _End | None:
        try:
            await self._work(job)
        except _Stopped:
            return partial(self._store.release, job)
        except JobCancelled:
            logger.info("Job %s (%s) was cancelled", job.id, job.kind)
            return None
        except NoLongerHeld:
            logger.warning("Job %s: attempt %d is not held any more", job.id, job.attempt)
            return None
        except Deferred as deferred:
            return partial(self._store.defer, job, str(deferred), deferred.seconds)
        except TransientProviderError as error:
            return self._try_again(job, f"{error.kind}: {error}", error.retry_after)
        except _DATABASE_AWAY as error:
            logger.warning("Job %s (%s): PostgreSQL was away (%s)", job.id, job.kind, error)
            return self._try_again(job, "PostgreSQL was away.", None)
        except ProviderError as error:
            return partial(self._store.fail, job, f"{error.kind}: {error}")
        except SearchQAError as error:
            return partial(self._store.fail, job, str(error))
        except Exception as error:
            logger.exception("Job %s (%s) failed", job.id, job.kind)
            reason = f"Internal error: {type(error).__name__}; the log of the worker says more."
            return partial(self._store.fail, job, reason)
        return partial(self._store.finish, job)

    def _try_again(self, job: Job, error: str, retry_after: float | None) -> _End:
        if job.tries + 1 >= self._max_attempts:
            return partial(self._store.fail, job, error)
        delay = self._backoff.delay(job.tries, retry_after)
        return partial(self._store.retry, job, error, delay)

    async def _work(self, job: Job) -> None:
        """Raises what the handler raises, NoLongerHeld, or _Stopped."""
        if self._stopping:
            raise _Stopped
        act_as(job.kind, "job", id_=job.id)
        work = asyncio.ensure_future(self._handlers[job.kind](job, self._context(job)))
        heartbeat = asyncio.create_task(self._hold(job))
        self._at_work.add(work)
        try:
            await asyncio.wait((work, heartbeat), return_when=asyncio.FIRST_COMPLETED)
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
            await end_task(heartbeat)
            self._at_work.discard(work)
        lost = None if heartbeat.cancelled() else heartbeat.exception()
        if not work.cancelled():
            return work.result()
        if lost:
            raise lost
        if self._stopping:
            raise _Stopped
        raise RuntimeError(f"the handler of {job.kind} cancelled itself")

    async def _hold(self, job: Job) -> None:
        """Prolongs the lease until it is cancelled. Raises NoLongerHeld."""
        while True:
            await asyncio.sleep(self._heartbeat_seconds)
            try:
                await self._store.extend(job)
            except (psycopg.OperationalError, psycopg.InterfaceError) as error:
                logger.warning("Job %s: no heartbeat (%s)", job.id, error)


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
        handlers: Mapping[str, ModelJobHandler],
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
        pool = create_pool(self._database_url, name="jobs", min_size=0)
        await self._resources.enter_async_context(pool)
        engine = create_engine(self._database_url)
        self._resources.push_async_callback(engine.dispose)
        limits = shared_limits(self._settings)
        self._resources.push_async_callback(limits.aclose)
        await limits.load(learned=self._settings.judge.learn_limits)
        providers = LimitedProviders(self._settings, limits, PartsInDatabase(pool))
        self._resources.push_async_callback(providers.aclose)
        self._store = JobStore(pool, self._settings)
        self._claiming = asyncio.Lock()
        sessions = create_sessions(engine)
        self._runner = JobRunner(
            self._store,
            self._settings,
            self._handlers,
            lambda job: ModelJobContext(
                job, self._settings, sessions, providers, self._wake, self._store.extend
            ),
        )
        self._look_for_more()

    async def _drain(self, grace: float) -> None:
        """Releases all jobs at once: they are long, and another process goes on with them."""
        async with self._claiming:
            # Not before a claim under way has ended: it could take what is released.
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
