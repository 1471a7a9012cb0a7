"""The job that makes a trial: one judgement, of which nothing reaches the stored verdict."""

import datetime as dt
import uuid
from dataclasses import asdict
from decimal import Decimal
from time import perf_counter
from typing import Any

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.jobs import ModelJobContext
from app.experiments import queries
from app.experiments.models import JudgeTrial
from app.experiments.parts import NO_BUDGET, ItemBudget
from app.experiments.trials import DRAFT, TrialVerdict, draft, stored_answer
from app.judges.answer import SearchQAEvaluation
from app.judges.answer_parts import parts_needed
from app.judges.phases.run import FeedbackResult
from app.judges.prompt_versions import find_prompt
from app.platform.db.owned_queries import one
from app.platform.db.session import in_workspace
from app.platform.db.statements import storable
from app.platform.jobs.job import Job
from app.text.language import lang_of
from app.verdicts.judging.in_memory import InMemoryJudging
from app.verdicts.lifecycle.cascade import cap_confidence
from app.verdicts.lifecycle.outcome import Failure, Lease, Outcome, Pause, Retry, Verdict
from app.verdicts.lifecycle.verdict_rows import claim_rows
from app.verdicts.policy.cascade import JudgeGuarantee, guarantee_of
from app.verdicts.policy.judge_prices import JudgePrices
from app.verdicts.reading.feedback_views import ClaimView

# A person waits for the result: a judge that asks for a longer pause has failed.
_MAX_WAIT_SECONDS = 5.0


async def run_trial(job: Job, context: ModelJobContext) -> None:
    """Judges the answer once and stores the verdict or the failure; nothing where the answer was
    deleted meanwhile. A trial that a crash interrupted asks again."""
    async with in_workspace(context.sessions, job.workspace_id) as session:
        lease = await _lease(session, job)
    if lease is None:
        return
    settings = context.settings
    budget = ItemBudget(context, job.id)
    if wait := await budget.hold(0, _max_cost(lease, JudgePrices(settings))):
        async with context.writing() as session:
            await _end(session, job.id, error=NO_BUDGET[wait.reason])
        return
    judging = InMemoryJudging(settings, context.providers, max_wait=_MAX_WAIT_SECONDS)
    start = perf_counter()
    outcome = await judging.judge(lease)
    judge_ms = (perf_counter() - start) * 1000
    usage = judging.usage()
    async with context.writing() as session:
        await budget.settle(session, 0, usage.cost_usd)
        await _end(
            session,
            job.id,
            **_outcome_values(outcome, lease),
            **asdict(usage),
            calls=len(judging.calls),
            judge_ms=judge_ms,
        )


async def _lease(session: AsyncSession, job: Job) -> Lease | None:
    """The answer as a worker would claim it; None where the trial has ended or is gone."""
    workspace_id = job.workspace_id
    trial = await one(session, queries.TRIAL, workspace_id, job.id)
    if trial is None or trial["finished_at"] is not None:
        return None
    found = await stored_answer(session, workspace_id, trial["evaluation_id"])
    if found is None:
        return None
    answer, evaluators = found
    version, instructions = trial["prompt"], trial["instructions"]
    if instructions is None:
        own = await find_prompt(session, workspace_id, version)
    else:
        lang = lang_of(trial["lang"])
        version, own = DRAFT, await draft(session, workspace_id, version, lang, instructions)
    given = {"workspace_id": workspace_id, "judge_model": trial["judge_model"]}
    guarantees = await session.execute(queries.GUARANTEES, given)
    return Lease(
        id=job.id,
        workspace_id=workspace_id,
        attempt=1,
        tries=0,
        judge_model=trial["judge_model"],
        evaluators=evaluators,
        subject=answer,
        judge_prompt=version,
        own_prompt=own,
        judge_fallback="failed",
        guarantees=tuple(JudgeGuarantee(*each) for each in guarantees),
    )


def _max_cost(lease: Lease, prices: JudgePrices) -> Decimal | None:
    """US dollars; None where a price is unknown."""
    answer = lease.subject
    texts = (answer.question, answer.answer, *answer.contents)
    return prices.estimate(
        [lease.judge_model],
        lease.evaluators,
        sum(len(text.encode()) for text in texts),
        lease.prompt,
        parts_needed(len(answer.answer)),
    )


def _outcome_values(outcome: Outcome, lease: Lease) -> dict[str, Any]:
    match outcome:
        case Verdict(evaluation=SearchQAEvaluation() as evaluation, feedback=feedback):
            version = outcome.prompt_version
            found = cap_confidence(
                evaluation,
                feedback,
                outcome.own_checklist,
                guarantee_of(version, lease.guarantees),
                version,
            )
            verdict = TrialVerdict(
                evaluation=found,
                quality=outcome.quality,
                claims=_claims(feedback),
                overall_score=feedback.overall_score if feedback else None,
                prompt_version=version,
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


async def _end(session: AsyncSession, trial_id: uuid.UUID, **values: object) -> None:
    """Changes nothing of a trial that has ended."""
    await session.execute(
        update(JudgeTrial)
        .where(JudgeTrial.id == trial_id, JudgeTrial.finished_at.is_(None))
        .values(**values, finished_at=dt.datetime.now(dt.UTC))
    )
