"""The SQL of vectors."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Row, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.notes.hits import ChunkHit, SearchHit
from app.platform.db.statements import SqlFile, in_list
from app.platform.jobs.status import UNFINISHED

EMBED_JOB = "embed"
_SQL = SqlFile(__package__, "embeddings", unfinished=in_list(UNFINISHED))
_NEAREST = text(_SQL("nearest"))
_NEAREST_CHUNKS = text(_SQL("nearest_chunks"))
_LIMIT_TIME = text(_SQL("limit_time"))
LACKING = _SQL("lacking")
COUNT_LACKING = _SQL("count_lacking")
_STORE = text(_SQL("store"))
_COVERAGE = text(_SQL("coverage"))
# For psycopg.
WORKSPACES_LACKING = _SQL("workspaces_lacking")
STORES_VECTORS = _SQL("stores_vectors").encode()


async def stores_vectors(session: AsyncSession) -> bool:
    return bool(await session.scalar(text(STORES_VECTORS.decode())))


async def limit_time(session: AsyncSession, seconds: float) -> None:
    """What the statements of this transaction may take each."""
    await session.execute(_LIMIT_TIME, {"milliseconds": str(int(seconds * 1000))})


async def nearest_notes(
    session: AsyncSession, *, pool: int, most: int, limit: int, **parameters: Any
) -> list[SearchHit]:
    """The nearest chunk of each note, nearest first. Of the nearest `pool` chunks, or of `most`
    where those are of too few notes."""
    given = {**parameters, "pool": pool, "limit": limit}
    rows = (await session.execute(_NEAREST, given)).mappings().all()
    if pool < most and rows and len(rows) < limit and rows[0]["looked_up"] == pool:
        rows = (await session.execute(_NEAREST, given | {"pool": most})).mappings().all()
    return [SearchHit.from_row(row) for row in rows]


async def nearest_chunks(session: AsyncSession, **parameters: Any) -> list[ChunkHit]:
    """Several of one note may be among them."""
    found = await session.execute(_NEAREST_CHUNKS, parameters)
    return [ChunkHit.from_row(row) for row in found.mappings()]


async def chunks_lacking(
    session: AsyncSession, workspace_id: uuid.UUID, model: str, limit: int
) -> Sequence[Row[Any]]:
    """Rows (id, title, content) of chunks without a vector of the model."""
    given = {"workspace_id": workspace_id, "model": model, "limit": limit}
    return (await session.execute(text(LACKING), given)).all()


async def count_lacking(session: AsyncSession, workspace_id: uuid.UUID, model: str) -> int:
    given = {"workspace_id": workspace_id, "model": model}
    return int(await session.scalar(text(COUNT_LACKING), given) or 0)


async def store_vectors(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    model: str,
    vectors: Mapping[uuid.UUID, str | None],
) -> None:
    """Vectors as text by chunk; None for a chunk that the model refused. Chunks that are gone
    are left out."""
    given = {
        "workspace_id": workspace_id,
        "model": model,
        "ids": list(vectors),
        "vectors": list(vectors.values()),
    }
    await session.execute(_STORE, given)


async def coverage(session: AsyncSession, workspace_id: uuid.UUID, model: str) -> Row[Any]:
    """One row (chunks, embedded, refused)."""
    rows = await session.execute(_COVERAGE, {"workspace_id": workspace_id, "model": model})
    return rows.one()
