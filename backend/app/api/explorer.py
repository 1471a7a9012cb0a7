"""The list of verdicts: filtered, paged, exported, and all that is kept of one."""

import re
import uuid
from collections.abc import AsyncIterator, Mapping
from typing import Annotated, Any, Self

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from pydantic import (
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    Field,
    StringConstraints,
    model_validator,
)

from app.ai_router.types import Lang
from app.answering.profile import Feature
from app.api.auth import Reader
from app.api.openapi import TEXT_HEADER, Responses
from app.api.parameters import Day, TimeZone, decode_cursor, encode_cursor, moment, number
from app.api.qa_evaluations import NO_SUCH_EVALUATION
from app.api.services import ServicesDep
from app.api.sessions import (
    LAGGING,
    LAGGING_HEADERS,
    LaggingReadAccess,
    ReadAccess,
    age_header,
    record_export,
)
from app.judges.answer import Confidence, Fault
from app.platform.db.owned_queries import Page
from app.platform.db.replica import Source
from app.platform.errors import Forbidden
from app.quality.review import explorer
from app.quality.review.explorer_queries import OF_NOTES, Filters, Order, Outcome, note_key
from app.quality.review.saved_views import RecordFormat, exported
from app.quality.review.timeline import TimelineView
from app.verdicts.answers.attributes import KEY_AND_VALUE_PATTERN, MAX_KEY_CHARS, MAX_TEXT_CHARS
from app.verdicts.reading.views import JudgedBy
from app.verdicts.status import Status
from app.workspaces.service import Principal
from app.workspaces.tokens import Scope

router = APIRouter(prefix="/qa-evaluations", tags=["verdicts"])

_NAME = StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00]*$")
Name = Annotated[str, _NAME]
Unit = Annotated[float, Field(ge=0, le=1)]
# The ids of a hundred copies, which are longer than a title.
_MAX_NOTE_KEY_CHARS = 3_700
NoteKey = Annotated[
    str, StringConstraints(min_length=1, max_length=_MAX_NOTE_KEY_CHARS, pattern=r"^[^\x00]*$")
]
_KEY_AND_VALUE = StringConstraints(
    max_length=MAX_KEY_CHARS + 1 + MAX_TEXT_CHARS, pattern=KEY_AND_VALUE_PATTERN
)
KeyAndValue = Annotated[str, _KEY_AND_VALUE]


def _with_a_date(written: object) -> object:
    """A bare number is a mistake, not the seconds since 1970."""
    if isinstance(written, str) and not re.match(r"\d{4}-\d\d-\d\d[Tt ]", written):
        raise ValueError("write a time as 2026-01-31T00:00:00Z")
    return written


Moment = Annotated[AwareDatetime, BeforeValidator(_with_a_date)]

MEDIA_TYPES = {
    RecordFormat.CSV: "text/csv; charset=utf-8",
    RecordFormat.JSONL: "application/x-ndjson",
}


class EvaluationFilter(BaseModel):
    """Only verdicts to which all of these apply. `current`: those that count, one an answer;
    `labelled`: by anybody; `has_issues`: grounding issues; `issue_kind`: an issue of that kind;
    `question`: a part of its text, whatever the case. `since` is included, `until` is not: when the
    verdict was asked for. `first_day`, `last_day`: days of the answer in the time zone `tz`, both
    included, as in analytics. `judge_model` was asked, `made_by` gave the verdict, as
    provider:model. `answer_model`: as model, or provider:model. `cited_note`, `misquoted_note`: the
    note's id, ids of several with spaces between, or the title of one that is not ours or gone.
    `criterion`: the name of one of the workspace that the verdict was to judge by;
    `criterion_label`, `min_criterion` and `max_criterion`: its score.
    `failure_id`: in this group of failures that recur.
    `user_ref`: as the application names them, or as it is shown. `attribute`: of the application's
    own, as key=value.

    `outcome`: `asked` (not skipped), `scored` (by its judge, not by rules in its place), `unscored`
    (asked and not scored), `unrated` (without a confidence of its judge), `undecided` (rules could
    not tell), `rightly_refused` or `falsely_refused` (it only says that the notes do not say),
    `unjudged` (skipped or failed), or `pending`. `confidence`: no right refusal has one. `fault`:
    of a claim."""

    status: Status | None = None
    reason: Name | None = None
    outcome: Outcome | None = None
    confidence: Confidence | None = None
    fault: Fault | None = None
    answer_id: uuid.UUID | None = None
    failure_id: uuid.UUID | None = None
    min_correctness: Unit | None = None
    max_correctness: Unit | None = None
    correctness_below: Unit | None = None
    min_utility: Unit | None = None
    max_utility: Unit | None = None
    judge_model: Name | None = None
    made_by: Name | None = None
    prompt_version: Name | None = None
    answer_model: Name | None = None
    feature: Feature | None = None
    lang: Lang | None = None
    notebook_id: uuid.UUID | None = None
    app_version: Name | None = None
    environment: Name | None = None
    user_ref: Name | None = None
    session_id: Name | None = None
    tag: Name | None = None
    attribute: KeyAndValue | None = None
    since: Moment | None = None
    until: Moment | None = None
    first_day: Day | None = None
    last_day: Day | None = None
    tz: TimeZone = "UTC"
    degraded: bool | None = None
    from_cache: bool | None = None
    judged_by: JudgedBy | None = None
    has_issues: bool | None = None
    issue_kind: Name | None = None
    cited_note: NoteKey | None = None
    misquoted_note: NoteKey | None = None
    labelled: bool | None = None
    current: bool | None = None
    criterion: Name | None = None
    criterion_label: Name | None = None
    min_criterion: Unit | None = None
    max_criterion: Unit | None = None
    question: Name | None = None

    @model_validator(mode="after")
    def _names_the_criterion(self) -> Self:
        scores = (self.criterion_label, self.min_criterion, self.max_criterion)
        if self.criterion is None and any(score is not None for score in scores):
            raise ValueError("name the criterion too, as in criterion=tone")
        return self

    def given(self) -> dict[str, Any]:
        """What is asked for, as the statements take it."""
        found = {name: getattr(self, name) for name in EvaluationFilter.model_fields}
        if self.question is not None:
            found["question"] = explorer.contains(self.question)
        found |= {name: note_key(found[name]) for name in OF_NOTES if found[name]}
        return {name: value for name, value in found.items() if value is not None}


class EvaluationQuery(EvaluationFilter):
    order: Order = "newest"
    limit: Annotated[int, Field(ge=1, le=200)] = 50
    after: Annotated[str, StringConstraints(max_length=200)] | None = None


# What the audit log does not keep of an export.
_OF_PEOPLE = {"user_ref", "question", "attribute"}


class ExportQuery(EvaluationFilter):
    format: RecordFormat = RecordFormat.CSV


class EvaluationPage(Page[explorer.EvaluationRow, str]):
    """`next` continues the list; it is null on the last page."""


@router.get("", responses=LAGGING)
async def list_evaluations(
    query: Annotated[EvaluationQuery, Query()], access: LaggingReadAccess
) -> EvaluationPage:
    """Newest first, or those first that have the lowest correctness, took longest or cost most, and
    last those without. `after` is the `next` of the page before, of the same order."""
    after = _after(query.after, query.order) if query.after else None
    items = await explorer.row_page(
        *access.workspace, query.given(), order=query.order, after=after, limit=query.limit + 1
    )
    order = query.order
    return EvaluationPage.of(
        items, query.limit, lambda row: encode_cursor(order, explorer.key_of(row, order), row.id)
    )


def _after(written: str, order: Order) -> explorer.After:
    if order == "newest":
        return explorer.After(*decode_cursor(written, order, moment))
    return explorer.After(*decode_cursor(written, order, number))


def exports(**headers: Mapping[str, Any]) -> Responses:
    """What an export responds with. headers: beside the file's name."""
    return {
        200: {
            "description": "One record a line; CSV begins with a header and a byte order mark.",
            "headers": {"Content-Disposition": TEXT_HEADER, **headers},
            "content": {
                media_type: {"schema": {"type": "string"}} for media_type in MEDIA_TYPES.values()
            },
        }
    }


@router.get("/export", response_class=StreamingResponse, responses=exports(**LAGGING_HEADERS))
async def export_evaluations(
    query: Annotated[ExportQuery, Query()], principal: Reader, services: ServicesDep
) -> StreamingResponse:
    """All verdicts that match, newest first, with whole answers."""
    asked = query.model_dump(exclude_defaults=True, exclude=_OF_PEOPLE)
    await record_export(services, principal, "verdicts", asked)
    source = await services.lagging_source()
    return await export_response(source, principal, query.given(), query.format)


async def export_response(
    source: Source, principal: Principal, filters: Filters, format_: RecordFormat
) -> StreamingResponse:
    """Raises InvalidRequest for what PostgreSQL cannot find in its time."""
    pages = explorer.record_pages(source.sessions, principal.workspace_id, filters)
    first = await anext(pages, None)  # what the database refuses is refused before a status is sent
    return StreamingResponse(
        exported(_from(first, pages), format_),
        media_type=MEDIA_TYPES[format_],
        headers={
            "Content-Disposition": f'attachment; filename="evaluations.{format_}"',
            **age_header(source),
        },
    )


async def _from(
    first: list[explorer.EvaluationRecord] | None,
    rest: AsyncIterator[list[explorer.EvaluationRecord]],
) -> AsyncIterator[list[explorer.EvaluationRecord]]:
    if first is not None:
        yield first
    async for page in rest:
        yield page


@router.get("/{evaluation_id}/sources", responses=NO_SUCH_EVALUATION)
async def list_sources(evaluation_id: uuid.UUID, access: ReadAccess) -> list[explorer.SourceView]:
    """The notes with their text, as the answering model saw them."""
    return await explorer.sources(*access.workspace, evaluation_id)


@router.get("/{evaluation_id}/calls", responses=NO_SUCH_EVALUATION)
async def list_calls(
    evaluation_id: uuid.UUID, access: ReadAccess, bodies: bool = False
) -> list[explorer.JudgeCallView]:
    """Every call to a judge, of all attempts. `bodies` adds what came back, for administrators:
    it is what the vendor sent, unchecked, and may tell of the account that pays."""
    if bodies and Scope.ADMIN not in access.principal.scopes:
        raise Forbidden.worded("bodies-need-admin")
    return await explorer.judge_calls(*access.workspace, evaluation_id, bodies=bodies)


@router.get("/{evaluation_id}/timeline", responses=NO_SUCH_EVALUATION)
async def get_timeline(evaluation_id: uuid.UUID, access: ReadAccess) -> TimelineView:
    """What took how long, from the search for notes until a reader was sent the verdict, and what
    it still waits for. What is not stored is named in `unknown`; nothing is estimated."""
    return await explorer.timeline(*access.workspace, evaluation_id)


@router.get("/{evaluation_id}/history", responses=NO_SUCH_EVALUATION)
async def get_history(evaluation_id: uuid.UUID, access: ReadAccess) -> list[explorer.StepView]:
    """What happened to the verdict, in order; old steps but the last are forgotten in time."""
    return await explorer.history(*access.workspace, evaluation_id)
