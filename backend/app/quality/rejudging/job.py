"""The job that has answers judged again: puts their evaluations in, and watches them."""

import asyncio
import uuid
from collections.abc import Mapping
from time import monotonic
from typing import Any

from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.jobs import ModelJobContext
from app.platform.db.session import in_workspace
from app.platform.jobs.job import Deferred, Job
from app.platform.jobs.service import job_state, merge_job_state
from app.quality.metrics.statistics import sum_known
from app.quality.rejudging import queries
from app.quality.rejudging.queries import Judge, RejudgeFilter
from app.quality.rejudging.service import add
from app.verdicts.policy.judge_prices import JudgePrices

# In the job's state: what has been counted for good, of which evaluations.
_COUNTED, _UNTIL = "counted", "counted_until"

# Verdicts that are looked at in one transaction.
BATCH = 500
# Maximum number, plus a batch, that wait at once: as much as workers judge in a minute or so. What
# waits is counted at each look, and withdrawn on cancellation.
WINDOW = 2_000
# The same of those that wait for batches, which may be for a day.
BATCHED_WINDOW = 20_000
_LOOK_AGAIN_SECONDS = 0.5
_COUNT_SECONDS = 60.0
# While all that is left waits for batches, the job leaves its place to others for so long.
_BATCHED_SECONDS = 10.0
_AFTER = "after"
_FIRST = ("-infinity", "00000000-0000-0000-0000-000000000000")


class RejudgeProgress(BaseModel):
    """How far a job is: of `total` answers put in so far. `paused` of the pending ones wait for a
    judge that cannot work, `batched` for a batch of its provider. cost_usd is null where nobody
    knows it."""

    total: int
    succeeded: int
    failed: int
    cancelled: int
    pending: int
    paused: int
    batched: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None

    @property
    def ended(self) -> int:
        return self.total - self.pending


async def progress(
    session: AsyncSession, workspace_id: uuid.UUID, job_id: uuid.UUID
) -> RejudgeProgress:
    """All zero for a job of another kind."""
    state = await job_state(session, workspace_id, job_id)
    return RejudgeProgress.model_validate(await _count(session, workspace_id, job_id, state, None))


async def store_counts(session: AsyncSession, workspace_id: uuid.UUID, job_id: uuid.UUID) -> None:
    """Notes what has ended since this was done last; the caller, who holds the job, commits."""
    state = await job_state(session, workspace_id, job_id)
    until = await session.scalar(queries.FOR_GOOD)
    counted = await _count(session, workspace_id, job_id, state, until)
    await merge_job_state(session, job_id, {_COUNTED: counted, _UNTIL: until})


async def _count(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    job_id: uuid.UUID,
    state: Mapping[str, Any],
    until: str | None,
) -> dict[str, Any]:
    """Earlier counts plus new ones. until: the end of the counted time; None counts all."""
    given = {"workspace_id": workspace_id, "job_id": job_id, "until": until}
    since = state.get(_UNTIL, "-infinity")
    row = (await session.execute(queries.COUNT, given | {"since": since})).mappings().one()
    before: Mapping[str, Any] = state.get(_COUNTED, {})
    return {name: sum_known([before.get(name), value]) for name, value in row.items()}


async def rejudge(job: Job, context: ModelJobContext) -> None:
    """Ends when every evaluation that it enqueued has ended, well or not. Restarted, it resumes
    behind the last batch. Raises Deferred while its evaluations wait for batches of a provider."""
    judge = Judge(
        job.payload["judge_model"],
        job.payload["judge_prompt"],
        criteria=tuple(job.payload.get("criteria", ())),
    )
    which = RejudgeFilter.model_validate(job.payload["filter"])
    expected = job.payload["answers"]
    more, counted_at = True, monotonic()
    while True:
        seen = await _seen(job, context)
        await context.progress(seen.ended, max(expected, seen.total) if more else seen.total)
        if monotonic() - counted_at > _COUNT_SECONDS:
            counted_at = monotonic()
            async with context.writing() as session:
                await store_counts(session, job.workspace_id, job.id)
        by_calls = seen.pending - seen.batched
        if more and by_calls < WINDOW and seen.batched < BATCHED_WINDOW:
            more = await _enqueue_batch(job, context, which, judge)
        elif seen.batched and not by_calls:
            reason = f"{seen.batched} answers wait for batches of their judge's provider"
            raise Deferred("batched", reason, _BATCHED_SECONDS)
        elif seen.pending:
            await asyncio.sleep(_LOOK_AGAIN_SECONDS)
        else:
            return


async def _enqueue_batch(
    job: Job, context: ModelJobContext, which: RejudgeFilter, judge: Judge
) -> bool:
    """The evaluations of the next batch, and where it ends. False when it was the last."""
    async with context.writing() as session:
        state = await job_state(session, job.workspace_id, job.id)
        after_at, after_id = state.get(_AFTER, _FIRST)
        given = {"workspace_id": job.workspace_id, "job_id": job.id, "limit": BATCH}
        given |= {"after_at": after_at, "after_id": after_id} | which.parameters()
        statement = queries.PAGE_OF_CHOSEN if which.evaluation_ids else queries.PAGE
        page = (await session.execute(statement, given)).all()
        rows = [judge.row(row.answer_id, row.evaluators, job.id) for row in page if row.answer_id]
        if rows:
            await add(session, rows, JudgePrices(context.settings))
        if page:
            after = (page[-1].created_at.isoformat(), str(page[-1].id))
            await merge_job_state(session, job.id, {_AFTER: after})
    return len(page) == BATCH


async def _seen(job: Job, context: ModelJobContext) -> RejudgeProgress:
    async with in_workspace(context.sessions, job.workspace_id) as session:
        return await progress(session, job.workspace_id, job.id)
