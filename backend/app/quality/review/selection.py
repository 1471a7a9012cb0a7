"""Evaluations selected in the list, for what is done with several of them at once."""

import uuid

from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.db.page import MAX_SELECTED
from app.quality.review import explorer_queries as queries
from app.quality.review.explorer import refuse_slow_lists
from app.quality.review.explorer_queries import Order
from app.quality.review.filters import Filters


class Selection(BaseModel):
    """ids: the first MAX_SELECTED evaluations of the list, in its order; matching: how many there
    are in all."""

    ids: list[uuid.UUID]
    matching: int


async def select_evaluations(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    filters: Filters,
    order: Order = "newest",
    limit: int = MAX_SELECTED,
) -> Selection:
    """filters: as of `explorer.row_page`. Raises InvalidRequest for what PostgreSQL cannot count in
    its time."""
    about = {**filters, "workspace_id": workspace_id, "limit": limit}
    with refuse_slow_lists():
        rows = (await session.execute(queries.selected(filters, order), about)).all()
    return Selection(ids=[row.id for row in rows], matching=rows[0].matching if rows else 0)
