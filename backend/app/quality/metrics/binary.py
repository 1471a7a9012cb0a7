"""How well a score separates two classes.

An answer is a pair (score, label): the higher the score, the more the answer is taken for one of
the class that the label marks, here the hallucinated ones. "Said" are those that score above a
threshold.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

import numpy as np

from app.quality.metrics.statistics import (
    Estimate,
    Floats,
    Indices,
    Interval,
    bootstrap_statistic,
    percentile_interval,
)

Scored: TypeAlias = tuple[float, bool]

AUROC_RESAMPLES = 1_000
THRESHOLD_FIGURES = ("precision", "recall", "f1", "balanced_accuracy")


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts of labelled answers, and the figures made of them, 0 to 1 or None where the
    denominator is 0."""

    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int

    @property
    def precision(self) -> float | None:
        """Labelled among the said."""
        return _ratio(self.true_positives, self.true_positives + self.false_positives)

    @property
    def recall(self) -> float | None:
        """Said among the labelled."""
        return _ratio(self.true_positives, self.true_positives + self.false_negatives)

    @property
    def specificity(self) -> float | None:
        """Not said among those without the label."""
        return _ratio(self.true_negatives, self.true_negatives + self.false_positives)

    @property
    def f1(self) -> float | None:
        """Harmonic mean of precision and recall, as 2 TP / (2 TP + FP + FN)."""
        wrong = self.false_positives + self.false_negatives
        return _ratio(2 * self.true_positives, 2 * self.true_positives + wrong)

    @property
    def balanced_accuracy(self) -> float | None:
        """Mean of recall and specificity: .5 for a constant prediction."""
        if self.recall is None or self.specificity is None:
            return None
        return (self.recall + self.specificity) / 2


def confusion(scored: Sequence[Scored], threshold: float) -> Confusion:
    """Counts when scores above `threshold` say that an answer has the label."""
    hits = sum(label for score, label in scored if score > threshold)
    said = sum(score > threshold for score, _ in scored)
    labelled = sum(label for _, label in scored)
    return Confusion(hits, said - hits, labelled - hits, len(scored) - said - labelled + hits)


def threshold_estimates(
    scored: Sequence[Scored], threshold: float, *, seed: int = 0
) -> dict[str, Estimate]:
    """precision, recall, f1 and balanced_accuracy at `threshold`, each with its interval."""
    whole = confusion(scored, threshold)
    cells = np.array([2 * (score > threshold) + label for score, label in scored], dtype=np.int64)

    def estimate(name: str) -> Estimate:
        def of_draw(drawn: Indices) -> float:
            neither, missed, false, hit = np.bincount(cells[drawn], minlength=4).tolist()
            value = getattr(Confusion(hit, false, missed, neither), name)
            return float("nan") if value is None else float(value)

        interval = bootstrap_statistic(len(scored), of_draw, seed=seed)
        return Estimate(getattr(whole, name), interval)

    return {name: estimate(name) for name in THRESHOLD_FIGURES}


def best_f1(scored: Sequence[Scored]) -> tuple[float, float]:
    """The highest F1 and the score above which it is reached; (0, 1) when none is labelled."""
    ranked = sorted(scored, reverse=True)
    labelled = sum(label for _, label in scored)
    best, hits = (0.0, 1.0), 0
    for said, (score, label) in enumerate(ranked, start=1):
        hits += label
        following = ranked[said][0] if said < len(ranked) else -1.0
        if following < score:
            best = max(best, (2 * hits / (said + labelled), following))
    return best


def auroc(scored: Sequence[Scored]) -> float | None:
    """Chance that a labelled answer scores above one without the label; ties count half.

    By mean ranks (Mann-Whitney U); None when one of the classes is missing.
    """
    positives = sum(bool(label) for _, label in scored)
    negatives = len(scored) - positives
    if not positives or not negatives:
        return None
    rank_sum, rank = 0.0, 0
    for _, group in groupby(sorted(scored), key=lambda pair: pair[0]):
        tied = list(group)
        rank_sum += sum(bool(label) for _, label in tied) * (rank + (len(tied) + 1) / 2)
        rank += len(tied)
    return (rank_sum - positives * (positives + 1) / 2) / (positives * negatives)


def auroc_interval(
    scored: Sequence[Scored], *, resamples: int = AUROC_RESAMPLES, seed: int = 0
) -> Interval | None:
    """95 % percentile bootstrap interval of the AUROC, resampling each class by itself.

    None when a class has fewer than two answers.
    """
    positives = np.sort([score for score, label in scored if label])
    negatives = np.sort([score for score, label in scored if not label])
    if len(positives) < 2 or len(negatives) < 2:
        return None
    rng = np.random.default_rng(seed)
    return percentile_interval(
        [
            area(
                positives[rng.integers(0, len(positives), size=len(positives))],
                np.sort(negatives[rng.integers(0, len(negatives), size=len(negatives))]),
            )
            for _ in range(resamples)
        ]
    )


def area(positives: Floats, negatives: Floats) -> float:
    """The AUROC of the scores of two classes, none of them empty, `negatives` in rising order."""
    below = np.searchsorted(negatives, positives, side="left")
    up_to = np.searchsorted(negatives, positives, side="right")
    return float((below + up_to).sum() / 2 / len(positives) / len(negatives))


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
