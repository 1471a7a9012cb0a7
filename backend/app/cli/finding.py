"""What a check of `searchqa doctor` has found."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from app.platform.errors import SearchQAError


class State(StrEnum):
    """`broken` means that answers or verdicts are impossible until it is fixed."""

    OK = "ok"
    NOTE = "note"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Finding:
    """`mend` says how to fix it; it is empty when there is nothing to do."""

    about: str
    state: State
    detail: str
    mend: str = ""

    @classmethod
    def ok(cls, about: str, detail: str) -> Self:
        return cls(about, State.OK, detail)

    @classmethod
    def note(cls, about: str, detail: str, mend: str = "") -> Self:
        return cls(about, State.NOTE, detail, mend)

    @classmethod
    def broken(cls, about: str, detail: str, mend: str) -> Self:
        return cls(about, State.BROKEN, detail, mend)

    @classmethod
    def broken_by(cls, about: str, error: SearchQAError, separator: str) -> Self:
        """By an error whose text is the detail, the separator and how to fix it."""
        detail, _, mend = str(error).partition(separator)
        return cls.broken(about, detail, mend[:1].upper() + mend[1:])
