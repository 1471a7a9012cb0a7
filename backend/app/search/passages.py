"""Which part of a passage speaks of a question, told by the words they share."""

from collections.abc import Sequence

from app.search.evidence import quote_of
from app.text.sentences import split_sentences


def coverage(text: str, terms: Sequence[str]) -> float:
    """Share of the terms that stand in the text, 0 to 1; 0 without terms."""
    wanted = set(terms)
    return _held(text, wanted) / len(wanted) if wanted else 0.0


def telling_quote(text: str, terms: Sequence[str]) -> str:
    """The sentence that holds most of the terms, the first of them, as a quote of at most 80
    characters."""
    wanted = set(terms)
    sentences = [span.text for span in split_sentences(text)]
    return quote_of(max(sentences, key=lambda each: _held(each, wanted), default=text))


def _held(text: str, wanted: set[str]) -> int:
    lower = text.lower()
    return sum(_stem(term) in lower for term in wanted)


def _stem(term: str) -> str:
    # Verbs and adjectives are terms with their 다, and never stand so in a sentence.
    return term[:-1] if term.endswith("다") and len(term) > 1 else term
