"""Lists of verdicts kept or taken along: saved views, selections, and exports as CSV or JSON."""

import datetime as dt
import json
import uuid
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from typing import Any

from pydantic import BaseModel
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.csv_text import BYTE_ORDER_MARK, csv_text
from app.platform.db import owned_queries
from app.platform.db.owned_queries import MAX_SELECTED
from app.platform.errors import Conflict, no_such
from app.platform.ids import new_id
from app.quality.review import explorer_queries as queries
from app.quality.review.explorer import EvaluationRecord, QualitySummary, refuse_slow_lists
from app.quality.review.explorer_queries import Filters, Order, selected
from app.quality.review.models import SavedView

MAX_VIEWS = 100
# Counting millions takes seconds.
MAX_COUNTED = 10_000
_no_view = partial(no_such, "view", "보기가", "/evaluation-views")

_LABELS = ("right", "partly", "wrong", "claims")
COLUMNS = [
    *(name for name in EvaluationRecord.model_fields if name not in {"human", "quality"}),
    *(f"quality_{name}" for name in QualitySummary.model_fields),
    *(f"human_{label}" for label in _LABELS),
]


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
    rows = await session.execute(queries.SAVED_VIEWS, {"workspace_id": workspace_id})
    return [SavedViewRead.model_validate(dict(row)) for row in rows.mappings()]


async def get_view(session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID) -> SavedViewRead:
    """Raises NotFound."""
    row = await owned_queries.existing(session, queries.SAVED_VIEW, workspace_id, id_, _no_view())
    return SavedViewRead.model_validate(dict(row))


async def add_view(
    session: AsyncSession, workspace_id: uuid.UUID, author: str, values: Mapping[str, Any]
) -> SavedViewRead:
    """values: name, filters, order and columns; the caller commits. Raises Conflict for a name that
    is taken, and when there are MAX_VIEWS."""
    here = {"workspace_id": workspace_id}
    await session.execute(queries.LOCK_SAVED, {"workspace_id": str(workspace_id)})
    if (await session.scalar(queries.COUNT_SAVED, here) or 0) >= MAX_VIEWS:
        raise Conflict.worded("too-many-views", most=MAX_VIEWS)
    about = here | {"id": new_id(), "author": author, **_written(values)}
    try:
        row = (await session.execute(queries.INSERT_SAVED, about)).mappings().one()
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
        row = (await session.execute(queries.UPDATE_SAVED, about)).mappings().one_or_none()
    except IntegrityError as error:
        raise _taken(values["name"]) from error
    if row is None:
        raise _no_view()
    return SavedViewRead.model_validate(dict(row))


async def delete_view(session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID) -> None:
    """The caller commits. Raises NotFound."""
    if not await owned_queries.delete_one(session, SavedView, workspace_id, id_):
        raise _no_view()


def _written(values: Mapping[str, Any]) -> dict[str, Any]:
    filters = values["filters"]
    return {**values, "filters": None if filters is None else json.dumps(filters)}


def _taken(name: str) -> Conflict:
    return Conflict.worded("name-taken", name=name)


class Selection(BaseModel):
    """ids: the first MAX_SELECTED evaluations of the list, in its order; matching: how many there
    are in all, counted up to 10,000; more: there are more than that."""

    ids: list[uuid.UUID]
    matching: int
    more: bool


async def select_evaluations(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    filters: Filters,
    order: Order = "newest",
    limit: int = MAX_SELECTED,
) -> Selection:
    """filters: as of `explorer.row_page`. Raises InvalidRequest for what PostgreSQL cannot count in
    its time."""
    about = {**filters, "workspace_id": workspace_id, "limit": limit, "most": MAX_COUNTED + 1}
    with refuse_slow_lists():
        found = (await session.execute(selected(filters, order), about)).one()
    return Selection(
        ids=found.ids, matching=min(found.matching, MAX_COUNTED), more=found.matching > MAX_COUNTED
    )


class RecordFormat(StrEnum):
    CSV = "csv"
    JSONL = "jsonl"


async def exported(
    pages: AsyncIterator[list[EvaluationRecord]], format_: RecordFormat
) -> AsyncIterator[bytes]:
    """The export in UTF-8, a page of records at a time."""
    write: Callable[[Sequence[EvaluationRecord]], str] = _json_lines
    if format_ is RecordFormat.CSV:
        write = _csv_lines
        yield (BYTE_ORDER_MARK + csv_text([COLUMNS])).encode()
    async for page in pages:
        yield write(page).encode()


def _json_lines(records: Sequence[EvaluationRecord]) -> str:
    return "".join(f"{record.model_dump_json()}\n" for record in records)


def _csv_lines(records: Sequence[EvaluationRecord]) -> str:
    rows = (_flat(record.model_dump(mode="json")) for record in records)
    return csv_text([row[name] for name in COLUMNS] for row in rows)


def _flat(record: dict[str, Any]) -> dict[str, Any]:
    human: Mapping[str, int] = record.pop("human") or dict.fromkeys(_LABELS, 0)
    counts = {f"human_{label}": human[label] for label in _LABELS}
    quality = record.pop("quality") or dict.fromkeys(QualitySummary.model_fields)
    checklist = {f"quality_{name}": value for name, value in quality.items()}
    lines = {name: "\n".join(record[name]) for name in ("issues", "tags")}
    lines["criteria"] = "\n".join(
        f"{name}: {'' if score['value'] is None else score['label'] or score['value']}"
        for name, score in record["criteria"].items()
    )
    own = record["attributes"]
    lines["attributes"] = json.dumps(own, ensure_ascii=False) if own else ""
    return record | counts | checklist | lines
