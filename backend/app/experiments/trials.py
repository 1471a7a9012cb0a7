"""Trials of a judge on a stored answer: planned, read, and the job that makes one.

A trial is one judgement, of which nothing reaches the stored verdict.
"""

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import asdict
from decimal import Decimal
from time import perf_counter
from typing import Any

from pydantic import BaseModel, Field, computed_field
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.jobs import ModelJobContext
from app.ai_router.types import Lang
from app.experiments import queries
from app.experiments.models import JudgeTrial
from app.experiments.parts import NO_BUDGET, ItemBudget
from app.judges.answer import AnswerToJudge, SearchQAEvaluation
from app.judges.answer_parts import parts_needed
from app.judges.checklists import QualityResult
from app.judges.criteria.criterion import with_criteria
from app.judges.criteria.versions import definitions
from app.judges.judge_names import BY_MODEL, takes_prompts
from app.judges.phases.run import FeedbackResult, Phase
from app.judges.prompt_versions import find_prompt, parent_of, usable_prompt
from app.judges.prompts.one_call import OneCallPrompt
from app.judges.verdict_prompts import DEFAULT_PROMPT, OF_WORKSPACE, Instructions
from app.platform.db.owned_queries import Listed, existing, one, row_of
from app.platform.db.session import in_workspace
from app.platform.db.statements import storable
from app.platform.errors import Conflict, InvalidRequest, no_such
from app.platform.jobs.job import Job
from app.platform.jobs.service import enqueue
from app.platform.jobs.status import JobStatus
from app.platform.settings import Settings
from app.quality.rejudging.queries import Judge
from app.text.evidence import evidence_from_json
from app.text.language import lang_of
from app.text.turns import Turn
from app.verdicts.judging.in_memory import InMemoryJudging
from app.verdicts.lifecycle.cascade import stored_evaluation
from app.verdicts.lifecycle.outcome import Failure, Lease, Outcome, Pause, Retry, Verdict
from app.verdicts.lifecycle.verdict_rows import claim_rows, criterion_rows
from app.verdicts.policy.cascade import JudgeGuarantee
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.verdicts.policy.judge_prices import JudgePrices
from app.verdicts.policy.service import policy_of
from app.verdicts.reading.feedback_views import ClaimView
from app.verdicts.reading.state import AnswerState, Findings, answer_state
from app.verdicts.reading.views import CriterionScoreView

_CLAIMS: Phase = "groundedness"


class TrialVerdict(BaseModel):
    """What the judge says. evaluation: as it would be stored, with the confidence that it would
    have; claims: null where the prompt asks for none; overall_score: of the phases, 0 to 1, null
    without any; criteria: by the workspace's own that were in force."""

    evaluation: SearchQAEvaluation
    quality: QualityResult | None
    claims: list[ClaimView] | None
    overall_score: float | None
    prompt_version: str
    criteria: list[CriterionScoreView] = Field(default_factory=list)

    @computed_field  # type: ignore[prop-decorator]  # as pydantic documents it
    @property
    def state(self) -> AnswerState:
        return answer_state(Findings.of(self.evaluation, self.claims, self.overall_score))


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
    """An answer and what a trial has it judged by. None if the workspace has no such evaluation."""
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
        history=map(Turn.from_json, row["history"] or ()),
        stands_alone=row["standalone_question"],
    )
    return subject, with_claims(row["evaluators"])


def with_claims(evaluators: Sequence[str]) -> tuple[str, ...]:
    """The evaluators of a verdict without own criteria, and claims, which come in the same call."""
    found = with_criteria(evaluators, ())
    return found if {_CLAIMS, _CLAIMS + BY_MODEL} & {*found} else (*found, _CLAIMS)


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


# A person waits for the result: a judge that asks for a longer pause has failed.
_MAX_WAIT_SECONDS = 5.0


async def run_trial(job: Job, context: ModelJobContext) -> None:
    """Judges the answer once and stores the verdict or the failure; nothing where the answer was
    deleted meanwhile. A trial that a crash interrupted asks again."""
    async with in_workspace(context.sessions, job.workspace_id) as session:
        trial = await row_of(session, JudgeTrial, job.workspace_id, job.id)
        lease = await trial_lease(session, trial, context.settings) if trial else None
    if lease is None:
        return
    budget = ItemBudget(context, job.id)
    if wait := await budget.hold(0, max_trial_cost(lease, context.settings)):
        async with context.writing() as session:
            await end_trial(session, job.id, error=NO_BUDGET[wait.reason])
        return
    _, values = await judge_trial(lease, context)
    async with context.writing() as session:
        await budget.settle(session, 0, values["cost_usd"])
        await end_trial(session, job.id, **values)


async def judge_trial(lease: Lease, context: ModelJobContext) -> tuple[Outcome, dict[str, Any]]:
    """What came of it, and the columns of the trial that has ended so. Raises no ProviderError."""
    judging = InMemoryJudging(context.settings, context.providers, max_wait=_MAX_WAIT_SECONDS)
    start = perf_counter()
    outcome = await judging.judge(lease)
    judge_ms = (perf_counter() - start) * 1000
    spent = {**asdict(judging.usage()), "calls": len(judging.calls), "judge_ms": judge_ms}
    return outcome, _outcome_values(outcome, lease) | spent


async def trial_lease(session: AsyncSession, trial: JudgeTrial, settings: Settings) -> Lease | None:
    """The answer as a worker would claim it, with the criteria in force; None where the trial has
    ended or the answer is gone."""
    workspace_id = trial.workspace_id
    if trial.finished_at is not None:
        return None
    found = await stored_answer(session, workspace_id, trial.evaluation_id)
    if found is None:
        return None
    answer, evaluators = found
    version = trial.prompt
    if trial.instructions is None:
        own = await find_prompt(session, workspace_id, version)
    else:
        lang = lang_of(trial.lang)
        version, own = DRAFT, await draft(session, workspace_id, version, lang, trial.instructions)
    criteria = (await policy_of(session, workspace_id, settings)).criteria
    given = {"workspace_id": workspace_id, "judge_model": trial.judge_model}
    guarantees = await session.execute(queries.GUARANTEES, given)
    return Lease(
        id=trial.id,
        workspace_id=workspace_id,
        attempt=1,
        tries=0,
        judge_model=trial.judge_model,
        evaluators=with_criteria(evaluators, criteria),
        subject=answer,
        judge_prompt=version,
        own_prompt=own,
        judge_fallback="failed",
        guarantees=tuple(JudgeGuarantee(*each) for each in guarantees),
        criteria=await definitions(session, workspace_id, criteria),
    )


def max_trial_cost(lease: Lease, settings: Settings) -> Decimal | None:
    """US dollars; None where a price is unknown."""
    answer = lease.subject
    turns = (text for turn in answer.history for text in (turn.question, turn.answer))
    texts = (answer.question, answer.answer, *answer.contents, *turns)
    return JudgePrices(settings).estimate(
        [lease.judge_model],
        lease.evaluators,
        sum(len(text.encode()) for text in texts),
        lease.prompt,
        parts_needed(len(answer.answer)),
    )


def _outcome_values(outcome: Outcome, lease: Lease) -> dict[str, Any]:
    match outcome:
        case Verdict(feedback=feedback) if evaluation := stored_evaluation(lease, outcome):
            verdict = TrialVerdict(
                evaluation=evaluation,
                quality=outcome.quality,
                claims=_claims(feedback),
                overall_score=feedback.overall_score if feedback else None,
                prompt_version=outcome.prompt_version,
                criteria=[
                    CriterionScoreView(**row, version=row["criterion_version"])
                    for row in criterion_rows(outcome)
                ],
            )
            return {"verdict": verdict.model_dump(mode="json")}
        case Retry(error=error) | Failure(error=error):
            return {"error": storable(error)}
        case Pause(reason=reason):
            return {"error": f"The judge cannot work: {reason}."}
    return {"error": "The judge had no room, or nothing to judge by; try again."}


def _claims(feedback: FeedbackResult | None) -> list[ClaimView] | None:
    if feedback is None or feedback.phase3 is None:
        return None
    return [
        ClaimView(**row, start=row["start_char"], end=row["end_char"])
        for row in claim_rows(feedback)
    ]


async def end_trial(session: AsyncSession, trial_id: uuid.UUID, **values: object) -> None:
    """Changes nothing of a trial that has ended."""
    await session.execute(
        update(JudgeTrial)
        .where(JudgeTrial.id == trial_id, JudgeTrial.finished_at.is_(None))
        .values(**values, finished_at=dt.datetime.now(dt.UTC))
    )
