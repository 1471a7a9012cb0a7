"""Evidence: which passage an answer may rest on, and how it was found."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

Relevance = Literal["high", "medium", "low"]
EvidenceMethod = Literal["classification", "contextual", "keyword", "client", "note"]

QUOTE_CHARS = 80
_CUT = " …"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage that was found for a question.

    quoted_text: at most 80 characters of it, cut at a word; matched_tags: situation tags of the
    domain pack; note_index: number of the note among the answer's sources, from 1, None when
    the passage is of none of them.
    """

    chunk_id: str
    relevance: Relevance
    quoted_text: str
    matched_tags: tuple[str, ...] = ()
    method: EvidenceMethod = "note"
    note_index: int | None = None


def quote_of(text: str) -> str:
    """At most 80 characters of the text's beginning, on one line, cut at a word."""
    line = " ".join(text.split())
    if len(line) <= QUOTE_CHARS:
        return line
    head = line[: QUOTE_CHARS - len(_CUT) + 1]
    # One word of that length has no better place to be cut.
    words, space, _ = head.rpartition(" ")
    return (words if space else head[:-1]).rstrip() + _CUT


def evidence_of_notes(contents: Iterable[str]) -> tuple[Evidence, ...]:
    """For notes that were not searched: the beginning of each that has a text. Why they were
    given is not known, so their relevance is in the middle."""
    return tuple(
        Evidence(f"note-{index}", "medium", quote_of(content), method="client", note_index=index)
        for index, content in enumerate(contents, start=1)
        if content.strip()
    )


def evidence_to_json(evidence: Iterable[Evidence]) -> list[dict[str, Any]]:
    return [asdict(each) for each in evidence]


def evidence_from_json(stored: Sequence[Mapping[str, Any]] | None) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(**{**each, "matched_tags": tuple(each["matched_tags"])}) for each in stored or ()
    )
