"""Batches for the API: listed, shown, cancelled."""

import datetime as dt
import uuid

from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.db import owned_queries
from app.platform.db.owned_queries import Listed, Page
from app.platform.errors import no_such
from app.platform.jobs.service import JobView, wake_deferred
from app.verdicts.batches import queries
from app.verdicts.batches.job import WAITS
from app.verdicts.batches.models import BatchState


class JudgeBatchView(Listed):
    """Answers of which a provider judges all requests together, at a lower price.

    answers, requests: how many are in it; requests is 0 until they are rendered. done, failed: of
    the requests, by the provider's last word. stored, errors, dropped: of those that were read,
    with a reply, with an error, and of answers that were deleted or judged otherwise meanwhile.
    waiting: answers that wait for replies of it. deadline_at: from then on they are judged by
    calls. cost_usd: of the replies, null where it is not known. error: why it failed, was not
    handed in, or left something to calls."""

    judge_model: str
    state: BatchState
    answers: int
    requests: int
    done: int
    failed: int
    stored: int
    errors: int
    dropped: int
    waiting: int
    cost_usd: float | None
    error: str | None
    created_at: dt.datetime
    submitted_at: dt.datetime | None
    deadline_at: dt.datetime
    cancel_requested_at: dt.datetime | None
    finished_at: dt.datetime | None
    provider_batch: str | None


class JudgeBatchPage(Page[JudgeBatchView, uuid.UUID]):
    """Newest first. `next` continues the list; it is null on the last page."""


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
    return JudgeBatchPage.of(items, limit)


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
