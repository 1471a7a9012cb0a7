"""The watched series of each judge, and their points out of days."""

import datetime as dt
import enum
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

from app.quality.metrics.sequential_ranks import LEARNING, rank_score

# A day with fewer answers is joined with the days after it.
MIN_ANSWERS = 20
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
    """A row of sums.sql: answers of one day and judge. asked: not skipped; scored: with a score
    that is not degraded; total, squares: of these scores."""

    judge_model: str
    answers: int
    asked: int
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
        (Series.COVERAGE, sums.scored, sums.asked),
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
    if new.answers < MIN_ANSWERS:
        return new
    return new.scored([point for point in before if point.score is not None])
