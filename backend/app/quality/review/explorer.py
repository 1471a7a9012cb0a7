"""The list of verdicts as a quality engineer goes through it, and all that is kept of one."""

import datetime as dt
import uuid
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from app.judges.answer import Outcome
from app.platform.db.session import Sessions, in_workspace, refuse_when_too_slow
from app.platform.errors import InvalidRequest
from app.quality.review import explorer_queries as queries
from app.quality.review.explorer_queries import Filters, Order
from app.quality.review.feedback import check_exists
from app.quality.review.timeline import StoredTimes, TimelineView, timeline_of
from app.verdicts.answers.attributes import Scalar
from app.verdicts.reading.feedback_views import Source
from app.verdicts.reading.state import MaybeState
from app.verdicts.reading.views import HumanSummary, JudgedBy
from app.verdicts.status import Status

EXPORT_PAGE = 500

Key = dt.datetime | float


class QualitySummary(BaseModel):
    """The checklist in short: `met` of `items`, and whether that is enough. `source` ticked it."""

    passed: bool
    met: int
    items: int
    source: Source


class CriterionSummary(BaseModel):
    """The score by a criterion of the workspace in that version; null where nobody said."""

    version: int
    value: float | None
    label: str | None


class _Listed(BaseModel):
    id: uuid.UUID
    answer_id: uuid.UUID
    status: Status
    reason: str | None
    error: str | None
    degraded: bool
    judged_by: JudgedBy | None
    is_current: bool
    question: str
    lang: str
    feature: str
    notebook_id: uuid.UUID | None
    answer_model: str | None
    judge_model: str
    provider: str | None
    model: str | None
    confidence: str | None
    outcome: Outcome | None
    decided: bool
    state: MaybeState
    correctness: float | None
    utility: float | None
    overall_score: float | None
    needs_improvement: bool | None
    cost_usd: float | None
    created_at: dt.datetime
    answered_at: dt.datetime
    finished_at: dt.datetime | None
    quality: QualitySummary | None
    criteria: dict[str, CriterionSummary]
    human: HumanSummary | None
    app_version: str | None
    environment: str | None
    user_ref: str | None
    session_id: str | None
    tags: list[str]
    attributes: dict[str, Scalar]


class EvaluationRow(_Listed):
    """One verdict in a list. Scores are null without a verdict. `answered_at`: when the answer was
    stored, `created_at`: when this verdict was asked for. `answer_snippet` is the beginning of the
    answer, `cited_title` the title of the first note that it cites; `issues` counts grounding
    issues. `provider` and `model` judged, `judge_model` was asked to; `judged_by` says what kind of
    judge gave the verdict. `outcome`: of rules, null for models; `decided`: false where rules could
    not tell, and scores say little. `state`: what the verdict comes to, in one word. `criteria`:
    the scores by the workspace's own, by name."""

    answer_snippet: str
    cited_title: str | None
    issues: int


class EvaluationRecord(_Listed):
    """One verdict in an export, with the whole answer and its grounding issues."""

    answer: str
    summary: str | None
    issues: list[str]
    prompt_version: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    queue_ms: float | None
    judge_ms: float | None


class SourceView(BaseModel):
    """A note as the answering model saw it, and what the verdict says of its use. `note_id` is
    null for notes that are not ours or gone; `score` is that of the search."""

    note_index: int
    note_id: uuid.UUID | None
    title: str
    content: str
    score: float | None
    cited: bool
    relevant_claim: str
    quote: str
    quote_found: bool | None


class JudgeCallView(BaseModel):
    """One call to a judge. `purpose`: the name of the schema that its reply was to have, null for
    calls from before it was stored; `re_ask`: the reply before could not be used; `batched`: it
    was a line of a batch; `cascade_step`: of the judge's in its cascade, from 1; `retry_after`: the
    kind of error with which an earlier attempt asked the same. `latency_ms` is that of a reply,
    `elapsed_ms` also that of a call that failed. `cached_tokens`: of the prompt's,
    those that the vendor had in its cache. `discarded`: an attempt could not use the reply; `kept`:
    it is still there. `content` (what the model said) and `body` (the whole reply) are null unless
    asked for."""

    id: uuid.UUID
    attempt: int
    created_at: dt.datetime
    request_hash: str
    provider: str
    model: str
    prompt_tokens: int | None
    cached_tokens: int | None
    completion_tokens: int | None
    cost_usd: float | None
    purpose: str | None
    re_ask: bool
    batched: bool
    cascade_step: int | None
    retry_after: str | None
    latency_ms: float | None
    elapsed_ms: float | None
    error: str | None
    discarded: bool
    kept: bool
    content: str | None
    body: str | None


class StepView(BaseModel):
    """Something that happened to a verdict, or where `refinement_id` is set, to the improvement
    of its answer."""

    at: dt.datetime
    status: str
    refinement_id: uuid.UUID | None


@dataclass(frozen=True, slots=True)
class After:
    """The last row of the page before: `key` is what its order sorts it by."""

    key: Key
    id: uuid.UUID


def key_of(row: _Listed, order: Order) -> Key:
    """The sort key of the row by `order`: a time, a score, microseconds or dollars."""
    match order:
        case "newest":
            return row.created_at
        case "worst":
            return 2 if row.correctness is None else row.correctness
        case "slowest":
            if row.finished_at is None:
                return -1
            return (row.finished_at - row.created_at) // dt.timedelta(microseconds=1)
        case "costliest":
            return -1 if row.cost_usd is None else row.cost_usd


def contains(words: str) -> str:
    """The pattern of ILIKE for texts that contain `words` as they are."""
    for special in ("\\", "%", "_"):
        words = words.replace(special, f"\\{special}")
    return f"%{words}%"


async def row_page(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    filters: Filters,
    *,
    order: Order,
    after: After | None,
    limit: int,
) -> list[EvaluationRow]:
    """filters: by their names in app.quality.review.explorer_queries. Raises InvalidRequest for
    what PostgreSQL cannot find in its time."""
    statement = queries.rows(filters, order, goes_on=after is not None)
    with refuse_slow_lists():
        rows = await session.execute(statement, _parameters(workspace_id, filters, after, limit))
    return [EvaluationRow.model_validate(dict(row)) for row in rows.mappings()]


async def record_pages(
    sessions: Sessions, workspace_id: uuid.UUID, filters: Filters
) -> AsyncIterator[list[EvaluationRecord]]:
    """All records that match, newest first, EXPORT_PAGE at a time. Raises as `row_page` does.

    Each page is a transaction of its own: one cursor over all of them would hold a connection and
    a snapshot for as long as the slowest reader takes, and PostgreSQL ends it after ten idle
    seconds. What is added meanwhile is not seen, because it is newer.
    """
    after: After | None = None
    while True:
        statement = queries.records(filters, goes_on=after is not None)
        parameters = _parameters(workspace_id, filters, after, EXPORT_PAGE)
        async with in_workspace(sessions, workspace_id) as session:
            with refuse_slow_lists():
                rows = (await session.execute(statement, parameters)).mappings().all()
        if rows:
            yield [EvaluationRecord.model_validate(dict(row)) for row in rows]
        if len(rows) < EXPORT_PAGE:
            return
        after = After(rows[-1]["created_at"], rows[-1]["id"])


def refuse_slow_lists() -> AbstractContextManager[None]:
    """Raises InvalidRequest for a list that PostgreSQL cannot find in its time."""
    refusal = InvalidRequest.worded("too-many-verdicts")
    return refuse_when_too_slow(refusal)


def _parameters(
    workspace_id: uuid.UUID, filters: Filters, after: After | None, limit: int
) -> dict[str, Any]:
    place = {"after_key": after.key, "after_id": after.id} if after else {}
    return {**filters, **place, "workspace_id": workspace_id, "limit": limit}


async def sources(
    session: AsyncSession, workspace_id: uuid.UUID, evaluation_id: uuid.UUID
) -> list[SourceView]:
    """Raises NotFound."""
    rows = await _rows(session, queries.SOURCES, workspace_id, evaluation_id)
    return [SourceView.model_validate(row) for row in rows]


async def judge_calls(
    session: AsyncSession, workspace_id: uuid.UUID, evaluation_id: uuid.UUID, *, bodies: bool
) -> list[JudgeCallView]:
    """In the order they were made. Raises NotFound."""
    rows = await _rows(session, queries.CALLS, workspace_id, evaluation_id, bodies=bodies)
    return [JudgeCallView.model_validate(row) for row in rows]


async def history(
    session: AsyncSession, workspace_id: uuid.UUID, evaluation_id: uuid.UUID
) -> list[StepView]:
    """The parts that retention has kept. Raises NotFound."""
    rows = await _rows(session, queries.HISTORY, workspace_id, evaluation_id)
    return [StepView.model_validate(row) for row in rows]


async def timeline(
    session: AsyncSession, workspace_id: uuid.UUID, evaluation_id: uuid.UUID
) -> TimelineView:
    """Raises NotFound."""
    (row,) = await _rows(session, queries.TIMELINE, workspace_id, evaluation_id)
    return timeline_of(StoredTimes.model_validate(row))


async def _rows(
    session: AsyncSession, statement: Any, workspace_id: uuid.UUID, id_: uuid.UUID, **more: object
) -> list[dict[str, Any]]:
    await check_exists(session, workspace_id, id_)
    about = {"workspace_id": workspace_id, "evaluation_id": id_, **more}
    return [dict(row) for row in (await session.execute(statement, about)).mappings()]
