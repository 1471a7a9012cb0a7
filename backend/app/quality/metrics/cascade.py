"""Thresholds for a cascade of judges: from which scores each may decide alone, so that hardly an
answer gets a worse verdict than the last judge would give.

A verdict is worse where the last judge agrees with the label and the cascade does not; the last
judge's own mistakes are not set off against those. That makes the count binomial, so that the bound
on its share is exact, and it counts every high on a wrong answer that the last judge would not have
called high.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from app.quality.metrics.calibration import Threshold
from app.quality.metrics.statistics import Floats

Flags = NDArray[np.bool_]
# A threshold is moved by a tenth of the verdicts of its side at a time.
NOTCHES = 10
# The share of the labels by which the order of the tests is found; the others test.
LEARN_SHARE = 1 / 3


@dataclass(frozen=True, slots=True)
class JudgedSample:
    """Labelled answers with what each judge of a cascade said, a row for each judge, the last judge
    last. right: whether people call an answer right. scores: 0 to 1. high, low: the confidence of
    the verdict; neither is set where the judge had none. costs: US dollars for an answer, by judge.
    """

    right: Flags
    scores: Floats
    high: Flags
    low: Flags
    costs: tuple[float, ...]

    @property
    def size(self) -> int:
        return len(self.right)

    def part(self, places: NDArray[np.int64]) -> "JudgedSample":
        """The answers at these places."""
        return replace(
            self,
            right=self.right[places],
            scores=self.scores[:, places],
            high=self.high[:, places],
            low=self.low[:, places],
        )


@dataclass(frozen=True, slots=True)
class Cut:
    """The thresholds of one step: sure up to `low`, and from `high` on; None for a side on which it
    never is."""

    low: float | None = None
    high: float | None = None

    @property
    def decides(self) -> bool:
        return self.low is not None or self.high is not None


Cuts = tuple[Cut, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """The outcome of a cascade with these cuts on labelled answers. decided: by each step but
    the last; worse, better: than the last judge alone, by the label; false_highs: wrong answers
    that it calls high, new_false_highs: of those the ones that the last judge does not. cost: US
    dollars for an answer."""

    cuts: Cuts
    labels: int
    decided: tuple[int, ...]
    agreeing: int
    worse: int
    better: int
    false_highs: int
    new_false_highs: int
    cost: float

    def _test(self) -> Threshold:
        return Threshold(0, self.labels, self.labels - self.worse)

    def passes(self, max_loss: float, confidence: float) -> bool:
        """The exact binomial test that less than a share `max_loss` of answers gets a worse
        verdict."""
        return self._test().passes(1 - max_loss, confidence)

    def bound(self, confidence: float) -> float:
        """The share of answers with a worse verdict is below it with this confidence (Clopper,
        Pearson 1934)."""
        return 1 - self._test().bound(confidence)


def play(sample: JudgedSample, cuts: Cuts, check: float = 0.0) -> Played:
    """check: the share of sure verdicts that the last judge is asked about all the same; it counts
    in the cost alone."""
    open_ = np.ones(sample.size, dtype=bool)
    says_high = sample.high[-1].copy()
    decided, spent = [], 0.0
    for step, cut in enumerate(cuts):
        if not cut.decides:
            decided.append(0)
            continue
        spent += float(open_.sum()) * sample.costs[step]
        lows, highs = _sure(sample, step, cut)
        sure = open_ & (lows | highs)
        says_high = np.where(sure, highs, says_high)
        open_ &= ~sure
        decided.append(int(sure.sum()))
    spent += (float(open_.sum()) + check * sum(decided)) * sample.costs[-1]
    alone = sample.high[-1] == sample.right
    agrees = says_high == sample.right
    false = says_high & ~sample.right
    return Played(
        cuts,
        labels=sample.size,
        decided=tuple(decided),
        agreeing=int(agrees.sum()),
        worse=int((alone & ~agrees).sum()),
        better=int((agrees & ~alone).sum()),
        false_highs=int(false.sum()),
        new_false_highs=int((false & ~sample.high[-1]).sum()),
        cost=spent / max(sample.size, 1),
    )


def _sure(sample: JudgedSample, step: int, cut: Cut) -> tuple[Flags, Flags]:
    none = np.zeros(sample.size, dtype=bool)
    scores = sample.scores[step]
    lows = none if cut.low is None else sample.low[step] & (scores <= cut.low)
    highs = none if cut.high is None else sample.high[step] & (scores >= cut.high)
    return lows, highs


@dataclass(frozen=True, slots=True)
class CascadeSearch:
    """alone: the last judge without a cascade; tested: in the order of the tests, up to the first
    that was not passed; passed: how many were; chosen: the cheapest of those, None where none is
    cheaper than the last judge alone."""

    alone: Played
    tested: list[Played]
    passed: int
    chosen: Played | None


def search_cuts(
    learn: JudgedSample, test: JudgedSample, *, max_loss: float, confidence: float, check: float
) -> CascadeSearch:
    """The cheapest cuts of which the labels show that less than a share `max_loss` of all answers
    gets a worse verdict.

    Which cuts are tested, and in which order, is decided by the labels of `learn` alone; the labels
    of `test` then test one after the other by the exact binomial test until one is not passed. In
    an order that is fixed before, no test costs another its level, and all that passed may be
    chosen from: what is returned breaks the promise with a chance of at most 1 - confidence ("split
    fixed sequence testing": Angelopoulos, Bates, Candès, Jordan, Lei 2021, "Learn then test").
    """
    tested, passed = [], 0
    for cuts in _order(learn, max_loss, check):
        one = play(test, cuts, check)
        tested.append(one)
        if not one.passes(max_loss, confidence):
            break
        passed += 1
    alone = play(test, tuple(Cut() for _ in test.costs[1:]))
    chosen = min(tested[:passed], key=lambda one: one.cost, default=None)
    if chosen is not None and chosen.cost >= alone.cost:
        chosen = None
    return CascadeSearch(alone, tested, passed, chosen)


def _order(learn: JudgedSample, max_loss: float, check: float) -> list[Cuts]:
    """Of every choice of steps the path from strict to loose; that one which is the cheapest by the
    time it has used up the loss."""
    steps = range(len(learn.costs) - 1)
    choices = [chosen for size in steps for chosen in combinations(steps, size + 1)]
    paths = [list(_path(learn, chosen, check)) for chosen in choices]

    def least_cost(path: list[Played]) -> float:
        within = [one.cost for one in path if one.worse <= max_loss * learn.size]
        return min(within, default=float("inf"))

    return [one.cuts for one in min(paths, key=least_cost, default=[])]


def _path(learn: JudgedSample, steps: Sequence[int], check: float) -> Iterator[Played]:
    """Each time moves the one threshold that makes the fewest verdicts worse, of those the one that
    saves the most, until none can be moved."""
    notches = {(step, side): _notches(learn, step, side) for step in steps for side in (0, 1)}
    taken = dict.fromkeys(notches, 0)
    while True:
        ahead = []
        for edge in notches:
            if taken[edge] < len(notches[edge]):
                moved = taken | {edge: taken[edge] + 1}
                ahead.append((play(learn, _cuts(learn, notches, moved), check), edge))
        if not ahead:
            return
        best, edge = min(ahead, key=lambda one: (one[0].worse, one[0].cost))
        taken[edge] += 1
        yield best


def _notches(learn: JudgedSample, step: int, side: int) -> list[float]:
    """Thresholds of one side, from strict to loose, of about as many verdicts each."""
    verdicts = learn.high[step] if side else learn.low[step]
    scores = np.sort(learn.scores[step][verdicts])
    if side:
        scores = scores[::-1]
    ends = [max(1, round(len(scores) * n / NOTCHES)) - 1 for n in range(1, NOTCHES + 1)]
    return list(dict.fromkeys(float(scores[end]) for end in ends if end < len(scores)))


def _cuts(
    learn: JudgedSample,
    notches: dict[tuple[int, int], list[float]],
    taken: dict[tuple[int, int], int],
) -> Cuts:
    def threshold(step: int, side: int) -> float | None:
        moved = taken.get((step, side), 0)
        return notches[step, side][moved - 1] if moved else None

    steps = range(len(learn.costs) - 1)
    return tuple(Cut(threshold(step, 0), threshold(step, 1)) for step in steps)
