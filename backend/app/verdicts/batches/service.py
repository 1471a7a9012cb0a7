"""Batches for the rest of the product: listed, shown, cancelled."""

import uuid

from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.db import owned_queries
from app.platform.errors import no_such
from app.platform.jobs.service import JobView, wake_deferred
from app.verdicts.batches import queries
from app.verdicts.batches.job import WAITS
from app.verdicts.batches.states import BatchState
from app.verdicts.batches.views import JudgeBatchPage, JudgeBatchView


async def batch_page(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    *,
    state: BatchState | None,
    after: uuid.UUID | None,
    limit: int,
) -> JudgeBatchPage:
    """Newest first, behind the id `after`."""
    rows = await owned_queries.page(
        session,
        queries.BATCH_PAGE,
        workspace_id,
        after=after,
        limit=limit,
        state=state and state.value,
    )
    items = [JudgeBatchView.model_validate(dict(row)) for row in rows]
    return JudgeBatchPage.of(items, limit, lambda batch: batch.id)


async def batch_view(
    session: AsyncSession, workspace_id: uuid.UUID, batch_id: uuid.UUID
) -> JudgeBatchView:
    """Raises NotFound."""
    row = await owned_queries.existing(
        session, queries.BATCH, workspace_id, batch_id, no_such("batch", "배치가", "/judge-batches")
    )
    return JudgeBatchView.model_validate(dict(row))


async def request_cancel(
    session: AsyncSession, workspace_id: uuid.UUID, batch_id: uuid.UUID
) -> None:
    """Has a batch cancelled at its provider: what it has replies for is judged by them, the rest by
    calls. Nothing for one that has ended; the caller commits."""
    # Its job first, the lock order of those that work on it.
    await wake_deferred(session, workspace_id, WAITS)
    given = {"workspace_id": workspace_id, "id": batch_id}
    await session.execute(queries.REQUEST_CANCEL, given)


async def cancel_of_job(session: AsyncSession, workspace_id: uuid.UUID, job: JobView) -> None:
    """Who cancels the job at a batch wants the batch cancelled; another job sees to that."""
    if job.kind == queries.BATCH_JOB:
        await request_cancel(session, workspace_id, uuid.UUID(job.payload["batch_id"]))
