"""Successions of judges: compared on stored answers, switched in the policy, and undone."""

import uuid

from fastapi import APIRouter, Response
from pydantic import BaseModel, StrictBool

from app.api.openapi import ACCEPTED, conflict, not_found
from app.api.parameters import After, Limit
from app.api.schemas import StrictBody
from app.api.services import ServicesDep
from app.api.sessions import AdminAccess, ReadAccess
from app.experiments import queries
from app.experiments.parts import cost_fields
from app.experiments.succession import switch as service
from app.experiments.succession.plan import (
    SuccessionCreate,
    SuccessionDetail,
    SuccessionPage,
    SuccessionView,
    begin_succession,
    plan_succession,
)
from app.platform.db.owned_queries import page

router = APIRouter(prefix="/judges/successions", tags=["judge successions"])

_NO_SUCCESSION = not_found("The workspace has no such succession.")
_NOTHING = conflict("No stored answer can be compared on, or one costs more than the budget.")


class SuccessionEstimate(BaseModel):
    """What a succession would take: `answers` that both judges would judge, `labelled` of them by
    people, and calls of models, tokens and US dollars, null where nobody knows a price. too_dear:
    answers that max_cost_usd leaves out."""

    answers: int
    labelled: int
    too_dear: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None


class SuccessionSwitch(StrictBody):
    """force: in spite of what the report objects to the new judge."""

    force: StrictBool = False


@router.post("/estimate", responses=_NOTHING)
async def estimate_succession(
    body: SuccessionCreate, access: ReadAccess, services: ServicesDep
) -> SuccessionEstimate:
    """What it would take, before anything is spent. Nothing is stored."""
    plan = await plan_succession(*access.workspace, services.settings, body)
    return SuccessionEstimate(
        answers=len(plan.sample),
        labelled=plan.labelled,
        too_dear=plan.too_dear,
        **cost_fields(plan.cost),
    )


@router.post("", status_code=202, responses=ACCEPTED | _NOTHING)
async def create_succession(
    body: SuccessionCreate, access: AdminAccess, services: ServicesDep, response: Response
) -> SuccessionDetail:
    """Has a judge of the policy and the one that is to follow it judge the same stored answers.
    Verdicts and the policy stay as they are."""
    plan = await plan_succession(*access.workspace, services.settings, body)
    id_ = await begin_succession(*access.workspace, body, plan, access.principal.name)
    response.headers["Location"] = f"/judges/successions/{id_}"
    return await service.succession_detail(*access.workspace, id_)


@router.get("")
async def list_successions(
    access: ReadAccess, after: After = None, limit: Limit = 50
) -> SuccessionPage:
    """Newest first. `after` is the `next` of the page before."""
    rows = await page(
        access.session, queries.SUCCESSION_PAGE, access.workspace_id, after=after, limit=limit
    )
    views = [SuccessionView.model_validate(dict(row)) for row in rows]
    return SuccessionPage.of(views, limit)


@router.get("/{succession_id:uuid}", responses=_NO_SUCCESSION)
async def read_succession(succession_id: uuid.UUID, access: ReadAccess) -> SuccessionDetail:
    """How far it is, and once it is completed what it has shown."""
    return await service.succession_detail(*access.workspace, succession_id)


@router.post(
    "/{succession_id:uuid}/switch",
    responses=_NO_SUCCESSION
    | conflict("It is not completed, has switched already, or its report objects."),
)
async def switch_judges(
    succession_id: uuid.UUID, body: SuccessionSwitch, access: AdminAccess, services: ServicesDep
) -> SuccessionDetail:
    """Puts the new judge in the old one's place in the policy, its cascade and jury, in one step,
    from the next answer on. Its guarantee goes over where the labelled answers show that the new
    judge keeps it; other guarantees and thresholds of the old judge hold no more."""
    return await service.switch(
        *access.workspace, succession_id, services.settings, force=body.force
    )


@router.post(
    "/{succession_id:uuid}/undo",
    responses=_NO_SUCCESSION | conflict("It has switched nothing, or the judges have changed."),
)
async def undo_succession(
    succession_id: uuid.UUID, access: AdminAccess, services: ServicesDep
) -> SuccessionDetail:
    """Puts the old judge back, with its guarantees and thresholds; the one that went over is
    deleted. Verdicts stay."""
    return await service.undo(*access.workspace, succession_id, services.settings)


@router.post(
    "/{succession_id:uuid}/cancel",
    responses=_NO_SUCCESSION | conflict("The succession has ended already."),
)
async def cancel_succession(succession_id: uuid.UUID, access: AdminAccess) -> SuccessionDetail:
    """Ends one that is under way; what was judged stays."""
    await queries.SUCCESSIONS.cancel(*access.workspace, succession_id)
    return await service.succession_detail(*access.workspace, succession_id)


@router.delete("/{succession_id:uuid}", status_code=204, responses=_NO_SUCCESSION)
async def delete_succession(succession_id: uuid.UUID, access: AdminAccess) -> None:
    """With its report, its marks in charts and the way back; the policy stays as it is."""
    await queries.SUCCESSIONS.delete(*access.workspace, succession_id)
