"""Monitored series of each judge: their points, sequential ranks, and contributions to a change."""

import datetime as dt
import enum
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from operator import mul, truediv
from statistics import NormalDist
from typing import NamedTuple, Self

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
MIN_GROUP_ANSWERS = 10


@dataclass(frozen=True, slots=True)
class Shift:
    """Places in the series, from 0: of the first mean that is taken to be after the change, and of
    the one that gave the alarm."""

    began: int
    noticed: int


def rank_score(means: Sequence[float], answers: Sequence[float], spreads: Sequence[float]) -> float:
    """The rank of the last of these means of one kind, as a normal quantile: 0 in the
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
    if not before.answers or after.answers < MIN_GROUP_ANSWERS:
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


# A day with fewer answers is joined with the days after it.
MIN_DAY_ANSWERS = 20
# Of series CORRECTED: labels that a point has at least.
MIN_LABELS = 10
# Answers that waited longer for others to join them are not watched.
JOIN_DAYS = 28


class Series(enum.StrEnum):
    """Each is a mean of answers, 0 to 1.

    SCORE: the judge's correctness. CORRECTED: mean correctness by labels of drawn answers and the
    judge. COVERAGE: the share of answers given to the judge that it scored itself. UNJUDGED: the
    share of all answers that were skipped or failed.
    """

    SCORE = "score"
    CORRECTED = "corrected"
    COVERAGE = "coverage"
    UNJUDGED = "unjudged"


class Day(NamedTuple):
    """A day of a workspace in its time zone."""

    workspace_id: uuid.UUID
    date: dt.date
    zone: str

    def span(self, since: dt.date | None = None) -> dict[str, object]:
        """Parameters of statements, from `since` to the end of the day."""
        until = self.date + dt.timedelta(days=1)
        return {
            "workspace_id": self.workspace_id,
            "zone": self.zone,
            "since": since or self.date,
            "until": until,
        }


class DaySums(NamedTuple):
    """A row of sums.sql: answers of one day and judge. asked: not skipped; judged: with a verdict
    that is not degraded; scored: of them no right refusals; total, squares: of these scores."""

    judge_model: str
    answers: int
    asked: int
    judged: int
    scored: int
    unjudged: int
    total: float
    squares: float


@dataclass(frozen=True, slots=True)
class DayPoint:
    """Consecutive days of a series. answers: at least one, of CORRECTED labels; value: the mean;
    spread: as of `rank_score`; score: None until there are enough answers."""

    first_day: dt.date
    last_day: dt.date
    answers: int
    value: float
    spread: float
    score: float | None = None

    @property
    def kind(self) -> str:
        """Weekends have other answers than working days, and some days together than one."""
        if self.first_day != self.last_day:
            return "days"
        return "weekend" if self.first_day.isoweekday() > 5 else "workday"

    def joined(self, later: Self) -> Self:
        """Both as one point."""
        answers = self.answers + later.answers
        parts = [(one, one.answers / answers) for one in (self, later)]
        value = sum(one.value * part for one, part in parts)
        spread = sum((one.spread + (one.value - value) ** 2) * part for one, part in parts)
        return replace(
            self, last_day=later.last_day, answers=answers, value=value, spread=max(spread, 0.0)
        )

    def scored(self, before: Sequence[Self]) -> Self:
        """With its score among the points before it; 0 while the series is learned."""
        if len(before) < LEARNING:
            return replace(self, score=0.0)
        alike = [point for point in (*before, self) if point.kind == self.kind]
        means, answers, spreads = zip(
            *((each.value, each.answers, each.spread) for each in alike), strict=True
        )
        return replace(self, score=rank_score(means, answers, spreads))


def points_of(day: dt.date, sums: DaySums) -> dict[Series, DayPoint]:
    """The points that a day gives; a series without answers has none."""
    points = {}
    if sums.scored:
        value = sums.total / sums.scored
        spread = max(sums.squares / sums.scored - value**2, 0.0)
        points[Series.SCORE] = DayPoint(day, day, sums.scored, value, spread)
    for series, part, whole in (
        (Series.COVERAGE, sums.judged, sums.asked),
        (Series.UNJUDGED, sums.unjudged, sums.answers),
    ):
        if whole:
            share = part / whole
            points[series] = DayPoint(day, day, whole, share, share * (1 - share))
    return points


def extended(series: Sequence[DayPoint], new: DayPoint) -> DayPoint:
    """The point that the series ends with after `new`: joined with its last one where that has too
    few answers. It has a score as soon as it has enough."""
    before = list(series)
    if before and before[-1].score is None:
        last = before.pop()
        if (new.last_day - last.first_day).days < JOIN_DAYS:
            new = last.joined(new)
    if new.answers < MIN_DAY_ANSWERS:
        return new
    return new.scored([point for point in before if point.score is not None])
