"""What an answer may rest on, and its analysis, made once for all phases."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from app.judges.answer import AnswerToJudge
from app.judges.rules import material as analysis
from app.judges.rules.grounding import Weighed, weigh
from app.judges.rules.material import Material
from app.text.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Sources:
    """The notes of an answer, and the quotes of evidence that belongs to none of them.

    Together they are numbered from 1, the notes first. passages: what the answer may rest on;
    places: for each of them the number of its text, None when it has no text. titles: of notes
    and quotes; a quote has its chunk's id.
    """

    note_count: int
    texts: Sequence[str]
    titles: Sequence[str]
    passages: Sequence[Evidence]
    places: Sequence[int | None]

    def note(self, number: int | None) -> int | None:
        """The number when it is that of a note, None when it is that of a quote."""
        return number if number is not None and number <= self.note_count else None

    @property
    def empty(self) -> bool:
        return not any(text.strip() for text in self.texts)


def sources_of(subject: AnswerToJudge) -> Sources:
    notes = subject.contents
    texts, titles = list(notes), subject.titles
    places: list[int | None] = []
    passages = subject.passages
    for one in passages:
        if one.note_index and 1 <= one.note_index <= len(notes) and notes[one.note_index - 1]:
            places.append(one.note_index)
        elif one.quoted_text.strip():
            texts.append(one.quoted_text)
            titles.append(one.chunk_id)
            places.append(len(texts))
        else:
            places.append(None)
    return Sources(len(notes), texts, titles, passages, places)


@dataclass(frozen=True)
class Reading:
    """An answer with its sources, both analysed once for all comparisons of their words.

    The analysis reads ANSWER_BUDGET characters of the answer and NOTES_BUDGET of the sources
    (app.judges.rules.material), which bounds its time; `answer_cut`: there was more.
    """

    subject: AnswerToJudge

    @cached_property
    def sources(self) -> Sources:
        return sources_of(self.subject)

    @cached_property
    def material(self) -> Material:
        """Answer and sources in sentences and morphemes. The verdict of the rules can be given
        the same one. Blocks when it is first asked for: some milliseconds, and longer when the
        Korean model has to be loaded."""
        return analysis.read(self.subject, self.sources.texts[self.sources.note_count :])

    @cached_property
    def weighed(self) -> list[Weighed]:
        """The sentences of the answer with what the rules hold against each."""
        return weigh(self.material)

    @property
    def answer_cut(self) -> bool:
        return len(self.subject.answer) > analysis.ANSWER_BUDGET
