"""What a judge's score means: the chance that people agree, and thresholds with a guarantee."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log

import numpy as np

from app.metrics.distributions import binomial_tail, lower_bound
from app.metrics.statistics import Floats


@dataclass(frozen=True, slots=True)
class Threshold:
    """Of `answers` labelled answers that score at least `score`, people found `right` right."""

    score: float
    answers: int
    right: int

    def bound(self, confidence: float) -> float:
        """The share of such answers that is right is above it with this confidence."""
        return lower_bound(self.right, self.answers, confidence)


@dataclass(frozen=True, slots=True)
class Guarantee:
    """threshold: the lowest with the precision asked for, None if there is none; best: where there
    is none, the one with the highest bound: picked by looking at the labels, so a hint and no
    promise; None with too few labels for any."""

    threshold: Threshold | None
    best: Threshold | None


def lowest_threshold(
    scores: Floats,
    right: Floats,
    candidates: Sequence[float],
    *,
    precision: float,
    confidence: float,
) -> Guarantee:
    """The lowest candidate at which at least a share `precision` of the answers is right.

    scores, right: of labelled answers that had one and the same chance of being drawn; right is 1
    or 0. Candidates are tested from the highest down, by the exact binomial test, until one is not
    passed: in a fixed order no test costs another its level, so what is returned falls short of
    the precision with a chance of at most 1 - confidence (fixed-sequence testing: Maurer, Hothorn,
    Lehmacher 1995; for thresholds: Angelopoulos, Bates, Candès, Jordan, Lei 2021, "Learn then
    test"). Candidates that could not pass even if all answers above them were right are left out:
    how many there are does not depend on the labels.
    """
    enough = ceil(log(1 - confidence) / log(precision))
    tested = [
        Threshold(candidate, int(above.sum()), int(right[above].sum()))
        for candidate in sorted(set(candidates), reverse=True)
        if (above := scores >= candidate).sum() >= enough
    ]
    found: Threshold | None = None
    for one in tested:
        if binomial_tail(one.right, one.answers, precision) > 1 - confidence:
            break
        found = one
    if found or not tested:
        return Guarantee(found, None)
    return Guarantee(None, max(tested, key=lambda one: one.bound(confidence)))


@dataclass(frozen=True, slots=True)
class Calibration:
    """Chances that people agree, at each score that was seen; scores rise, chances never fall."""

    scores: Floats
    chances: Floats

    def chance(self, score: float) -> float:
        """Between two seen scores in proportion, outside of them as at the nearest."""
        return float(np.interp(score, self.scores, self.chances))


def isotonic(scores: Floats, labels: Floats, weights: Floats | None = None) -> Calibration:
    """The never falling function of the score that is closest to the labels in (weighted) squares,
    by pooling adjacent violators (Ayer, Brunk, Ewing, Reid, Silverman 1955). labels: 0 to 1.
    Raises ValueError without labels."""
    if not len(scores):
        raise ValueError("there is nothing to calibrate by")
    at, places = np.unique(scores, return_inverse=True)
    given = np.ones(len(scores)) if weights is None else weights
    weight = np.bincount(places, given)
    value = np.bincount(places, given * labels) / weight
    blocks: list[tuple[float, float, int]] = []
    for one in zip(value.tolist(), weight.tolist(), [1] * len(at), strict=True):
        block = one
        while blocks and blocks[-1][0] >= block[0]:
            mean, total, size = blocks.pop()
            both = total + block[1]
            block = ((mean * total + block[0] * block[1]) / both, both, size + block[2])
        blocks.append(block)
    means, _, sizes = zip(*blocks, strict=True)
    return Calibration(at, np.repeat(means, sizes))
