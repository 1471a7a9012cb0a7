"""Better answers: asked for, watched and read."""

import uuid
from typing import Annotated, TypeVar

from fastapi import APIRouter, Response
from pydantic import Field

from app.answering.refine.service import (
    RefinementView,
    refinement_view,
    refinements_of,
    request_refinement,
)
from app.api.openapi import ACCEPTED, conflict, not_found
from app.api.qa_evaluations import Existing
from app.api.schemas import StrictBody
from app.api.services import ServicesDep
from app.api.sessions import ReadAccess, WriteAccess
from app.verdicts.policy.document import Number
from app.verdicts.policy.service import policy_of

router = APIRouter(tags=["refinements"])
Value = TypeVar("Value", int, float)

_NOT_FOUND = not_found("The workspace has no such evaluation or refinement.")


class RefinementCreate(StrictBody):
    """threshold: the overall score (0 to 1) from which an answer is good enough;
    max_iterations: how often, at most, it is searched and answered again. What is left out is as
    the workspace's policy says."""

    threshold: Annotated[float, Field(ge=0, le=1), Number] | None = None
    max_iterations: Annotated[int, Field(ge=1, le=5), Number] | None = None


def _default_to(given: Value | None, policy: Value | None) -> Value:
    value = policy if given is None else given
    assert value is not None, "the server has a value for each"
    return value


@router.post(
    "/qa-evaluations/{evaluation_id}/refine",
    status_code=202,
    responses=ACCEPTED | _NOT_FOUND | conflict("The answer was not made from notes."),
)
async def refine(
    evaluation_id: uuid.UUID,
    access: WriteAccess,
    services: ServicesDep,
    response: Response,
    body: RefinementCreate | None = None,
) -> RefinementView:
    """Has a better answer looked for, in the background: the query is rewritten, searched and
    answered again. The first answer stays. While one is under way, that one is returned."""
    given = body or RefinementCreate()
    workspace_id = access.workspace_id
    policy = (await policy_of(access.session, workspace_id, services.settings)).document
    id_ = await request_refinement(
        access.session,
        workspace_id,
        evaluation_id,
        threshold=_default_to(given.threshold, policy.refine_threshold),
        max_iterations=_default_to(given.max_iterations, policy.refine_iterations),
    )
    response.headers["Location"] = f"/refinements/{id_}"
    return await refinement_view(access.session, workspace_id, id_)


@router.get("/qa-evaluations/{evaluation_id}/refinements", responses=_NOT_FOUND)
async def list_refinements(evaluation: Existing, access: ReadAccess) -> list[RefinementView]:
    """Newest first, with their iterations."""
    return list(await refinements_of(access.session, access.workspace_id, evaluation.id))


@router.get("/refinements/{refinement_id}", responses=_NOT_FOUND)
async def read_refinement(refinement_id: uuid.UUID, access: ReadAccess) -> RefinementView:
    """One refinement: each iteration with its query, notes, answer and scores, and why it
    stopped."""
    return await refinement_view(access.session, access.workspace_id, refinement_id)
