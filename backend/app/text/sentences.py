"""Sentences of Korean and English notes and answers, with their places in the text."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from app.text.language import NOTE_MARK

# A letter or digit, as by `str.isalnum`.
ALNUM = re.compile(r"[^\W_]")


class Span(NamedTuple):
    """A sentence: `text == source[start:end]`."""

    start: int
    end: int
    text: str


_LIST_ITEM = r"(?:[-*+•·▪◦]|\(?\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?"
_LINE_PREFIX = re.compile(rf"[ \t]*(?:>[ \t]*)*(?:#{{1,6}}[ \t]+|{_LIST_ITEM})?[ \t]*")

_MARK_ONLY = re.compile(rf"\s*{NOTE_MARK}(?:\s*{NOTE_MARK})*[.。]?\s*$")
_STOPS = re.compile(r"[.!?。！？…]+")
_CLOSERS = re.compile(r"[\"'”’»」』)\]*_]*")
# The marks after a full stop belong to the sentence it ends, unless a particle follows them:
# "[노트 1]에 따르면" begins the next.
_MARK_BEHIND = re.compile(rf"[ \t]*{NOTE_MARK}(?=\s|$|[\[(.。])")
_GAP = re.compile(r"[ \t]+|$|(?<=[다요까죠]\.)(?=[가-힣])|(?<=[。！？])")

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
    places: list[tuple[int, int]] = []
    for start, end in _lines(text):
        if places and _MARK_ONLY.match(text, start, end):
            places[-1] = places[-1][0], end
            continue
        for sentence_start, sentence_end in _sentences(text, start, end):
            place = _trimmed(text, sentence_start, sentence_end)
            if ALNUM.search(text, *place):
                places.append(place)
    return [Span(start, end, text[start:end]) for start, end in places]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


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
    for stops, stop_end in _ends(text, start, end):
        if stop_end < end and not _ends_sentence(text, start, stops, stop_end):
            continue
        yield start, stop_end
        start = stop_end
    if start < end:
        yield start, end


def _ends(text: str, start: int, end: int) -> Iterator[tuple[re.Match[str], int]]:
    """Each run of full stops after which a sentence may end, and where that is: behind the
    marks and the blanks that follow it."""
    position = start
    while stops := _STOPS.search(text, position, end):
        behind = _behind(text, stops.end(), end)
        gap = next((gap for at in reversed(behind) if (gap := _GAP.match(text, at, end))), None)
        if gap:
            position = gap.end()
            yield stops, position
        elif (wide := max(map(stops[0].rfind, "。！？"))) >= 0:
            # These need no blank behind them.
            position = stops.start() + wide + 1
            yield stops, position
        else:
            # What follows a stop among these marks was tried, so no sentence ends there either;
            # but more stops may follow the last one.
            has_stop = behind[-1] > stops.end() and text[behind[-1] - 1] in ".。"
            position = behind[-1] - has_stop


def _behind(text: str, at: int, end: int) -> list[int]:
    """Where a sentence may end that has a full stop before `at`: behind the closing quotation
    marks and brackets, and behind each citation mark that follows."""
    closers = _CLOSERS.match(text, at, end)
    places = [closers.end() if closers else at]
    while mark := _MARK_BEHIND.match(text, places[-1], end):
        stop = text[mark.end() : mark.end() + 1]
        places.append(mark.end() + (mark.end() < end and stop in (".", "。")))
    return places


def _ends_sentence(text: str, start: int, stops: re.Match[str], stop_end: int) -> bool:
    following = text[stop_end]
    # Korean has no case: "…한다. pH 7에서는".
    if following.islower() and not "가" <= text[stops.start() - 1 : stops.start()] <= "힣":
        return False
    if stops[0] != ".":
        return True
    before = text[max(start, stops.start() - 16) : stops.end()]
    if _ABBREVIATION.search(before) or _KOREAN_DATE.search(before):
        return False
    return not (before[-2:-1].isdigit() and following.isdigit())
