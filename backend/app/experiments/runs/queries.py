"""SQL of runs and results."""

import uuid
from collections.abc import Sequence

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.experiments.models import EvalResult, EvalRun
from app.experiments.parts import Experiment
from app.platform.db.owned_queries import MAX_POSITION, in_order, one_and_page
from app.platform.db.statements import in_list
from app.platform.jobs.status import UNFINISHED_RUNS, RunStatus
from app.verdicts.status import BUDGET_REASONS

EVALUATE_CASES = "evaluate_cases"

# A job that was deferred has the reason before the colon of its error.
_RUNS = f"""
SELECT r.*, (SELECT count(*) FROM eval_results e WHERE e.run_id = r.id) AS done,
    w.waits_for, w.waits_until
FROM eval_runs r LEFT JOIN LATERAL (
    SELECT split_part(j.error, ':', 1) AS waits_for, j.run_at AS waits_until
    FROM jobs j
    WHERE r.status IN ({in_list(UNFINISHED_RUNS)}) AND j.workspace_id = r.workspace_id
      AND j.kind = '{EVALUATE_CASES}' AND j.payload ->> 'run_id' = r.id::text
      AND j.status = 'retrying' AND split_part(j.error, ':', 1) IN ({in_list(BUDGET_REASONS)})
    ORDER BY j.run_at LIMIT 1
) w ON true
WHERE r.workspace_id = :workspace_id
"""
RUN, _ = one_and_page(_RUNS, "r.id")
RUNS = Experiment(
    table=EvalRun,
    one=RUN,
    total="cases",
    job=EVALUATE_CASES,
    key="run_id",
    noun="run",
    korean=("실행", "실행이"),
    path="/evaluation/runs",
)
_, RUN_PAGE = one_and_page(
    f"{_RUNS} AND (CAST(:dataset_id AS uuid) IS NULL OR r.dataset_id = :dataset_id)", "r.id"
)


async def cancel_runs_of(
    session: AsyncSession, workspace_id: uuid.UUID, dataset_id: uuid.UUID, why: str
) -> None:
    """Cancels unfinished runs; their results stay. Their jobs end at the next heartbeat."""
    await session.execute(
        update(EvalRun)
        .where(
            EvalRun.workspace_id == workspace_id,
            EvalRun.dataset_id == dataset_id,
            EvalRun.status.in_([status.value for status in UNFINISHED_RUNS]),
        )
        .values(
            status=RunStatus.CANCELLED.value,
            error_message=why,
            updated_at=func.now(),
            finished_at=func.now(),
        )
    )


async def results(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    run_id: uuid.UUID,
    *,
    first: int = 0,
    last: int = MAX_POSITION,
) -> Sequence[EvalResult]:
    """In the order of the cases, those at positions `first` to `last`."""
    return await in_order(
        session, EvalResult, workspace_id, EvalResult.run_id == run_id, first, last
    )


async def result_of(
    session: AsyncSession, workspace_id: uuid.UUID, run_id: uuid.UUID, test_case_id: uuid.UUID
) -> EvalResult | None:
    found = await session.scalars(
        select(EvalResult).where(
            EvalResult.workspace_id == workspace_id,
            EvalResult.run_id == run_id,
            EvalResult.test_case_id == test_case_id,
        )
    )
    return found.one_or_none()


async def runs_of(session: AsyncSession, workspace_id: uuid.UUID, dataset_id: uuid.UUID) -> int:
    """How many there are."""
    counted = select(func.count()).where(
        EvalRun.workspace_id == workspace_id, EvalRun.dataset_id == dataset_id
    )
    return (await session.execute(counted)).scalar_one()
