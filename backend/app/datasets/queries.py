"""SQL of datasets, runs and results."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Row, RowMapping, delete, func, insert, select, text, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncSession

from app.datasets.models import EvalDataset, EvalResult, EvalRun, EvalTestCase
from app.datasets.status import RunStatus

_LOCK_NAME = text("SELECT pg_advisory_xact_lock(hashtextextended(:workspace_id || :name, 0))")

_DATASETS = """
SELECT d.id, d.name, d.version, d.notebook_id, d.origin, d.created_at,
    (SELECT count(*) FROM eval_test_cases c WHERE c.dataset_id = d.id) AS cases
FROM eval_datasets d WHERE d.workspace_id = :workspace_id
"""
_DATASET = text(f"{_DATASETS} AND d.id = :id")
_DATASET_PAGE = text(
    f"{_DATASETS} AND (CAST(:after AS uuid) IS NULL OR d.id < :after) ORDER BY d.id DESC"
    " LIMIT :limit"
)

_RUNS = """
SELECT r.id, r.dataset_id, r.dataset_name, r.dataset_version, r.status, r.k, r.evaluation_type,
    r.retrieval, r.embedding_model, r.answer_model, r.judge_model, r.cases, r.summary,
    r.error_message, r.created_at, r.updated_at, r.finished_at,
    (SELECT count(*) FROM eval_results e WHERE e.run_id = r.id) AS done
FROM eval_runs r WHERE r.workspace_id = :workspace_id
"""
_RUN = text(f"{_RUNS} AND r.id = :id")
_RUN_PAGE = text(
    f"{_RUNS} AND (CAST(:dataset_id AS uuid) IS NULL OR r.dataset_id = :dataset_id)"
    " AND (CAST(:after AS uuid) IS NULL OR r.id < :after) ORDER BY r.id DESC LIMIT :limit"
)

# Chunks of notes that changed are new ones: their old ids are nobody's.
_EXISTING_CHUNKS = text("""
SELECT id::text FROM note_chunks
WHERE workspace_id = :workspace_id AND id::text = ANY(:ids)
""")
_CHUNKS = text("""
SELECT c.id::text AS id, c.note_id::text AS note_id, n.title, c.content
FROM note_chunks c JOIN notes n ON n.id = c.note_id
WHERE c.workspace_id = :workspace_id
  AND (CAST(:notebook_id AS uuid) IS NULL OR c.notebook_id = :notebook_id)
ORDER BY c.note_id, c.position
""")

_CHUNKS_OF_NOTES = text("""
SELECT id::text AS id, note_id, content FROM note_chunks
WHERE workspace_id = :workspace_id AND note_id = ANY(:note_ids) ORDER BY note_id, position
""")
_PASSAGES = text("""
SELECT c.id::text AS id, c.note_id, n.title, c.content
FROM note_chunks c JOIN notes n ON n.id = c.note_id
WHERE c.workspace_id = :workspace_id AND c.id::text IN (
    SELECT unnest(ground_truth_chunk_ids) FROM eval_test_cases
    WHERE workspace_id = :workspace_id AND dataset_id = :dataset_id)
ORDER BY c.id
""")

_PASSAGES_OF = text("""
SELECT c.id::text AS id, c.note_id, n.title, c.content
FROM note_chunks c JOIN notes n ON n.id = c.note_id
WHERE c.workspace_id = :workspace_id AND c.id::text = ANY(:ids)
""")

_CANCEL_JOBS = text("""
UPDATE jobs SET status = 'cancelled', finished_at = now(), lease_until = NULL
WHERE workspace_id = :workspace_id AND kind = :kind AND payload ->> 'run_id' = :run_id
  AND status IN ('queued', 'running', 'retrying')
""")


async def next_version(session: AsyncSession, workspace_id: uuid.UUID, name: str) -> int:
    """The number of the dataset's next version; the name is locked until the commit."""
    await session.execute(_LOCK_NAME, {"workspace_id": str(workspace_id), "name": name})
    newest = await session.scalar(
        select(func.max(EvalDataset.version)).where(
            EvalDataset.workspace_id == workspace_id, EvalDataset.name == name
        )
    )
    return (newest or 0) + 1


async def add_dataset(
    session: AsyncSession, dataset: Mapping[str, Any], cases: Sequence[Mapping[str, Any]]
) -> None:
    await session.execute(insert(EvalDataset).values(dataset))
    await session.execute(insert(EvalTestCase), [dict(case) for case in cases])


async def dataset(
    session: AsyncSession, workspace_id: uuid.UUID, dataset_id: uuid.UUID
) -> RowMapping | None:
    found = await session.execute(_DATASET, {"workspace_id": workspace_id, "id": dataset_id})
    return found.mappings().one_or_none()


async def datasets(
    session: AsyncSession, workspace_id: uuid.UUID, after: uuid.UUID | None, limit: int
) -> Sequence[RowMapping]:
    """Newest first."""
    given = {"workspace_id": workspace_id, "after": after, "limit": limit}
    return (await session.execute(_DATASET_PAGE, given)).mappings().all()


async def delete_dataset(
    session: AsyncSession, workspace_id: uuid.UUID, dataset_id: uuid.UUID
) -> bool:
    deleted = await session.scalar(
        delete(EvalDataset)
        .where(EvalDataset.id == dataset_id, EvalDataset.workspace_id == workspace_id)
        .returning(EvalDataset.id)
    )
    return deleted is not None


async def cases(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    dataset_id: uuid.UUID,
    *,
    first: int = 0,
    last: int = 2**31 - 1,
) -> Sequence[EvalTestCase]:
    """In order, those at positions `first` to `last`."""
    found = await session.scalars(
        select(EvalTestCase)
        .where(
            EvalTestCase.workspace_id == workspace_id,
            EvalTestCase.dataset_id == dataset_id,
            EvalTestCase.position.between(first, last),
        )
        .order_by(EvalTestCase.position)
    )
    return found.all()


async def chunks(
    session: AsyncSession, workspace_id: uuid.UUID, notebook_id: uuid.UUID | None
) -> Sequence[Row[Any]]:
    """Rows (id, note_id, title, content), by note and place."""
    given = {"workspace_id": workspace_id, "notebook_id": notebook_id}
    return (await session.execute(_CHUNKS, given)).all()


async def existing_chunks(
    session: AsyncSession, workspace_id: uuid.UUID, ids: Sequence[str]
) -> set[str]:
    """Those of `ids` that are chunks of the workspace."""
    given = {"workspace_id": workspace_id, "ids": list(ids)}
    return set((await session.scalars(_EXISTING_CHUNKS, given)).all())


async def chunks_of_notes(
    session: AsyncSession, workspace_id: uuid.UUID, note_ids: Sequence[uuid.UUID]
) -> Sequence[Row[Any]]:
    """Rows (id, note_id, content), by note and place."""
    given = {"workspace_id": workspace_id, "note_ids": list(note_ids)}
    return (await session.execute(_CHUNKS_OF_NOTES, given)).all()


async def passages(
    session: AsyncSession, workspace_id: uuid.UUID, dataset_id: uuid.UUID
) -> Sequence[RowMapping]:
    """Rows (id, note_id, title, content) of the dataset's ground truth that still exists."""
    given = {"workspace_id": workspace_id, "dataset_id": dataset_id}
    return (await session.execute(_PASSAGES, given)).mappings().all()


async def passages_of(
    session: AsyncSession, workspace_id: uuid.UUID, ids: Sequence[str]
) -> Sequence[RowMapping]:
    """Rows (id, note_id, title, content) of the chunks of these ids that exist, in no order."""
    given = {"workspace_id": workspace_id, "ids": list(ids)}
    return (await session.execute(_PASSAGES_OF, given)).mappings().all()


async def add_run(session: AsyncSession, **values: object) -> None:
    await session.execute(insert(EvalRun).values(**values))


async def run(
    session: AsyncSession, workspace_id: uuid.UUID, run_id: uuid.UUID
) -> RowMapping | None:
    found = await session.execute(_RUN, {"workspace_id": workspace_id, "id": run_id})
    return found.mappings().one_or_none()


async def runs(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    *,
    dataset_id: uuid.UUID | None,
    after: uuid.UUID | None,
    limit: int,
) -> Sequence[RowMapping]:
    """Newest first."""
    given = {"dataset_id": dataset_id, "after": after, "limit": limit}
    return (
        (await session.execute(_RUN_PAGE, {"workspace_id": workspace_id} | given)).mappings().all()
    )


async def begin(session: AsyncSession, run_id: uuid.UUID) -> None:
    await session.execute(
        update(EvalRun)
        .where(EvalRun.id == run_id, EvalRun.status == RunStatus.PENDING.value)
        .values(status=RunStatus.RUNNING.value, updated_at=func.now())
    )


async def end(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    run_id: uuid.UUID,
    status: RunStatus,
    **values: object,
) -> bool:
    """False when it has ended already, or is not there."""
    ended = await session.scalar(
        update(EvalRun)
        .where(
            EvalRun.id == run_id,
            EvalRun.workspace_id == workspace_id,
            EvalRun.status.in_([RunStatus.PENDING.value, RunStatus.RUNNING.value]),
        )
        .values(status=status.value, updated_at=func.now(), finished_at=func.now(), **values)
        .returning(EvalRun.id)
    )
    return ended is not None


async def cancel_runs_of(
    session: AsyncSession, workspace_id: uuid.UUID, dataset_id: uuid.UUID, why: str
) -> None:
    """Those under way; what they have measured stays. Their jobs end when they see it."""
    await session.execute(
        update(EvalRun)
        .where(
            EvalRun.workspace_id == workspace_id,
            EvalRun.dataset_id == dataset_id,
            EvalRun.status.in_([RunStatus.PENDING.value, RunStatus.RUNNING.value]),
        )
        .values(
            status=RunStatus.CANCELLED.value,
            error_message=why,
            updated_at=func.now(),
            finished_at=func.now(),
        )
    )


async def cancel_jobs(
    session: AsyncSession, workspace_id: uuid.UUID, kind: str, run_id: uuid.UUID
) -> None:
    given = {"workspace_id": workspace_id, "kind": kind, "run_id": str(run_id)}
    await session.execute(_CANCEL_JOBS, given)


async def add_result(session: AsyncSession, **values: object) -> None:
    """A second attempt at a case changes nothing."""
    await session.execute(upsert(EvalResult).values(**values).on_conflict_do_nothing())


async def results(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    run_id: uuid.UUID,
    *,
    first: int = 0,
    last: int = 2**31 - 1,
) -> Sequence[EvalResult]:
    """In the order of the cases, those at positions `first` to `last`."""
    found = await session.scalars(
        select(EvalResult)
        .where(
            EvalResult.workspace_id == workspace_id,
            EvalResult.run_id == run_id,
            EvalResult.position.between(first, last),
        )
        .order_by(EvalResult.position)
    )
    return found.all()


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
