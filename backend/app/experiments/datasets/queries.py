"""SQL of datasets and their cases."""

import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, RowMapping, func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.experiments.models import EvalDataset, EvalTestCase
from app.platform.db.owned_queries import one_and_page

_LOCK_NAME = text("SELECT pg_advisory_xact_lock(hashtextextended(:workspace_id || :name, 0))")

_DATASETS = """
SELECT d.*, (SELECT count(*) FROM eval_test_cases c WHERE c.dataset_id = d.id) AS cases
FROM eval_datasets d WHERE d.workspace_id = :workspace_id
"""
DATASET, DATASET_PAGE = one_and_page(_DATASETS, "d.id")

# Chunks of notes that changed are new ones: their old ids are gone.
_EXISTING_CHUNKS = text("""
SELECT id::text FROM note_chunks
WHERE workspace_id = :workspace_id AND id::text = ANY(:ids)
""")
_CHUNKS = text("""
SELECT c.id::text AS id, c.note_id::text AS note_id, n.title, c.content
FROM note_chunks c JOIN notes n ON n.id = c.note_id
WHERE c.workspace_id = :workspace_id AND c.notebook_id = :notebook_id
ORDER BY c.note_id, c.position
""")

_CHUNKS_OF_NOTES = text("""
SELECT id::text AS id, note_id, content FROM note_chunks
WHERE workspace_id = :workspace_id AND note_id = ANY(:note_ids) ORDER BY note_id, position
""")
_PASSAGES = text("""
SELECT c.id::text AS id, c.note_id, n.title, c.content
FROM note_chunks c JOIN notes n ON n.id = c.note_id
WHERE c.workspace_id = :workspace_id AND c.id::text = ANY(:ids) ORDER BY c.id
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


async def chunks(
    session: AsyncSession, workspace_id: uuid.UUID, notebook_id: uuid.UUID
) -> Sequence[Row[Any]]:
    """Rows (id, note_id, title, content), by note and place."""
    given = {"workspace_id": workspace_id, "notebook_id": notebook_id}
    return (await session.execute(_CHUNKS, given)).all()


async def existing_chunks(
    session: AsyncSession, workspace_id: uuid.UUID, ids: Sequence[str]
) -> set[str]:
    """The subset of `ids` that are chunks of the workspace."""
    given = {"workspace_id": workspace_id, "ids": list(ids)}
    return set((await session.scalars(_EXISTING_CHUNKS, given)).all())


async def chunks_of_notes(
    session: AsyncSession, workspace_id: uuid.UUID, note_ids: Sequence[uuid.UUID]
) -> Sequence[Row[Any]]:
    """Rows (id, note_id, content), by note and place."""
    given = {"workspace_id": workspace_id, "note_ids": list(note_ids)}
    return (await session.execute(_CHUNKS_OF_NOTES, given)).all()


async def ground_truth(
    session: AsyncSession, workspace_id: uuid.UUID, dataset_id: uuid.UUID
) -> Sequence[str]:
    """The ids of all chunks that answer a question of the dataset."""
    ids = select(func.unnest(EvalTestCase.ground_truth_chunk_ids)).where(
        EvalTestCase.workspace_id == workspace_id, EvalTestCase.dataset_id == dataset_id
    )
    return (await session.scalars(ids.distinct())).all()


async def passages(
    session: AsyncSession, workspace_id: uuid.UUID, ids: Sequence[str]
) -> Sequence[RowMapping]:
    """Rows (id, note_id, title, content) of the chunks of these ids that exist, by id."""
    given = {"workspace_id": workspace_id, "ids": list(ids)}
    return (await session.execute(_PASSAGES, given)).mappings().all()
