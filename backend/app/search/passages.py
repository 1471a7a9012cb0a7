"""Which part of a passage is about a question, by the words they share."""

import unicodedata
from collections.abc import Sequence

from app.search.evidence import quote_of
from app.text.folding import folded
from app.text.sentences import split_sentences


def coverage(text: str, terms: Sequence[str]) -> float:
    """Share of the terms that occur in the text, 0 to 1; 0 without terms."""
    wanted = set(terms)
    return _held(text, wanted) / len(wanted) if wanted else 0.0


def telling_quote(text: str, terms: Sequence[str]) -> str:
    """The sentence that holds most of the terms, the first of them, as a quote of at most 80
    characters."""
    wanted = set(terms)
    sentences = [span.text for span in split_sentences(text)]
    return quote_of(max(sentences, key=lambda each: _held(each, wanted), default=text))


def stem(term: str) -> str:
    """A term as it may stand in a sentence: verbs and adjectives are terms with their 다, and
    never stand so in a sentence."""
    return term[:-1] if term.endswith("다") and len(term) > 1 else term


def _held(text: str, wanted: set[str]) -> int:
    plain = folded(text)
    letters = _letters(plain)
    return sum(
        _letters(stem(term)) in letters if _is_long_verb(term) else stem(term) in plain
        for term in wanted
    )


def _is_long_verb(term: str) -> bool:
    # An ending may stand in the last syllable of its stem: 깨지다, 깨진. The letters of a single
    # syllable stand everywhere.
    return term.endswith("다") and len(term) > 2


def _letters(text: str) -> str:
    """The text with its syllables taken apart."""
    return unicodedata.normalize("NFD", text)
