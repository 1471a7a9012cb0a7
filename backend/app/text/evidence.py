"""Evidence: which passage an answer may rest on, and how it was found."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Self

from app.text.passages import telling_quote
from app.text.redaction import Redactor

Relevance = Literal["high", "medium", "low"]
EvidenceMethod = Literal["classification", "contextual", "keyword", "client", "note"]

# The methods of a search that has found something, and the event of its last one.
SEARCH_METHODS = frozenset({"classification", "contextual", "keyword"})
KEYWORD_SUCCESS = "keyword_search_success:"

# A note that was not searched is quoted from its beginning.
_OPENING_CHARS = 500


class Evidence(NamedTuple):
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

    def redacted(self, redactor: Redactor) -> Self:
        return self._replace(quoted_text=redactor.redact(self.quoted_text))


def opening_quote(content: str) -> str:
    """The first sentence of a note, headings apart."""
    return telling_quote(content.lstrip()[:_OPENING_CHARS], ())


def evidence_of_notes(
    contents: Iterable[str], quote: Callable[[str], str] = opening_quote
) -> tuple[Evidence, ...]:
    """For notes that were not searched: a quote of each that has a text. Why they were given is
    not known, so their relevance is in the middle."""
    return tuple(
        Evidence(f"note-{index}", "medium", quote(content), method="client", note_index=index)
        for index, content in enumerate(contents, start=1)
        if content.strip()
    )


def evidence_to_json(evidence: Iterable[Evidence]) -> list[dict[str, Any]]:
    return [each._asdict() for each in evidence]


def evidence_from_json(stored: Sequence[Mapping[str, Any]] | None) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(**{**each, "matched_tags": tuple(each["matched_tags"])}) for each in stored or ()
    )
