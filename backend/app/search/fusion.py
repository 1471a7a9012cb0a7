"""Several rankings of the same notes made one."""

from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from app.search.fulltext import SearchHit

# Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion Outperforms Condorcet and Individual
# Rank Learning Methods", SIGIR 2009.
RRF_K = 60


def fused(rankings: Sequence[Sequence[SearchHit]]) -> list[SearchHit]:
    """All notes of the rankings by the sum of 1 / (60 + rank), best first; on a tie the earlier
    ranking counts. Each hit is that of the first ranking that has the note."""
    scores: defaultdict[UUID, float] = defaultdict(float)
    hits: dict[UUID, SearchHit] = {}
    for ranking in rankings:
        for rank, hit in enumerate(ranking, start=1):
            scores[hit.note_id] += 1 / (RRF_K + rank)
            hits.setdefault(hit.note_id, hit)
    return sorted(hits.values(), key=lambda hit: -scores[hit.note_id])
