"""The numbered sentences in which a model is shown an answer."""

import math
from dataclasses import dataclass

from app.judges.answer_parts import AnswerPart
from app.judges.rules.marks import without_outer_marks
from app.text.sentences import split_sentences

# A reply names every sentence, so this bounds its length.
MAX_SENTENCES = 20


@dataclass(frozen=True, slots=True)
class ShownSentence:
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
