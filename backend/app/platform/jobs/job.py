"""A job as its handler holds it, what a handler is given to work with, and work over many items,
done as jobs of a few items each: runs and judge benches.

The row that owns the items (`OwnsParts`) is pending until the first job begins, and completed by
the job that stores the last result. A job that fails or is cancelled ends the owner and the other
jobs by a trigger on `jobs` (migrations/functions/end_owner_of_ended_part.sql)."""

import asyncio
import datetime as dt
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from sqlalchemy import String, Text, func, text, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.db.session import Sessions, in_workspace
from app.platform.jobs.service import enqueue_all
from app.platform.jobs.status import JOBS_SQL, UNFINISHED_RUNS, RunStatus
from app.platform.settings import Settings

_HOLD = text(JOBS_SQL("hold"))


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
            if await session.scalar(_HOLD, held) is None:
                raise JobLost
            yield session


# Returns when the work is done. Deferred puts the rest off. ProviderError and RequestError end the
# attempt with their sentence; transient ones are tried again later.
JobHandler = Callable[[Job, JobContext[ProvidersT]], Awaitable[None]]


# Few enough that a worker's death repeats little, many enough to be worth a claim.
ITEMS_PER_JOB = 20
# Items of one job side by side; several jobs of a process run at a time.
_ITEMS_AT_ONCE = 4


class OwnsParts:
    """Columns of a table whose rows own items. `summary` is NULL until a row is completed."""

    id: Mapped[uuid.UUID]
    status: Mapped[str] = mapped_column(String(16), server_default=RunStatus.PENDING.value)
    summary: Mapped[dict[str, Any] | None]
    error_message: Mapped[str | None] = mapped_column(Text)
    updated_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())
    finished_at: Mapped[dt.datetime | None]


async def enqueue_parts(
    session: AsyncSession, workspace_id: uuid.UUID, kind: str, owner: dict[str, str], items: int
) -> None:
    """Adds the jobs for positions 0 to `items` - 1; the caller commits. owner: the key and id in
    each payload, beside `first` and `last`."""
    starts = range(0, items, ITEMS_PER_JOB)
    parts = [
        owner | {"first": first, "last": min(first + ITEMS_PER_JOB, items) - 1} for first in starts
    ]
    await enqueue_all(session, workspace_id, kind, parts)


async def side_by_side(work: Iterable[Callable[[], Awaitable[None]]]) -> None:
    """Does a few at a time and raises the first error when those under way have ended. When the
    job is no longer held or deferred, nothing more is started: it would be paid for in vain."""
    room = asyncio.Semaphore(_ITEMS_AT_ONCE)
    goes_on = True

    async def one(do: Callable[[], Awaitable[None]]) -> None:
        nonlocal goes_on
        async with room:
            if not goes_on:
                return
            try:
                await do()
            except (NoLongerHeld, Deferred):
                goes_on = False
                raise

    for outcome in await asyncio.gather(*map(one, work), return_exceptions=True):
        if isinstance(outcome, BaseException):
            raise outcome


_UNFINISHED = [status.value for status in UNFINISHED_RUNS]


async def begin_owner(session: AsyncSession, table: type[OwnsParts], owner_id: uuid.UUID) -> None:
    """Marks it running unless it is already, or has ended."""
    await session.execute(
        update(table)
        .where(table.id == owner_id, table.status == RunStatus.PENDING.value)
        .values(status=RunStatus.RUNNING.value, updated_at=func.now())
    )


async def end_owner(
    session: AsyncSession,
    table: type[OwnsParts],
    owner_id: uuid.UUID,
    status: RunStatus,
    **values: object,
) -> bool:
    """Changes nothing and returns False for one that has ended already. values: further columns."""
    ended = await session.scalar(
        update(table)
        .where(table.id == owner_id, table.status.in_(_UNFINISHED))
        .values(status=status.value, updated_at=func.now(), finished_at=func.now(), **values)
        .returning(table.id)
    )
    return ended is not None
