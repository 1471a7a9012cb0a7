"""Background jobs: how far they are, and no more of them."""

import uuid
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from fastapi.sse import EventSourceResponse, ServerSentEvent
from sqlalchemy.ext.asyncio import AsyncSession

from app.api.openapi import not_found
from app.api.parameters import After, Limit
from app.api.progress_stream import SEEN_TO_THE_END, ProgressDep
from app.api.sessions import ReadAccess, WriteAccess
from app.platform.db.owned_queries import Page
from app.platform.errors import no_such
from app.platform.jobs import service
from app.platform.jobs.service import JobView
from app.platform.jobs.status import JobStatus
from app.quality.rejudging.service import withdraw
from app.verdicts.batches.service import cancel_of_job

router = APIRouter(prefix="/jobs", tags=["operation"])

NO_SUCH_JOB = not_found("There is no such job.")


class JobPage(Page[JobView, uuid.UUID]):
    """`next` continues the list; it is null on the last page."""


@router.get("")
async def list_jobs(
    access: ReadAccess,
    status: JobStatus | None = None,
    kind: Annotated[str | None, Query(max_length=50, pattern=r"^[a-z_]+$")] = None,
    limit: Limit = 50,
    after: After = None,
) -> JobPage:
    """Newest first. `after` is the `next` of the page before."""
    items = await service.job_page(
        access.session, access.workspace_id, status=status, kind=kind, after=after, limit=limit + 1
    )
    return JobPage.of(items, limit, lambda job: job.id)


@router.get("/{job_id}", responses=NO_SUCH_JOB)
async def get_job(job_id: uuid.UUID, access: ReadAccess) -> JobView:
    """One job: `done` of `total` units, or why it failed."""
    return await _existing(access.session, access.workspace_id, job_id)


async def until_final(job_id: uuid.UUID, access: ReadAccess, progress: ProgressDep) -> JobView:
    """Raises HTTPException 204 when the client has seen the end."""
    return progress.unseen(await _existing(access.session, access.workspace_id, job_id))


@router.get(
    "/{job_id}/events", response_class=EventSourceResponse, responses=NO_SUCH_JOB | SEEN_TO_THE_END
)
async def job_events(
    view: Annotated[JobView, Depends(until_final)], progress: ProgressDep
) -> AsyncIterator[ServerSentEvent]:
    """How far the job is, whenever that changes; ends with the job."""
    async for event in progress.follow(view.id, _existing):
        yield event


@router.post("/{job_id}/cancel", responses=NO_SUCH_JOB)
async def cancel_job(job_id: uuid.UUID, access: WriteAccess) -> JobView:
    """Ends the job; what it has done already stays, and what it has put in for a judge and no
    judge has begun is not judged. One that had ended stays as it is, and the
    answer says how it ended."""
    await service.cancel(access.session, access.workspace_id, job_id)
    await withdraw(access.session, access.workspace_id, job_id)
    job = await _existing(access.session, access.workspace_id, job_id)
    await cancel_of_job(access.session, access.workspace_id, job)
    return job


async def _existing(session: AsyncSession, workspace_id: uuid.UUID, job_id: uuid.UUID) -> JobView:
    view = await service.job_view(session, workspace_id, job_id)
    if view is None:
        raise no_such("job", "작업이", "/jobs")
    return view
