"""Judging answers again: what it would take, started, watched, and for one answer."""

import uuid
from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field, StrictBool, StringConstraints

from app.api.openapi import ACCEPTED, conflict, not_found
from app.api.qa_evaluations import NO_SUCH_EVALUATION
from app.api.schemas import StrictBody
from app.api.services import Services, ServicesDep
from app.api.sessions import Access, ReadAccess, StepwiseAccess
from app.experiments.parts import cost_fields
from app.judges.judge_names import takes_prompts
from app.judges.prompt_versions import usable_prompt
from app.platform.errors import no_such
from app.platform.jobs.service import JobView, job_view
from app.quality.rejudging import service as rejudging
from app.quality.rejudging.job import RejudgeProgress, progress
from app.quality.rejudging.queries import Judge, RejudgeFilter
from app.quality.rejudging.service import REJUDGE_JOB, NewJudgement, reassign
from app.verdicts.policy.document import BulkBy
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.verdicts.policy.judge_prices import JudgePrices
from app.verdicts.policy.service import policy_of
from app.workspaces.tokens import Scope

router = APIRouter(tags=["verdicts"])

_Name = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00]+$")]
_NO_JOB = not_found("The workspace has no such job.")


class JudgeChoice(StrictBody):
    """judge_model: `provider:model`, the one of the workspace's policy if left out; another than
    the policy names takes the scope `admin`. prompt: a version of the judge's prompt, the usual one
    if left out."""

    judge_model: _Name | None = None
    prompt: _Name | None = None


class RejudgeRequest(JudgeChoice):
    """everything: the filter may match all answers of the workspace."""

    filter: RejudgeFilter = Field(default_factory=RejudgeFilter)
    everything: StrictBool = False


class RejudgeEstimate(BaseModel):
    """Of `answers` with a verdict `matching` fit the filter: `to_judge` would be judged, `judged`
    were by this judge and prompt already, `not_judged` cannot be. cost_usd is null where nobody
    knows it, for the reason in `unpriced`. batch_cost_usd: the same in batches of the provider,
    null where it has none. bulk_by: which of the two the workspace's policy has."""

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
    batch_cost_usd: float | None
    bulk_by: BulkBy


_COUNTS = ("answers", "matching", "to_judge", "judged", "not_judged")


class RejudgeRead(BaseModel):
    """A job that has answers judged again, and how far their verdicts are."""

    job: JobView
    progress: RejudgeProgress


@router.post("/evaluation/rejudge/estimate")
async def estimate_rejudge(
    body: RejudgeRequest, access: ReadAccess, services: ServicesDep
) -> RejudgeEstimate:
    """What judging again would take. Nothing is started."""
    judge, policy = await _judge(body, access, services, spends=False)
    found = await rejudging.estimate(*access.workspace, body.filter, judge, services.settings)
    cost, batch_cost = found.cost, found.batch_cost_usd
    return RejudgeEstimate(
        judge_model=judge.model,
        prompt=judge.prompt,
        **{name: getattr(found, name) for name in _COUNTS},
        **cost_fields(cost),
        unpriced=None
        if cost.cost_usd is not None
        else f"Neither SEARCHQA_MODEL_PRICES nor the price list has {judge.model}.",
        batch_cost_usd=None if batch_cost is None else float(batch_cost),
        bulk_by=policy.document.bulk_by or "calls",
    )


@router.post(
    "/evaluation/rejudge",
    status_code=202,
    responses=ACCEPTED | conflict("The filter matches nothing, or everything unasked."),
)
async def start_rejudge(
    body: RejudgeRequest, access: StepwiseAccess, services: ServicesDep, response: Response
) -> RejudgeRead:
    """Has the answers judged again, behind all fresh ones. Old verdicts stay; a new one counts
    once it has succeeded. POST /jobs/{id}/cancel ends it."""
    session, settings = access.session, services.settings
    judge, _ = await _judge(body, access, services, spends=True)
    async with session.begin():
        id_ = await rejudging.start(
            session, access.workspace_id, body.filter, judge, settings, everything=body.everything
        )
        response.headers["Location"] = f"/evaluation/rejudge/jobs/{id_}"
        return await get_rejudge_job(id_, access)


class Reassigned(BaseModel):
    """judge_model: the policy's, which judges `answers` now."""

    judge_model: str
    answers: int


@router.post("/evaluation/rejudge/stranded")
async def reassign_stranded(access: StepwiseAccess, services: ServicesDep) -> Reassigned:
    """Has answers that wait for a paused judge which the policy no longer names judged by the judge
    of today's policy, at most 10,000 at once."""
    policy = await policy_of(*access.workspace, services.settings)
    prompt = policy.judge_prompt if takes_prompts(policy.judge_model) else None
    judge, policy = await _judge(JudgeChoice(prompt=prompt), access, services, spends=True)
    async with access.session.begin():
        answers = await reassign(*access.workspace, policy, judge)
    return Reassigned(judge_model=judge.model, answers=answers)


@router.get("/evaluation/rejudge/jobs/{job_id}", responses=_NO_JOB)
async def get_rejudge_job(job_id: uuid.UUID, access: ReadAccess) -> RejudgeRead:
    """How far it is."""
    job = await job_view(*access.workspace, job_id)
    if job is None or job.kind != REJUDGE_JOB:
        raise no_such("job", "작업이", "/jobs?kind=rejudge")
    return RejudgeRead(job=job, progress=await progress(*access.workspace, job_id))


@router.post(
    "/qa-evaluations/{evaluation_id}/rejudge",
    status_code=202,
    responses=ACCEPTED
    | NO_SUCH_EVALUATION
    | conflict("That judge and prompt have judged the answer, or none could."),
)
async def rejudge_one(
    evaluation_id: uuid.UUID,
    access: StepwiseAccess,
    services: ServicesDep,
    response: Response,
    body: JudgeChoice | None = None,
) -> NewJudgement:
    """Has one answer judged again. Its verdict stays, and counts until there is a new one."""
    judge, _ = await _judge(body or JudgeChoice(), access, services, spends=True)
    prices = JudgePrices(services.settings)
    async with access.session.begin():
        new = await rejudging.rejudge_one(*access.workspace, evaluation_id, judge, prices)
    response.headers["Location"] = f"/qa-evaluations/{new.id}"
    return new


async def _judge(
    body: JudgeChoice, access: Access, services: Services, *, spends: bool
) -> tuple[Judge, EvaluationPolicy]:
    """Who is asked for, if the token may have it asked, and the workspace's policy. No
    transaction is open while names and prices are looked up: the first time that takes a
    moment."""
    session, workspace_id = access.workspace
    policy = await policy_of(session, workspace_id, services.settings)
    own = await usable_prompt(session, workspace_id, body.prompt)
    await session.close()
    model = body.judge_model or policy.judge_model
    judge = Judge.asked_for(model, body.prompt, services.settings, own)
    judge = replace(judge, criteria=policy.criteria)
    if spends:
        judge.check_allowed(policy, admin=Scope.ADMIN in access.principal.scopes)
    return judge, policy
