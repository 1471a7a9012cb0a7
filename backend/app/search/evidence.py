"""Evidence: which chunk an answer may rest on, and how it was found."""

from dataclasses import dataclass
from typing import Literal

Relevance = Literal["high", "medium", "low"]
EvidenceMethod = Literal["classification", "contextual", "keyword", "client", "note"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A chunk that was found for a question.

    quoted_text: at most 80 characters of it, cut at a word; matched_tags: situation tags of the
    domain pack; note_index: number of the note among the answer's sources, from 1, None when
    the chunk is none of them.
    """

    chunk_id: str
    relevance: Relevance
    quoted_text: str
    matched_tags: tuple[str, ...] = ()
    method: EvidenceMethod = "note"
    note_index: int | None = None
