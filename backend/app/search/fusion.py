"""Several rankings of the same things made one."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from app.search.fulltext import ChunkHit, SearchHit

# Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion Outperforms Condorcet and Individual
# Rank Learning Methods", SIGIR 2009.
RRF_K = 60

Hit = TypeVar("Hit")


def fused(rankings: Sequence[Sequence[SearchHit]]) -> list[SearchHit]:
    """All notes of the rankings by the sum of 1 / (60 + rank), best first; on a tie the earlier
    ranking counts. Each hit is that of the first ranking that has the note."""
    return _fused(rankings, lambda hit: hit.note_id)


def fused_chunks(rankings: Sequence[Sequence[ChunkHit]]) -> list[ChunkHit]:
    """The same for chunks."""
    return _fused(rankings, lambda hit: hit.chunk_id)


def _fused(rankings: Sequence[Sequence[Hit]], key: Callable[[Hit], Hashable]) -> list[Hit]:
    scores: defaultdict[Hashable, float] = defaultdict(float)
    hits: dict[Hashable, Hit] = {}
    for ranking in rankings:
        for rank, hit in enumerate(ranking, start=1):
            scores[key(hit)] += 1 / (RRF_K + rank)
            hits.setdefault(key(hit), hit)
    return sorted(hits.values(), key=lambda hit: -scores[key(hit)])
