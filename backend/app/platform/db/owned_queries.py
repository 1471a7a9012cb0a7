"""Queries that are alike for every table of a workspace, and pages of their rows."""

import uuid
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Generic, Self, TypeVar

from pydantic import BaseModel
from sqlalchemy import ColumnElement, RowMapping, TextClause, delete, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.db.base import InOrder, KeyedRow
from app.platform.errors import NotFound

MAX_POSITION = 2**31 - 1


_InOrder = TypeVar("_InOrder", bound=InOrder)
_Row = TypeVar("_Row", bound=KeyedRow)


def one_and_page(rows: str, id_: str) -> tuple[TextClause, TextClause]:
    """Statements for `one` and `page` out of a SELECT that ends in a condition. id_: the column,
    with its alias."""
    after = f"(CAST(:after AS uuid) IS NULL OR {id_} < :after)"
    return (
        text(f"{rows} AND {id_} = :id"),
        text(f"{rows} AND {after} ORDER BY {id_} DESC LIMIT :limit"),
    )


async def one(
    session: AsyncSession, statement: TextClause, workspace_id: uuid.UUID, id_: uuid.UUID
) -> RowMapping | None:
    """None for one of another workspace too."""
    found = await session.execute(statement, {"workspace_id": workspace_id, "id": id_})
    return found.mappings().one_or_none()


async def existing(
    session: AsyncSession,
    statement: TextClause,
    workspace_id: uuid.UUID,
    id_: uuid.UUID,
    missing: NotFound,
) -> RowMapping:
    """The same; raises `missing` where there is none."""
    row = await one(session, statement, workspace_id, id_)
    if row is None:
        raise missing
    return row


async def row_of(
    session: AsyncSession,
    table: type[_Row],
    workspace_id: uuid.UUID,
    id_: uuid.UUID,
    *,
    lock: bool = False,
) -> _Row | None:
    """The same of a table. lock: nobody else changes it until the transaction ends."""
    wanted = select(table).where(table.id == id_, table.workspace_id == workspace_id)
    return await session.scalar(wanted.with_for_update() if lock else wanted)


async def page(
    session: AsyncSession,
    statement: TextClause,
    workspace_id: uuid.UUID,
    *,
    after: uuid.UUID | None,
    limit: int,
    **more: object,
) -> Sequence[RowMapping]:
    """Newest first, behind the id `after`, and one more than `limit`: see `Page.of`."""
    given = {"workspace_id": workspace_id, "after": after, "limit": limit + 1, **more}
    return (await session.execute(statement, given)).mappings().all()


async def delete_one(
    session: AsyncSession, table: type[KeyedRow], workspace_id: uuid.UUID, id_: uuid.UUID
) -> bool:
    """What hangs on it goes by foreign keys. False if it is not there."""
    deleted = await session.scalar(
        delete(table).where(table.id == id_, table.workspace_id == workspace_id).returning(table.id)
    )
    return deleted is not None


async def in_order(
    session: AsyncSession,
    table: type[_InOrder],
    workspace_id: uuid.UUID,
    owner: ColumnElement[bool],
    first: int = 0,
    last: int = MAX_POSITION,
) -> Sequence[_InOrder]:
    """The rows of their owner at positions `first` to `last`, in order."""
    found = await session.scalars(
        select(table)
        .where(table.workspace_id == workspace_id, owner, table.position.between(first, last))
        .order_by(table.position)
    )
    return found.all()


Item = TypeVar("Item")
PageCursor = TypeVar("PageCursor", uuid.UUID, str)

# Rows selected in a list, on which one request acts.
MAX_SELECTED = 1_000


class Listed(BaseModel):
    """An entry of a list in the order of ids."""

    id: uuid.UUID


class Page(BaseModel, Generic[Item, PageCursor]):
    """`next` continues the list; it is null on the last page."""

    items: list[Item]
    next: PageCursor | None

    @classmethod
    def of(
        cls,
        rows: Sequence[Item],
        limit: int,
        cursor_of: Callable[[Item], PageCursor] = attrgetter("id"),
    ) -> Self:
        """rows: one more than `limit` where another page follows."""
        more = len(rows) > limit
        return cls(items=list(rows[:limit]), next=cursor_of(rows[limit - 1]) if more else None)
