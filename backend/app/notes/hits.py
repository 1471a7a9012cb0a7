"""Hits of a search, and rankings fused into one."""

import uuid
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self, TypeVar

from sqlalchemy import RowMapping


@dataclass(frozen=True)
class SearchHit:
    """A note that was found. `chunk` is its best chunk and `score` that one's BM25 (above 0), or
    the whole note without a score where notes were not ranked by words."""

    note_id: uuid.UUID
    chunk_id: str
    title: str
    content_text: str
    score: float | None
    chunk: str
    category: str | None = None
    tags: tuple[str, ...] = ()

    @classmethod
    def from_row(cls, row: RowMapping) -> Self:
        """A row (note_id, title, content_text, category, tags), with chunk_id and content where
        a chunk of the note was found, and with a score where it was ranked by words."""
        return cls(
            note_id=row["note_id"],
            chunk_id=str(row.get("chunk_id", row["note_id"])),
            title=row["title"],
            content_text=row["content_text"],
            score=row.get("score"),
            chunk=row.get("content", row["content_text"]),
            category=row["category"],
            tags=tuple(row["tags"]),
        )

    @property
    def key(self) -> str:
        return str(self.note_id)


@dataclass(frozen=True, slots=True)
class ChunkHit:
    """A chunk that was found; `score` is its BM25 (above 0), or the cosine of its vector."""

    chunk_id: str
    note_id: uuid.UUID
    title: str
    content: str
    score: float

    @classmethod
    def from_row(cls, row: RowMapping) -> Self:
        """A row (chunk_id, note_id, title, content, score)."""
        return cls(str(row["chunk_id"]), row["note_id"], row["title"], row["content"], row["score"])

    @property
    def key(self) -> str:
        return self.chunk_id


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
