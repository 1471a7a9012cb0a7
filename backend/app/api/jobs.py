"""Background jobs: how far they are, and no more of them."""

import uuid
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from fastapi.sse import EventSourceResponse, ServerSentEvent
from sqlalchemy.ext.asyncio import AsyncSession

from app.api.auth import Reader, Writer
from app.api.progress import LastState
from app.api.progress_stream import SEEN_TO_THE_END, follow, unseen
from app.api.services import ServicesDep
from app.db.page import Page
from app.db.session import in_workspace
from app.errors import no_such
from app.jobs import service
from app.jobs.service import JobView
from app.jobs.status import JobStatus
from app.rejudging.service import withdraw
from app.workspaces.service import Principal

router = APIRouter(prefix="/jobs", tags=["operation"])

NO_SUCH_JOB: dict[int | str, dict[str, Any]] = {404: {"description": "There is no such job."}}


class JobPage(Page[JobView]):
    """`next` continues the list; it is null on the last page."""


@router.get("")
async def list_jobs(
    principal: Reader,
    services: ServicesDep,
    status: JobStatus | None = None,
    kind: Annotated[str | None, Query(max_length=50, pattern=r"^[a-z_]+$")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    after: uuid.UUID | None = None,
) -> JobPage:
    """Newest first. `after` is the `next` of the page before."""
    async with in_workspace(services.sessions, principal.workspace_id) as session:
        items = await service.job_page(
            session,
            principal.workspace_id,
            status=status,
            kind=kind,
            after=after,
            limit=limit + 1,
        )
    return JobPage.of(items, limit)


@router.get("/{job_id}", responses=NO_SUCH_JOB)
async def get_job(job_id: uuid.UUID, principal: Reader, services: ServicesDep) -> JobView:
    """One job: `done` of `total` units, or why it failed."""
    async with in_workspace(services.sessions, principal.workspace_id) as session:
        return await _existing(session, principal, job_id)


async def until_final(
    job_id: uuid.UUID, principal: Reader, services: ServicesDep, last: LastState = None
) -> JobView:
    """Raises HTTPException 204 when the client has seen the end."""
    return unseen(await get_job(job_id, principal, services), last)


@router.get(
    "/{job_id}/events",
    response_class=EventSourceResponse,
    responses={**NO_SUCH_JOB, **SEEN_TO_THE_END},
)
async def job_events(
    view: Annotated[JobView, Depends(until_final)],
    principal: Reader,
    services: ServicesDep,
    last: LastState = None,
) -> AsyncIterator[ServerSentEvent]:
    """How far the job is, whenever that changes; ends with the job."""

    async def look() -> JobView:
        return await get_job(view.id, principal, services)

    async for event in follow(services, principal, view.id, look, last):
        yield event


@router.post("/{job_id}/cancel", responses=NO_SUCH_JOB)
async def cancel_job(job_id: uuid.UUID, principal: Writer, services: ServicesDep) -> JobView:
    """Ends the job; what it has done already stays, and what it has put in for a judge and no
    judge has begun is not judged. One that had ended stays as it is, and the
    answer says how it ended."""
    async with in_workspace(services.sessions, principal.workspace_id) as session, session.begin():
        await service.cancel(session, principal.workspace_id, job_id)
        await withdraw(session, principal.workspace_id, job_id)
        return await _existing(session, principal, job_id)


async def _existing(session: AsyncSession, principal: Principal, job_id: uuid.UUID) -> JobView:
    view = await service.job_view(session, principal.workspace_id, job_id)
    if view is None:
        raise no_such("job", "작업이", "/jobs")
    return view
