"""Thresholds of a cascade and guarantees of a judge. The hot path imports this: no NumPy."""

import datetime as dt
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

from pydantic import BaseModel


class StepThresholds(BaseModel):
    """A verdict with confidence low is sure with a correctness of at most `low`, one with
    confidence high from `high` on; null where none is."""

    low: float | None
    high: float | None

    def beyond(self, confidence: str, correctness: float) -> bool:
        """Whether a verdict is sure by its score. One of medium confidence never is."""
        if confidence == "low":
            return self.low is not None and correctness <= self.low
        if confidence == "high":
            return self.high is not None and correctness >= self.high
        return False


class CascadeCalibration(BaseModel):
    """What labelled answers have shown of a cascade: with this confidence it gives at most a share
    `max_loss` of all answers a worse verdict than its last judge alone.

    judges: of the policy when it was calibrated, with their prompt_versions. steps: the thresholds
    of those that are asked before the last, by name; a judge without any is not asked. labels: what
    that was tested on; worse: how many of them got a worse verdict, loss_bound: the share that it
    is below with this confidence. decided: share of the answers that the steps decide. saving: of
    the cost, without checks. All shares are 0 to 1.
    """

    judges: list[str]
    prompt_versions: list[str]
    steps: dict[str, StepThresholds]
    max_loss: float
    confidence: float
    labels: int
    worse: int
    loss_bound: float
    decided: float
    saving: float
    calibrated_at: dt.datetime

    @property
    def active(self) -> tuple[str, ...]:
        """The judges that are asked, in turn."""
        return (*(judge for judge in self.judges[:-1] if judge in self.steps), self.judges[-1])

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Self | None:
        """Of a workspace's policy; None where it was never calibrated."""
        stored = row["cascade_calibration"]
        return None if stored is None else cls.model_validate(stored)

    def holds(self, judges: Sequence[str], prompt_versions: Sequence[str]) -> bool:
        """Whether it is for these judges with these prompts."""
        return self.judges == [*judges] and self.prompt_versions == [*prompt_versions]


# The detail of the flag `confidence_lowered` of a verdict below the threshold.
BELOW_GUARANTEE = "below_guarantee"
# And of one by a prompt of the workspace of which no labels have shown yet what its high is worth.
PROMPT_UNPROVEN = "prompt_unproven"

# holds: of such answers at least the promised share is right; below: the score is below the
# threshold, in a verdict from before the calibration; lapsed: it was for another judge or prompt.
GuaranteeState = Literal["holds", "below", "lapsed"]


@dataclass(frozen=True, slots=True)
class JudgeGuarantee:
    """threshold: the lowest correctness, 0 to 1, with which verdicts of this version of the judge
    may have high confidence. chances: that people find the answer right, at rising `scores`."""

    prompt_version: str
    threshold: float
    scores: Sequence[float]
    chances: Sequence[float]

    def chance(self, correctness: float) -> float:
        """Between two scores in proportion, outside of them as at the nearest."""
        after = bisect_right(self.scores, correctness)
        if after == 0:
            return self.chances[0]
        if after == len(self.scores):
            return self.chances[-1]
        low, high = self.scores[after - 1 : after + 1]
        part = (correctness - low) / (high - low)
        return self.chances[after - 1] + part * (self.chances[after] - self.chances[after - 1])
