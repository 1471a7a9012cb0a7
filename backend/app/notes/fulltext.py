"""Full-text search over the morphemes of notes, ranked by BM25.

A chunk's score is the sum over the query's terms t of idf(t) · f·(k1 + 1) / (f + k1·(1 - b +
b·length/mean length)) with f the frequency of t in the chunk and idf(t) = ln(1 + (N - n + 0.5) /
(n + 0.5)), N chunks, n of them with t: Robertson and Zaragoza, "The Probabilistic Relevance
Framework: BM25 and Beyond" (2009), with the idf of Lucene, which is never negative. A chunk's terms
include those of its note's title. A note scores as its best chunk: a sum over chunks would favour
long notes.

Among more than 4,000 chunks N, the mean length and n of a frequent term are estimated from samples,
and the chunks that are scored are those whose rare terms promise most
(docs/decisions/0046-keyword-search-reads-candidates-only.md).
"""

import uuid
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from app.notes import keys, queries
from app.notes.candidates import find_candidates
from app.notes.hits import ChunkHit, SearchHit
from app.notes.keys import Place
from app.platform.processes.pool import QUICK_LIMITS, quick_lane
from app.text.morphemes import search_terms_of_many

# Chunks are of similar length, so their length may count for little: the defaults of Anserini.
K1 = 0.9
B = 0.4
# Chunks whose terms are counted: of the candidates, those that are estimated to be best.
_POOL = 50


async def search(
    session: AsyncSession, place: Place, query: str, limit: int = 5
) -> list[SearchHit]:
    """At most `limit` notes, best first; none if the query has no content morpheme that a note
    has."""
    return await notes_with(session, place, await search_terms(query), limit)


async def search_terms(query: str) -> list[str]:
    """The terms of a query as they are stored, each once."""
    [found] = await quick_lane().run(QUICK_LIMITS, search_terms_of_many, [query])
    return sorted({term for term in map(keys.stored, found) if term})


async def notes_with(
    session: AsyncSession, place: Place, terms: list[str], limit: int
) -> list[SearchHit]:
    """At most `limit` notes for terms that are known, best first."""
    wanted = await _wanted(session, place, terms, limit)
    return await queries.best_notes(session, **wanted) if wanted else []


async def chunks_with(
    session: AsyncSession, place: Place, terms: list[str], limit: int
) -> list[ChunkHit]:
    """At most `limit` chunks for terms that are known, best first."""
    wanted = await _wanted(session, place, terms, limit)
    return await queries.best_chunks(session, **wanted) if wanted else []


# Of a note whose like is looked for, and notes that each of them may find.
_CHUNKS, _NOTES_A_CHUNK = 4, 8


async def notes_like(
    session: AsyncSession, workspace_id: uuid.UUID, note_id: uuid.UUID
) -> list[uuid.UUID]:
    """The other notes of the workspace that share most words with the beginning of a note."""
    place, found = Place(workspace_id), dict[uuid.UUID, None]()
    for terms in await queries.terms_of_chunks(session, workspace_id, note_id, _CHUNKS):
        for hit in await chunks_with(session, place, terms, 2 * _NOTES_A_CHUNK):
            found[hit.note_id] = None
    found.pop(note_id, None)
    return list(found)[: _CHUNKS * _NOTES_A_CHUNK]


async def _wanted(
    session: AsyncSession, place: Place, terms: list[str], limit: int
) -> dict[str, Any] | None:
    """What the SQL is given; None when no chunk has any of the terms."""
    candidates = await find_candidates(session, place, terms, limit)
    if candidates is None:
        return None
    return {
        "workspace_id": place.workspace_id,
        "notebook_id": place.notebook_id,
        "wanted": candidates.query,
        "terms": list(candidates.idf),
        "queries": [keys.quoted(term) for term in candidates.idf],
        "weights": list(candidates.idf.values()),
        "k1": K1,
        "b": B,
        "mean_length": candidates.mean_length,
        "pool": max(_POOL, 5 * limit),
        "limit": limit,
    }
