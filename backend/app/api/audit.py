"""The audit log of a workspace: listed, exported, verified."""

import datetime as dt
import json
import uuid
from collections.abc import AsyncIterator, Iterable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from app.api.auth import Admin, lacks
from app.api.explorer import MEDIA_TYPES, Moment, exports
from app.api.openapi import conflict
from app.api.services import Services, ServicesDep
from app.api.sessions import record_export
from app.platform.csv_text import BYTE_ORDER_MARK, csv_text
from app.platform.db.owned_queries import Page
from app.platform.db.session import in_workspace
from app.quality.review.saved_views import RecordFormat
from app.workspaces import audit_queries
from app.workspaces.tokens import Scope

router = APIRouter(prefix="/audit-events", tags=["operation"])

_MAX_POSITION = 2**63 - 1
_EXPORT_PAGE = 1_000


class AuditEventRead(BaseModel):
    """`actor`: the name of a token, an account of the server, a kind of job, or a login of the
    database; `actor_id`: of the token or job. `via`: `api`, `cli`, `job` or `database`. `origin`:
    address, route and user agent (of commands their words and the account), or a command.
    `action`: `insert`, `update`, `delete` or `read`. `row_count`: rows of the statement. `before`
    and `after`: fields that differ; secret ones are left out, or only said to be "changed"."""

    position: int
    at: dt.datetime
    actor: str
    actor_id: uuid.UUID | None
    via: Literal["api", "cli", "job", "database"]
    origin: str
    kind: str
    action: Literal["insert", "update", "delete", "read"]
    subject: str | None
    subject_id: str | None
    row_count: int
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    hash: str


class AuditPage(Page[AuditEventRead, str]):
    """Newest first."""


class Gap(BaseModel):
    """Positions of missing events, both ends included."""

    first: int
    last: int


class Verification(BaseModel):
    """`position` and `hash` are those of the newest event: kept elsewhere, they prove later that
    nothing was cut off or rewritten. `changed` and `missing`: at most 100 each. `head_differs`: the
    record of the newest event was changed, or there are events beside the chain. `noted_hash`: of
    the event at `noted`."""

    whole: bool
    events: int
    position: int
    hash: str | None
    deleted_by_retention: int
    changed: list[int]
    missing: list[Gap]
    head_differs: bool
    noted_hash: str | None


_Text = Annotated[str, Field(min_length=1, max_length=200)]


class AuditFilter(BaseModel):
    """`actor`: a name, or the id of a token or job. `since` is included, `until` is not."""

    kind: _Text | None = None
    actor: _Text | None = None
    since: Moment | None = None
    until: Moment | None = None


def _log(
    principal: Admin,
    installation: Annotated[
        bool, Query(description="The installation's log; takes the scope `operator`.")
    ] = False,
) -> uuid.UUID:
    if installation and Scope.OPERATOR not in principal.scopes:
        raise lacks(Scope.OPERATOR)
    return audit_queries.INSTALLATION if installation else principal.workspace_id


Log = Annotated[uuid.UUID, Depends(_log)]
Filter = Annotated[AuditFilter, Depends()]


@router.get("")
async def list_audit_events(
    log: Log,
    services: ServicesDep,
    asked: Filter,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    after: Annotated[str | None, Query(pattern=r"^[1-9][0-9]{0,17}$")] = None,
) -> AuditPage:
    """Who changed what in the workspace, newest first."""
    items = await _page(services, log, asked, int(after) if after else None, limit + 1)
    return AuditPage.of(items, limit, lambda event: str(event.position))


async def _page(
    services: Services, log: uuid.UUID, asked: AuditFilter, after: int | None, limit: int
) -> list[AuditEventRead]:
    async with in_workspace(services.sessions, log) as session:
        rows = await audit_queries.event_page(
            session, log, asked.model_dump(), after=after, limit=limit
        )
    return [AuditEventRead.model_validate(dict(row)) for row in rows]


@router.get("/export", response_class=StreamingResponse, responses=exports())
async def export_audit_events(
    log: Log,
    principal: Admin,
    services: ServicesDep,
    asked: Filter,
    format_: Annotated[RecordFormat, Query(alias="format")] = RecordFormat.CSV,
) -> StreamingResponse:
    """All events that match, newest first. The export is an event itself."""
    await record_export(services, principal, "audit", asked.model_dump(exclude_none=True))
    return StreamingResponse(
        _lines(services, log, asked, format_),
        media_type=MEDIA_TYPES[format_],
        headers={"Content-Disposition": f'attachment; filename="audit.{format_}"'},
    )


async def _lines(
    services: Services, log: uuid.UUID, asked: AuditFilter, format_: RecordFormat
) -> AsyncIterator[str]:
    if format_ is RecordFormat.CSV:
        yield BYTE_ORDER_MARK + csv_text([AuditEventRead.model_fields])
    after: int | None = None
    while events := await _page(services, log, asked, after, _EXPORT_PAGE):
        if format_ is RecordFormat.CSV:
            yield csv_text(_cells(event) for event in events)
        else:
            yield "".join(f"{event.model_dump_json()}\n" for event in events)
        after = events[-1].position


def _cells(event: AuditEventRead) -> Iterable[object]:
    for value in event.model_dump(mode="json").values():
        yield json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value


@router.get("/verification", responses=conflict("It is being verified already."))
async def verify_audit_events(
    log: Log,
    services: ServicesDep,
    noted: Annotated[int | None, Query(ge=1, le=_MAX_POSITION)] = None,
) -> Verification:
    """Computes the chain of hashes anew and names events that were changed or are missing."""
    async with in_workspace(services.sessions, log) as session:
        found = dict(await audit_queries.verify(session, log, noted))
    found["missing"] = [Gap(first=first, last=last) for first, last in found["missing"]]
    whole = not (found["changed"] or found["missing"] or found["head_differs"])
    return Verification(whole=whole, **found)
