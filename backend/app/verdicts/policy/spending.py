"""The daily budget of a workspace for work that is no verdict: held before it, settled after it."""

import uuid
from dataclasses import dataclass
from decimal import Decimal

from sqlalchemy.ext.asyncio import AsyncSession

from app.verdicts.policy import queries
from app.verdicts.status import WaitReason


@dataclass(frozen=True, slots=True)
class MustWait:
    """There is no money for it now; `seconds` until it is worth asking again."""

    seconds: float
    reason: WaitReason


async def hold_budget(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    work_id: uuid.UUID,
    piece_no: int,
    cost_usd: Decimal | None,
    *,
    seconds: float,
) -> MustWait | None:
    """Holds what a piece of work may cost, for at most so many seconds; the caller commits. None
    where it may begin, which it always may without a budget. cost_usd: None where nobody knows."""
    given = {"workspace_id": workspace_id, "work_id": work_id, "piece_no": piece_no}
    given |= {"cost_usd": cost_usd, "seconds": seconds}
    row = (await session.execute(queries.HOLD_BUDGET, given)).one()
    return MustWait(row.wait_seconds, WaitReason(row.why)) if row.why else None


async def settle(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    work_id: uuid.UUID,
    piece_no: int,
    cost_usd: Decimal | None,
) -> None:
    """Counts what the work has cost in the place of what was held for it; the caller commits."""
    await session.execute(queries.DROP_HOLD, {"work_id": work_id, "piece_no": piece_no})
    if cost_usd:
        given = {"workspace_id": workspace_id, "cost_usd": cost_usd}
        await session.execute(queries.COUNT_SPENDING, given)
