"""Full-text search over the morphemes of notes, ranked by BM25."""

import uuid
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from app.processes import QUICK_LIMITS, quick_lane
from app.search import lexemes, queries
from app.search.hits import ChunkHit, SearchHit
from app.text.morphemes import search_terms_of_many

# Chunks are of similar length, so their length may count for little: the defaults of Anserini.
K1 = 0.9
B = 0.4
# Chunks whose terms are counted: among 1,000 chunks, no question's first five notes or their
# scores differ from counting all.
_POOL = 100


class FullTextSearchEngine:
    """Finds notes by the morphemes they share with a query.

    A chunk's score is the sum over the query's terms t of idf(t) · f·(k1 + 1) / (f + k1·(1 - b
    + b·length/mean length)) with f the frequency of t in the chunk and idf(t) = ln(1 + (N - n +
    0.5) / (n + 0.5)), N chunks, n of them with t: Robertson and Zaragoza, "The Probabilistic
    Relevance Framework: BM25 and Beyond" (2009), with the idf of Lucene, which is never
    negative. A chunk's terms include those of its note's title. A note scores as its best
    chunk: a sum over chunks would favour long notes.
    """

    async def search(
        self,
        session: AsyncSession,
        workspace_id: uuid.UUID,
        query: str,
        *,
        limit: int = 5,
        notebook_id: uuid.UUID | None = None,
    ) -> list[SearchHit]:
        """At most `limit` notes of the workspace (and notebook), best first; none if the query
        has no content morpheme that a note has."""
        wanted = await _wanted(query, limit)
        if wanted is None:
            return []
        return await queries.best_notes(
            session, workspace_id=workspace_id, notebook_id=notebook_id, **wanted
        )

    async def search_chunks(
        self,
        session: AsyncSession,
        workspace_id: uuid.UUID,
        query: str,
        *,
        limit: int = 5,
        notebook_id: uuid.UUID | None = None,
    ) -> list[ChunkHit]:
        """The same for chunks: several of one note may be among them."""
        wanted = await _wanted(query, limit)
        if wanted is None:
            return []
        return await queries.best_chunks(
            session, workspace_id=workspace_id, notebook_id=notebook_id, **wanted
        )


async def _wanted(query: str, limit: int) -> dict[str, Any] | None:
    """What the SQL is given besides the place; None when the query has no content morpheme."""
    [found] = await quick_lane().run(QUICK_LIMITS, search_terms_of_many, [query])
    terms = sorted({term for term in map(lexemes.stored, found) if term})
    if not terms:
        return None
    return {
        "terms": terms,
        "queries": [lexemes.quoted(term) for term in terms],
        "k1": K1,
        "b": B,
        "pool": max(_POOL, 20 * limit),
        "limit": limit,
    }
