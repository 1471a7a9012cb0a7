"""What a judge's guarantee does to its verdicts. The hot path reads this, so it needs no NumPy."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

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


def guarantee_of(
    prompt_version: str, guarantees: Sequence[JudgeGuarantee]
) -> JudgeGuarantee | None:
    """That of the very prompt that a verdict was made with. guarantees: of its judge."""
    return next((each for each in guarantees if each.prompt_version == prompt_version), None)
