"""The job that has answers judged again: puts their evaluations in, and watches them."""

import asyncio
import uuid

from app.db.session import in_workspace
from app.jobs.job import Job, JobContext
from app.rejudging import queries
from app.rejudging.filter import RejudgeFilter
from app.rejudging.judge_choice import Judge
from app.rejudging.service import RejudgeProgress, add, progress
from app.verdicts.judge_prices import JudgePrices

# Of one transaction.
BATCH = 200
_LOOK_AGAIN_SECONDS = 0.5
_FIRST = uuid.UUID(int=0)


async def rejudge(job: Job, context: JobContext) -> None:
    """Ends when every evaluation that it has put in has ended, well or not. Begun again, it finds
    those by the job's id and goes on."""
    judge = Judge(job.payload["judge_model"], job.payload["judge_prompt"])
    which = RejudgeFilter.model_validate(job.payload["filter"])
    expected = job.payload["answers"]
    after: uuid.UUID | None = _FIRST
    while after is not None:
        after = await _put_in(job, context, which, judge, after)
        seen = await _seen(job, context)
        await context.progress(seen.ended, max(expected, seen.total))
    while seen.pending:
        await asyncio.sleep(_LOOK_AGAIN_SECONDS)
        seen = await _seen(job, context)
        await context.progress(seen.ended, seen.total)
    await context.progress(seen.ended, seen.total)


async def _put_in(
    job: Job, context: JobContext, which: RejudgeFilter, judge: Judge, after: uuid.UUID
) -> uuid.UUID | None:
    """One batch of the evaluations behind `after`; the last of them, None at the end."""
    given = {"workspace_id": job.workspace_id, "after": after, "limit": BATCH}
    async with context.writing() as session:
        page = (await session.execute(queries.PAGE, given | which.parameters())).all()
        rows = [judge.row(row.answer_id, row.evaluators, job.id) for row in page]
        await add(session, rows, JudgePrices(context.settings))
    return page[-1].id if len(page) == BATCH else None


async def _seen(job: Job, context: JobContext) -> RejudgeProgress:
    async with in_workspace(context.sessions, job.workspace_id) as session:
        return await progress(session, job.workspace_id, job.id)
