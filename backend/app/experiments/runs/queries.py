"""SQL of runs and results."""

import uuid
from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from app.experiments.models import EvalResult, EvalRun
from app.experiments.parts import Experiment
from app.platform.db.owned_queries import MAX_POSITION, in_order, one_and_page
from app.platform.db.statements import in_list
from app.platform.jobs.status import UNFINISHED_RUNS
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
