"""Citation marks: [노트 1], [노트 1, 2], [Note 1], (note 1), [1]."""

import re

from app.text.marks import number_list
from app.text.sentences import ALNUM

_LABEL = r"(?:노트|notes?|문서|documents?|passages?)"
# Three digits need the label: [123] alone is as likely a value, and [2024] a year.
_NUMBERS = number_list(r"\d{1,3}(?!\d)", ",·&", _LABEL)
_BARE_NUMBERS = number_list(r"\d{1,2}", ",·&")
_MARK = re.compile(
    rf"\[\s*{_LABEL}\s*{_NUMBERS}\s*\]|\(\s*{_LABEL}\s*{_NUMBERS}\s*\)"
    rf"|\[\s*{_BARE_NUMBERS}\s*\]",
    re.IGNORECASE,
)
_MENTION = re.compile(rf"{_LABEL}\s*{_NUMBERS}", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")


def cited_notes(sentence: str) -> tuple[int, ...]:
    """The note numbers that the marks of a sentence name, in order, without repetition."""
    numbers = (int(n) for mark in _MARK.findall(sentence) for n in _NUMBER.findall(mark))
    return tuple(dict.fromkeys(numbers))


def mark_spans(text: str) -> list[tuple[int, int]]:
    """Where the marks of a text stand, as (start, end)."""
    return [match.span() for match in _MARK.finditer(text)]


def without_marks(sentence: str) -> str:
    """The sentence without its marks and without mentions such as "노트 1" or "passage 2"."""
    return _MENTION.sub(" ", _MARK.sub(" ", sentence))


def without_outer_marks(text: str, start: int, end: int) -> tuple[int, int]:
    """The place of `text[start:end]` without the marks and blanks before and after it."""
    spans = [(start + left, start + right) for left, right in mark_spans(text[start:end])]
    for left, right in reversed(spans):
        if ALNUM.search(text, right, end):
            break
        end = left
    for left, right in spans:
        if right > end or ALNUM.search(text, start, left):
            break
        start = right
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
