"""Failures that recur, for the API: listed, shown with examples, given an owner and a state."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from pydantic import BaseModel
from sqlalchemy import RowMapping, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.db.owned_queries import Page
from app.platform.db.session import refuse_when_too_slow
from app.platform.errors import InvalidRequest, NotFound, no_such
from app.quality.analytics.service import applied_filters
from app.quality.analytics.sources import AND, Filters, conditions
from app.quality.failures.models import FAILURES_SQL, FailureState

_DROPPED = text(FAILURES_SQL("dropped"))
_EXAMPLES = text(FAILURES_SQL("examples", examples="20"))
_RELEASES = text(FAILURES_SQL("releases"))
_CHANGE = text(FAILURES_SQL("change"))


class RecurringFailureRead(BaseModel):
    """Doubted answers with the same fault, about the same note, whose statements are nearly equal.

    name: their commonest words. fault: contradicted, not_in_notes, misattributed or stitched; of
    older verdicts unsupported or partly; where no statement is doubted falsely_refused, or
    whole_answer of low confidence. note_title: null where no note is known. answers: of the period,
    none that a person found right; share: of all answers of the period; releases: in which they
    were given; example: the newest verdict of them, null without. first_seen_at: whatever the
    period. mended_in: the release that mends it. reopened_in: the one in which it came back after
    that."""

    id: uuid.UUID
    name: str
    fault: str
    note_id: uuid.UUID | None
    note_title: str | None
    note_deleted: bool
    state: FailureState
    owner: str | None
    mended_in: str | None
    mended_at: dt.datetime | None
    reopened_in: str | None
    reopened_at: dt.datetime | None
    answers: int
    share: float | None
    releases: list[str]
    example: uuid.UUID | None
    first_seen_at: dt.datetime
    last_seen_at: dt.datetime
    created_at: dt.datetime
    updated_at: dt.datetime


class FailurePage(Page[RecurringFailureRead, str]):
    """Most answers first. dropped: answers whose group gave way to newer ones, because a workspace
    has at most 2,000."""

    dropped: int


class FailureExample(BaseModel):
    """claim, reasoning: the doubted statement and what the judge said of it; null of the whole
    answer."""

    evaluation_id: uuid.UUID
    answered_at: dt.datetime
    question: str
    claim: str | None
    reasoning: str | None
    app_version: str | None


class FailureRelease(BaseModel):
    """app_version: null of answers without one."""

    app_version: str | None
    answers: int
    first_seen_at: dt.datetime
    last_seen_at: dt.datetime


class RecurringFailureDetail(RecurringFailureRead):
    """answers, share: of the last 30 days. examples: the newest 20; seen_in: each release in which
    it was seen, the last one first; both of whatever age."""

    examples: list[FailureExample]
    seen_in: list[FailureRelease]


_NO_CURSOR = {"after_answers": None, "after_id": None}


async def list_failures(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    filters: Filters,
    asked: Mapping[str, object],
    *,
    after: tuple[int, uuid.UUID] | None,
    limit: int,
) -> tuple[Sequence[RecurringFailureRead], int]:
    """One more than `limit`, and how many answers were dropped. asked: state, owner, fault, note_id
    and min_answers. Raises as analytics.service.run."""
    cursor = dict(zip(_NO_CURSOR, after, strict=True)) if after else _NO_CURSOR
    given = {"min_answers": None, **asked, **cursor, "limit": limit + 1}
    rows = await _listed(session, workspace_id, filters, given)
    dropped = await session.scalar(_DROPPED, {"workspace_id": workspace_id})
    return [RecurringFailureRead.model_validate(dict(row)) for row in rows], dropped or 0


async def get_failure(
    session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID
) -> RecurringFailureDetail:
    """Raises NotFound."""
    one = {"id": id_, "min_answers": 0, "limit": 1, **_NO_CURSOR}
    rows = await _listed(session, workspace_id, Filters(), one)
    if not rows:
        raise _no_failure()
    given = {"workspace_id": workspace_id, "id": id_}
    more = {
        "examples": (await session.execute(_EXAMPLES, given)).mappings().all(),
        "seen_in": (await session.execute(_RELEASES, given)).mappings().all(),
    }
    return RecurringFailureDetail.model_validate({**rows[0], **more})


async def change_failure(
    session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID, values: Mapping[str, Any]
) -> RecurringFailureDetail:
    """Replaces what is in `values` of owner, state and mended_in; the caller commits. Raises
    NotFound."""
    given = {"owner": None, "state": None, "mended_in": None, **values}
    given |= {"workspace_id": workspace_id, "id": id_, "set_owner": "owner" in values}
    if await session.scalar(_CHANGE, given) is None:
        raise _no_failure()
    return await get_failure(session, workspace_id, id_)


async def _listed(
    session: AsyncSession, workspace_id: uuid.UUID, filters: Filters, given: Mapping[str, object]
) -> Sequence[RowMapping]:
    applied = await applied_filters(session, workspace_id, filters)
    sql = _page_sql(applied, workspace_id, given)
    connection = await session.connection()
    parameters = {**asdict(applied), "workspace_id": workspace_id, **given}
    with refuse_when_too_slow(InvalidRequest.worded("query-too-slow")):
        return (await connection.exec_driver_sql(sql, parameters)).mappings().all()


def _no_failure() -> NotFound:
    return no_such("failure", "반복되는 오류가", "/failures")


# By the names of the parameters.
_CONDITIONS = {
    "id": "f.id = %(id)s",
    "state": "f.state = %(state)s",
    "owner": "f.owner = %(owner)s",
    "fault": "f.fault = %(fault)s",
    "note_id": "f.note_id = %(note_id)s",
}


def _page_sql(filters: Filters, workspace_id: uuid.UUID, asked: Mapping[str, object]) -> str:
    """A page of groups; for psycopg. asked: those of _CONDITIONS that are not None narrow it."""
    wanted = [sql for name, sql in _CONDITIONS.items() if asked.get(name) is not None]
    of_answers = conditions(filters, workspace_id).values()
    return FAILURES_SQL(
        "listed",
        filters=AND.join(of_answers),
        conditions=" AND ".join(wanted) or "true",
        of_group="r.failure_id = %(id)s" if asked.get("id") else "true",
    )
