"""The job that makes a part of a succession's trials; the last one sums them up."""

import uuid
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import RowMapping, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.jobs import ModelJobContext
from app.experiments import queries
from app.experiments.models import JudgeTrial
from app.experiments.parts import NO_BUDGET, ItemBudget, Work, is_last_try
from app.experiments.succession.report import Result, report
from app.experiments.succession.switch import current_target, results_of, transfer_guarantee
from app.experiments.trials import end_trial, judge_trial, max_trial_cost, trial_lease
from app.platform.db.session import in_workspace
from app.platform.errors import TransientProviderError
from app.platform.jobs.job import Deferred, Job
from app.platform.settings import Settings
from app.quality.review.calibrating import CalibratedJudge
from app.verdicts.lifecycle.outcome import Retry


async def judge_succession_part(job: Job, context: ModelJobContext) -> None:
    """Makes the trials of the answers at positions `first` to `last` that were not made yet.

    Raises TransientProviderError while the job may be tried again, and Deferred while the daily
    budget has no money for a trial."""
    await queries.SUCCESSIONS.run_part(
        job,
        context,
        load=partial(_trials, job, context),
        results=partial(_measured, context.settings),
        summarise=_summary,
    )


async def _trials(
    job: Job, context: ModelJobContext, session: AsyncSession, succession: RowMapping
) -> Work:
    trials = await session.scalars(
        select(JudgeTrial)
        .where(
            JudgeTrial.workspace_id == job.workspace_id,
            JudgeTrial.succession_id == succession["id"],
            JudgeTrial.position.between(job.payload["first"], job.payload["last"]),
            JudgeTrial.finished_at.is_(None),
        )
        .order_by(JudgeTrial.position, JudgeTrial.id)
    )
    old = succession["old_model"]
    return [partial(_make, context, trial, trial.judge_model == old) for trial in trials]


async def _make(context: ModelJobContext, trial: JudgeTrial, by_old: bool) -> None:
    """Nothing where the answer was deleted meanwhile. Raises JobLost."""
    async with in_workspace(context.sessions, trial.workspace_id) as session:
        lease = await trial_lease(session, trial, context.settings)
    if lease is None:
        return
    assert trial.succession_id is not None
    assert trial.position is not None
    budget, item = ItemBudget(context, trial.succession_id), 2 * trial.position + by_old
    if wait := await budget.hold(item, max_trial_cost(lease, context.settings)):
        raise Deferred(wait.reason, NO_BUDGET[wait.reason], wait.seconds)
    outcome, values = await judge_trial(lease, context)
    later = isinstance(outcome, Retry) and not is_last_try(context)
    async with context.writing() as session:
        await budget.settle(session, item, values["cost_usd"])
        if not later:
            await end_trial(session, trial.id, **values)
    if later:
        raise TransientProviderError(values["error"])


class _Measured(NamedTuple):
    results: list[Result]
    guarantee: CalibratedJudge | None


async def _measured(
    settings: Settings, session: AsyncSession, workspace_id: uuid.UUID, succession_id: uuid.UUID
) -> _Measured:
    row = await queries.SUCCESSIONS.read(session, workspace_id, succession_id)
    results = await results_of(session, workspace_id, succession_id)
    target = await current_target(session, workspace_id, row["old_model"], settings)
    if target is None:
        return _Measured(results, None)
    about = workspace_id, target, row["new_model"], results, settings
    return _Measured(results, await transfer_guarantee(session, *about, dry_run=True))


def _summary(succession: RowMapping, measured: _Measured) -> dict[str, Any]:
    found = report(measured.results, succession["old_model"], succession["new_model"])
    found.guarantee = measured.guarantee
    return {"summary": found.model_dump(mode="json")}
