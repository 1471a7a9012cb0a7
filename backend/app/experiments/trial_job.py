"""The job that makes a trial: one judgement, of which nothing reaches the stored verdict."""

import datetime as dt
import uuid
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.jobs import ModelJobContext
from app.experiments import trial_queries as queries
from app.experiments.parts import NO_BUDGET, ItemBudget
from app.experiments.trials import DRAFT, StoredAnswer, TrialVerdict, draft, stored_answer
from app.judges.answer import SearchQAEvaluation
from app.judges.prompt_versions import find_prompt
from app.platform.db.owned_queries import one
from app.platform.db.session import in_workspace
from app.platform.db.statements import storable
from app.platform.jobs.job import Job
from app.text.language import lang_of
from app.verdicts.judging.in_memory import InMemoryJudging
from app.verdicts.lifecycle.cascade import cap_confidence
from app.verdicts.lifecycle.outcome import Failure, Lease, Outcome, Pause, Retry, Verdict
from app.verdicts.policy.cascade import JudgeGuarantee, guarantee_of
from app.verdicts.policy.judge_prices import JudgePrices

# Somebody waits for it: a judge that wants to be left alone for longer has failed.
_MAX_WAIT_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class _Trial:
    answer: StoredAnswer
    lease: Lease


async def try_judge(job: Job, context: ModelJobContext) -> None:
    """Has the answer judged once and stores what came of it, also a failure; whose answer was
    deleted meanwhile ends quietly. A trial that a crash interrupted asks again."""
    async with in_workspace(context.sessions, job.workspace_id) as session:
        trial = await _load(session, job)
    if trial is None:
        return
    settings = context.settings
    max_cost = trial.answer.max_cost(
        trial.lease.judge_model, trial.lease.prompt, JudgePrices(settings)
    )
    budget = ItemBudget(context, job.id)
    if wait := await budget.hold(0, max_cost):
        async with context.writing() as session:
            await _end(session, job.id, {"error": NO_BUDGET[wait.reason]})
        return
    judging = InMemoryJudging(settings, context.providers, max_wait=_MAX_WAIT_SECONDS)
    start = perf_counter()
    outcome = await judging.judge(trial.lease)
    usage = judging.usage()
    values = {
        **_outcome_values(outcome, trial.lease),
        "calls": len(judging.calls),
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "cost_usd": usage.cost_usd,
        "judge_ms": (perf_counter() - start) * 1000,
    }
    async with context.writing() as session:
        await budget.settle(session, 0, usage.cost_usd)
        await _end(session, job.id, values)


async def _load(session: AsyncSession, job: Job) -> _Trial | None:
    """None where it has ended or is gone."""
    workspace_id = job.workspace_id
    row = await one(session, queries.TRIAL, workspace_id, job.id)
    if row is None or row["finished_at"] is not None:
        return None
    answer = await stored_answer(session, workspace_id, row["evaluation_id"])
    if answer is None:
        return None
    version, instructions = row["prompt"], row["instructions"]
    if instructions is None:
        own = await find_prompt(session, workspace_id, version)
    else:
        lang = lang_of(row["lang"])
        version, own = DRAFT, await draft(session, workspace_id, version, lang, instructions)
    about = {"workspace_id": workspace_id, "judge_model": row["judge_model"]}
    guarantees = await session.execute(queries.GUARANTEES, about)
    lease = Lease(
        id=job.id,
        workspace_id=workspace_id,
        attempt=1,
        tries=0,
        judge_model=row["judge_model"],
        evaluators=answer.trial_evaluators,
        subject=answer.subject,
        judge_prompt=version,
        own_prompt=own,
        judge_fallback="failed",
        guarantees=tuple(JudgeGuarantee(*each) for each in guarantees),
    )
    return _Trial(answer, lease)


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
            told = TrialVerdict.of(found, outcome.quality, feedback, version)
            return {"verdict": told.model_dump(mode="json")}
        case Retry(error=error) | Failure(error=error):
            return {"error": storable(error)}
        case Pause(reason=reason):
            return {"error": f"The judge cannot work: {reason}."}
    return {"error": "The judge had no room, or nothing to judge by; try again."}


async def _end(session: AsyncSession, trial_id: uuid.UUID, values: dict[str, Any]) -> None:
    await session.execute(queries.end(trial_id, {**values, "finished_at": dt.datetime.now(dt.UTC)}))
