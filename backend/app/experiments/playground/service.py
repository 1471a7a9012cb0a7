"""Trials: begun, followed, listed."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import RowMapping
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.types import Lang
from app.experiments.playground import queries
from app.experiments.playground.views import StoredAnswer, TrialView, stored_answer
from app.judges.judge_names import takes_prompts
from app.judges.prompt_versions import parent_of, usable_prompt
from app.judges.prompts.one_call import OneCallPrompt
from app.judges.verdict_prompts import DEFAULT_PROMPT, OF_WORKSPACE, Instructions
from app.platform.db.owned_queries import existing
from app.platform.errors import Conflict, InvalidRequest, no_such
from app.platform.jobs.service import enqueue
from app.platform.settings import Settings
from app.quality.rejudging.queries import Judge
from app.verdicts.policy.evaluation_policy import EvaluationPolicy

JUDGE_TRIAL = "judge_trial"
# No version of a workspace is called so: they have numbers.
DRAFT = f"{OF_WORKSPACE}draft"


@dataclass(frozen=True, slots=True)
class TrialRequest:
    """judge_model, prompt: None is what the policy says. text: instructions in the place of those
    of the prompt, in the answer's language."""

    evaluation_id: uuid.UUID
    judge_model: str | None
    prompt: str | None
    text: str | None


@dataclass(frozen=True, slots=True)
class PlannedTrial:
    """A trial that may begin; `judge.own` is what it is asked by."""

    evaluation_id: uuid.UUID
    answer: StoredAnswer
    judge: Judge
    instructions: str | None


async def plan_trial(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    request: TrialRequest,
    policy: EvaluationPolicy,
    settings: Settings,
) -> PlannedTrial:
    """Reads what is needed; nothing is stored. Raises NotFound, Conflict for an answer that was not
    made from notes, and InvalidRequest for what cannot be tried."""
    answer = await stored_answer(session, workspace_id, request.evaluation_id)
    if answer is None:
        raise no_such("evaluation", "평가가", "/qa-evaluations")
    if not answer.judged_by_notes:
        raise Conflict(
            "The answer was not made from notes, so there is nothing to judge it by.",
            ko="노트로 만든 답변이 아니어서 평가할 근거가 없습니다.",
            code="nothing-to-judge-by",
        )
    model = request.judge_model or policy.judge_model
    if not takes_prompts(model):
        raise InvalidRequest(
            f"{model} is sent no prompt; name a model of a server as the judge.",
            ko=f"{model}은(는) 프롬프트를 쓰지 않습니다. 프롬프트를 쓰는 평가 모델을 지정하세요.",
            code="rules-have-no-prompt",
        )
    version = request.prompt or policy.judge_prompt or DEFAULT_PROMPT
    if request.text is None:
        own = await usable_prompt(session, workspace_id, version)
    else:
        own = await draft(session, workspace_id, version, answer.subject.lang, request.text)
    judge = Judge.asked_for(model, version, settings, own)
    return PlannedTrial(request.evaluation_id, answer, judge, request.text)


async def draft(
    session: AsyncSession, workspace_id: uuid.UUID, version: str, lang: Lang, text: str
) -> OneCallPrompt:
    """The prompt of this version with other instructions in one language, under a name that no
    version has. Raises InvalidRequest for broken ones."""
    parent = await parent_of(session, workspace_id, version)
    return Instructions.checked(parent.base, {**parent.texts, lang: text}).prompt(DRAFT)


async def begin_trial(
    session: AsyncSession, workspace_id: uuid.UUID, planned: PlannedTrial, made_by: str
) -> TrialView:
    """Stores it with its job; the caller commits."""
    payload = {"evaluation_id": str(planned.evaluation_id)}
    trial_id = await enqueue(session, workspace_id, JUDGE_TRIAL, payload)
    values = {
        "id": trial_id,
        "workspace_id": workspace_id,
        "evaluation_id": planned.evaluation_id,
        "judge_model": planned.judge.model,
        "prompt": planned.judge.prompt,
        "instructions": planned.instructions,
        "lang": planned.answer.subject.lang,
        "made_by": made_by,
    }
    await session.execute(queries.add(values))
    return await trial_view(session, workspace_id, trial_id)


async def trial_view(
    session: AsyncSession, workspace_id: uuid.UUID, trial_id: uuid.UUID
) -> TrialView:
    """Raises NotFound, also for one of another workspace."""
    missing = no_such("trial", "시험이", "/qa-evaluations/{id}/trials")
    return _view(await existing(session, queries.TRIAL, workspace_id, trial_id, missing))


async def trials_of(
    session: AsyncSession, workspace_id: uuid.UUID, evaluation_id: uuid.UUID
) -> Sequence[TrialView]:
    """The newest 20, newest first; none for an evaluation of another workspace."""
    given = {"workspace_id": workspace_id, "evaluation_id": evaluation_id}
    return [_view(row) for row in (await session.execute(queries.TRIALS_OF, given)).mappings()]


def _view(row: RowMapping) -> TrialView:
    return TrialView.model_validate({**row, "error": row["told"]})
