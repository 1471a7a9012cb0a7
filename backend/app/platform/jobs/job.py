"""A job as its handler holds it, and what a handler is given to work with."""

import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.db.session import Sessions, in_workspace
from app.platform.jobs import queries
from app.platform.settings import Settings


class NoLongerHeld(Exception):
    """This attempt must stop and write nothing. No SearchQAError: a handler that falls back on
    those must not take it for one."""


class JobLost(NoLongerHeld):
    """The lease ended; another process may hold the job."""


class JobCancelled(NoLongerHeld):
    """The job was cancelled."""


class Deferred(Exception):
    """The job cannot go on for so many seconds, which is no failed try. `reason` is a word for
    what it waits for, `message` a sentence. No SearchQAError, as NoLongerHeld."""

    def __init__(self, reason: str, message: str, seconds: float) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason = reason
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class Job:
    """A job that this process holds until its lease ends.

    `attempt` is the fence that every later write names. `tries` have failed before this one.
    """

    id: uuid.UUID
    workspace_id: uuid.UUID
    kind: str
    payload: Mapping[str, Any]
    attempt: int
    tries: int


class Progress(Protocol):
    async def __call__(self, job: Job, done: int | None = None, total: int | None = None) -> None:
        """Prolongs the lease. Raises NoLongerHeld."""


ProvidersT = TypeVar("ProvidersT")


@dataclass(frozen=True)  # No slots: a call through a parametrized alias fails with them.
class JobContext(Generic[ProvidersT]):
    """Settings, sessions and providers of models for a handler, on its process's asyncio loop.

    sessions: of the tables' owner; `in_workspace(sessions, job.workspace_id)` confines one.
    wake: publishes an evaluation that the job has stored, after its commit.
    A handler runs again from its start after a failure or a crash, so it must look what it has
    done already; and it must not compute for long without an await.
    """

    job: Job
    settings: Settings
    sessions: Sessions
    providers: ProvidersT
    wake: Callable[[uuid.UUID], None]
    extend: Progress

    async def progress(self, done: int, total: int | None = None) -> None:
        """Reports how far the job is, and stops the handler if it is not wanted or not held any
        more: raises JobCancelled, JobLost. A `total` of None keeps the former one."""
        await self.extend(self.job, done, total)

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncSession]:
        """A transaction in the job's workspace that begins by locking the job: of two processes
        that believe they hold it, one writes. Raises JobLost, also for a cancelled job. The job
        comes before what it writes, the lock order of a cancellation. `progress` must be
        called outside, because it waits for the end of this."""
        held = {"id": self.job.id, "attempt": self.job.attempt}
        async with in_workspace(self.sessions, self.job.workspace_id) as session, session.begin():
            if await session.scalar(queries.HOLD, held) is None:
                raise JobLost
            yield session


# Returns when the work is done. Deferred puts the rest off. ProviderError and RequestError end the
# attempt with their sentence; transient ones are tried again later.
JobHandler = Callable[[Job, JobContext[ProvidersT]], Awaitable[None]]
