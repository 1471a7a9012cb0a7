"""The SQL of vectors."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Row, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.notes.hits import ChunkHit, SearchHit
from app.platform.db.statements import in_list
from app.platform.jobs.status import UNFINISHED

EMBED_JOB = "embed"

# The chunks of other dimensions are of a model that was replaced under the same name; comparing
# them would be an error.
_NEAR = """
WITH near AS MATERIALIZED (
    SELECT chunk_id, distance FROM nearest_embeddings(
        :workspace_id, CAST(:notebook_id AS uuid), :model, :dimensions, :vector,
        :index_name, :candidates, :pool)
)
"""
_NEAREST = text(f"""
{_NEAR}, best AS (
    SELECT DISTINCT ON (chunk.note_id) chunk.note_id, chunk.id, near.distance
    FROM near JOIN note_chunks AS chunk ON chunk.id = near.chunk_id
    WHERE near.distance <= :farthest
    ORDER BY chunk.note_id, near.distance, chunk.id
), first AS MATERIALIZED (
    SELECT * FROM best ORDER BY distance, note_id LIMIT :limit
)
SELECT note.id AS note_id, note.title, note.content_text, note.category, note.tags,
       chunk.id AS chunk_id, chunk.content,
       (SELECT count(*) FROM near WHERE distance <= :farthest) AS looked_up
FROM first
JOIN note_chunks AS chunk ON chunk.id = first.id
JOIN notes AS note ON note.id = first.note_id
ORDER BY first.distance, note.id
""")
_NEAREST_CHUNKS = text(f"""
{_NEAR}
SELECT chunk.id AS chunk_id, chunk.note_id, note.title, chunk.content,
       1 - near.distance AS score
FROM near JOIN note_chunks AS chunk ON chunk.id = near.chunk_id
JOIN notes AS note ON note.id = chunk.note_id
WHERE near.distance <= :farthest
ORDER BY near.distance, chunk.id LIMIT :limit
""")
_LIMIT_TIME = text("SELECT set_config('statement_timeout', :milliseconds, true)")

# Chunks that have no vector yet stand in a queue, which triggers keep; those of another model are
# found by index. So a new note costs no look at all chunks.
LACKING = """
SELECT chunk.id, note.title, chunk.content
FROM note_chunks AS chunk JOIN notes AS note ON note.id = chunk.note_id
WHERE chunk.id = ANY (ARRAY(
    (SELECT chunk_id FROM unembedded_chunks WHERE workspace_id = :workspace_id LIMIT :limit)
    UNION
    (SELECT chunk_id FROM note_embeddings
     WHERE workspace_id = :workspace_id AND model < :model LIMIT :limit)
    UNION
    (SELECT chunk_id FROM note_embeddings
     WHERE workspace_id = :workspace_id AND model > :model LIMIT :limit)))
ORDER BY chunk.id LIMIT :limit
"""
COUNT_LACKING = """
SELECT (SELECT count(*) FROM unembedded_chunks WHERE workspace_id = :workspace_id)
     + (SELECT count(*) FROM note_embeddings WHERE workspace_id = :workspace_id AND model < :model)
     + (SELECT count(*) FROM note_embeddings WHERE workspace_id = :workspace_id AND model > :model)
"""
# A chunk that an import replaces meanwhile is left out, or held until this commits.
_STORE = text("""
INSERT INTO note_embeddings (chunk_id, workspace_id, notebook_id, model, dimensions, embedding)
SELECT chunk.id, chunk.workspace_id, chunk.notebook_id, :model,
       vector_dims(CAST(given.embedding AS vector)), CAST(given.embedding AS vector)
FROM unnest(CAST(:ids AS uuid[]), CAST(:vectors AS text[])) AS given (id, embedding)
JOIN note_chunks AS chunk ON chunk.id = given.id
WHERE chunk.workspace_id = :workspace_id
ORDER BY chunk.id
FOR KEY SHARE OF chunk
ON CONFLICT (chunk_id) DO UPDATE
SET model = excluded.model, dimensions = excluded.dimensions, embedding = excluded.embedding
""")
_COVERAGE = text("""
SELECT stored.chunks + (SELECT count(*) FROM unembedded_chunks WHERE workspace_id = :workspace_id)
           AS chunks,
       embedded, refused
FROM (
    SELECT count(*) AS chunks, count(dimensions) FILTER (WHERE model = :model) AS embedded,
           count(*) FILTER (WHERE model = :model AND dimensions IS NULL) AS refused
    FROM note_embeddings WHERE workspace_id = :workspace_id
) AS stored
""")

# From here on for psycopg. A job that failed, or that somebody cancelled, is not put in again by
# itself for an hour: a wrong key would fill the list of jobs. One that used up its tries on a
# server that was away or busy has done a part, and goes on after ten minutes.
WORKSPACES_LACKING = f"""
SELECT workspace.id FROM workspaces AS workspace
WHERE (EXISTS (SELECT FROM unembedded_chunks WHERE workspace_id = workspace.id)
       OR EXISTS (SELECT FROM note_embeddings
                  WHERE workspace_id = workspace.id AND model < %(model)s)
       OR EXISTS (SELECT FROM note_embeddings
                  WHERE workspace_id = workspace.id AND model > %(model)s))
  AND NOT EXISTS (
    SELECT FROM jobs
    WHERE jobs.workspace_id = workspace.id AND kind = %(kind)s AND dedupe_key = %(dedupe_key)s
      AND (status IN ({in_list(UNFINISHED)})
           OR status <> 'succeeded' AND finished_at > now() -
              make_interval(mins => CASE WHEN error LIKE 'transient:%%' THEN 10 ELSE 60 END)))
"""


# Whether vectors can be stored; no row before the table is there.
STORES_VECTORS = b"""
SELECT atttypid <> 'text'::regtype FROM pg_attribute
WHERE attrelid = to_regclass('public.note_embeddings') AND attname = 'embedding'
"""


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
