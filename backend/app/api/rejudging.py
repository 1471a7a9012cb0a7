"""Judging answers again: what it would take, started, watched, and for one answer."""

import uuid
from typing import Annotated, Any

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StringConstraints

from app.api.auth import Reader, Writer
from app.api.openapi import TEXT_HEADER
from app.api.services import Services, ServicesDep
from app.db.session import in_workspace
from app.errors import no_such
from app.jobs.service import JobView, job_view
from app.rejudging import service as rejudging
from app.rejudging.filter import RejudgeFilter
from app.rejudging.judge_choice import Judge
from app.rejudging.progress import RejudgeProgress, progress
from app.rejudging.service import REJUDGE_JOB, NewJudgement
from app.verdicts.policy.judge_prices import JudgePrices
from app.verdicts.policy.service import policy_of
from app.workspaces.models import Scope
from app.workspaces.service import Principal

router = APIRouter(tags=["verdicts"])

_Name = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00]+$")]
_Responses = dict[int | str, dict[str, Any]]
_NO_JOB: _Responses = {404: {"description": "The workspace has no such job."}}


class JudgeChoice(BaseModel):
    """judge_model: `provider:model`, the one of the workspace's policy if left out; another than
    the policy names takes the scope `admin`. prompt: a version of the judge's prompt, the usual one
    if left out."""

    model_config = ConfigDict(extra="forbid")

    judge_model: _Name | None = None
    prompt: _Name | None = None


class RejudgeRequest(JudgeChoice):
    """everything: the filter may match all answers of the workspace."""

    filter: RejudgeFilter = Field(default_factory=RejudgeFilter)
    everything: StrictBool = False


class RejudgeEstimate(BaseModel):
    """Of `answers` with a verdict `matching` fit the filter: `to_judge` would be judged, `judged`
    were by this judge and prompt already, `not_judged` cannot be. cost_usd is null where nobody
    knows it, for the reason in `unpriced`."""

    judge_model: str
    prompt: str | None
    answers: int
    matching: int
    to_judge: int
    judged: int
    not_judged: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    unpriced: str | None


class RejudgeRead(BaseModel):
    """A job that has answers judged again, and how far their verdicts are."""

    job: JobView
    progress: RejudgeProgress


@router.post("/evaluation/rejudge/estimate")
async def estimate_rejudge(
    body: RejudgeRequest, principal: Reader, services: ServicesDep
) -> RejudgeEstimate:
    """What judging again would take. Nothing is started."""
    judge = await _judge(body, principal, services, spends=False)
    async with in_workspace(services.sessions, principal.workspace_id) as session:
        found = await rejudging.estimate(
            session, principal.workspace_id, body.filter, judge, services.settings
        )
    cost = found.cost
    return RejudgeEstimate(
        judge_model=judge.model,
        prompt=judge.prompt,
        answers=found.answers,
        matching=found.matching,
        to_judge=found.to_judge,
        judged=found.judged,
        not_judged=found.not_judged,
        calls=cost.calls,
        prompt_tokens=cost.tokens.prompt,
        completion_tokens=cost.tokens.completion,
        cost_usd=None if cost.cost_usd is None else float(cost.cost_usd),
        unpriced=None
        if cost.cost_usd is not None
        else f"Neither SEARCHQA_MODEL_PRICES nor the price list has {judge.model}.",
    )


@router.post(
    "/evaluation/rejudge",
    status_code=202,
    responses={
        202: {"headers": {"Location": TEXT_HEADER}},
        409: {"description": "The filter matches nothing, or everything unasked."},
    },
)
async def start_rejudge(
    body: RejudgeRequest, principal: Writer, services: ServicesDep, response: Response
) -> RejudgeRead:
    """Has the answers judged again, behind all fresh ones. Old verdicts stay; a new one counts
    once it has succeeded. POST /jobs/{id}/cancel ends it."""
    judge = await _judge(body, principal, services, spends=True)
    async with in_workspace(services.sessions, principal.workspace_id) as session:
        async with session.begin():
            id_ = await rejudging.start(
                session,
                principal.workspace_id,
                body.filter,
                judge,
                services.settings,
                everything=body.everything,
            )
        response.headers["Location"] = f"/evaluation/rejudge/jobs/{id_}"
    return await _rejudge(services, principal.workspace_id, id_)


@router.get("/evaluation/rejudge/jobs/{job_id}", responses=_NO_JOB)
async def get_rejudge_job(
    job_id: uuid.UUID, principal: Reader, services: ServicesDep
) -> RejudgeRead:
    """How far it is."""
    return await _rejudge(services, principal.workspace_id, job_id)


@router.post(
    "/qa-evaluations/{evaluation_id}/rejudge",
    status_code=202,
    responses={
        202: {"headers": {"Location": TEXT_HEADER}},
        404: {"description": "There is no such evaluation."},
        409: {"description": "That judge and prompt have judged the answer, or none could."},
    },
)
async def rejudge_one(
    evaluation_id: uuid.UUID,
    principal: Writer,
    services: ServicesDep,
    response: Response,
    body: JudgeChoice | None = None,
) -> NewJudgement:
    """Has one answer judged again. Its verdict stays, and counts until there is a new one."""
    judge = await _judge(body or JudgeChoice(), principal, services, spends=True)
    async with in_workspace(services.sessions, principal.workspace_id) as session, session.begin():
        new = await rejudging.rejudge_one(
            session,
            principal.workspace_id,
            evaluation_id,
            judge,
            JudgePrices(services.settings),
        )
    response.headers["Location"] = f"/qa-evaluations/{new.id}"
    return new


async def _judge(
    body: JudgeChoice, principal: Principal, services: Services, *, spends: bool
) -> Judge:
    """Who is asked for, if the token may have it asked. No transaction is open while names and
    prices are looked up: the first time that takes a moment."""
    async with in_workspace(services.sessions, principal.workspace_id) as session:
        policy = await policy_of(session, principal.workspace_id, services.settings)
    model = body.judge_model or policy.judge_model
    judge = Judge.asked_for(model, body.prompt, services.settings)
    if spends:
        judge.check_allowed(policy, admin=Scope.ADMIN in principal.scopes)
    return judge


async def _rejudge(
    services: ServicesDep, workspace_id: uuid.UUID, job_id: uuid.UUID
) -> RejudgeRead:
    async with in_workspace(services.sessions, workspace_id) as session:
        job = await job_view(session, workspace_id, job_id)
        if job is None or job.kind != REJUDGE_JOB:
            raise no_such("job", "작업이", "/jobs?kind=rejudge")
        return RejudgeRead(job=job, progress=await progress(session, workspace_id, job_id))
