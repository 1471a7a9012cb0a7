"""Trials of a judge on a stored answer: requests, views, and how they are planned and read."""

import datetime as dt
import uuid

from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.types import Lang
from app.experiments import queries
from app.experiments.models import JudgeTrial
from app.judges.answer import AnswerToJudge, SearchQAEvaluation
from app.judges.checklists import QualityResult
from app.judges.judge import BY_MODEL
from app.judges.judge_names import takes_prompts
from app.judges.phases.run import Phase
from app.judges.prompt_versions import parent_of, usable_prompt
from app.judges.prompts.one_call import OneCallPrompt
from app.judges.verdict_prompts import DEFAULT_PROMPT, OF_WORKSPACE, Instructions
from app.platform.db.owned_queries import Listed, existing, one
from app.platform.errors import Conflict, InvalidRequest, no_such
from app.platform.jobs.service import enqueue
from app.platform.jobs.status import JobStatus
from app.platform.settings import Settings
from app.quality.rejudging.queries import Judge
from app.text.evidence import evidence_from_json
from app.text.language import lang_of
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.verdicts.reading.feedback_views import ClaimView

_CLAIMS: Phase = "groundedness"


class TrialVerdict(BaseModel):
    """What the judge says. evaluation: as it would be stored, with the confidence that it would
    have; claims: null where the prompt asks for none; overall_score: of the phases, 0 to 1, null
    without any."""

    evaluation: SearchQAEvaluation
    quality: QualityResult | None
    claims: list[ClaimView] | None
    overall_score: float | None
    prompt_version: str


class TrialView(Listed):
    """A trial. prompt: the version; instructions: what replaced those of it in `lang`, null where
    nothing did. status: of its job; verdict: null until it has succeeded, error until it has
    failed. What it took is null where nobody knows: tokens, US dollars, milliseconds."""

    evaluation_id: uuid.UUID
    judge_model: str
    prompt: str
    instructions: str | None
    lang: Lang
    made_by: str
    status: JobStatus
    error: str | None
    verdict: TrialVerdict | None
    calls: int | None
    prompt_tokens: int | None
    completion_tokens: int | None
    cost_usd: float | None
    judge_ms: float | None
    created_at: dt.datetime
    finished_at: dt.datetime | None


async def stored_answer(
    session: AsyncSession, workspace_id: uuid.UUID, evaluation_id: uuid.UUID
) -> tuple[AnswerToJudge, tuple[str, ...]] | None:
    """An answer and the evaluators of its verdict, and claims, which come in the same call. None
    if the workspace has no such evaluation."""
    row = await one(session, queries.TRIAL_ANSWER, workspace_id, evaluation_id)
    if row is None:
        return None
    subject = AnswerToJudge.from_texts(
        row["question"],
        row["answer"],
        row["contents"],
        row["titles"],
        evidence=evidence_from_json(row["evidence"]),
        lang=lang_of(row["lang"]),
        feature=row["feature"],
    )
    evaluators = tuple(row["evaluators"])
    has_claims = {_CLAIMS, _CLAIMS + BY_MODEL} & {*evaluators}
    return subject, evaluators if has_claims else (*evaluators, _CLAIMS)


JUDGE_TRIAL = "judge_trial"
# No version of a workspace is called so: they have numbers.
DRAFT = f"{OF_WORKSPACE}draft"


async def plan_trial(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    evaluation_id: uuid.UUID,
    policy: EvaluationPolicy,
    settings: Settings,
    *,
    judge_model: str | None,
    prompt: str | None,
    text: str | None,
) -> tuple[Judge, JudgeTrial]:
    """A trial that may begin, and its judge; nothing is stored.

    judge_model, prompt: None is what the policy says. text: instructions in the place of those of
    the prompt, in the answer's language. Raises NotFound, Conflict for an answer that was not made
    from notes, and InvalidRequest for what cannot be tried.
    """
    found = await stored_answer(session, workspace_id, evaluation_id)
    if found is None:
        raise no_such("evaluation", "평가가", "/qa-evaluations")
    answer, evaluators = found
    if "search_qa" not in evaluators:
        raise Conflict.worded("nothing-to-judge-by")
    model = judge_model or policy.judge_model
    if not takes_prompts(model):
        raise InvalidRequest.worded("trial-needs-prompts", model=model)
    version = prompt or policy.judge_prompt or DEFAULT_PROMPT
    if text is None:
        own = await usable_prompt(session, workspace_id, version)
    else:
        own = await draft(session, workspace_id, version, answer.lang, text)
    judge = Judge.asked_for(model, version, settings, own)
    trial = JudgeTrial(
        workspace_id=workspace_id,
        evaluation_id=evaluation_id,
        judge_model=judge.model,
        prompt=judge.prompt,
        instructions=text,
        lang=answer.lang,
    )
    return judge, trial


async def draft(
    session: AsyncSession, workspace_id: uuid.UUID, version: str, lang: Lang, text: str
) -> OneCallPrompt:
    """The prompt of this version with other instructions in one language, under a name that no
    version has. Raises InvalidRequest for broken ones."""
    parent = await parent_of(session, workspace_id, version)
    return Instructions.checked(parent.base, {**parent.texts, lang: text}).prompt(DRAFT)


async def begin_trial(session: AsyncSession, trial: JudgeTrial, made_by: str) -> TrialView:
    """Stores it with its job; the caller commits."""
    payload = {"evaluation_id": str(trial.evaluation_id)}
    trial.id = await enqueue(session, trial.workspace_id, JUDGE_TRIAL, payload)
    trial.made_by = made_by
    session.add(trial)
    await session.flush()
    return await trial_view(session, trial.workspace_id, trial.id)


async def trial_view(
    session: AsyncSession, workspace_id: uuid.UUID, trial_id: uuid.UUID
) -> TrialView:
    """Raises NotFound, also for one of another workspace."""
    missing = no_such("trial", "시험이", "/qa-evaluations/{id}/trials")
    row = await existing(session, queries.TRIAL, workspace_id, trial_id, missing)
    return TrialView.model_validate(dict(row))


async def list_trials(
    session: AsyncSession, workspace_id: uuid.UUID, evaluation_id: uuid.UUID
) -> list[TrialView]:
    """The newest 20, newest first; none for an evaluation of another workspace."""
    given = {"workspace_id": workspace_id, "evaluation_id": evaluation_id}
    rows = await session.execute(queries.TRIALS_OF_EVALUATION, given)
    return [TrialView.model_validate(dict(row)) for row in rows.mappings()]
