"""The learned head: from what is found in the claims of an answer to how likely it is grounded.

Two logistic regressions whose weights benchmarks/train_rules_head.py fits and writes: one for a
claim, and one for the answer from its worst claim and the others. No weight of a fault is
negative, so neither a fault nor a faulty claim more ever raises the score.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from app.text.language import Lang

WEIGHTS = "head.json"


@dataclass(frozen=True, slots=True)
class Head:
    """claim_bias and weights: of the log odds that a claim is hallucinated. bias, worst and
    others: of the log odds that an answer is."""

    claim_bias: float
    weights: Mapping[str, float]
    bias: float
    worst: float
    others: float

    def odds(self, claim: Mapping[str, float]) -> float:
        """The log odds that a claim is hallucinated."""
        return self.claim_bias + math.fsum(
            weight * claim[name] for name, weight in self.weights.items() if name in claim
        )

    def grounded(self, claims: Sequence[Mapping[str, float]]) -> float:
        """The probability, 0 to 1, that nothing in an answer of these claims, at least one, is
        hallucinated."""
        worst, others = worst_and_others([self.odds(claim) for claim in claims])
        return 1 - _probability(self.bias + self.worst * worst + self.others * others)


def worst_and_others(odds: Sequence[float]) -> tuple[float, float]:
    """The highest log odds, and the logarithm of one plus how many of the other claims are
    expected to be hallucinated."""
    worst = max(odds)
    rest = math.fsum(map(_probability, odds)) - _probability(worst)
    return worst, math.log1p(max(0.0, rest))


def _probability(odds: float) -> float:
    return 1 / (1 + math.exp(-max(-700.0, odds)))


@cache
def head(lang: Lang) -> Head:
    """The head for answers in a language."""
    text = files(__package__).joinpath(WEIGHTS).read_text(encoding="utf-8")
    return Head(**json.loads(text)[lang])
