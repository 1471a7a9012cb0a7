"""Named queries over all verdicts of a workspace, as JSON or as a file, and quality alarms."""

import datetime as dt
import uuid
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import IO, Annotated, Any, Literal

from fastapi import APIRouter, Depends, Header, Path, Query, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from app.api.auth import Reader
from app.api.openapi import not_found
from app.api.parameters import Day
from app.api.services import ServicesDep
from app.api.sessions import (
    LAGGING,
    LAGGING_HEADERS,
    LaggingReadAccess,
    ReadAccess,
    WriteAccess,
    record_export,
)
from app.quality.analytics import service
from app.quality.analytics.changes import WhatChanged, what_changed
from app.quality.analytics.queries import Type, named_queries
from app.quality.analytics.releases import Release, releases
from app.quality.analytics.service import ExportFormat
from app.quality.analytics.sources import Filters
from app.quality.analytics.true_quality import DEFAULT_WIDTH, By, TrueQualityRow, true_quality
from app.quality.drift import service as alarms
from app.quality.drift.service import QualityAlarms

router = APIRouter(prefix="/analytics", tags=["analytics"])
# Included first: the route of named queries would take `alarms` for one.
alarm_router = APIRouter(prefix="/analytics", tags=["analytics"])

_CHUNK = 256 * 1024
_NAME = r"^[^\x00]*$"


_Text = Annotated[str | None, Query(max_length=200, pattern=_NAME)]


async def asked_filters(
    since: Day | None = None,
    until: Day | None = None,
    model: _Text = None,
    notebook_id: uuid.UUID | None = None,
    tz: Annotated[str, Query(max_length=100)] = "UTC",
    app_version: _Text = None,
    environment: _Text = None,
    tag: _Text = None,
) -> Filters:
    return Filters(
        *(since, until, model, notebook_id, tz),
        app_version=app_version,
        environment=environment,
        tag=tag,
    )


AskedFilters = Annotated[Filters, Depends(asked_filters)]


class AnalyticsParameter(BaseModel):
    name: str
    type: str
    description: str


class AnalyticsColumn(BaseModel):
    """unit: null for what has none; 0..1 is a share or a score."""

    name: str
    type: Type
    unit: str | None
    description: str


class AnalyticsQuery(BaseModel):
    name: str
    title_ko: str
    title_en: str
    description: str
    parameters: list[AnalyticsParameter]
    columns: list[AnalyticsColumn]


class AnalyticsCatalog(BaseModel):
    queries: list[AnalyticsQuery]


class AppliedParameters(BaseModel):
    """What the rows are of, defaults included."""

    since: dt.date
    until: dt.date
    model: str | None
    notebook_id: uuid.UUID | None
    tz: str
    limit: int | None
    app_version: str | None
    environment: str | None
    tag: str | None


class AnalyticsResult(BaseModel):
    """sql: the text as it was run, to be copied. rows: an object for each, keyed by column; dates
    and times as ISO 8601, null for what is not known. truncated: there are as many rows as the
    limit allows, so there may be more."""

    name: str
    title_ko: str
    title_en: str
    sql: str
    parameters: AppliedParameters
    columns: list[AnalyticsColumn]
    rows: list[dict[str, Any]]
    truncated: bool


PARAMETERS = [
    AnalyticsParameter(name=name, type=type_, description=description)
    for name, type_, description in (
        ("since", "date", "First day; 30 days up to `until` if left out."),
        ("until", "date", "Last day, included; today if left out."),
        ("model", "text", "Only what this judge was asked, such as openai:gpt-6-luna."),
        ("notebook_id", "uuid", "Only answers for which this notebook alone was searched."),
        ("tz", "text", "Time zone of the days, such as Asia/Seoul; UTC if left out."),
        (
            "limit",
            "integer",
            "So many rows, the newest of days; else 10,000 of a list, all in files.",
        ),
        ("app_version", "text", "Only answers of this release."),
        ("environment", "text", "Only answers of this environment."),
        ("tag", "text", "Only answers with this tag."),
    )
]

_FILES: dict[int | str, dict[str, Any]] = {
    200: {
        "model": AnalyticsResult,
        "headers": LAGGING_HEADERS,
        "content": {
            format_.media_type.partition(";")[0]: {"schema": {"type": "string", "format": "binary"}}
            for format_ in ExportFormat
        },
    },
    404: {"description": "There is no such query, or the workspace has no such notebook."},
}


@router.get("")
async def list_queries(_: Reader) -> AnalyticsCatalog:
    """All named queries, with what their parameters and columns mean."""
    return AnalyticsCatalog(
        queries=[
            AnalyticsQuery(**asdict(query), parameters=PARAMETERS)
            for query in named_queries().values()
        ]
    )


class TrueQualityResult(BaseModel):
    """sql: the text whose sums the rows are computed from. rows: for each group, its measures:
    grounded (the share of answers that people find right), correctness and utility."""

    parameters: AppliedParameters
    by: By
    width: float
    sql: str
    rows: list[TrueQualityRow]


# Before the route of named queries, which would take it for one.
@router.get("/true-quality", responses=LAGGING | not_found("The workspace has no such notebook."))
async def get_true_quality(
    access: LaggingReadAccess,
    filters: AskedFilters,
    by: By = "all",
    width: Annotated[float, Query(ge=0.01, le=1)] = DEFAULT_WIDTH,
) -> TrueQualityResult:
    """The share of grounded answers, mean correctness and mean utility, corrected by the labels
    of answers that were drawn at random (`POST /review/samples`), with 95 % intervals. `width`: of
    the interval that `more_labels` is about. `model`: only what this judge was asked."""
    found = await true_quality(*access.workspace, filters, by=by, width=width)
    await access.session.close()
    return TrueQualityResult(
        parameters=AppliedParameters(**asdict(found.filters)),
        by=by,
        width=width,
        sql=found.sql,
        rows=found.rows,
    )


class ReleasesResult(BaseModel):
    """rows: the newest 20 of the period, the newest first."""

    parameters: AppliedParameters
    rows: list[Release]


@router.get("/releases", responses=LAGGING | not_found("The workspace has no such notebook."))
async def compare_releases(access: LaggingReadAccess, filters: AskedFilters) -> ReleasesResult:
    """Each release (`app_version`) beside the one that was first seen before it: shares and means
    with 95 % intervals, corrected where labels allow, and for which questions it got worse."""
    applied, rows = await releases(*access.workspace, filters)
    await access.session.close()
    return ReleasesResult(parameters=AppliedParameters(**asdict(applied)), rows=rows)


class WhatChangedResult(BaseModel):
    """changed: null where no day, or nothing before it, has 10 scored answers."""

    parameters: AppliedParameters
    changed: WhatChanged | None


@router.get("/what-changed", responses=LAGGING | not_found("The workspace has no such notebook."))
async def get_what_changed(access: LaggingReadAccess, filters: AskedFilters) -> WhatChangedResult:
    """The newest day of the period with enough scored answers beside the days before it, and what
    the difference of mean correctness comes from."""
    applied, changed = await what_changed(*access.workspace, filters)
    await access.session.close()
    return WhatChangedResult(parameters=AppliedParameters(**asdict(applied)), changed=changed)


@router.get("/{name}", responses=_FILES, response_model=AnalyticsResult)
async def run_query(
    name: Annotated[str, Path(max_length=100, pattern=_NAME)],
    access: LaggingReadAccess,
    services: ServicesDep,
    asked: AskedFilters,
    limit: Annotated[int | None, Query(ge=1, le=1_000_000)] = None,
    format_: Annotated[
        Literal["json", "csv", "jsonl", "parquet"] | None, Query(alias="format")
    ] = None,
    accept: Annotated[str, Header(include_in_schema=False)] = "",
) -> Response | AnalyticsResult:
    """One named query. `format`, or else the header Accept, asks for a file with all rows."""
    filters = replace(asked, limit=limit)
    export = _export_format(format_, accept)
    if export is None:
        result = await service.run(*access.workspace, name, filters)
        await access.session.close()
        return _result(result)
    file = await service.export(*access.workspace, name, filters, export)
    await record_export(services, access.principal, name, {"format": export})
    return StreamingResponse(
        _chunks(file),
        media_type=export.media_type,
        headers={
            "Content-Disposition": f'attachment; filename="{name}.{export}"',
            **access.headers,
        },
    )


def _export_format(named: str | None, accept: str) -> ExportFormat | None:
    """None is JSON. The first type in `accept` that is known decides; weights are ignored."""
    if named is not None:
        return None if named == "json" else ExportFormat(named)
    by_type = {format_.media_type.partition(";")[0]: format_ for format_ in ExportFormat}
    for part in accept.split(","):
        wanted = part.partition(";")[0].strip().lower()
        if wanted in {"application/json", "*/*"}:
            return None
        if wanted in by_type:
            return by_type[wanted]
    return None


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while chunk := file.read(_CHUNK):
            yield chunk


def _result(result: service.Result) -> AnalyticsResult:
    names = [column.name for column in result.query.columns]
    return AnalyticsResult(
        **asdict(result.query) | {"sql": result.sql},
        parameters=AppliedParameters(**asdict(result.filters)),
        rows=[dict(zip(names, row, strict=True)) for row in result.rows],
        truncated=len(result.rows) == result.filters.limit,
    )


@alarm_router.get("/alarms")
async def list_alarms(access: ReadAccess) -> QualityAlarms:
    """The newest 100 changes of quality that were noticed, newest first, and what is watched. Each
    closed day is looked at once, some hours after its end; on average at most one alarm a year of a
    judge is false."""
    return await alarms.list_alarms(*access.workspace)


@alarm_router.post(
    "/alarms/{alarm_id}/acknowledge",
    status_code=204,
    responses=not_found("The workspace has no such alarm."),
)
async def acknowledge_alarm(alarm_id: uuid.UUID, access: WriteAccess) -> None:
    """Marks the alarm as seen; the quality page then shows it no more. May be repeated."""
    await alarms.acknowledge(*access.workspace, alarm_id)
