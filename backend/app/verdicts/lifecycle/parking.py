"""Rows that are judged by a batch of their provider: parked while it runs, released with its
replies.

Parked rows keep their status and carry a reason: `for_batch` until they are put into one,
`in_batch` from then on. Whatever becomes of the batch, they are due by themselves at the end of
the time that the policy lets them wait."""

import datetime as dt
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import NamedTuple

from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.db.pool import Connection
from app.verdicts.lifecycle import session_queries as queries
from app.verdicts.lifecycle.lease_rows import lease_of
from app.verdicts.lifecycle.lifecycle import HeldRow, StoredCall, rows_json
from app.verdicts.lifecycle.outcome import Lease

# What is stored of a reply that came when the row had gone on without it.
SUPERSEDED = "superseded: the row was judged, or given up, before its batch ended"


class ParkedRow(NamedTuple):
    """A row in a batch. attempt: the fence of its replies. run_at: when it is due all the same."""

    id: uuid.UUID
    attempt: int
    cost_usd: Decimal | None
    run_at: dt.datetime


class BatchGroup(NamedTuple):
    """Whose rows go into one batch."""

    workspace_id: uuid.UUID
    judge_model: str


@dataclass(frozen=True, slots=True)
class Held:
    """A row in a batch, as replies name it."""

    id: uuid.UUID
    workspace_id: uuid.UUID
    attempt: int


async def batch_groups(connection: Connection) -> list[BatchGroup]:
    """Those with rows that wait to be put into a batch."""
    return [BatchGroup(*row) for row in await (await connection.execute(queries.GROUPS)).fetchall()]


async def park(connection: Connection, group: BatchGroup, limit: int) -> list[ParkedRow]:
    """Takes rows for a batch, as far as the daily budget goes; the caller commits."""
    given = {**group._asdict(), "limit": limit}
    return [
        ParkedRow(*row) for row in await (await connection.execute(queries.PARK, given)).fetchall()
    ]


async def parked_leases(session: AsyncSession, rows: Collection[Held]) -> list[Lease]:
    """What is to be judged of those that are still in their batch. They are not held: none of
    them is running, and nothing may be recorded for them."""
    return [lease_of(row) for row in await session.execute(queries.LEASES, _given(rows))]


async def save_batch_replies(
    session: AsyncSession, calls: Sequence[StoredCall]
) -> dict[uuid.UUID, bool]:
    """Stores replies, each once; the caller commits. Says of each evaluation that there still is
    whether it was still in the batch. A reply that comes too late for one is stored without its
    text, for what it has cost."""
    rows = {call.lease.id: call.lease for call in calls}
    locked = await session.execute(queries.LOCK, _given(rows.values()))
    parked = {row.id: row.parked for row in locked}
    storable = [
        call if parked[call.lease.id] else replace(call, error=call.error or SUPERSEDED)
        for call in calls
        if call.lease.id in parked
    ]
    if storable:
        given = {"rows": rows_json([call.row() for call in storable])}
        await session.execute(queries.SAVE_REPLIES, given)
    return parked


async def release_parked(
    session: AsyncSession, rows: Collection[Held], *, answered: bool = False
) -> None:
    """Makes rows of a batch due at once; the caller commits. answered: their replies, or errors,
    are all there."""
    await session.execute(queries.RELEASE, {**_given(rows), "answered": answered})


async def put_back(session: AsyncSession, rows: Collection[Held]) -> None:
    """Has rows of a batch wait for another one; the caller commits."""
    await session.execute(queries.PUT_BACK, _given(rows))


def _given(rows: Collection[HeldRow]) -> dict[str, str]:
    return {"rows": rows_json([{"id": row.id, "attempt": row.attempt} for row in rows])}
