"""Saved views of the list of evaluations: filters, order and columns under a name, for everybody in
the workspace."""

import datetime as dt
import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.db import owned_queries
from app.platform.db.ids import new_id
from app.platform.errors import Conflict, no_such
from app.quality.review import view_queries as queries
from app.quality.review.models import SavedView

MAX_VIEWS = 100
_NO_VIEW = no_such("view", "보기가", "/evaluation-views")


class SavedViewRead(BaseModel):
    """filters: value by name, as in the address of the list's page; there days are those of the
    reader's clock. columns: by their names on the page, null for its usual ones. A page of another
    release may not know all of them. author: who made it."""

    id: uuid.UUID
    name: str
    filters: dict[str, str]
    order: str
    columns: list[str] | None
    author: str
    created_at: dt.datetime
    updated_at: dt.datetime


async def list_views(session: AsyncSession, workspace_id: uuid.UUID) -> Sequence[SavedViewRead]:
    """By name."""
    rows = await session.execute(queries.VIEWS, {"workspace_id": workspace_id})
    return [SavedViewRead.model_validate(dict(row)) for row in rows.mappings()]


async def get_view(session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID) -> SavedViewRead:
    """Raises NotFound."""
    row = await owned_queries.existing(session, queries.VIEW, workspace_id, id_, _NO_VIEW)
    return SavedViewRead.model_validate(dict(row))


async def add_view(
    session: AsyncSession, workspace_id: uuid.UUID, author: str, values: Mapping[str, Any]
) -> SavedViewRead:
    """values: name, filters, order and columns; the caller commits. Raises Conflict for a name that
    is taken, and when there are MAX_VIEWS."""
    here = {"workspace_id": workspace_id}
    await session.execute(queries.LOCK, {"workspace_id": str(workspace_id)})
    if (await session.scalar(queries.COUNT, here) or 0) >= MAX_VIEWS:
        raise Conflict(
            f"A workspace has at most {MAX_VIEWS} saved views; delete one that is not needed.",
            ko=f"저장된 보기는 워크스페이스마다 {MAX_VIEWS}개까지입니다. 필요 없는 것을 지우세요.",
            code="too-many-views",
        )
    about = here | {"id": new_id(), "author": author, **_written(values)}
    try:
        row = (await session.execute(queries.INSERT, about)).mappings().one()
    except IntegrityError as error:
        raise _taken(values["name"]) from error
    return SavedViewRead.model_validate(dict(row))


async def change_view(
    session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID, values: Mapping[str, Any]
) -> SavedViewRead:
    """Replaces what is in `values`; the caller commits. Raises NotFound, and Conflict for a name
    that is taken."""
    kept = {"name": None, "filters": None, "order": None, "columns": None}
    about = {"workspace_id": workspace_id, "id": id_, **_written(kept | dict(values))}
    about["set_columns"] = "columns" in values
    try:
        row = (await session.execute(queries.UPDATE, about)).mappings().one_or_none()
    except IntegrityError as error:
        raise _taken(values["name"]) from error
    if row is None:
        raise _NO_VIEW
    return SavedViewRead.model_validate(dict(row))


async def delete_view(session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID) -> None:
    """The caller commits. Raises NotFound."""
    if not await owned_queries.delete_one(session, SavedView, workspace_id, id_):
        raise _NO_VIEW


def _written(values: Mapping[str, Any]) -> dict[str, Any]:
    filters = values["filters"]
    return {**values, "filters": None if filters is None else json.dumps(filters)}


def _taken(name: str) -> Conflict:
    return Conflict(
        f"There is a view named “{name}” already; choose another name, or replace that view.",
        ko=f"‘{name}’ 보기가 이미 있습니다. 다른 이름을 쓰거나 그 보기를 바꾸세요.",
        code="name-taken",
    )
