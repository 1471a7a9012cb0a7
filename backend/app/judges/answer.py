"""The answer that is judged, with everything that it may be held against."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Self

from pydantic import BaseModel

from app.ai_router.types import Lang
from app.text.evidence import Evidence, evidence_of_notes


@dataclass(frozen=True, slots=True)
class Note:
    """A note that the answer was given, as it was then. The title may be blank."""

    title: str
    content: str


@dataclass(frozen=True, slots=True)
class AnswerToJudge:
    """One answer. Notes are in the order of their marks; evidence is what a search found in
    them, if one was made. feature: what asked for the answer, which its checklist depends on."""

    question: str
    answer: str
    notes: tuple[Note, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    lang: Lang = "ko"
    feature: str = "search_qa"

    @classmethod
    def from_texts(
        cls,
        question: str,
        answer: str,
        contents: Iterable[str] = (),
        titles: Sequence[str] = (),
        *,
        evidence: Iterable[Evidence] = (),
        lang: Lang = "ko",
        feature: str = "search_qa",
    ) -> Self:
        """titles: of the first notes; the others have none."""
        notes = tuple(map(Note, chain(titles, repeat("")), contents))
        return cls(question, answer, notes, tuple(evidence), lang, feature)

    @property
    def contents(self) -> list[str]:
        return [note.content for note in self.notes]

    @property
    def titles(self) -> list[str]:
        """One for each note; a blank one becomes `untitled`."""
        return [
            note.title.strip() or untitled(number, self.lang)
            for number, note in enumerate(self.notes, start=1)
        ]

    @property
    def has_notes(self) -> bool:
        """Whether any note has a text to judge by."""
        return any(note.content.strip() for note in self.notes)

    @property
    def passages(self) -> tuple[Evidence, ...]:
        """What the answer may rest on: the evidence, or each note, without a quote: the note
        itself is at hand, and finding its first sentence takes longer than the prompt."""
        return self.evidence or evidence_of_notes(self.contents, lambda _: "")


def untitled(number: int, lang: Lang) -> str:
    """How the note of this number is called where it has no title: "노트 n" or "Note n"."""
    return f"{'노트' if lang == 'ko' else 'Note'} {number}"


class Extent(BaseModel):
    """Lengths in characters. What was judged is the beginning of the answer; of the notes, each
    has its share."""

    answer_chars: int
    judged_answer_chars: int
    note_chars: int
    judged_note_chars: int

    @property
    def whole(self) -> bool:
        """Whether everything was judged. A verdict on less is never called high confidence."""
        return (
            self.judged_answer_chars >= self.answer_chars
            and self.judged_note_chars >= self.note_chars
        )

    @classmethod
    def of(
        cls, answer: str, notes: Sequence[str], *, judged_answer_chars: int, notes_budget: int
    ) -> Self:
        """notes_budget: characters that the notes share."""
        note_chars = sum(map(len, notes))
        return cls(
            answer_chars=len(answer),
            judged_answer_chars=judged_answer_chars,
            note_chars=note_chars,
            judged_note_chars=min(note_chars, notes_budget),
        )
