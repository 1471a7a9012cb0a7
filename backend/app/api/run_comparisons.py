"""Runs over datasets, compared with each other."""

import asyncio
import uuid
from typing import Annotated

from fastapi import APIRouter, Query

from app.api.openapi import conflict, not_found
from app.api.sessions import Access, ReadAccess
from app.experiments.models import MAX_OTHERS
from app.experiments.runs.changes import ComparedCases, Shown, compare_cases
from app.experiments.runs.comparison import (
    BaselineComparison,
    Comparison,
    compare_results,
    compare_with_baseline,
)
from app.experiments.runs.likeness import Measured
from app.experiments.runs.service import measured_runs

_REFUSED = not_found("The workspace has no such run.") | conflict(
    "One of the runs is not completed, or they have nothing that can be compared."
)
router = APIRouter(prefix="/evaluation/runs", tags=["datasets and runs"], responses=_REFUSED)


async def _measured(access: Access, *ids: uuid.UUID) -> list[Measured]:
    """Resampling takes seconds with thousands of cases, which no transaction should be open for."""
    runs = await measured_runs(access.session, access.workspace_id, ids)
    await access.session.close()
    return runs


@router.get("/{run_id}/compare/{other_id}")
async def compare_runs(run_id: uuid.UUID, other_id: uuid.UUID, access: ReadAccess) -> Comparison:
    """The second run against the first: paired differences with their significance, and the
    cases that flipped. Means of the search are not compared where k or the dataset differ, those
    of the answers where the judge or its prompt do."""
    first, second = await _measured(access, run_id, other_id)
    return await asyncio.to_thread(compare_results, first, second)


@router.get("/{run_id}/compare/{other_id}/cases")
async def compared_cases(
    run_id: uuid.UUID,
    other_id: uuid.UUID,
    access: ReadAccess,
    show: Shown = "all",
    after: Annotated[int, Query(ge=0, le=1_000_000, description="`next` of the page before.")] = 0,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> ComparedCases:
    """The questions of both runs with both answers: first those that failed or flipped, then by
    the size of the change."""
    first, second = await _measured(access, run_id, other_id)
    return await asyncio.to_thread(
        compare_cases, first, second, show=show, after=after, limit=limit
    )


@router.get("/{run_id}/comparison")
async def baseline_comparison(
    run_id: uuid.UUID,
    access: ReadAccess,
    other_id: Annotated[list[uuid.UUID], Query(max_length=MAX_OTHERS, default_factory=list)],
) -> BaselineComparison:
    """Up to six runs against this one, their baseline: means over the cases that all of them
    measured, and paired differences whose p values count how many runs are compared. An id that
    is there twice counts once."""
    others = [id_ for id_ in dict.fromkeys(other_id) if id_ != run_id]
    baseline, *runs = await _measured(access, run_id, *others)
    return await asyncio.to_thread(compare_with_baseline, baseline, runs)
