"""Stands where the client's Background stands, and keeps what is submitted to it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from searchqa_client import Note


@dataclass(frozen=True)
class Submitted:
    """options: those that were not None."""

    question: str
    answer: str
    notes: list[Note]
    options: dict[str, Any]

    @property
    def contents(self) -> list[str]:
        return [note.content for note in self.notes]


@dataclass
class RecordedBackground:
    submitted: list[Submitted] = field(default_factory=list)
    flushed: bool = False

    def submit(
        self, question: str, answer: str, notes: Sequence[Note] = (), **options: Any
    ) -> None:
        given = {name: value for name, value in options.items() if value is not None}
        self.submitted.append(Submitted(question, answer, list(notes), given))

    def flush(self, timeout: float = 10.0) -> bool:
        self.flushed = True
        return True

    @property
    def only(self) -> Submitted:
        (one,) = self.submitted
        return one
