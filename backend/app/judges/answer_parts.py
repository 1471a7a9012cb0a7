"""An answer that is too long for one prompt, in parts that are judged one by one.

A part ends between two sentences, so that no sentence and no citation mark is cut; only where one
sentence alone is longer than a part, it ends between two words. The parts are of about one length.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from app.judges.rules.marks import mark_spans, without_marks
from app.text.sentences import split_sentences

# The longest answer that is accepted from elsewhere. A prompt without notes holds it whole.
MAX_ANSWER_CHARS = 50_000
# What a prompt holds beside the notes.
PART_CHARS = 12_000
# Each part is a call of its own, and a reader waits for the slowest.
MAX_PARTS = 4


@dataclass(frozen=True, slots=True)
class AnswerPart:
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
