"""Which part of a passage is about a question, by the words they share."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from app.text.language import folded
from app.text.sentences import Span, split_sentences

# A line without a mark of Markdown is a heading only if it is as short as one.
MAX_PLAIN_CHARS = 40

_ATX = re.compile(r"[ \t]*(?:>[ \t]*)*#{1,6}(?:[ \t]|$)")
_UNDERLINE = re.compile(r"[ \t]*(?:={2,}|-{3,})[ \t]*$")
_BOLD = re.compile(r"(?:\*\*[^*]{1,100}\*\*|__[^_]{1,100}__):?$")
_LIST_ITEM = re.compile(r"[ \t]*(?:[-*+•·▪◦>|]|\(?\d{1,3}[.)])")
# What ends a statement, in Korean also a noun made of a verb, and what makes a value.
_STATES = re.compile(r"[.!?。！？…,;|]|[다요죠까음함됨임]$|\d|\w[:：=→]\s?\w")


class Line(NamedTuple):
    """Place of a line in its text, without the line break."""

    start: int
    end: int


def heading_lines(text: str) -> list[Line]:
    """The headings of a text, in order: Markdown's, lines that are bold as a whole or end with a
    colon, and short lines without verb or figure that have text below them."""
    return [line for line, following in _followed(text) if _is_heading(text, line, following)]


def _followed(text: str) -> Iterator[tuple[Line, str]]:
    """Each line that is not blank, with the text of the next one, "" for the last."""
    before: Line | None = None
    start = 0
    for raw in text.splitlines(keepends=True):
        line = Line(start, start + len(raw.rstrip()))
        start += len(raw)
        if line.end > line.start:
            if before:
                yield before, text[line.start : line.end]
            before = line
    if before:
        yield before, ""


def _is_heading(text: str, line: Line, following: str) -> bool:
    if _ATX.match(text, line.start, line.end):
        return True
    # Hard-wrapped English goes on in lower case.
    if not following or following.lstrip()[:1].islower():
        return False
    if line.end - line.start <= 2 * MAX_PLAIN_CHARS and _UNDERLINE.match(following):
        return True
    words = text[line.start : line.end].strip()
    if _BOLD.match(words) or (words.endswith((":", "：")) and len(words) <= 2 * MAX_PLAIN_CHARS):
        return True
    return (
        len(words) <= MAX_PLAIN_CHARS and not _LIST_ITEM.match(words) and not _STATES.search(words)
    )


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
    for sentence, heading in under_headings(text):
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


def under_headings(text: str) -> Iterator[tuple[Span, str]]:
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
