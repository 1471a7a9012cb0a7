"""Means over many answers that a judge scored and few of which people labelled.

Prediction-powered inference: the judge's mean over all answers, corrected by how far its scores
are from people's labels on the drawn ones (Angelopoulos, Bates, Fannjiang, Jordan, Zrnic 2023,
Science 382; tuned as in Angelopoulos, Duchi, Zrnic 2023, "PPI++"). Over a finite population this
is the difference estimator of survey sampling (Särndal, Swensson, Wretman 1992, chapter 6).

The population of `estimate` is finite: the stored answers, all of which have a score. So a label
says something certain of its own answer, and with every answer labelled the interval is a point.
`difference` asks whether what produces the answers has changed, and adds the chance by which these
answers came about.

A label y and a score f are between 0 and 1. They enter as sums by cell: answers of one group, such
as a week, with one chance of being drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from statistics import NormalDist

import numpy as np

from app.quality.metrics.calibration import t_quantile, t_two_sided
from app.quality.metrics.statistics import CONFIDENCE, Floats, Interval

# Below this many degrees of freedom, labels less strata, intervals are not reliable.
MIN_DEGREES = 29
# Where n labels show no error, up to 3 / n of the answers may have one (95 %, "rule of three").
_UNSEEN_ERRORS = 3


@dataclass(frozen=True, slots=True)
class Cell:
    """Answers of one group that had the same chance of being drawn.

    answers: how many; scores: sum of f over them. labels: how many of them have a label, and over
    these y, f, yy, ff, yf: the sums of y, f, y², f² and y f. stratum_answers, stratum_labels:
    answers and labels of every group with this chance, which is stratum_labels / stratum_answers.
    """

    answers: int
    scores: float
    labels: int
    y: float
    f: float
    yy: float
    ff: float
    yf: float
    stratum_answers: int
    stratum_labels: int


@dataclass(frozen=True, slots=True)
class Corrected:
    """The mean label that all `answers` would have, 0 to 1, and its 95 % interval.

    labels: it is based on; power: the weight of the judge's scores: 0 ignores them, 1 is PPI, and
    scores that differ less than labels do have more; variance: of the value over repeated
    drawing; degrees: of freedom of that variance; spread: variance of the
    labels themselves over the answers.
    """

    value: float
    interval: Interval
    answers: int
    labels: int
    power: float
    variance: float
    degrees: float
    spread: float


@dataclass(frozen=True, slots=True)
class Difference:
    """The second mean less the first, its 95 % interval, and the chance of a difference at least
    as large, in either direction, if the same process had produced both sets of answers."""

    difference: float
    interval: Interval
    p_value: float


def degrees_of(cells: Sequence[Cell]) -> int:
    """Labels less strata that have some; from MIN_DEGREES on `estimate` is reliable."""
    labelled = [cell.labels for cell in cells if cell.labels]
    return sum(labelled) - len(labelled)


def estimate(
    cells: Sequence[Cell], *, power: float | None = None, confidence: float = CONFIDENCE
) -> Corrected:
    """The mean over the answers of these cells, of which each stratum has labels.

    With chances that differ, labels weigh the inverse of their chance, scaled to the answers they
    stand for (Hájek 1971), and the variance is that of stratified drawing without replacement of a
    ratio (Särndal et al., result 5.6.2). power: None chooses the one with the least variance,
    which costs a degree of freedom; 0 ignores the scores.

    The interval is Wilson's (1927) with the number of labels that simple drawing would need for
    the same variance (as Korn and Graubard 1998 do for exact intervals), so that it stays between
    0 and 1 and has a width where all labels are alike.

    Raises ValueError without two degrees of freedom or where a stratum has no labels.
    """
    if any(not cell.stratum_labels for cell in cells):
        raise ValueError("a stratum without labels says nothing of its answers")
    degrees = degrees_of(cells)
    if degrees < 2:
        raise ValueError("an interval needs at least two labels more than strata")
    sums = DrawnSums(cells)
    tuned = power is None
    weight = sums.least_variance() if power is None else power
    variance = sums.variance(weight)
    if weight and tuned:
        variance = min(variance * degrees / (degrees - 1), sums.variance(0) or variance)
        degrees -= 1
    floor = min(sums.variance(0), _UNSEEN_ERRORS * sums.unit / sums.labels)
    variance = max(variance, floor)
    value = float(np.clip(sums.y + weight * (sums.all_f - sums.f), 0, 1))
    quantile = t_quantile(confidence, degrees)
    interval = _wilson(value, sums.effective_labels(variance), quantile)
    return Corrected(
        value=value,
        interval=interval,
        answers=sums.answers,
        labels=sums.labels,
        power=weight,
        variance=variance or ((interval.high - interval.low) / (2 * quantile)) ** 2,
        degrees=degrees,
        spread=sums.spread,
    )


class DrawnSums:
    """Means of y and f over the labelled, each weighing as many answers as it stands for, and the
    parts of the variance.

    spread, gap_spread: variance of y, and of y - f, over the answers. unit: the variance of the
    mean of independent values with variance 1, drawn in the same way.
    """

    def __init__(self, cells: Sequence[Cell]) -> None:
        columns = np.array([[getattr(c, name) for c in cells] for name in Cell.__slots__], float)
        answers, scores, n, y, f, yy, ff, yf, of_stratum, drawn = columns
        weight = of_stratum / drawn
        estimated = float((weight * n).sum())
        self.answers, self.labels = int(answers.sum()), int(n.sum())
        self.all_f = float(scores.sum() / answers.sum())
        self.y, self.f = (float((weight * each).sum()) / estimated for each in (y, f))
        self.spread = float((weight * yy).sum()) / estimated - self.y**2
        gaps = float((weight * (yy - 2 * yf + ff)).sum()) / estimated
        self.gap_spread = max(gaps - (self.y - self.f) ** 2, 0.0)
        left = (1 - drawn / of_stratum) * (weight / estimated) ** 2
        self.unit = float((left * n).sum())
        # A stratum with one label has no variance of its own: its distance from the mean counts.
        alone = drawn == 1
        scale = left * np.where(alone, 1, drawn / np.maximum(drawn - 1, 1))

        def covariance(ab: Floats, a: Floats, b: Floats, mean_a: float, mean_b: float) -> float:
            product = ab - mean_a * b - mean_b * a + n * mean_a * mean_b
            between = np.where(alone, 0, (a - n * mean_a) * (b - n * mean_b) / drawn)
            # Of values all alike rounding leaves something around 1e-16.
            part = product - between
            return float((scale * np.where(np.abs(part) < 1e-12 * n, 0, part)).sum())

        self._yy = covariance(yy, y, y, self.y, self.y)
        self._yf = covariance(yf, y, f, self.y, self.f)
        self._ff = covariance(ff, f, f, self.f, self.f)

    def least_variance(self) -> float:
        return max(self._yf / self._ff, 0.0) if self._ff > 0 else 0.0

    def variance(self, power: float) -> float:
        """Of y - power * f, over repeated drawing."""
        return max(self._yy - 2 * power * self._yf + power**2 * self._ff, 0.0)

    def effective_labels(self, variance: float) -> float:
        """The number of independent labels with this variance; infinite for all of them."""
        if not self.unit:
            return float("inf")
        if not self._yy:
            return 1 / self.unit
        return self.y * (1 - self.y) / variance


def _wilson(share: float, trials: float, quantile: float) -> Interval:
    if trials == float("inf"):
        return Interval(share, share)
    ratio = quantile**2 / trials
    centre = (share + ratio / 2) / (1 + ratio)
    half = sqrt(share * (1 - share) * ratio + ratio**2 / 4) / (1 + ratio)
    return Interval(max(centre - half, 0.0), min(centre + half, 1.0))


def difference(before: Corrected, after: Corrected) -> Difference:
    """Compares the means of two groups without a common answer, such as two weeks, by Welch's
    test (1947). Each mean has the variance of its drawing and that of the answers themselves,
    spread / answers. Without any variance, only equal means have a p-value above 0."""
    parts = [one.variance + one.spread / one.answers for one in (before, after)]
    degrees = [before.degrees, after.degrees]
    return welch(after.value - before.value, parts, degrees)


def welch(found: float, variances: Sequence[float], each_degrees: Sequence[float]) -> Difference:
    """The interval and the p-value of a difference of two means with these variances, each of so
    many degrees of freedom (Welch 1947)."""
    total = sum(variances)
    if not total:
        return Difference(found, Interval(found, found), float(not found))
    pairs = zip(variances, each_degrees, strict=True)
    degrees = total**2 / sum(variance**2 / degrees for variance, degrees in pairs)
    error = sqrt(total)
    half = t_quantile(CONFIDENCE, degrees) * error
    p_value = t_two_sided(found / error, degrees)
    return Difference(found, Interval(found - half, found + half), p_value)


def more_labels(now: Corrected, width: float) -> int:
    """The further labels that make the interval about `width` wide, drawn as those there are; 0 if
    it is already. At most one for each answer without a label."""
    current = now.interval.high - now.interval.low
    if current <= width:
        return 0
    per_label = (1 / now.labels - 1 / now.answers) * (width / current) ** 2
    return min(ceil(1 / (1 / now.answers + per_label)), now.answers) - now.labels


def first_labels(answers: int, width: float) -> int:
    """The labels that make an interval `width` wide whatever people say and however poor the
    judge is; nothing is known yet. At most `answers`."""
    many = (NormalDist().inv_cdf((1 + CONFIDENCE) / 2) / width) ** 2
    needed = max(many / (1 + many / answers), MIN_DEGREES + 1) if answers else 0
    return min(ceil(needed), answers)
