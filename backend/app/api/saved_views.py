"""Saved views of the list of evaluations, and exports of selected evaluations."""

import uuid
from typing import Annotated, Self

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from pydantic import Field, StringConstraints, model_validator

from app.api.auth import Reader
from app.api.explorer import EvaluationFilter, export_response, exports
from app.api.openapi import COUNT_HEADER, conflict, not_found
from app.api.schemas import NO_NUL, NonEmpty, StrictBody
from app.api.services import ServicesDep
from app.api.sessions import ReadAccess, WriteAccess, record_export
from app.platform.db.owned_queries import MAX_SELECTED, Page
from app.platform.db.replica import Source
from app.platform.db.session import in_workspace
from app.quality.review import saved_views
from app.quality.review.explorer_queries import Order
from app.quality.review.labelling import Author
from app.quality.review.models import MAX_VIEW_NAME_CHARS
from app.quality.review.saved_views import (
    RecordFormat,
    SavedViewRead,
    Selection,
    select_evaluations,
)

router = APIRouter(prefix="/evaluation-views", tags=["verdicts"])

_NO_VIEW = not_found("The workspace has no such view.")
_TAKEN = conflict("Another view has this name.")

_Name = Annotated[str, NonEmpty, Field(max_length=MAX_VIEW_NAME_CHARS)]
_Word = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z_]*$", max_length=64)]
_Value = Annotated[str, StringConstraints(min_length=1, max_length=1_000, pattern=NO_NUL)]
_Filters = Annotated[dict[_Word, _Value], Field(max_length=50)]
_Columns = Annotated[list[_Word], Field(max_length=50)]


class SavedViewCreate(StrictBody):
    """filters: value by name, as in the address of the list's page. columns: by their names there;
    null for its usual ones. What the page does not know it leaves out, and says so. author: the
    token's name when left out."""

    name: _Name
    filters: _Filters = Field(default_factory=dict)
    order: Order = "newest"
    columns: _Columns | None = None
    author: Author | None = None


class SavedViewUpdate(StrictBody):
    """What is left out stays as it is; null gives the view the usual columns."""

    name: _Name | None = None
    filters: _Filters | None = None
    order: Order | None = None
    columns: _Columns | None = None

    @model_validator(mode="after")
    def _only_columns_are_null(self) -> Self:
        for name in self.model_fields_set - {"columns"}:
            if getattr(self, name) is None:
                raise ValueError(f"{name} cannot be null; leave it out to keep it")
        return self


class SavedViewPage(Page[SavedViewRead, uuid.UUID]):
    """All views of the workspace; `next` is null."""


@router.get("")
async def list_evaluation_views(access: ReadAccess) -> SavedViewPage:
    """By name."""
    items = await saved_views.list_views(*access.workspace)
    return SavedViewPage(items=list(items), next=None)


@router.post(
    "", status_code=201, responses=conflict("The name is taken, or there are too many views.")
)
async def create_evaluation_view(body: SavedViewCreate, access: WriteAccess) -> SavedViewRead:
    """Saves a view for everybody in the workspace; at most 100."""
    author = body.author or access.principal.name
    values = body.model_dump(exclude={"author"})
    return await saved_views.add_view(*access.workspace, author, values)


@router.get("/{view_id}", responses=_NO_VIEW)
async def read_evaluation_view(view_id: uuid.UUID, access: ReadAccess) -> SavedViewRead:
    """One view."""
    return await saved_views.get_view(*access.workspace, view_id)


@router.patch("/{view_id}", responses=_NO_VIEW | _TAKEN)
async def update_evaluation_view(
    view_id: uuid.UUID, body: SavedViewUpdate, access: WriteAccess
) -> SavedViewRead:
    """Renames it, or replaces what it shows, for everybody."""
    values = body.model_dump(exclude_unset=True)
    return await saved_views.change_view(*access.workspace, view_id, values)


@router.delete("/{view_id}", status_code=204, responses=_NO_VIEW)
async def delete_evaluation_view(view_id: uuid.UUID, access: WriteAccess) -> None:
    """Deletes the view; its link says then that there is none."""
    await saved_views.delete_view(*access.workspace, view_id)


selection_router = APIRouter(prefix="/qa-evaluations", tags=["verdicts"])

# How many of the evaluations asked for are in the export.
EXPORTED = "X-Total-Count"


class SelectionQuery(EvaluationFilter):
    order: Order = "newest"
    limit: Annotated[int, Field(ge=1, le=MAX_SELECTED)] = MAX_SELECTED


class ExportRequest(StrictBody):
    evaluation_ids: Annotated[tuple[uuid.UUID, ...], Field(min_length=1, max_length=MAX_SELECTED)]
    format: RecordFormat = RecordFormat.CSV


@selection_router.get("/ids")
async def select_matching(
    query: Annotated[SelectionQuery, Query()], access: ReadAccess
) -> Selection:
    """The ids of the first `limit` verdicts that match, in the order of the list, and how many
    match in all, counted up to 10,000."""
    return await select_evaluations(*access.workspace, query.given(), query.order, query.limit)


@selection_router.post(
    "/export", response_class=StreamingResponse, responses=exports(**{EXPORTED: COUNT_HEADER})
)
async def export_selected(
    body: ExportRequest, principal: Reader, services: ServicesDep
) -> StreamingResponse:
    """These verdicts, newest first, with whole answers. X-Total-Count says how many of them there
    are: what has been deleted is left out."""
    selected = {"evaluations": len(body.evaluation_ids), "format": body.format}
    await record_export(services, principal, "verdicts", selected)
    only = {"ids": list(body.evaluation_ids)}
    async with in_workspace(services.sessions, principal.workspace_id) as session:
        found = await select_evaluations(session, principal.workspace_id, only, limit=1)
    response = await export_response(Source(services.sessions), principal, only, body.format)
    response.headers[EXPORTED] = str(found.matching)
    return response
