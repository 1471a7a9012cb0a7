"""Which part of a passage is about a question, by the words they share."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from app.text.folding import folded
from app.text.headings import heading_lines
from app.text.sentences import Span, split_sentences

QUOTE_CHARS = 80
_CUT = " …"
# What counts beside the words that a sentence holds itself: those of its heading, and a figure
# where the question asks for one. Neither outweighs a word.
_HEADING_SHARE = 0.6
_FIGURE_BONUS = 0.5

_ASKS_FIGURE = re.compile(
    r"몇|얼마|언제|며칠|\bhow (?:many|much|long|old|far|often|tall|high|hot|cold|big)\b"
    r"|\bwhen\b|\bwhat (?:year|date|day|time|temperature)\b",
    re.IGNORECASE,
)


def quote_of(text: str) -> str:
    """At most 80 characters of the text's beginning, on one line, cut at a word."""
    line = " ".join(text.split())
    if len(line) <= QUOTE_CHARS:
        return line
    head = line[: QUOTE_CHARS - len(_CUT) + 1]
    # One word of that length has no better place to be cut.
    words, space, _ = head.rpartition(" ")
    return (words if space else head[:-1]).rstrip() + _CUT


def coverage(text: str, terms: Sequence[str]) -> float:
    """Share of the terms that occur in the text, 0 to 1; 0 without terms."""
    wanted = set(terms)
    return len(held(text, wanted)) / len(wanted) if wanted else 0.0


def telling_quote(text: str, terms: Sequence[str], question: str = "") -> str:
    """The sentence that answers, as a quote of at most 80 characters; a heading or a question only
    where the text says nothing else.

    That is the first of those that hold most of the terms. The words of the heading above it
    count for less than its own, and so does a figure where the question asks for one.
    """
    wanted = set(terms)
    asks_figure = _ASKS_FIGURE.search(question) is not None
    best, most = None, -1.0
    for sentence, heading in _under_headings(text):
        own = held(sentence.text, wanted)
        score = len(own) + _HEADING_SHARE * len(held(heading, wanted - own))
        if asks_figure and any(map(str.isdigit, sentence.text)):
            score += _FIGURE_BONUS
        if score > most:
            best, most = sentence.text, score
    return quote_of(text if best is None else best)


def stem(term: str) -> str:
    """A term as it may stand in a sentence: verbs and adjectives are terms with their 다, and
    never stand so in a sentence."""
    return term[:-1] if term.endswith("다") and len(term) > 1 else term


def held(text: str, wanted: set[str]) -> set[str]:
    """Those of the terms that occur in the text."""
    if not text or not wanted:
        return set()
    plain = folded(text)
    letters = _letters(plain)
    return {
        term
        for term in wanted
        if (_letters(stem(term)) in letters if _is_long_verb(term) else stem(term) in plain)
    }


def _under_headings(text: str) -> Iterator[tuple[Span, str]]:
    """The sentences that state something, each with the heading or question above it, "" without
    one."""
    headings = iter(heading_lines(text))
    ahead, above = next(headings, None), ""
    for sentence in split_sentences(text):
        while ahead and sentence.start >= ahead.end:
            ahead = next(headings, None)
        if ahead and sentence.start >= ahead.start:
            above = text[ahead.start : ahead.end]
        elif sentence.text.endswith(("?", "？")):
            above = sentence.text
        else:
            yield sentence, above


def _is_long_verb(term: str) -> bool:
    # An ending may stand in the last syllable of its stem: 깨지다, 깨진. The letters of a single
    # syllable stand everywhere.
    return term.endswith("다") and len(term) > 2


def _letters(text: str) -> str:
    """The text with its syllables taken apart."""
    return unicodedata.normalize("NFD", text)
