"""Runs over datasets, compared with each other."""

import uuid
from typing import Annotated

from fastapi import APIRouter, Query

from app.api.openapi import conflict, not_found
from app.api.sessions import ReadAccess
from app.runs import compare_service
from app.runs.baseline import MAX_OTHERS, BaselineComparison
from app.runs.compared_cases import ComparedCases, Shown
from app.runs.comparison import Comparison

_REFUSED = not_found("The workspace has no such run.") | conflict(
    "One of the runs is not completed, or they have nothing that can be compared."
)
router = APIRouter(prefix="/evaluation/runs", tags=["datasets and runs"], responses=_REFUSED)


@router.get("/{run_id}/compare/{other_id}")
async def compare_runs(run_id: uuid.UUID, other_id: uuid.UUID, access: ReadAccess) -> Comparison:
    """The second run against the first: paired differences with their significance, and the
    cases that flipped. Means of the search are not compared where k or the dataset differ, those
    of the answers where the judge or its prompt do."""
    return await compare_service.compare_runs(access.session, access.workspace_id, run_id, other_id)


@router.get("/{run_id}/compare/{other_id}/cases")
async def compare_cases(
    run_id: uuid.UUID,
    other_id: uuid.UUID,
    access: ReadAccess,
    show: Shown = "all",
    after: Annotated[int, Query(ge=0, le=1_000_000, description="`next` of the page before.")] = 0,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> ComparedCases:
    """The questions of both runs with both answers: first those that failed or flipped, then by
    the size of the change."""
    return await compare_service.compare_cases(
        *(access.session, access.workspace_id, run_id, other_id),
        show=show,
        after=after,
        limit=limit,
    )


@router.get("/{run_id}/comparison")
async def compare_with_baseline(
    run_id: uuid.UUID,
    access: ReadAccess,
    other_id: Annotated[list[uuid.UUID], Query(max_length=MAX_OTHERS, default_factory=list)],
) -> BaselineComparison:
    """Up to six runs against this one, their baseline: means over the cases that all of them
    measured, and paired differences whose p values count how many runs are compared."""
    return await compare_service.compare_several(
        access.session, access.workspace_id, run_id, other_id
    )
