"""The learned head: from what is found in an answer to how likely it is grounded.

A logistic regression whose weights benchmarks/train_rules_head.py fits and writes. No weight of
a fault is negative, so a fault more never raises the score.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from app.text.language import Lang

WEIGHTS = "head.json"


@dataclass(frozen=True, slots=True)
class Head:
    """bias and weights of the log odds that an answer is hallucinated."""

    bias: float
    weights: Mapping[str, float]

    def grounded(self, features: Mapping[str, float]) -> float:
        """The probability, 0 to 1, that nothing in the answer is hallucinated."""
        odds = self.bias + math.fsum(
            weight * features.get(name, 0.0) for name, weight in self.weights.items()
        )
        return 1 / (1 + math.exp(min(odds, 700.0)))


@cache
def head(lang: Lang) -> Head:
    """The head for answers in a language."""
    text = files(__package__).joinpath(WEIGHTS).read_text(encoding="utf-8")
    part = json.loads(text)[lang]
    return Head(part["bias"], part["weights"])
