"""Stored runs as they are compared."""

import uuid
from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from app.experiments.runs import queries
from app.experiments.runs.likeness import ComparedRun, Measured
from app.experiments.runs.service import run_view
from app.platform.errors import Conflict
from app.platform.jobs.run_status import RunStatus


async def measured_runs(
    session: AsyncSession, workspace_id: uuid.UUID, ids: Sequence[uuid.UUID]
) -> list[Measured]:
    """In the order of the ids. Raises NotFound, and Conflict while one is not completed."""
    runs = [await run_view(session, workspace_id, id_) for id_ in ids]
    for run in runs:
        if run.status is not RunStatus.COMPLETED:
            raise Conflict(
                f"The run {run.id} is {run.status}; only completed runs can be compared.",
                ko=f"실행 {run.id}의 상태가 {run.status}입니다. 끝난 실행만 비교할 수 있습니다.",
                code="run-not-completed",
            )
    return [
        Measured(
            ComparedRun.model_validate(run), await queries.results(session, workspace_id, run.id)
        )
        for run in runs
    ]
