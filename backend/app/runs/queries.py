"""SQL of runs and results."""

import uuid
from collections.abc import Sequence

from sqlalchemy import func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.owned_queries import MAX_POSITION, in_order, one_and_page
from app.jobs.parts import UNFINISHED, RunStatus
from app.runs.models import EvalResult, EvalRun

_RUNS = """
SELECT r.*, (SELECT count(*) FROM eval_results e WHERE e.run_id = r.id) AS done
FROM eval_runs r WHERE r.workspace_id = :workspace_id
"""
RUN, _ = one_and_page(_RUNS, "r.id")
_, RUN_PAGE = one_and_page(
    f"{_RUNS} AND (CAST(:dataset_id AS uuid) IS NULL OR r.dataset_id = :dataset_id)", "r.id"
)


async def add_run(session: AsyncSession, **values: object) -> None:
    await session.execute(insert(EvalRun).values(**values))


async def cancel_runs_of(
    session: AsyncSession, workspace_id: uuid.UUID, dataset_id: uuid.UUID, why: str
) -> None:
    """Those under way; what they have measured stays. Their jobs end when they see it."""
    await session.execute(
        update(EvalRun)
        .where(
            EvalRun.workspace_id == workspace_id,
            EvalRun.dataset_id == dataset_id,
            EvalRun.status.in_([status.value for status in UNFINISHED]),
        )
        .values(
            status=RunStatus.CANCELLED.value,
            error_message=why,
            updated_at=func.now(),
            finished_at=func.now(),
        )
    )


async def add_result(session: AsyncSession, **values: object) -> None:
    """A second attempt at a case changes nothing."""
    await session.execute(upsert(EvalResult).values(**values).on_conflict_do_nothing())


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
