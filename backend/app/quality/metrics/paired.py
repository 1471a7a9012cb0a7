"""Two judges on the same drawn answers: which one is closer to what people say of all answers.

A value of each judge for each labelled answer, such as whether it agrees with the label, enters as
sums by cell (`app.quality.metrics.ppi.Cell`): y of the second judge, f of the first. So answers
drawn with different chances weigh what they stand for, and the variance is that of the draw.

The question is which judge to use from now on, so the variance of the answers themselves is added:
with every stored answer labelled there is still an interval.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np

from app.quality.metrics.calibration import t_quantile
from app.quality.metrics.ppi import MIN_DEGREES, Cell, DrawnSums, degrees_of
from app.quality.metrics.statistics import CONFIDENCE, Interval


@dataclass(frozen=True, slots=True)
class PairedMeans:
    """The mean value of both judges over all answers, and the second less the first.

    interval: of the difference; None with fewer than MIN_DEGREES degrees of freedom. more_labels:
    how many more, drawn as those there are, would about make it leave out 0 if the difference is
    as found, or complete the least number; None where 0 is left out already, or there is no
    difference.
    """

    first: float
    second: float
    difference: float
    interval: Interval | None
    more_labels: int | None

    @property
    def is_significant(self) -> bool:
        return self.interval is not None and not self.interval.low <= 0 <= self.interval.high


def paired_cell(
    first: Sequence[float], second: Sequence[float], *, answers: int, labels: int
) -> Cell:
    """Out of the values of both judges for the same labelled answers of a cell, one or more.

    answers, labels: of the whole cell. Where only some of its labelled answers have both values,
    as large a share of its answers is taken to be of their kind.
    """
    f, y = np.asarray(first, np.float64), np.asarray(second, np.float64)
    return Cell(
        answers=round(answers * len(y) / labels),
        scores=float(f.sum()),
        labels=len(y),
        y=float(y.sum()),
        f=float(f.sum()),
        yy=float((y * y).sum()),
        ff=float((f * f).sum()),
        yf=float((y * f).sum()),
        stratum_answers=answers,
        stratum_labels=labels,
    )


def paired_shares(cells: Sequence[Cell], confidence: float = CONFIDENCE) -> PairedMeans:
    """Of values that are 0 or 1. The interval is the adjusted one of Bonett and Price (2012), with
    Student's t and with the number of answers at which simple drawing would have the variance: it
    has a width where the judges never differ too. There are labels."""
    sums = DrawnSums(cells)
    variance = _variance(sums)
    only = _shares_of_one(sums)
    unlike = sums.gap_spread / variance if variance else 1 / (sums.unit + 1 / sums.answers)
    # One answer more of either kind on which they differ.
    first, second = ((unlike * share + 1) / (unlike + 2) for share in only)
    adjusted = (first + second - (second - first) ** 2) / (unlike + 2)
    return _means(sums, cells, second - first, adjusted, confidence)


def paired_means(cells: Sequence[Cell], confidence: float = CONFIDENCE) -> PairedMeans:
    """Of values from 0 to 1. There are labels."""
    sums = DrawnSums(cells)
    return _means(sums, cells, sums.y - sums.f, _variance(sums), confidence)


def _variance(sums: DrawnSums) -> float:
    return sums.variance(1.0) + sums.gap_spread / sums.answers


def _shares_of_one(sums: DrawnSums) -> tuple[float, float]:
    """The share of answers where only the first judge has a 1, and where only the second has."""
    unlike, difference = sums.gap_spread + (sums.y - sums.f) ** 2, sums.y - sums.f
    return (unlike - difference) / 2, (unlike + difference) / 2


def _means(
    sums: DrawnSums, cells: Sequence[Cell], centre: float, variance: float, confidence: float
) -> PairedMeans:
    degrees = degrees_of(cells)
    found = sums.y - sums.f
    if degrees < MIN_DEGREES:
        return PairedMeans(sums.f, sums.y, found, None, MIN_DEGREES - degrees)
    quantile = t_quantile(confidence, degrees)
    half = quantile * sqrt(variance)
    interval = Interval(max(centre - half, -1.0), min(centre + half, 1.0))
    more = None
    if found and interval.low <= 0 <= interval.high:
        more = max(ceil(sums.labels * (half / found) ** 2) - sums.labels, 1)
    return PairedMeans(sums.f, sums.y, found, interval, more)
