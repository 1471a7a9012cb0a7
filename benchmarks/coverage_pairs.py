"""Do comparisons hold what they promise: of two weeks by true-quality, of two judges by a bench?

    .venv/bin/python benchmarks/coverage_pairs.py [--workspaces 2000]

As coverage.py, over simulated workspaces whose truth is known. Exits with 1 where more than 6 % of
those without a change, or of judges that are equally good, are said to differ, or where an interval
covers less than 93 %.
"""

import argparse
import sys
from dataclasses import dataclass

import numpy as np
from coverage import Floats, Rng, Workspace
from numpy.typing import NDArray

from app.quality.metrics.judge import paired_cell, paired_shares
from app.quality.metrics.ppi import difference, estimate

ANSWERS = 1_000
LABELS = 200
QUALITY = 0.8
# Of the workspaces without a difference, at most so many may be said to have one.
MAX_FALSE = 0.06
MIN_COVERED = 0.93


@dataclass(frozen=True)
class Weeks:
    """Two weeks of ANSWERS each. drop: by which the share of right answers is lower in the second;
    kinder: share of what is wrong that the judge calls right in the second only; another: the
    second is scored by another judge; stratified: drawn by what the judge says; draws: one for
    each week, else one from both."""

    name: str
    drop: float = 0.0
    quality: float = QUALITY
    accuracy: float = 0.7
    kinder: float = 0.0
    another: bool = False
    stratified: bool = False
    by_week: bool = False
    labels: int = LABELS

    def make(self, rng: Rng) -> tuple[Workspace, Workspace]:
        week = np.repeat([0, 1], ANSWERS)
        share = self.quality - self.drop * week
        y = (rng.random(len(week)) < share).astype(np.float64)
        f = np.where(rng.random(len(week)) < self.accuracy, y, rng.random(len(week)) < share)
        f = np.clip(0.2 + 0.6 * f + rng.normal(0, 0.1, len(week)), 0, 1)
        f = np.where((week == 1) & (y == 0) & (rng.random(len(week)) < self.kinder), 0.85, f)
        if self.another:
            strict = np.clip(0.1 + 0.3 * y + rng.normal(0, 0.2, len(week)), 0, 1)
            f = np.where(week == 1, strict, f)
        chance = np.digitize(f, [0.5, 0.8]) if self.stratified else np.zeros(len(week), np.int64)
        if self.by_week:
            chance = chance + 3 * week
        drawn = np.zeros(len(week), bool)
        cells = np.unique(chance)
        for cell in cells:
            of_cell = rng.permutation(np.flatnonzero(chance == cell))
            drawn[of_cell[: self.labels // len(cells)]] = True
        first, second = (Workspace(y, f, chance, drawn, week == number) for number in (0, 1))
        return first, second


WEEKS = [
    Weeks("nothing changed"),
    Weeks("the judge got kinder", kinder=0.5),
    Weeks("another judge", another=True),
    Weeks("a useless judge got kinder", accuracy=0.0, kinder=0.5),
    Weeks("95 of 100 right, kinder judge", quality=0.95, kinder=0.5),
    Weeks("stratified, 300 labels, kinder judge", stratified=True, kinder=0.5, labels=300),
    Weeks("a draw each week, kinder judge", by_week=True, kinder=0.5),
    Weeks("100 labels in all, kinder judge", labels=100, kinder=0.5),
    Weeks("10 of 100 fewer right", drop=0.1),
    Weeks("… and the judge got kinder", drop=0.1, kinder=0.5),
    Weeks("… and another judge", drop=0.1, another=True),
    Weeks("20 of 100 fewer right, kinder judge", drop=0.2, kinder=0.5),
]


def means_differ(first: Floats, second: Floats) -> bool:
    """What a chart of the judge's means with the usual test would say."""
    error = (first.var() / len(first) + second.var() / len(second)) ** 0.5
    return bool(abs(second.mean() - first.mean()) > 1.96 * error)


def weeks(scenario: Weeks, workspaces: int, rng: Rng) -> list[str]:
    """Prints a row. Returns the promises that are not kept."""

    def change(pair: tuple[Workspace, Workspace], power: float | None) -> tuple[bool, bool]:
        before, after = (estimate(one.cells(), power=power) for one in pair)
        found = difference(before, after)
        covered = found.interval.low <= -scenario.drop <= found.interval.high
        return found.p_value < 0.05, covered

    rows = []
    for _ in range(workspaces):
        pair = scenario.make(rng)
        raw = means_differ(*(one.scores[one.wanted] for one in pair))
        rows.append((*change(pair, None), *change(pair, 0.0), raw))
    found, covered, plain, _, raw = np.array(rows).mean(axis=0)
    shares = f"{found:.1%} | {plain:.1%} | {raw:.1%} | {covered:.1%}"
    print(f"| {scenario.name} | {shares} |", flush=True)
    return _broken(scenario.name, 0.0 if scenario.drop else found, covered)


@dataclass(frozen=True)
class Judges:
    """Two judges that are right on a share `agreement` of the answers, the second on `better` more.
    alike: share of answers on which the second says what the first says."""

    name: str
    better: float = 0.0
    agreement: float = 0.8
    alike: float = 0.5
    stratified: bool = False
    labels: int = LABELS

    def make(self, rng: Rng) -> tuple[Floats, Floats, NDArray[np.int64], NDArray[np.bool_]]:
        """Whether each agrees with people, the cell of each answer, and which were drawn."""
        answers = 4 * ANSWERS
        minor = rng.random(answers) < 0.15
        # Where the answers are harder both are worse.
        base = np.where(minor, self.agreement - 0.2, self.agreement + 0.2 * 0.15 / 0.85)
        first = rng.random(answers) < base
        rest = rng.random(answers) < base
        second = np.where(rng.random(answers) < self.alike, first, rest)
        # Of what the second has wrong so many become right that its share rises by `better`.
        second |= ~second & (rng.random(answers) < self.better / (1 - base))
        cells = minor.astype(np.int64) if self.stratified else np.zeros(answers, np.int64)
        drawn = np.zeros(answers, bool)
        sizes = (self.labels // 2, self.labels // 2) if self.stratified else (self.labels,)
        for cell, size in enumerate(sizes):
            drawn[rng.permutation(np.flatnonzero(cells == cell))[:size]] = True
        return first.astype(np.float64), second.astype(np.float64), cells, drawn


JUDGES = [
    Judges("equally good"),
    Judges("equally good, nearly alike", alike=0.95),
    Judges("equally good, 95 of 100", agreement=0.93),
    Judges("equally good, stratified", stratified=True),
    Judges("equally good, 40 labels", labels=40),
    Judges("5 of 100 better", better=0.05),
    Judges("10 of 100 better", better=0.1),
    Judges("10 of 100 better, nearly alike", better=0.1, alike=0.95),
    Judges("10 of 100 better, stratified", better=0.1, stratified=True),
    Judges("10 of 100 better, 1,000 labels", better=0.1, labels=1_000),
]


def judges(scenario: Judges, workspaces: int, rng: Rng) -> list[str]:
    """Prints a row. Returns the promises that are not kept."""
    rows = []
    for _ in range(workspaces):
        first, second, cells, drawn = scenario.make(rng)
        found = paired_shares(
            [
                paired_cell(
                    *(agrees[drawn & (cells == cell)].tolist() for agrees in (first, second)),
                    answers=int((cells == cell).sum()),
                    labels=int((drawn & (cells == cell)).sum()),
                )
                for cell in np.unique(cells)
            ]
        )
        assert found.interval
        covered = found.interval.low <= scenario.better <= found.interval.high
        rows.append((found.is_significant, found.is_significant and found.difference > 0, covered))
    told, rightly, covered = np.array(rows).mean(axis=0)
    won = f"{rightly:.1%}" if scenario.better else "–"
    wrong = told - rightly if scenario.better else told
    print(f"| {scenario.name} | {wrong:.1%} | {won} | {covered:.1%} |", flush=True)
    return _broken(scenario.name, wrong, covered)


def _broken(name: str, false: float, covered: float) -> list[str]:
    told = [f"{name}: {false:.1%} falsely differ"] if false > MAX_FALSE else []
    return told + ([f"{name}: covers {covered:.1%}"] if covered < MIN_COVERED else [])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--workspaces", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    problems = []
    print("| two weeks | p < .05 | labels only | judge's means | interval covers |")
    print("|---|---|---|---|---|")
    for number, of_weeks in enumerate(WEEKS):
        rng = np.random.default_rng([options.seed, 0, number])
        problems += weeks(of_weeks, options.workspaces, rng)
    print("\n| two judges | wrong winner | right winner | interval covers |")
    print("|---|---|---|---|")
    for number, of_judges in enumerate(JUDGES):
        rng = np.random.default_rng([options.seed, 1, number])
        problems += judges(of_judges, options.workspaces, rng)
    for problem in problems:
        print(f"not kept: {problem}", file=sys.stderr)
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
