"""What was learned, in the policy: applied where it is better, read, and undone."""

import asyncio
import datetime as dt
import uuid
from dataclasses import replace
from typing import TypeGuard

from sqlalchemy import RowMapping, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.jobs import ModelJobContext
from app.experiments import queries
from app.experiments.benches.learning import (
    CONFIDENCE,
    LearningDetail,
    LearningPage,
    Proof,
    StoredLearning,
    prove,
)
from app.experiments.benches.views import BenchFrame
from app.experiments.models import JudgeBench
from app.platform.db.owned_queries import page
from app.platform.db.session import in_workspace
from app.platform.errors import Conflict
from app.platform.jobs.job import Job
from app.platform.jobs.status import RunStatus
from app.platform.settings import Settings
from app.verdicts.policy.calibrations import NewCalibration
from app.verdicts.policy.changes import adopt, withdraw
from app.verdicts.policy.service import policy_of


async def settle_learning(job: Job, context: ModelJobContext) -> None:
    """Proves what a completed bench was made to show, and changes the policy where that is better.
    May be repeated."""
    workspace_id, id_ = job.workspace_id, uuid.UUID(job.payload[queries.BENCHES.key])
    async with in_workspace(context.sessions, workspace_id) as session:
        bench = await _bench(session, workspace_id, id_)
        if not _is_unsettled(bench):
            return
        results = await queries.bench_results(session, workspace_id, id_)
    learning = StoredLearning.model_validate(bench.learning)
    frame = BenchFrame.model_validate(bench.frame)
    proof = await asyncio.to_thread(prove, learning, results, frame)
    async with context.writing() as session:
        bench = await _bench(session, workspace_id, id_, lock=True)
        if _is_unsettled(bench):
            learning.result = proof.result
            if proof.result.outcome == "better" and not learning.dry_run:
                await _apply(session, workspace_id, learning, proof, context.settings)
            bench.learning = learning.model_dump(mode="json")


async def _bench(
    session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID, *, lock: bool = False
) -> JudgeBench | None:
    mine = (JudgeBench.workspace_id == workspace_id, JudgeBench.id == id_)
    wanted = select(JudgeBench).where(*mine, JudgeBench.learning.is_not(None))
    return await session.scalar(wanted.with_for_update() if lock else wanted)


def _is_unsettled(bench: JudgeBench | None) -> TypeGuard[JudgeBench]:
    if bench is None or bench.status != RunStatus.COMPLETED:
        return False
    return bench.learning is not None and bench.learning["result"] is None


async def _apply(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    learning: StoredLearning,
    proof: Proof,
    settings: Settings,
) -> None:
    """Notes what came of it."""
    result = proof.result
    prompt = learning.candidate if result.change == "examples" else learning.prompt
    policy = await policy_of(session, workspace_id, settings)
    (version,) = replace(policy, judge_prompt=prompt).versions_of([learning.judge_model])
    guarantee = NewCalibration(
        judge_model=learning.judge_model,
        prompt_version=version,
        precision=result.precision,
        confidence=CONFIDENCE,
        threshold=result.threshold,
        labels=result.highs,
        labels_right=result.highs_right,
        stays_high=proof.stays_high,
        cascade=None,
        scores=proof.chances.scores,
        chances=proof.chances.chances,
    )
    learning.before = await adopt(
        session,
        workspace_id,
        settings,
        judge_model=learning.judge_model,
        prompt=(learning.prompt, prompt),
        guarantee=guarantee,
    )
    if learning.before is None:
        learning.result = result.model_copy(update={"outcome": "policy_changed"})
    else:
        learning.prompt_version = version
        learning.applied_at = dt.datetime.now(dt.UTC)


async def undo_learning(
    session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID, settings: Settings
) -> LearningDetail:
    """Changes the policy back; the caller commits. Raises NotFound, and Conflict where it was not
    changed, or has been changed since."""
    await learning_detail(session, workspace_id, id_)
    bench = await _bench(session, workspace_id, id_, lock=True)
    assert bench is not None
    learning = StoredLearning.model_validate(bench.learning)
    if learning.before is None or learning.prompt_version is None or learning.undone_at:
        raise Conflict.worded("learning-not-applied")
    judge = (learning.judge_model, learning.prompt_version)
    await withdraw(session, workspace_id, learning.before, settings, judge=judge)
    learning.undone_at = dt.datetime.now(dt.UTC)
    bench.learning = learning.model_dump(mode="json")
    await session.flush()
    return await learning_detail(session, workspace_id, id_)


async def learning_detail(
    session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID
) -> LearningDetail:
    """Raises NotFound, also for a bench that was not made to learn."""
    return _detail(await queries.LEARNINGS.read(session, workspace_id, id_))


async def learning_page(
    session: AsyncSession, workspace_id: uuid.UUID, *, after: uuid.UUID | None, limit: int
) -> LearningPage:
    """Newest first; `after` is the last id of the page before."""
    rows = await page(session, queries.LEARNING_PAGE, workspace_id, after=after, limit=limit)
    return LearningPage.of([_detail(row) for row in rows], limit, lambda row: row.id)


def _detail(row: RowMapping) -> LearningDetail:
    found = LearningDetail.model_validate({**row, **row["learning"]})
    if found.status == RunStatus.COMPLETED and found.result is None:
        found.status = RunStatus.RUNNING  # the last job has still to prove it
    return found
