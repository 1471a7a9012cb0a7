"""One job from its claim to its end: the handler works, the heartbeat holds the lease."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Any

import psycopg
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as SQLAlchemyTimeoutError

from app.ai_router.backoff import Backoff
from app.platform.db.pool import end_task
from app.platform.errors import ProviderError, SearchQAError, TransientProviderError
from app.platform.jobs.job import Deferred, Job, JobCancelled, JobContext, JobHandler, NoLongerHeld
from app.platform.jobs.store import JobStore
from app.platform.settings import Settings
from app.platform.telemetry.metrics import JOBS_ENDED
from worker.loop_thread import TaskOutcome, TaskState
from worker.reconnecting import retry_on_disconnect

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
        handlers: Mapping[str, JobHandler],
        context: Callable[[Job], JobContext],
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
        """Has every job given back, also those that are run from now on."""
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
            told = f"Internal error: {type(error).__name__}; the log of the worker says more."
            return partial(self._store.fail, job, told)
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
