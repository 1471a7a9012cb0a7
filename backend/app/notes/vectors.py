"""Search by meaning: the notes whose vectors are nearest to that of a question."""

import logging
from dataclasses import dataclass
from typing import Any

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as SQLAlchemyTimeoutError

from app.ai_router.router import Embedder, Providers, parse_embedding_model_name
from app.notes import embedding_queries
from app.notes.hits import ChunkHit, SearchHit
from app.notes.keys import Place
from app.notes.models import vector_text
from app.notes.vector_indexes import VectorSet
from app.platform.db.pool import Pool, fetch
from app.platform.db.session import Sessions, in_workspace
from app.platform.errors import ProviderError, SetupError
from app.platform.settings import Settings

logger = logging.getLogger(__name__)

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
    if await fetch(pool, embedding_queries.STORES_VECTORS) == [(False,)]:
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
                await embedding_queries.limit_time(session, _SEARCH_SECONDS)
                most = max(_POOL, _CHUNKS_PER_NOTE * limit)
                return await embedding_queries.nearest_notes(session, most=most, **wanted)
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
            return await embedding_queries.nearest_chunks(session, **wanted)

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
