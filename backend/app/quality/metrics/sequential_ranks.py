"""Notices when a series of means has changed for good, without assuming a shape or knowing what
it was before.

Each mean is compared with all before it by its rank, and ranks enter a CUSUM (Page 1954). As long
as nothing changes every rank is as likely as every other, whatever the distribution of the means:
skewed, in steps, or wider than their answers explain. So the rate of false alarms is known without
a baseline (McDonald 1990, "A CUSUM procedure based on sequential ranks"; in conformal prediction, a
test of exchangeability). Means are ranked after division by their standard error, so that days with
few answers do not look odd (DerSimonian and Laird 1986 for the variance between days), and only
among their kind, such as weekends (Mondrian conformal prediction, Vovk et al. 2005).

benchmarks/coverage.py counts false alarms and delays. There is no NumPy in it: the dispatcher does
without.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from operator import mul, truediv
from statistics import NormalDist

# Means that are only learned from. An extreme rank says little among fewer.
LEARNING = 14
# Half the change, in standard deviations of a mean, that is noticed soonest.
ALLOWANCE = 0.5
# On average 4 series times 365 means pass until one of the two sums exceeds it, if nothing changes
# (Brook and Evans 1972): a false alarm a year over four series that are looked at daily.
THRESHOLD = 6.134
# How far back autocorrelation is measured: a change just now would look like it.
LAG = 10
MAX_AUTOCORRELATION = 0.8

_NORMAL = NormalDist()
# Of means that are all alike; what is left is rounding.
_LEAST_VARIANCE = 1e-18
# Equal means may differ in their last bits; in standard errors.
_ALIKE = 1e-9


@dataclass(frozen=True, slots=True)
class Shift:
    """Places in the series, from 0: of the first mean that is taken to be after the change, and of
    the one that gave the alarm."""

    began: int
    noticed: int


def rank_score(means: Sequence[float], answers: Sequence[float], spreads: Sequence[float]) -> float:
    """How high the last of these means of one kind is among them, as a normal quantile: 0 in the
    middle, about 2 for the highest of 20. Ties share their rank.

    answers: how many each is of, above 0; spreads: the variance of a single answer, or what the
    squared standard error is if multiplied by `answers`. Raises ValueError without means.
    """
    if not means:
        raise ValueError("a rank needs means")
    number = len(means)
    pooled = sum(map(mul, answers, spreads)) / sum(answers)
    sampling = [pooled / size for size in answers]
    middle = sum(means) / number
    seen = sum((mean - middle) ** 2 for mean in means) / max(number - 1, 1)
    between = max(seen - sum(sampling) / number, 0.0)
    variances = [between + each for each in sampling]
    if min(variances) < _LEAST_VARIANCE:
        variances = [1.0] * number
    centre = sum(map(truediv, means, variances)) / sum(1 / each for each in variances)
    *_, last = scaled = [
        (mean - centre) / sqrt(each) for mean, each in zip(means, variances, strict=True)
    ]
    below = sum(each < last - _ALIKE for each in scaled)
    equal = sum(abs(each - last) <= _ALIKE for each in scaled)
    return _NORMAL.inv_cdf((below + equal / 2) / number)


def first_shift(scores: Sequence[float]) -> Shift | None:
    """The first alarm of a series; None if there is none. scores: rank_score of each mean, 0 for
    those of LEARNING.

    Scores are damped by sqrt((1 - r) / (1 + r)), r their autocorrelation until LAG points before:
    days that resemble the day before gather a sum faster than days that do not. The change began
    after the sum was last 0, its maximum-likelihood estimate.
    """
    rose, fell = 0.0, 0.0
    rose_from, fell_from = 0, 0
    squares, products = 0.0, 0.0
    for place, score in enumerate(scores):
        if (past := place - LAG) > 0:
            squares += scores[past - 1] ** 2
            products += scores[past - 1] * scores[past - 2] if past > 1 else 0.0
        damped = score * _damping(products, squares)
        rose, fell = max(rose + damped - ALLOWANCE, 0), max(fell - damped - ALLOWANCE, 0)
        if max(rose, fell) > THRESHOLD:
            return Shift(rose_from if rose > fell else fell_from, place)
        if not rose:
            rose_from = place + 1
        if not fell:
            fell_from = place + 1
    return None


def _damping(products: float, squares: float) -> float:
    if not squares:
        return 1.0
    correlation = min(max(products / squares, 0.0), MAX_AUTOCORRELATION)
    return float(((1 - correlation) / (1 + correlation)) ** 0.5)
