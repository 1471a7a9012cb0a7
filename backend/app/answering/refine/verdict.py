"""The verdict on an answer of a refinement, by the judge of the first answer."""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

# From the worst to the best.
_CONFIDENCE: Sequence[str] = ("low", "medium", "high")


class AnswerVerdict(BaseModel):
    """Scores are 0 to 1. judged_by: provider:model/version. overall: of the phases, None where none
    was requested. error: why there is no verdict; then all else is None."""

    model_config = ConfigDict(frozen=True)

    judged_by: str | None = None
    correctness: float | None = None
    utility: float | None = None
    confidence: Literal["high", "medium", "low"] | None = None
    overall: float | None = None
    error: str | None = None

    def lift_over(self, first: "AnswerVerdict | None") -> tuple[float, float] | None:
        """By how much correctness and utility are higher, -1 to 1. None where another judge or
        none gave one of the verdicts, so that they cannot be compared."""
        if first is None or self.judged_by is None or self.judged_by != first.judged_by:
            return None
        if self.correctness is None or self.utility is None:
            return None
        if first.correctness is None or first.utility is None:
            return None
        return (
            round(self.correctness - first.correctness, 4),
            round(self.utility - first.utility, 4),
        )

    def worse_than(self, first: "AnswerVerdict | None") -> bool:
        """Whether the same judge has less confidence in this answer, or scores it lower in one
        respect and higher in none."""
        lift = self.lift_over(first)
        if first is None or lift is None or self.confidence is None or first.confidence is None:
            return False
        rank = _CONFIDENCE.index
        if rank(self.confidence) != rank(first.confidence):
            return rank(self.confidence) < rank(first.confidence)
        return min(lift) < 0 >= max(lift)
