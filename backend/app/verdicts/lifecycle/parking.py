"""Rows outside the usual way: parked for a batch of their provider, judged again, held by a pause.

Parked rows keep their status and carry a reason: `for_batch` until they are put into one,
`in_batch` from then on. Whatever becomes of the batch, they are due again once the policy's waiting
time is over.
"""

import datetime as dt
import uuid
from collections.abc import Collection, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

from sqlalchemy import delete, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.db.pool import Connection, Pool
from app.verdicts.lifecycle import queries
from app.verdicts.lifecycle.lease_rows import lease_of
from app.verdicts.lifecycle.lifecycle import StoredCall, rows_json
from app.verdicts.lifecycle.outcome import Held, Lease
from app.verdicts.lifecycle.queries import load
from app.verdicts.models.policy import JudgePause
from app.verdicts.policy.judge_prices import JudgePrices

# A condition on the row `e`, with id and attempt of the row `r`: it is in a batch as that attempt.
PARKED = load("parked")

LEASES = text(load("parked_leases", parked=PARKED))
LOCK = text(load("lock_parked", parked=PARKED))
RELEASE = text(load("release_parked", parked=PARKED))
PUT_BACK = text(load("put_back", parked=PARKED))
SAVE_REPLIES = text(load("save_replies", rows="CAST(:rows AS jsonb)"))
# For psycopg.
GROUPS = load("batch_groups").encode()
PARK = load("park").encode()


REJUDGE = text(load("rejudge", rows=":rows"))
WITHDRAW = text(load("withdraw"))
REASSIGN = text(load("reassign"))
COUNT_WAITING = text(queries.COUNT_WAITING)
STRANDED = text(queries.STRANDED)
# For psycopg.
REJUDGE_CHECKED = load("rejudge", rows="%(rows)s").encode()
RECHECK = load("recheck").encode()

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


async def batch_groups(connection: Connection) -> list[BatchGroup]:
    """Those with rows that wait to be put into a batch."""
    return [BatchGroup(*row) for row in await (await connection.execute(GROUPS)).fetchall()]


async def park(connection: Connection, group: BatchGroup, limit: int) -> list[ParkedRow]:
    """Takes rows for a batch, as far as the daily budget goes; the caller commits."""
    given = {**group._asdict(), "limit": limit}
    return [ParkedRow(*row) for row in await (await connection.execute(PARK, given)).fetchall()]


async def parked_leases(session: AsyncSession, rows: Collection[Held]) -> list[Lease]:
    """What is to be judged of those that are still in their batch. They are not held: none of
    them is running, and nothing may be recorded for them."""
    return [lease_of(row) for row in await session.execute(LEASES, _given(rows))]


async def save_batch_replies(
    session: AsyncSession, calls: Sequence[StoredCall]
) -> dict[uuid.UUID, bool]:
    """Stores replies, each once; the caller commits. Says of each evaluation that there still is
    whether it was still in the batch. A reply that comes too late for one is stored without its
    text, for what it has cost."""
    rows = {call.lease.id: call.lease for call in calls}
    locked = await session.execute(LOCK, _given(rows.values()))
    parked = {row.id: row.parked for row in locked}
    storable = [
        call if parked[call.lease.id] else replace(call, error=call.error or SUPERSEDED)
        for call in calls
        if call.lease.id in parked
    ]
    if storable:
        given = {"rows": rows_json([call.row() for call in storable])}
        await session.execute(SAVE_REPLIES, given)
    return parked


async def release_parked(
    session: AsyncSession, rows: Collection[Held], *, answered: bool = False
) -> None:
    """Makes rows of a batch due at once; the caller commits. answered: their replies, or errors,
    are all there."""
    await session.execute(RELEASE, {**_given(rows), "answered": answered})


async def put_back(session: AsyncSession, rows: Collection[Held]) -> None:
    """Has rows of a batch wait for another one; the caller commits."""
    await session.execute(PUT_BACK, _given(rows))


def _given(rows: Collection[Held | Lease]) -> dict[str, str]:
    return {"rows": rows_json([{"id": row.id, "attempt": row.attempt} for row in rows])}


async def judge_pauses(session: AsyncSession) -> Sequence[JudgePause]:
    """All paused judges with their reasons, by name."""
    return (await session.scalars(select(JudgePause).order_by(JudgePause.judge_model))).all()


async def resume_judge(session: AsyncSession, judge_model: str) -> bool:
    """Takes the pause away; the dispatcher then finds the rows that waited. False if there was
    none. The caller commits."""
    pause = delete(JudgePause).where(JudgePause.judge_model == judge_model)
    resumed = await session.scalar(pause.returning(JudgePause.judge_model))
    return resumed is not None


async def price_waiting(pool: Pool, prices: JudgePrices) -> int:
    """Estimates them by the prices of today and makes them due. Returns how many. Raises
    psycopg.Error."""
    priced = 0
    async with pool.connection() as connection:
        kinds = await (await connection.execute(queries.UNPRICED)).fetchall()
        for model, evaluators, prompt in kinds:
            rates = prices.rates(model, evaluators, prompt)
            if rates is None:
                continue
            given = {"model": model, "evaluators": evaluators, "prompt": prompt}
            given |= {"cost_usd": rates[0], "cost_usd_a_byte": rates[1]}
            priced += (await connection.execute(queries.PRICE_WAITING, given)).rowcount
    return priced
