"""How much of an answer and its notes a verdict rests on."""

from collections.abc import Sequence
from typing import Self

from pydantic import BaseModel


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
