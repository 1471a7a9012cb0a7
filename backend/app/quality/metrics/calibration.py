"""Bounds of shares, and thresholds calibrated by them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, lgamma, log, log1p, sqrt

import numpy as np

from app.quality.metrics.statistics import Floats

_TINY = 1e-300
_PRECISION = 1e-15
_MAX_TERMS = 10_000
# Halvings of an interval until a double does not get more precise.
_HALVINGS = 60

# The first test passes with so many wrong answers, where there are labels enough: without any, one
# unlucky label at the top would end the search.
_SPARED = 2


def beta_cdf(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b), to about 13 digits.

    x: 0 to 1; a, b: above 0. By its continued fraction (NIST Digital Library of Mathematical
    Functions, 8.17.22) on the side where that converges quickly.
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_cdf(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    return front / _fraction(x, a, b)


def _fraction(x: float, a: float, b: float) -> float:
    """1 + d1/(1 + d2/(1 + …)), evaluated from the front by Lentz's method."""
    value = upper = 1.0
    lower = 0.0
    for term in range(1, _MAX_TERMS):
        half = term // 2
        if term % 2:
            numerator = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            numerator = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        lower = 1 / (1 + numerator * lower or _TINY)
        upper = 1 + numerator / upper or _TINY
        value *= upper * lower
        if abs(upper * lower - 1) < _PRECISION:
            break
    return value


def t_two_sided(t: float, degrees: float) -> float:
    """Chance of a value as far from 0 as `t` under Student's t distribution."""
    return beta_cdf(degrees / (degrees + t * t), degrees / 2, 0.5)


@lru_cache(maxsize=1_024)
def t_quantile(confidence: float, degrees: float) -> float:
    """The t that a share `confidence` of values does not exceed in size; 1.96 for 0.95 and many
    degrees of freedom. Raises ValueError unless 0 < confidence < 1 and degrees > 0."""
    if not 0 < confidence < 1 or degrees <= 0:
        raise ValueError("a quantile needs a confidence between 0 and 1 and degrees above 0")
    # x = degrees / (degrees + t²) falls from 1 to 0 as t grows.
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if beta_cdf(middle, degrees / 2, 0.5) < 1 - confidence:
            low = middle
        else:
            high = middle
    return sqrt(degrees * (1 - high) / high)


def binomial_tail(successes: int, trials: int, share: float) -> float:
    """Chance of at least `successes` of `trials` where each succeeds with chance `share`."""
    if successes <= 0:
        return 1.0
    if successes > trials:
        return 0.0
    return beta_cdf(share, successes, trials - successes + 1)


def lower_bound(successes: int, trials: int, confidence: float) -> float:
    """The share that is exceeded with this confidence, one-sided and exact (Clopper and Pearson
    1934): the largest that binomial_tail finds less likely than 1 - confidence. 0 without
    successes."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if binomial_tail(successes, trials, middle) <= 1 - confidence:
            low = middle
        else:
            high = middle
    return low


@dataclass(frozen=True, slots=True)
class Threshold:
    """Of `answers` labelled answers that score at least `score`, people found `right` right."""

    score: float
    answers: int
    right: int

    def passes(self, precision: float, confidence: float) -> bool:
        """The exact binomial test that more than a share `precision` of such answers is right."""
        return binomial_tail(self.right, self.answers, precision) <= 1 - confidence

    def bound(self, confidence: float) -> float:
        """The share of such answers that is right is above it with this confidence."""
        return lower_bound(self.right, self.answers, confidence)

    def more_labels(self, precision: float, confidence: float) -> int:
        """The number of further labels that would do if all of them were right."""
        wrong = self.answers - self.right
        return max(labels_needed(precision, confidence, wrong) - self.answers, 0)


@dataclass(frozen=True, slots=True)
class Guarantee:
    """threshold: the lowest with the precision asked for, None if there is none; tested: all that
    had labels enough to be tested, the highest first."""

    threshold: Threshold | None
    tested: list[Threshold]

    def best(self, confidence: float) -> Threshold | None:
        """The one with the highest bound: picked by looking at the labels, so a hint and no
        promise; None with too few labels for any."""
        return max(self.tested, key=lambda one: one.bound(confidence), default=None)


@lru_cache(maxsize=256)
def labels_needed(precision: float, confidence: float, wrong: int = 0) -> int:
    """The fewest labels with which the test passes although so many are wrong: 45 without any for a
    precision of .95 with a confidence of .9, 105 with two. precision, confidence: between 0 and
    1."""
    low, high = wrong, wrong + 1
    while not Threshold(0, high, high - wrong).passes(precision, confidence):
        low, high = high, 2 * high
    # `low` is too few, `high` is enough.
    while high - low > 1:
        middle = (low + high) // 2
        if Threshold(0, middle, middle - wrong).passes(precision, confidence):
            high = middle
        else:
            low = middle
    return high


def lowest_threshold(
    scores: Floats,
    right: Floats,
    candidates: Sequence[float],
    *,
    precision: float,
    confidence: float,
) -> Guarantee:
    """The lowest candidate at which more than a share `precision` of the answers is right.

    scores, right: of labelled answers that had one and the same chance of being labelled; right is
    1 or 0. Candidates are tested from the highest down, by the exact binomial test, until one is
    not passed: in a fixed order no test costs another its level, so what is returned falls short of
    the precision with a chance of at most 1 - confidence (fixed-sequence testing: Maurer, Hothorn,
    Lehmacher 1995; for thresholds: Angelopoulos, Bates, Candès, Jordan, Lei 2021, "Learn then
    test"). The first test is of the highest candidate with labels enough to pass with some wrong:
    which that is depends on the scores, not on the labels.
    """
    tested = list(_tested(scores, right, candidates, precision, confidence))
    found: Threshold | None = None
    for one in tested:
        if not one.passes(precision, confidence):
            break
        found = one
    return Guarantee(found, tested)


def _tested(
    scores: Floats, right: Floats, candidates: Sequence[float], precision: float, confidence: float
) -> Iterator[Threshold]:
    usable = int((scores >= min(candidates)).sum()) if candidates else 0
    wanted = [labels_needed(precision, confidence, wrong) for wrong in range(_SPARED + 1)]
    first = max((each for each in wanted if each <= usable), default=wanted[0])
    for candidate in sorted(set(candidates), reverse=True):
        above = scores >= candidate
        if (answers := int(above.sum())) >= first:
            yield Threshold(candidate, answers, int(right[above].sum()))


@dataclass(frozen=True, slots=True)
class Calibration:
    """Chances that people agree, at the scores where they begin and end; scores rise, chances never
    fall."""

    scores: list[float]
    chances: list[float]


def isotonic(scores: Floats, labels: Floats, weights: Floats) -> Calibration:
    """The never falling function of the score that is closest to the labels in weighted squares,
    by pooling adjacent violators (Ayer, Brunk, Ewing, Reid, Silverman 1955). labels: 0 to 1.
    Raises ValueError without labels."""
    if not len(scores):
        raise ValueError("there is nothing to calibrate by")
    at, places = np.unique(scores, return_inverse=True)
    weight = np.bincount(places, weights)
    value = np.bincount(places, weights * labels) / weight
    # Mean, weight, first and last score of each block.
    blocks: list[tuple[float, float, float, float]] = []
    for mean, total, score in zip(value.tolist(), weight.tolist(), at.tolist(), strict=True):
        first = score
        while blocks and blocks[-1][0] >= mean:
            before, its_weight, first, _ = blocks.pop()
            mean = (before * its_weight + mean * total) / (its_weight + total)
            total += its_weight
        blocks.append((mean, total, first, score))
    # A block of one score is one point.
    points = dict.fromkeys(
        (score, mean) for mean, _, first, last in blocks for score in (first, last)
    )
    return Calibration([score for score, _ in points], [chance for _, chance in points])
