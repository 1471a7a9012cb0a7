"""Several rankings of the same things made one."""

from collections import defaultdict
from collections.abc import Sequence
from typing import TypeVar

from app.notes.hits import ChunkHit, SearchHit

# Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion Outperforms Condorcet and Individual
# Rank Learning Methods", SIGIR 2009.
RRF_K = 60

Hit = TypeVar("Hit", SearchHit, ChunkHit)


def fused(rankings: Sequence[Sequence[Hit]]) -> list[Hit]:
    """All hits of the rankings by the sum of 1 / (60 + rank), best first; on a tie the earlier
    ranking counts. Each is that of the first ranking that has the note or chunk."""
    scores: defaultdict[str, float] = defaultdict(float)
    hits: dict[str, Hit] = {}
    for ranking in rankings:
        for rank, hit in enumerate(ranking, start=1):
            scores[hit.key] += 1 / (RRF_K + rank)
            hits.setdefault(hit.key, hit)
    return sorted(hits.values(), key=lambda hit: -scores[hit.key])
