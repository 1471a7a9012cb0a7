"""Work over many items, done as jobs of a few items each: runs and judge benches.

The row that owns the items (`OwnsParts`) is pending until the first job begins, and completed by
the job that stores the last result. A job that fails or is cancelled ends the owner and the other
jobs by a trigger on `jobs` (migrations/functions/end_owner_of_ended_part.sql)."""

import asyncio
import datetime as dt
import uuid
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from sqlalchemy import String, Text, func, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.jobs.job import Deferred, NoLongerHeld
from app.platform.jobs.service import enqueue_all
from app.platform.jobs.status import UNFINISHED_RUNS, RunStatus

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
    session: AsyncSession,
    workspace_id: uuid.UUID,
    kind: str,
    owner: dict[str, str],
    items: int,
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


async def begin(session: AsyncSession, table: type[OwnsParts], owner_id: uuid.UUID) -> None:
    """Marks it running unless it is already, or has ended."""
    await session.execute(
        update(table)
        .where(table.id == owner_id, table.status == RunStatus.PENDING.value)
        .values(status=RunStatus.RUNNING.value, updated_at=func.now())
    )


async def end(
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
