"""Batches of requests to judges: how far they are, and cancelled."""

import uuid

from fastapi import APIRouter

from app.api.openapi import not_found
from app.api.parameters import After, Limit
from app.api.sessions import ReadAccess, WriteAccess
from app.verdicts.batches import service
from app.verdicts.batches.models import BatchState
from app.verdicts.batches.service import JudgeBatchPage, JudgeBatchView

router = APIRouter(prefix="/judge-batches", tags=["operation"])

_NO_BATCH = not_found("The workspace has no such batch.")


@router.get("")
async def list_batches(
    access: ReadAccess, state: BatchState | None = None, limit: Limit = 50, after: After = None
) -> JudgeBatchPage:
    """Newest first. `after` is the `next` of the page before."""
    return await service.batch_page(
        access.session, access.workspace_id, state=state, after=after, limit=limit
    )


@router.get("/{batch_id}", responses=_NO_BATCH)
async def get_batch(batch_id: uuid.UUID, access: ReadAccess) -> JudgeBatchView:
    """One batch: how many of its answers have their reply, or why it failed."""
    return await service.batch_view(access.session, access.workspace_id, batch_id)


@router.post("/{batch_id}/cancel", responses=_NO_BATCH)
async def cancel_batch(batch_id: uuid.UUID, access: WriteAccess) -> JudgeBatchView:
    """Has the provider stop. Replies that there are by then are paid for and used; the other
    answers are judged by calls. A batch that has ended stays as it is."""
    await service.request_cancel(access.session, access.workspace_id, batch_id)
    return await service.batch_view(access.session, access.workspace_id, batch_id)
