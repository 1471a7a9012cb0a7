"""Simulated years of a judge's scores for the monitor of quality: how many of its alarms are false,
and how long it takes to notice a drop. Run by benchmarks/coverage.py."""

import datetime as dt
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.quality.drift.series import DayPoint, extended, first_shift

Floats = NDArray[np.float64]
Rng = np.random.Generator

YEAR = 365
SERIES = 4
MONDAY = dt.date(2025, 1, 6)
# A drop comes after so many days, and is looked for over so many more.
BEFORE, AFTER = 60, 90
DROPS = (0.02, 0.05, 0.1)
RUNS = 100
# Answers of a day differ as Beta(a, b) with a + b of this.
CONCENTRATION = 3.0


@dataclass(frozen=True)
class Kind:
    """A kind of series. means: of each of so many days, before any drop; sizes: answers of each;
    promised: whether the false-alarm rate is; delays: whether these are measured."""

    name: str
    means: Callable[[Rng, int], Floats]
    sizes: Callable[[Rng, int], Floats] = lambda _, days: np.full(days, 100)
    promised: bool = True
    delays: bool = False


def flat(_: Rng, days: int) -> Floats:
    return np.full(days, 0.8)


def differing(rng: Rng, days: int) -> Floats:
    """Days differ by more than their answers explain."""
    return 0.8 + rng.normal(0, 0.03, days)


def worse_on(*weekdays: int) -> Callable[[Rng, int], Floats]:
    """Monday is 0."""

    def means(rng: Rng, days: int) -> Floats:
        worse = np.isin(np.arange(days) % 7, weekdays)
        return 0.8 - 0.05 * worse + rng.normal(0, 0.01, days)

    return means


def skewed(rng: Rng, days: int) -> Floats:
    """Mostly good days, and now and then a very bad one."""
    return 0.95 - rng.exponential(0.05, days)


def resembling(correlation: float) -> Callable[[Rng, int], Floats]:
    """Each day resembles the one before."""

    def means(rng: Rng, days: int) -> Floats:
        noise = rng.normal(0, 0.02, days)
        for day in range(1, days):
            noise[day] += correlation * noise[day - 1]
        return 0.8 + noise

    return means


KINDS = [
    Kind("every day alike", flat, delays=True),
    Kind("days differ", differing, delays=True),
    Kind("weekends are worse", worse_on(5, 6), delays=True),
    Kind("Mondays are worse", worse_on(0)),
    Kind("8 answers a day", flat, lambda rng, n: rng.poisson(8, n).astype(float), delays=True),
    Kind("20 to 1,000 answers", flat, lambda rng, n: np.exp(rng.uniform(3, 6.9, n)).round()),
    Kind("ever fewer answers", flat, lambda _, n: np.linspace(1_000, 20, n).round()),
    Kind("very bad days now and then", skewed),
    Kind("nearly always 1", lambda _, n: np.full(n, 0.995), lambda _, n: np.full(n, 30)),
    Kind("days resemble the day before (.4)", resembling(0.4)),
    Kind("… (.6)", resembling(0.6), promised=False),
]


def simulated(kind: Kind, rng: Rng, days: int, drop: float = 0.0) -> list[DayPoint]:
    """One point for each day that has answers."""
    means, sizes = kind.means(rng, days), kind.sizes(rng, days)
    means[BEFORE:] -= drop
    made = []
    for n, (mean, size) in enumerate(zip(np.clip(means, 0.01, 0.999), sizes, strict=True)):
        if size:
            scores = rng.beta(mean * CONCENTRATION, (1 - mean) * CONCENTRATION, int(size))
            day = MONDAY + dt.timedelta(days=n)
            made.append(DayPoint(day, day, int(size), float(scores.mean()), float(scores.var())))
    return made


def first_alarm(days: Sequence[DayPoint]) -> tuple[dt.date, dt.date] | None:
    """When the change began and when it was noticed, as the dispatcher finds it day by day."""
    series: list[DayPoint] = []
    for day in days:
        point = extended(series, day)
        if series and series[-1].first_day == point.first_day:
            series.pop()
        series.append(point)
    points = [point for point in series if point.score is not None]
    shift = first_shift([point.score or 0.0 for point in points])
    return (points[shift.began].first_day, points[shift.noticed].last_day) if shift else None


def false_alarms(kind: Kind, years: int, seed: int) -> float:
    """Alarms a year over SERIES series of this kind in which nothing changes."""
    rng = np.random.default_rng(seed)
    found = 0
    for _ in range(years):
        left = simulated(kind, rng, YEAR)
        while alarm := first_alarm(left):
            found += 1
            left = [day for day in left if day.first_day > alarm[1]]
    return SERIES * found / years


def delays(kind: Kind, drop: float, runs: int, seed: int) -> tuple[float, float, float, float]:
    """Share of drops noticed within AFTER days; days until then, the median and what nine of ten
    need; by how many days the estimated beginning is off, the median of those noticed."""
    rng = np.random.default_rng(seed)
    began_on = MONDAY + dt.timedelta(days=BEFORE)
    waits: list[float] = []
    errors: list[float] = []
    for _ in range(runs):
        alarm = first_alarm(simulated(kind, rng, BEFORE + AFTER, drop))
        if alarm and alarm[1] < began_on:
            continue  # a false one
        waits.append((alarm[1] - began_on).days + 1 if alarm else np.inf)
        if alarm:
            errors.append(abs((alarm[0] - began_on).days))
    noticed = float(np.isfinite(waits).mean())
    ninety = np.sort(waits)[int(np.ceil(0.9 * len(waits))) - 1]
    return noticed, float(np.median(waits)), float(ninety), float(np.median(errors or [np.nan]))


def report(years: int, seed: int) -> list[str]:
    """Prints both tables. Returns the promises that are not kept: more than one false alarm a year
    by more than two standard errors, or a drop of .1 that nine of ten times takes over two
    weeks."""
    problems = []
    print("\n| series | false alarms a year |\n|---|---|")
    for number, kind in enumerate(KINDS):
        rate = false_alarms(kind, years, seed + number)
        print(f"| {kind.name} | {rate:.2f} |", flush=True)
        if kind.promised and rate > 1 + 2 * (SERIES / years) ** 0.5:
            problems.append(f"monitor, {kind.name}: {rate:.2f} false alarms a year")
    print("\n| series | drop | noticed | days, median | nine of ten | beginning off by |")
    print("|---|---|---|---|---|---|")
    for number, kind in enumerate(kind for kind in KINDS if kind.delays):
        for drop in DROPS:
            share, median, ninety, off = delays(kind, drop, RUNS, seed + 100 + number)
            days = " | ".join(f"{d:.0f}" if np.isfinite(d) else "–" for d in (median, ninety, off))
            print(f"| {kind.name} | {drop:g} | {share:.0%} | {days} |", flush=True)
            if drop == max(DROPS) and "answers" not in kind.name and ninety > 14:
                problems.append(f"monitor, {kind.name}: a drop of {drop:g} takes {ninety:.0f} days")
    return problems


if __name__ == "__main__":
    sys.exit("Run benchmarks/coverage.py --monitor")
