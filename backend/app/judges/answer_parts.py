"""Answers too long for one prompt, in parts; their citation marks and numbered sentences.

A part ends between two sentences, so that no sentence and no citation mark is cut; only where one
sentence alone is longer than a part, it ends between two words. The parts are of similar length.
"""

import math
import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from app.text.language import number_list
from app.text.sentences import ALNUM, split_sentences

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
    if not _NUMBER.search(sentence):
        return sentence
    return _MENTION.sub(" ", _MARK.sub(" ", sentence))


def without_mark_spans(text: str) -> str:
    """The text without its marks; mentions stay."""
    return _MARK.sub("", text)


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


# The longest answer that is accepted from elsewhere. A prompt without notes holds it whole.
MAX_ANSWER_CHARS = 50_000
# What a prompt holds beside the notes.
PART_CHARS = 12_000
# Each part is a call of its own, and a reader waits for the slowest.
MAX_PARTS = 4


class AnswerPart(NamedTuple):
    """`answer[start:start + len(text)] == text`. number counts from 1; total includes the parts
    beyond MAX_PARTS, which is not judged."""

    number: int
    total: int
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def answer_parts(answer: str) -> list[AnswerPart]:
    """The parts that are judged: all of the answer, or its first MAX_PARTS parts. Blanks at the
    end of a long one belong to none."""
    if len(answer) > PART_CHARS:
        answer = answer.rstrip()
    ends = _ends(answer)
    starts = [0, *ends[:-1]]
    total = len(ends) + math.ceil((len(answer) - ends[-1]) / PART_CHARS)
    return [
        AnswerPart(number, total, start, answer[start:end])
        for number, (start, end) in enumerate(zip(starts, ends, strict=True), start=1)
    ]


def judged_chars(answer: str, parts: Sequence[AnswerPart]) -> int:
    """How much of the answer the parts are, from its beginning; blanks after them count."""
    end = parts[-1].end
    return end if answer[end:].strip() else len(answer)


def parts_needed(chars: int) -> int:
    """How many calls an answer of so many characters takes, 1 to MAX_PARTS."""
    return min(MAX_PARTS, max(1, math.ceil(chars / PART_CHARS)))


def _ends(answer: str) -> list[int]:
    if len(answer) <= PART_CHARS:
        return [len(answer)]
    borders = _sentence_ends(answer)
    marks = mark_spans(answer)
    ends: list[int] = []
    start = 0
    while len(ends) < MAX_PARTS and start < len(answer):
        if len(answer) - start <= PART_CHARS:
            start = len(answer)
        else:
            start = _end(answer, start, MAX_PARTS - len(ends), borders, marks)
        ends.append(start)
    return ends


def _end(
    answer: str, start: int, parts_left: int, borders: Sequence[int], marks: list[tuple[int, int]]
) -> int:
    rest, most = len(answer) - start, start + PART_CHARS
    aim = min(most, start + math.ceil(rest / min(parts_left, math.ceil(rest / PART_CHARS))))
    first, last = bisect_right(borders, start), bisect_right(borders, most)
    if first < last:
        return min(borders[first:last], key=lambda border: abs(border - aim))
    space = max(answer.rfind(" ", start + 1, most), answer.rfind("\n", start + 1, most))
    return _before_mark(space if space > start else most, start, marks)


def _before_mark(end: int, start: int, marks: list[tuple[int, int]]) -> int:
    at = bisect_right(marks, (end,)) - 1
    if at >= 0 and start < marks[at][0] < end < marks[at][1]:
        return marks[at][0]
    return end


def _sentence_ends(answer: str) -> list[int]:
    """Where a sentence ends that no lone citation mark follows."""
    spans = split_sentences(answer)
    return [
        before.end
        for before, after in pairwise(spans)
        if any(char.isalnum() for char in without_marks(after.text))
    ]


# A reply names every sentence, so this bounds its length.
MAX_SENTENCES = 20


class ShownSentence(NamedTuple):
    """Some sentences of an answer, mostly one: `answer[start:end]` without citation marks around
    them. text: as it is shown, with everything up to the next one."""

    start: int
    end: int
    text: str


def sentences_of(part: AnswerPart) -> list[ShownSentence]:
    """Of one part, with places in the whole answer. Neighbours are joined where there are more
    than MAX_SENTENCES."""
    spans = split_sentences(part.text)
    size = max(1, math.ceil(len(spans) / MAX_SENTENCES))
    groups = [spans[at : at + size] for at in range(0, len(spans), size)]
    starts = [0, *(group[0].start for group in groups[1:]), len(part.text)]
    shown = []
    for group, begin, until in zip(groups, starts, starts[1:], strict=False):
        start, end = without_outer_marks(part.text, group[0].start, group[-1].end)
        text = part.text[begin:until].strip()
        shown.append(ShownSentence(part.start + start, part.start + end, text))
    return shown
