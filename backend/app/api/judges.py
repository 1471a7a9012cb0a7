"""Paused judges, judge prompts and trials of them."""

import datetime as dt
import uuid
from typing import Annotated

from fastapi import APIRouter, Path, Response
from pydantic import StringConstraints
from sqlalchemy import text

from app.ai_router.types import Lang
from app.api.auth import Admin, Operator, Reader
from app.api.openapi import ACCEPTED, conflict, not_found
from app.api.parameters import After, Limit
from app.api.problems import Language
from app.api.qa_evaluations import NO_SUCH_EVALUATION, Existing
from app.api.schemas import NO_NUL, JudgeLimitRead, JudgePauseRead, StrictBody
from app.api.services import ServicesDep
from app.api.sessions import AdminAccess, ReadAccess, StepwiseAccess
from app.experiments import trials
from app.experiments.trials import TrialView
from app.judges import prompt_versions as service
from app.judges.verdict_prompts import MAX_INSTRUCTIONS
from app.operations.system.endings import (
    ENDINGS_OF_WORKSPACE,
    WARNING_DAYS,
    EndingModel,
    OfferedModels,
    endings_of_workspace,
    offered_models,
)
from app.platform.errors import NotFound
from app.verdicts.lifecycle import parking
from app.verdicts.lifecycle.retry import PAUSE_REASONS, UNKNOWN, reason_in_words
from app.verdicts.policy.document import Model, Prompt
from app.verdicts.policy.service import policy_of
from app.workspaces.tokens import Scope

router = APIRouter(prefix="/judges", tags=["operation"])


@router.get("/paused")
async def list_paused_judges(
    _: Reader, services: ServicesDep, lang: Language
) -> list[JudgePauseRead]:
    """Judges that wait for somebody to mend them, and those that keep failing, which are probed.
    Their answers wait or are judged by others, and are not lost."""
    async with services.sessions() as session:
        return [
            JudgePauseRead(
                judge_model=pause.judge_model,
                kind="failing" if pause.kind == "failing" else "configuration",
                code=pause.reason if pause.reason in PAUSE_REASONS else UNKNOWN,
                reason=reason_in_words(pause.reason, lang),
                paused_at=pause.paused_at,
                probe_at=pause.probe_at,
            )
            for pause in await parking.judge_pauses(session)
        ]


@router.get("/limits")
async def list_judge_limits(_: Reader, services: ServicesDep) -> list[JudgeLimitRead]:
    """The judges whose servers limit requests, tokens or calls in flight, as SEARCHQA_JUDGE_LIMITS
    sets it or their replies state it, and how much of that is used now."""
    now = dt.datetime.now(dt.UTC)
    return [
        JudgeLimitRead(
            judge_model=state.model,
            requests_per_minute=state.limit.requests,
            tokens_per_minute=state.limit.tokens,
            max_in_flight=state.limit.in_flight,
            configured=state.configured,
            allowance=state.allowance,
            held_until=now + dt.timedelta(seconds=state.held_seconds)
            if state.held_seconds
            else None,
            in_flight=state.in_flight,
            workers=state.workers,
            waiting=state.waiting,
        )
        for state in await services.judge_limits.read()
    ]


@router.get("/endings")
async def list_model_endings(access: ReadAccess, services: ServicesDep) -> list[EndingModel]:
    """Models that the workspace or the server's settings use and that end within 60 days or have
    ended, with what names them. Dates are those of their servers, else of a list of ours."""
    given = {"days": WARNING_DAYS[0]}
    found = await access.session.execute(text(ENDINGS_OF_WORKSPACE), given)
    return endings_of_workspace(found, services.settings)


@router.get("/models")
async def list_offered_models(_: Admin, access: ReadAccess, services: ServicesDep) -> OfferedModels:
    """Models that a policy can name: what the configured servers list now, with price and state,
    and what needs no server. Models of other servers can be named too."""
    policy = await policy_of(*access.workspace, services.settings)
    paused = {pause.judge_model for pause in await parking.judge_pauses(access.session)}
    await access.session.close()
    return await offered_models(services.settings, policy.judges, paused)


# PostgreSQL cannot compare with NUL.
JudgeModel = Annotated[str, Path(max_length=200, pattern=r"^[^\x00]+$")]


@router.post(
    "/{judge_model:path}/resume",
    status_code=204,
    responses={404: {"description": "That judge is not paused."}},
)
async def resume_judge(judge_model: JudgeModel, _: Operator, services: ServicesDep) -> None:
    """Lets the judge work again now, for all workspaces. Takes the scope `operator`, which only
    `searchqa token create` on the server gives."""
    async with services.sessions.begin() as session:
        if not await parking.resume_judge(session, judge_model):
            raise NotFound.worded("judge-not-paused")


prompt_router = APIRouter(tags=["judge prompts"])

_NO_PROMPT = not_found("The workspace has no such prompt version.")
_Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
_Text = Annotated[str, StringConstraints(min_length=1, max_length=MAX_INSTRUCTIONS, pattern=NO_NUL)]


class PromptCreate(StrictBody):
    """parent: the version that it was written from, shipped or of the workspace. texts: the
    instructions by language; a language that is left out has those of the parent. note: what
    changed, and why."""

    name: _Name
    parent: Prompt
    texts: dict[Lang, _Text]
    note: Annotated[str, StringConstraints(max_length=500, pattern=NO_NUL)] = ""


class TrialCreate(StrictBody):
    """judge_model, prompt: those of the workspace's policy if left out; another model than the
    policy names takes the scope `admin`. text: instructions in the place of those of the prompt, in
    the language of the answer."""

    evaluation_id: uuid.UUID
    judge_model: Model | None = None
    prompt: Prompt | None = None
    text: _Text | None = None


@prompt_router.get("/judge-prompts/shipped")
async def list_shipped_prompts(access: ReadAccess) -> list[service.ShippedPrompt]:
    """The prompts that come with the program and whose instructions can be rewritten, with the
    fixed texts that stand in the places of {about}, {sections} and {form}."""
    return list(service.shipped_prompts())


@prompt_router.get("/judge-prompts")
async def list_judge_prompts(
    access: ReadAccess, after: After = None, limit: Limit = 50
) -> service.PromptVersionPage:
    """The workspace's versions, newest first. `after` is the `next` of the page before."""
    return await service.prompt_page(*access.workspace, after=after, limit=limit)


@prompt_router.post(
    "/judge-prompts",
    status_code=201,
    responses=conflict("Nothing differs from the version before."),
)
async def create_judge_prompt(
    body: PromptCreate, access: AdminAccess, response: Response
) -> service.PromptVersion:
    """Keeps the next version of a name. It is used where the policy, a bench or judging again names
    its `reference`, and it never changes."""
    new = service.NewVersion(
        body.name, body.parent, body.texts, body.note.strip(), access.principal.name
    )
    found = await service.add_version(*access.workspace, new)
    response.headers["Location"] = f"/judge-prompts/{found.id}"
    return found


@prompt_router.get("/judge-prompts/{prompt_id:uuid}", responses=_NO_PROMPT)
async def read_judge_prompt(prompt_id: uuid.UUID, access: ReadAccess) -> service.PromptVersion:
    """One version with its instructions."""
    return await service.prompt_version_view(*access.workspace, prompt_id)


@prompt_router.post(
    "/judge-prompts/{prompt_id:uuid}/retire",
    responses=_NO_PROMPT | conflict("The policy judges by it."),
)
async def retire_judge_prompt(prompt_id: uuid.UUID, access: AdminAccess) -> service.PromptVersion:
    """It cannot be chosen any more; verdicts by it and work under way stay. May be repeated."""
    return await service.retire(*access.workspace, prompt_id)


@prompt_router.post(
    "/judge-trials",
    status_code=202,
    responses=ACCEPTED
    | NO_SUCH_EVALUATION
    | conflict("The answer was not made from notes, so there is nothing to judge it by."),
)
async def create_judge_trial(
    body: TrialCreate, access: StepwiseAccess, services: ServicesDep, response: Response
) -> TrialView:
    """Has a stored answer judged by a model and prompt, in the background. Its verdict, its badge
    and analytics stay as they are."""
    (session, workspace_id), settings = access.workspace, services.settings
    policy = await policy_of(session, workspace_id, settings)
    judge, trial = await trials.plan_trial(
        session, workspace_id, policy=policy, settings=settings, **body.model_dump()
    )
    await session.close()
    judge.check_allowed(policy, admin=Scope.ADMIN in access.principal.scopes)
    async with session.begin():
        found = await trials.begin_trial(session, trial, access.principal.name)
    response.headers["Location"] = f"/judge-trials/{found.id}"
    return found


@prompt_router.get(
    "/judge-trials/{trial_id}", responses=not_found("The workspace has no such trial.")
)
async def read_judge_trial(trial_id: uuid.UUID, access: ReadAccess) -> TrialView:
    """How far it is, and once it has ended what the judge says."""
    return await trials.trial_view(*access.workspace, trial_id)


@prompt_router.get("/qa-evaluations/{evaluation_id}/trials", responses=NO_SUCH_EVALUATION)
async def list_judge_trials(evaluation: Existing, access: ReadAccess) -> list[TrialView]:
    """The newest 20 trials with the answer, newest first."""
    return await trials.list_trials(*access.workspace, evaluation.id)
