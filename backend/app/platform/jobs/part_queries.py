"""SQL of rows that own items done in parts; see app.platform.jobs.parts."""

import uuid

from sqlalchemy import func, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.jobs.parts import OwnsParts
from app.platform.jobs.run_status import UNFINISHED, RunStatus

_UNFINISHED = [status.value for status in UNFINISHED]


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
) -> None:
    """Changes nothing of one that has ended already. values: further columns."""
    await session.execute(
        update(table)
        .where(table.id == owner_id, table.status.in_(_UNFINISHED))
        .values(status=status.value, updated_at=func.now(), finished_at=func.now(), **values)
    )
