"""How far a job of judging again is, counted so that nothing is read twice for long."""

import uuid
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.jobs.service import job_state, merge_job_state
from app.quality.metrics.statistics import sum_known
from app.quality.rejudging import queries

# In the job's state: what has been counted for good, of which evaluations.
_COUNTED, _UNTIL = "counted", "counted_until"


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


async def count_for_good(session: AsyncSession, workspace_id: uuid.UUID, job_id: uuid.UUID) -> None:
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
    """What is counted already, and what came since. until: of what ended; None counts all."""
    given = {"workspace_id": workspace_id, "job_id": job_id, "until": until}
    since = state.get(_UNTIL, "-infinity")
    row = (await session.execute(queries.COUNT, given | {"since": since})).mappings().one()
    before: Mapping[str, Any] = state.get(_COUNTED, {})
    return {name: sum_known([before.get(name), value]) for name, value in row.items()}
