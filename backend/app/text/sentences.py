"""Sentences of Korean and English notes and answers, with their places in the text."""

import re
from collections.abc import Iterator
from typing import NamedTuple


class Span(NamedTuple):
    """A sentence: `text == source[start:end]`."""

    start: int
    end: int
    text: str


_LIST_ITEM = r"(?:[-*+•·▪◦]|\(?\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?"
_LINE_PREFIX = re.compile(rf"[ \t]*(?:>[ \t]*)*(?:#{{1,6}}[ \t]+|{_LIST_ITEM})?[ \t]*")

_MARK = r"[\[(](?:노트|[Nn]otes?)\s*\d+(?:\s*[,·&~-]\s*(?:노트|[Nn]otes?)?\s*\d+)*[\])]"
_MARK_ONLY = re.compile(rf"\s*{_MARK}(?:\s*{_MARK})*[.。]?\s*$")
_CLOSERS = r"[\"'”’»」』)\]*_]*"
# The marks after a full stop belong to the sentence it ends, unless a particle follows them:
# "[노트 1]에 따르면" begins the next.
_STOP = re.compile(
    rf"(?P<stop>[.!?。！？…]+){_CLOSERS}"
    rf"(?:[ \t]*{_MARK}(?=\s|$|[\[(.。])[.。]?)*"
    r"(?P<gap>[ \t]+|$|(?<=[다요까죠]\.)(?=[가-힣])|(?<=[。！？]))"
)

_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:Dr|Mr|Mrs|Ms|Prof|St|Fig|Figs|Eq|No|Nos|Vol|pp?|vs|ca|cf|approx|e\.g|i\.e|al"
    r"|[A-Z])\.$"
)
_KOREAN_DATE = re.compile(r"\d{2,4}\.\s*\d{1,2}\.\s*\d{1,2}\.$")


def split_sentences(text: str) -> list[Span]:
    """The sentences of a text in order. Spans hold no list marker, heading mark or outer space.

    A line ends its sentence unless the next begins in lower case (hard-wrapped English).
    Decimals, dates, abbreviations and marks such as [노트 1] end none, and a mark after a
    full stop belongs to the sentence before it. What has no letter or digit is no sentence.
    """
    spans: list[Span] = []
    for start, end in _lines(text):
        if spans and _MARK_ONLY.match(text, start, end):
            start, end = spans.pop().start, end
            spans.append(_trimmed(text, start, end))
            continue
        for sentence_start, sentence_end in _sentences(text, start, end):
            span = _trimmed(text, sentence_start, sentence_end)
            if any(char.isalnum() for char in span.text):
                spans.append(span)
    return spans


def _trimmed(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    piece = piece.strip()
    return Span(start, start + len(piece), piece)


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """Lines without their Markdown prefix; a line that begins in lower case joins the one
    before it."""
    pending: tuple[int, int] | None = None
    position = 0
    for line in text.splitlines(keepends=True):
        prefix = _LINE_PREFIX.match(line)
        start = position + (prefix.end() if prefix else 0)
        position += len(line)
        end = start + len(text[start:position].rstrip())
        wrapped = prefix is not None and not prefix[0].strip() and text[start : start + 1].islower()
        if pending and wrapped:
            pending = (pending[0], end)
            continue
        if pending:
            yield pending
        pending = (start, end) if end > start else None
    if pending:
        yield pending


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for match in _STOP.finditer(text, start, end):
        if match.end() < end and not _ends_sentence(text, start, match):
            continue
        yield start, match.end()
        start = match.end()
    if start < end:
        yield start, end


def _ends_sentence(text: str, start: int, match: re.Match[str]) -> bool:
    following = text[match.end()]
    if following.islower():
        return False
    if match["stop"] != ".":
        return True
    before = text[max(start, match.start() - 16) : match.start() + 1]
    if _ABBREVIATION.search(before) or _KOREAN_DATE.search(before):
        return False
    return not (before[-2:-1].isdigit() and following.isdigit())
