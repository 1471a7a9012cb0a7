"""Hits of a search, and rankings fused into one."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Self, TypeVar

from sqlalchemy import RowMapping


@dataclass(frozen=True)
class SearchHit:
    """A note that was found. `chunk` is its best chunk and `score` that one's BM25 (above 0) or
    `cosine` that of its vector, or the whole note with neither where notes were not ranked."""

    note_id: uuid.UUID
    chunk_id: str
    title: str
    content_text: str
    score: float | None
    chunk: str
    category: str | None = None
    tags: tuple[str, ...] = ()
    cosine: float | None = None

    @classmethod
    def from_row(cls, row: RowMapping) -> Self:
        """A row (note_id, title, content_text, category, tags), with chunk_id and content where
        a chunk of the note was found, and with a score or cosine where it was ranked."""
        return cls(
            note_id=row["note_id"],
            chunk_id=str(row.get("chunk_id", row["note_id"])),
            title=row["title"],
            content_text=row["content_text"],
            score=row.get("score"),
            chunk=row.get("content", row["content_text"]),
            category=row["category"],
            tags=tuple(row["tags"]),
            cosine=row.get("cosine"),
        )

    @property
    def key(self) -> str:
        return str(self.note_id)


@dataclass(frozen=True, slots=True)
class ChunkHit:
    """A chunk that was found, by words with its BM25 (above 0) or by vectors with its cosine."""

    chunk_id: str
    note_id: uuid.UUID
    title: str
    content: str
    score: float | None = None
    cosine: float | None = None

    @classmethod
    def from_row(cls, row: RowMapping) -> Self:
        """A row (chunk_id, note_id, title, content, and score or cosine)."""
        named = str(row["chunk_id"]), row["note_id"], row["title"], row["content"]
        return cls(*named, row.get("score"), row.get("cosine"))

    @property
    def key(self) -> str:
        return self.chunk_id


# Set by minimax regret on KorQuAD and MS MARCO (docs/decisions/0057-scores-are-added.md).
VECTOR_WEIGHT = 0.85
# Where the first of both have none in common, one of the rankings says nothing of the question.
_COMMON_AMONG = 10

Hit = TypeVar("Hit", SearchHit, ChunkHit)


def fused(words: Sequence[Hit], vectors: Sequence[Hit]) -> list[Hit]:
    """All hits of two rankings, best first; on a tie words decide. Each is that of the first
    ranking that has the note or chunk.

    The order is that of (1 - w) · BM25 / best BM25 + w · (1 + cosine) / (1 + best cosine): a convex
    sum of scores between the least possible and the best of the question, by Bruch, Gai and Ingber,
    "An Analysis of Fusion Functions for Hybrid Retrieval" (TOIS 2023). What words lack has a BM25
    of 0, what vectors lack is taken for as near as their last. Rankings whose first ten have none
    in common take turns.
    """
    if not (words and vectors):
        return list(words or vectors)
    hits: dict[str, Hit] = {hit.key: hit for hit in chain(vectors, words)}
    best, near = ({hit.key for hit in each[:_COMMON_AMONG]} for each in (words, vectors))
    if best.isdisjoint(near):
        turns = chain.from_iterable(zip_longest(words, vectors))
        return [hits[key] for key in dict.fromkeys(hit.key for hit in turns if hit)]
    scores = {hit.key: hit.score or 0.0 for hit in words}
    cosines = {hit.key: hit.cosine or 0.0 for hit in vectors}
    of_words = (1 - VECTOR_WEIGHT) / (max(scores.values()) or 1.0)
    of_vectors = VECTOR_WEIGHT / ((1 + max(cosines.values())) or 1.0)
    farthest = min(cosines.values())

    def fused_score(key: str) -> float:
        cosine = cosines.get(key, farthest)
        return of_words * scores.get(key, 0.0) + of_vectors * (1 + cosine)

    return [hits[key] for key in sorted(scores | cosines, key=fused_score, reverse=True)]
