"""Comparisons of stored runs."""

import asyncio
import uuid
from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import Conflict
from app.jobs.parts import RunStatus
from app.runs import compared_cases, queries
from app.runs.baseline import BaselineComparison, compare_with_baseline
from app.runs.compared_cases import ComparedCases, Shown
from app.runs.comparison import Comparison, compare_results
from app.runs.likeness import ComparedRun, Measured
from app.runs.service import run_view


async def compare_runs(
    session: AsyncSession, workspace_id: uuid.UUID, first_id: uuid.UUID, second_id: uuid.UUID
) -> Comparison:
    """Raises NotFound, and Conflict while one of them is not completed, or where they have nothing
    that can be compared."""
    first, second = await _measured(session, workspace_id, [first_id, second_id])
    return await asyncio.to_thread(compare_results, first, second)


async def compare_cases(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    first_id: uuid.UUID,
    second_id: uuid.UUID,
    *,
    show: Shown,
    after: int,
    limit: int,
) -> ComparedCases:
    """A page of their cases, the most severe changes first; raises as compare_runs."""
    first, second = await _measured(session, workspace_id, [first_id, second_id])
    return await asyncio.to_thread(
        compared_cases.compare_cases, first, second, show=show, after=after, limit=limit
    )


async def compare_several(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    baseline_id: uuid.UUID,
    other_ids: Sequence[uuid.UUID],
) -> BaselineComparison:
    """Each of the others against the baseline; an id that is there twice counts once. Raises as
    compare_runs, by the first of the others that cannot be compared."""
    ids = dict.fromkeys([baseline_id, *other_ids])
    baseline, *others = await _measured(session, workspace_id, list(ids))
    return await asyncio.to_thread(compare_with_baseline, baseline, others)


async def _measured(
    session: AsyncSession, workspace_id: uuid.UUID, ids: Sequence[uuid.UUID]
) -> list[Measured]:
    """All are looked at before the results of any are read."""
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
