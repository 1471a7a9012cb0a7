"""Background jobs and batches of judge requests: list, follow, cancel."""

import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, TypeVar

from fastapi import APIRouter, Depends, Header, HTTPException, Query
from fastapi.sse import EventSourceResponse, ServerSentEvent
from sqlalchemy.ext.asyncio import AsyncSession

from app.api.auth import Reader
from app.api.openapi import Responses, not_found
from app.api.parameters import After, Limit
from app.api.progress import State, progress_event, state_id
from app.api.services import ServicesDep
from app.api.sessions import ReadAccess, WriteAccess
from app.platform.db.owned_queries import Page
from app.platform.db.session import in_workspace
from app.platform.errors import no_such
from app.platform.jobs import service
from app.platform.jobs.service import JobView
from app.platform.jobs.status import JobStatus
from app.quality.rejudging.service import withdraw
from app.verdicts.batches import service as batches
from app.verdicts.batches.models import BatchState
from app.verdicts.batches.service import JudgeBatchPage, JudgeBatchView, cancel_of_job

SEEN_TO_THE_END: Responses = {204: {"description": "The client has seen the end already."}}

Seen = TypeVar("Seen", bound=State)
# Of (session, workspace_id, id). Raises NotFound when it is gone.
View = Callable[[AsyncSession, uuid.UUID, uuid.UUID], Awaitable[State]]
LastState = Annotated[
    str | None,
    Header(
        alias="Last-Event-ID",
        max_length=100,
        description="The id of the last state that was seen. Only the latest state counts: what"
        " has been passed through meanwhile is not told again.",
    ),
]


@dataclass(frozen=True, slots=True)
class ProgressStream:
    """`last` is the id of the last state that the client has seen."""

    principal: Reader
    services: ServicesDep
    last: LastState = None

    def unseen(self, state: Seen) -> Seen:
        """Raises HTTPException 204, which stops an EventSource from reconnecting, when the
        client has seen this state and nothing comes after it."""
        if state.status.final and self.last == state_id(state):
            raise HTTPException(204)
        return state

    async def follow(self, id_: uuid.UUID, view: View) -> AsyncIterator[ServerSentEvent]:
        """The present state unless the client has seen it, then every newer one; ends after the
        final one, when it is deleted, or with the token that opened the stream."""
        services, workspace_id = self.services, self.principal.workspace_id

        async def look() -> State:
            async with in_workspace(services.sessions, workspace_id) as session:
                return await view(session, workspace_id, id_)

        async with services.progress.watching((workspace_id, id_), look) as reader:
            with services.tokens.watching(self.principal.token_id, reader.close):
                async for state in reader:
                    event = progress_event(state)
                    if event.id != self.last:
                        yield event
                    if state.status.final:
                        return


ProgressDep = Annotated[ProgressStream, Depends()]

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
        *access.workspace, status=status, kind=kind, after=after, limit=limit + 1
    )
    return JobPage.of(items, limit)


@router.get("/{job_id}", responses=NO_SUCH_JOB)
async def get_job(job_id: uuid.UUID, access: ReadAccess) -> JobView:
    """One job: `done` of `total` units, or why it failed."""
    return await _existing(*access.workspace, job_id)


async def until_final(job_id: uuid.UUID, access: ReadAccess, progress: ProgressDep) -> JobView:
    """Raises HTTPException 204 when the client has seen the end."""
    return progress.unseen(await _existing(*access.workspace, job_id))


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
    await service.cancel(*access.workspace, job_id)
    await withdraw(*access.workspace, job_id)
    job = await _existing(*access.workspace, job_id)
    await cancel_of_job(*access.workspace, job)
    return job


async def _existing(session: AsyncSession, workspace_id: uuid.UUID, job_id: uuid.UUID) -> JobView:
    view = await service.job_view(session, workspace_id, job_id)
    if view is None:
        raise no_such("job", "작업이", "/jobs")
    return view


batch_router = APIRouter(prefix="/judge-batches", tags=["operation"])

_NO_BATCH = not_found("The workspace has no such batch.")


@batch_router.get("")
async def list_batches(
    access: ReadAccess, state: BatchState | None = None, limit: Limit = 50, after: After = None
) -> JudgeBatchPage:
    """Newest first. `after` is the `next` of the page before."""
    return await batches.batch_page(*access.workspace, state=state, after=after, limit=limit)


@batch_router.get("/{batch_id}", responses=_NO_BATCH)
async def get_batch(batch_id: uuid.UUID, access: ReadAccess) -> JudgeBatchView:
    """One batch: how many of its answers have their reply, or why it failed."""
    return await batches.batch_view(*access.workspace, batch_id)


@batch_router.post("/{batch_id}/cancel", responses=_NO_BATCH)
async def cancel_batch(batch_id: uuid.UUID, access: WriteAccess) -> JudgeBatchView:
    """Has the provider stop. Replies that there are by then are paid for and used; the other
    answers are judged by calls. A batch that has ended stays as it is."""
    await batches.request_cancel(*access.workspace, batch_id)
    return await batches.batch_view(*access.workspace, batch_id)
