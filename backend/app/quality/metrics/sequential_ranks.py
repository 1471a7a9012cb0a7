"""Monitoring of figures over time: sequential ranks, and what contributed to a change."""

from collections.abc import Iterable, Sequence
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
_MIN_VARIANCE = 1e-18
# Equal means may differ in their last bits; in standard errors.
_ALIKE = 1e-9

# A group is named if this part of the change is its own, and if chance hardly gives as much: so
# many standard errors, as many groups are looked at.
MIN_PART = 0.3
MIN_ERRORS = 4.0
# Answers after the change before anything is said of it.
MIN_ANSWERS = 10


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
    if min(variances) < _MIN_VARIANCE:
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


@dataclass(frozen=True, slots=True)
class Sums:
    """Of a figure over answers: how many, its sum, and that of its squares."""

    answers: int
    total: float
    squares: float

    @property
    def mean(self) -> float | None:
        return self.total / self.answers if self.answers else None


@dataclass(frozen=True, slots=True)
class Group:
    """Answers that share `value` in `dimension`, before and after the change. name: of the value
    where that is an id."""

    dimension: str
    value: str
    name: str | None
    before: Sums
    after: Sums


@dataclass(frozen=True, slots=True)
class Contribution:
    """part: of the change that is the group's own, 0 to about 1."""

    group: Group
    part: float


def contributions(before: Sums, after: Sums, groups: Iterable[Group]) -> list[Contribution]:
    """The group of each dimension that stands out most, the largest part first; none where nothing
    stands out. before, after: of all answers. Answers are taken as independent."""
    if not before.answers or after.answers < MIN_ANSWERS:
        return []
    found: dict[str, Contribution] = {}
    for group in groups:
        part, errors = _own_part(before, after, group)
        best = found.get(group.dimension)
        if part >= MIN_PART and errors >= MIN_ERRORS and (best is None or part > best.part):
            found[group.dimension] = Contribution(group, part)
    return sorted(found.values(), key=lambda each: -each.part)


def _own_part(before: Sums, after: Sums, group: Group) -> tuple[float, float]:
    """The part of the change that is the group's own, and how many standard errors that is: the
    difference of the means of (inside - w0) (x - M0), `inside` being 1 for answers of the group."""
    centre = before.total / before.answers
    share = group.before.answers / before.answers
    means, variance = [], 0.0
    for whole, inside in ((before, group.before), (after, group.after)):
        (total, squares), (of_group, squares_of_group) = (
            (s.total - centre * s.answers, s.squares - 2 * centre * s.total + centre**2 * s.answers)
            for s in (whole, inside)
        )
        mean = ((1 - share) * of_group - share * (total - of_group)) / whole.answers
        square = (1 - share) ** 2 * squares_of_group + share**2 * (squares - squares_of_group)
        means.append(mean)
        variance += max(square / whole.answers - mean**2, 0.0) / whole.answers
    change = after.total / after.answers - centre
    own = means[1] - means[0]
    if not change or own * change <= 0:
        return 0.0, 0.0
    return own / change, abs(own) / sqrt(variance) if variance > 1e-18 else float("inf")
