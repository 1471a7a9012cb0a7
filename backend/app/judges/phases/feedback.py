"""The result of the phases of one answer, and their score."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from app.judges.phases.citation import Phase1Result
from app.judges.phases.completeness import Phase2Result
from app.judges.phases.groundedness import Phase3Result
from app.judges.phases.next_steps import Phase4Result

Phase = Literal["citation", "completeness", "groundedness", "next_steps"]
ALL_PHASES: frozenset[Phase] = frozenset(("citation", "completeness", "groundedness", "next_steps"))
MODEL_PHASES: frozenset[Phase] = ALL_PHASES - {"citation"}

# The parts of the overall score, and what every answer has, because phase 4 is no score.
WEIGHTS: Mapping[Phase, float] = {"citation": 0.2, "completeness": 0.3, "groundedness": 0.4}
BASE = 0.1
GOOD_ENOUGH = 0.7


@dataclass(frozen=True, slots=True)
class FeedbackResult:
    """The phases that ran; the others are None.

    sources: by whom each phase was judged. fallbacks: why a phase that a model should have
    judged was judged by rules.
    """

    phase1: Phase1Result | None = None
    phase2: Phase2Result | None = None
    phase3: Phase3Result | None = None
    phase4: Phase4Result | None = None
    sources: Mapping[Phase, Literal["rules", "judge"]] = field(default_factory=dict)
    fallbacks: Mapping[Phase, str] = field(default_factory=dict)

    @property
    def overall_score(self) -> float | None:
        """.2 citation + .3 completeness + .4 groundedness + .1, from .1 to 1.

        Where a phase did not run or had nothing to check, the weights of the others are raised
        in proportion, so that they make up .9 again. None when nothing was checked. Rounded to
        four places, so that 0.7 is 0.7.
        """
        scores = {
            "citation": self.phase1 and self.phase1.score,
            "completeness": self.phase2 and self.phase2.score,
            "groundedness": self.phase3 and self.phase3.score,
        }
        parts = [(w, scores[name]) for name, w in WEIGHTS.items() if scores[name] is not None]
        if not parts:
            return None
        total = math.fsum(weight for weight, _ in parts)
        earned = math.fsum(weight * score for weight, score in parts if score)
        return round((1 - BASE) * earned / total + BASE, 4)

    @property
    def needs_improvement(self) -> bool | None:
        """Whether the overall score lies below .7; None without one."""
        overall = self.overall_score
        return None if overall is None else overall < GOOD_ENOUGH


def united(first: FeedbackResult | None, second: FeedbackResult | None) -> FeedbackResult | None:
    """The phases of both; where both have one, that of the second."""
    if first is None or second is None:
        return first or second
    return replace(
        second,
        phase1=second.phase1 or first.phase1,
        phase2=second.phase2 or first.phase2,
        phase3=second.phase3 or first.phase3,
        phase4=second.phase4 or first.phase4,
        sources={**first.sources, **second.sources},
    )
