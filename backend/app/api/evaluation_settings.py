"""What a workspace has judged, by whom and for how much."""

import re
import uuid
from typing import Annotated

from fastapi import APIRouter, Header, Response
from pydantic import BaseModel, Field, StrictBool

from app.api.openapi import ACCEPTED, TEXT_HEADER, Responses, conflict, not_found
from app.api.parameters import After, Limit
from app.api.problems import Language
from app.api.schemas import StrictBody
from app.api.services import ServicesDep
from app.api.sessions import AdminAccess, ReadAccess
from app.experiments.benches.cascade import CascadeCreate, CascadeResult, calibrate_cascade
from app.experiments.benches.learned import (
    LearningDetail,
    LearningPage,
    learning_detail,
    learning_page,
    undo_learning,
)
from app.experiments.benches.teaching import LearningCreate, begin_learning, plan_learning
from app.experiments.parts import cost_fields
from app.platform.errors import PreconditionFailed
from app.quality.review import calibrating
from app.verdicts.policy.calibrations import delete_calibrations, delete_cascade
from app.verdicts.policy.document import Model, Number, WorkspacePolicy
from app.verdicts.policy.forecast import PolicyForecast, forecast
from app.verdicts.policy.service import EvaluationSettings, evaluation_settings, save_policy

router = APIRouter(prefix="/settings/evaluation", tags=["operation"])

_ETAG: Responses = {200: {"headers": {"ETag": TEXT_HEADER}}}

IfMatch = Annotated[str | None, Header(max_length=100)]


@router.get("", responses=_ETAG)
async def get_policy(
    access: ReadAccess, services: ServicesDep, response: Response, lang: Language
) -> EvaluationSettings:
    """The workspace's policy, what holds with the server's settings below it, and how much of
    today's budget is left."""
    found = await evaluation_settings(*access.workspace, services.settings, lang)
    response.headers["ETag"] = f'"{found.version}"'
    return found


@router.put(
    "", responses=_ETAG | {412: {"description": "If-Match names another version of the policy."}}
)
async def replace_policy(
    body: WorkspacePolicy,
    access: AdminAccess,
    services: ServicesDep,
    response: Response,
    lang: Language,
    if_match: IfMatch = None,
) -> EvaluationSettings:
    """Replaces the whole policy: what is left out, or null, is left to the server. It holds for
    the next answer that is finished. With If-Match only if nobody has changed it since."""
    settings, expected = services.settings, _version(if_match)
    await save_policy(*access.workspace, body, settings, expected=expected)
    return await get_policy(access, services, response, lang)


@router.post("/forecast")
async def forecast_policy(
    body: WorkspacePolicy, access: ReadAccess, services: ServicesDep
) -> PolicyForecast:
    """What this policy would do a day in the place of the present one. Nothing is stored."""
    return await forecast(*access.workspace, services.settings, body)


class CalibrationCreate(StrictBody):
    """judge_model: this one only. dry_run: says what would be stored, and stores nothing."""

    precision: Annotated[float, Field(ge=0.5, le=0.999), Number] = calibrating.DEFAULT_PRECISION
    confidence: Annotated[float, Field(ge=0.5, le=0.999), Number] = calibrating.DEFAULT_CONFIDENCE
    judge_model: Model | None = None
    dry_run: StrictBool = False


@router.post("/calibrations")
async def calibrate_judges(
    body: CalibrationCreate, access: AdminAccess, services: ServicesDep
) -> calibrating.CalibrationResult:
    """Looks for the lowest score of each judge above which at least a share `precision` of what it
    calls high is right, by people's labels of answers that were drawn at random, and stores it in
    the policy. From then on verdicts of that judge and prompt below it are medium. A judge that
    gets no guarantee keeps an earlier one unless the labels speak against it: `judges` says why."""
    return await calibrating.calibrate(
        *access.workspace,
        services.settings,
        calibrating.Target(precision=body.precision, confidence=body.confidence),
        judge_model=body.judge_model,
        dry_run=body.dry_run,
    )


@router.delete("/calibrations", status_code=204)
async def remove_calibrations(access: AdminAccess) -> None:
    """Removes all guarantees: what a judge calls high is high again, from the next verdict on."""
    await delete_calibrations(*access.workspace)


@router.post(
    "/cascade",
    responses={404: {"description": "No such bench."}, 409: {"description": "Not done."}},
)
async def calibrate_cascade_of_judges(
    body: CascadeCreate, access: AdminAccess, services: ServicesDep
) -> CascadeResult:
    """Looks for the cheapest thresholds of a cascade of which the labels of a bench show that it
    gives at most a share `max_loss` of answers a worse verdict than its last judge alone, and
    stores them, with the cascade, in the policy. Where there are none the policy stays as it is."""
    return await calibrate_cascade(*access.workspace, services.settings, body)


@router.delete("/cascade", status_code=204)
async def remove_cascade_thresholds(access: AdminAccess) -> None:
    """Removes the thresholds: the last judge judges alone, from the next answer on."""
    await delete_cascade(*access.workspace)


_LEARNING = "/learning/{learning_id:uuid}"
_NO_LEARNING = not_found("The workspace has not learned so.")
_TOO_DEAR = conflict("It costs more than max_cost_usd.")


class LearningEstimate(BaseModel):
    """What learning would take: answers whose labels teach and prove, examples for the prompt, and
    calls of models, tokens and US dollars, null where nobody knows a price."""

    learned_on: int
    proven_on: int
    examples: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None


@router.post("/learning/estimate", responses=_TOO_DEAR)
async def estimate_learning(
    body: LearningCreate, access: ReadAccess, services: ServicesDep
) -> LearningEstimate:
    """What it would take, before anything is spent. Nothing is stored."""
    name = access.principal.name
    plan = await plan_learning(*access.workspace, services.settings, body, name)
    counts = plan.learning.model_dump(include={"learned_on", "proven_on", "examples"})
    return LearningEstimate(**counts, **cost_fields(plan.cost))


@router.post("/learning", status_code=202, responses=ACCEPTED | _TOO_DEAR)
async def learn_from_labels(
    body: LearningCreate, access: AdminAccess, services: ServicesDep, response: Response
) -> LearningDetail:
    """Chooses examples for the judge's prompt, and a score from which its "high" stays, by one half
    of the labels of drawn answers, and proves them on the other half, in the background. The policy
    is changed only where that agrees more with people: where the 95 % interval of the difference
    lies above 0."""
    name = access.principal.name
    plan = await plan_learning(*access.workspace, services.settings, body, name)
    id_ = await begin_learning(*access.workspace, plan)
    response.headers["Location"] = f"{router.prefix}/learning/{id_}"
    return await learning_detail(*access.workspace, id_)


@router.get("/learning")
async def list_learnings(
    access: ReadAccess, after: After = None, limit: Limit = 50
) -> LearningPage:
    """Newest first. `after` is the `next` of the page before."""
    return await learning_page(*access.workspace, after=after, limit=limit)


@router.get(_LEARNING, responses=_NO_LEARNING)
async def read_learning(learning_id: uuid.UUID, access: ReadAccess) -> LearningDetail:
    """How far it is, and once it is completed its result. The judge bench of that id has all
    verdicts; deleting it deletes the way back."""
    return await learning_detail(*access.workspace, learning_id)


@router.post(
    f"{_LEARNING}/undo",
    responses=_NO_LEARNING | conflict("It has changed nothing, or the policy has changed since."),
)
async def revert_learning(
    learning_id: uuid.UUID, access: AdminAccess, services: ServicesDep
) -> LearningDetail:
    """Puts prompt and guarantees of before back. Verdicts stay."""
    return await undo_learning(*access.workspace, learning_id, services.settings)


def _version(if_match: str | None) -> int | None:
    """The version that an ETag of ours names; `*` is any."""
    if if_match is None or if_match.strip() == "*":
        return None
    if found := re.fullmatch(r'\s*"(\d{1,9})"\s*', if_match, re.ASCII):
        return int(found[1])
    raise PreconditionFailed.worded("not-an-etag")
