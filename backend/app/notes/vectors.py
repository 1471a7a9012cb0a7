"""Search by meaning, the notes whose vectors are nearest to that of a question; and the SQL of
vectors."""

import logging
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as SQLAlchemyTimeoutError
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.router import Embedder, Providers, parse_embedding_model_name
from app.notes.hits import ChunkHit, SearchHit
from app.notes.keys import Place
from app.notes.models import vector_text
from app.notes.vector_indexes import VectorSet
from app.platform.db.pool import Pool, fetch
from app.platform.db.session import Sessions, in_workspace
from app.platform.db.statements import SqlFile, in_list
from app.platform.errors import ProviderError, SetupError
from app.platform.jobs.status import UNFINISHED
from app.platform.settings import Settings

logger = logging.getLogger(__name__)

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


# Chunks of which the notes are looked up. Those of a note may all be near, and then more are.
_POOL = 100
_CHUNKS_PER_NOTE = 20
# Comparing 5,000 vectors, or reading an index, takes some hundredths of a second.
_SEARCH_SECONDS = 1.0

NO_PGVECTOR = (
    "SEARCHQA_EMBEDDING_MODEL is set, and the database cannot store vectors; install pgvector on"
    " its server (package postgresql-<version>-pgvector, or the image pgvector/pgvector), have an"
    " administrator run CREATE EXTENSION IF NOT EXISTS vector; and run `searchqa migrate`, or unset"
    " SEARCHQA_EMBEDDING_MODEL."
)


async def check_vectors(pool: Pool, settings: Settings) -> None:
    """Raises SetupError for an embedding model whose vectors the database cannot store."""
    if settings.embedding.model is None:
        return
    if await fetch(pool, STORES_VECTORS) == [(False,)]:
        raise SetupError(NO_PGVECTOR)


def embedding_model(settings: Settings) -> str | None:
    """The name under which vectors are stored, None where they are not wanted. Raises
    ConfigurationError for a name that is none."""
    if settings.embedding.model is None:
        return None
    return str(parse_embedding_model_name(settings.embedding.model, settings.models.servers))


def vector_search(providers: Providers, settings: Settings) -> "VectorSearch | None":
    """From the settings; None without an embedding model. Raises ConfigurationError."""
    if settings.embedding.model is None:
        return None
    embedder = providers.embedder(
        settings.embedding.model, deadline=settings.embedding.deadline_seconds
    )
    return VectorSearch(embedder, settings.embedding.min_similarity)


@dataclass(frozen=True, slots=True)
class VectorSearch:
    """min_similarity: the cosine, -1 to 1, from which a passage is like a question. Without it
    the nearest notes would be found for any question, however far they are."""

    embedder: Embedder
    min_similarity: float

    async def search(
        self, sessions: Sessions, place: Place, query: str, *, limit: int
    ) -> list[SearchHit] | None:
        """At most `limit` notes, nearest first; None when the model or the database could not
        say in time. No session is open while the model works."""
        try:
            [vector] = await self.embedder.embed([query])
        except ProviderError as error:
            logger.warning("Notes are searched by words alone: %s", error)
            return None
        wanted = self._wanted(vector, place, limit)
        try:
            async with in_workspace(sessions, place.workspace_id) as session:
                await limit_time(session, _SEARCH_SECONDS)
                most = max(_POOL, _CHUNKS_PER_NOTE * limit)
                return await nearest_notes(session, most=most, **wanted)
        except (DBAPIError, SQLAlchemyTimeoutError) as error:
            reason = str(error).partition("\n")[0]
            logger.warning("Notes are searched by words alone: %s", reason)
            return None

    async def search_chunks(
        self, sessions: Sessions, place: Place, query: str, *, limit: int
    ) -> list[ChunkHit]:
        """The same for chunks, for measurements: whatever keeps it from an answer is raised,
        ProviderError or DBAPIError, because words alone would be another search."""
        [vector] = await self.embedder.embed([query])
        wanted = self._wanted(vector, place, limit)
        async with in_workspace(sessions, place.workspace_id) as session:
            return await nearest_chunks(session, **wanted)

    def _wanted(self, vector: list[float], place: Place, limit: int) -> dict[str, Any]:
        """What the SQL is given."""
        among = VectorSet(place.workspace_id, self.embedder.model, len(vector))
        return {
            "workspace_id": place.workspace_id,
            "notebook_id": place.notebook_id,
            "vector": vector_text(vector),
            "model": among.model,
            "dimensions": among.dimensions,
            "index_name": among.index_name,
            "candidates": max(among.candidates, _CHUNKS_PER_NOTE * limit),
            "pool": max(_POOL, limit),
            "farthest": 1 - self.min_similarity,
            "limit": limit,
        }
