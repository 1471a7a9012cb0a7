"""What is done with several evaluations of the list at once; POST /evaluation/rejudge and POST
/review/reservations take their ids too."""

import uuid
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from pydantic import Field

from app.api.auth import Reader
from app.api.explorer import EvaluationFilter, export_response, exports
from app.api.openapi import COUNT_HEADER
from app.api.schemas import StrictBody
from app.api.services import ServicesDep
from app.api.sessions import ReadAccess
from app.platform.db.owned_queries import MAX_SELECTED
from app.platform.db.replica import Source
from app.platform.db.session import in_workspace
from app.quality.review.explorer_queries import Order
from app.quality.review.saved_views import RecordFormat, Selection, select_evaluations

router = APIRouter(prefix="/qa-evaluations", tags=["verdicts"])

# How many of the evaluations asked for are in the export.
EXPORTED = "X-Total-Count"


class SelectionQuery(EvaluationFilter):
    order: Order = "newest"


class ExportRequest(StrictBody):
    evaluation_ids: Annotated[tuple[uuid.UUID, ...], Field(min_length=1, max_length=MAX_SELECTED)]
    format: RecordFormat = RecordFormat.CSV


@router.get("/ids")
async def select_matching(
    query: Annotated[SelectionQuery, Query()], access: ReadAccess
) -> Selection:
    """The ids of the first 1,000 verdicts that match, in the order of the list, and how many match
    in all."""
    return await select_evaluations(access.session, access.workspace_id, query.given(), query.order)


@router.post(
    "/export", response_class=StreamingResponse, responses=exports(**{EXPORTED: COUNT_HEADER})
)
async def export_selected(
    body: ExportRequest, principal: Reader, services: ServicesDep
) -> StreamingResponse:
    """These verdicts, newest first, with whole answers. X-Total-Count says how many of them there
    are: what has been deleted is left out."""
    only = {"ids": list(body.evaluation_ids)}
    async with in_workspace(services.sessions, principal.workspace_id) as session:
        found = await select_evaluations(session, principal.workspace_id, only, limit=1)
    response = await export_response(Source(services.sessions), principal, only, body.format)
    response.headers[EXPORTED] = str(found.matching)
    return response
