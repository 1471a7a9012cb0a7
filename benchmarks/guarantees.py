"""How often a guarantee of `searchqa policy calibrate` is broken, over workspaces whose truth is
known; a part of coverage.py.

Each kind of workspace is as hard as can be for the test: where the threshold is one too low,
precision is just below what is promised.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from app.quality.metrics.calibration import lowest_threshold
from app.quality.metrics.inclusion import Cell, Stratum, allocate, thin

Floats = NDArray[np.float64]
Rng = np.random.Generator

PRECISION, CONFIDENCE = 0.95, 0.9


@dataclass(frozen=True)
class Plan:
    """One draw. strata: of each answer, -1 where it is not in the frame; labelled: the share of
    what was drawn that has a label."""

    strata: NDArray[np.int64]
    size: int
    labelled: float = 1.0


@dataclass
class Highs:
    """Answers that the judge calls high, with the label that people would give, 1 or 0."""

    scores: Floats
    right: Floats
    plans: Sequence[Plan]
    # The draw that picked each answer with a label, -1 for the others.
    labelled_by: NDArray[np.int64] = field(init=False)
    strata: list[dict[int, Stratum]] = field(init=False)

    def draw(self, rng: Rng) -> None:
        drawn = np.zeros(len(self.scores), bool)
        self.labelled_by = np.full(len(self.scores), -1)
        self.strata = []
        for number, plan in enumerate(self.plans):
            free = [
                np.flatnonzero((plan.strata == name) & ~drawn)
                for name in range(int(plan.strata.max()) + 1)
            ]
            counts = allocate([len(each) for each in free], plan.size)
            of_draw = {}
            for name, (ids, size) in enumerate(zip(free, counts, strict=True)):
                picked = rng.permutation(ids)[:size]
                drawn[picked] = True
                labels = picked[rng.random(size) < plan.labelled]
                self.labelled_by[labels] = number
                of_draw[name] = Stratum(number, size / max(len(ids), 1), len(labels) / max(size, 1))
            self.strata.append(of_draw)

    def cells(self) -> tuple[list[Cell], NDArray[np.int64]]:
        """The cells, and to which each answer belongs."""
        names, places = np.unique(
            np.stack([plan.strata for plan in self.plans], axis=1), axis=0, return_inverse=True
        )
        places = places.reshape(-1)
        cells = []
        for place, name in enumerate(names.tolist()):
            strata = tuple(self.strata[draw][one] for draw, one in enumerate(name) if one >= 0)
            by = self.labelled_by[places == place]
            labels = {draw: int((by == draw).sum()) for draw in range(len(self.plans))}
            cells.append(Cell(strata, int((places == place).sum()), labels))
        return cells, places


@dataclass(frozen=True)
class Outcome:
    """truth: the precision of what stays high, None without a guarantee. covered: it is of answers
    that the guarantee speaks of. stays: the share of highs that stays. kept: the share of labels
    that thinning keeps."""

    truth: float | None
    stays: float
    kept: float


def calibrate(highs: Highs, rng: Rng, *, thinned: bool = True) -> Outcome:
    """As app.quality.review.calibrating does it. thinned: False takes all labels as they are."""
    cells, places = highs.cells()
    found = thin(cells)
    keeps = np.array([found.keeps(place) for place in range(len(cells))])
    labelled = highs.labelled_by >= 0
    usable = labelled & np.isin(highs.labelled_by, list(found.draws))
    used = usable & (rng.random(len(places)) < keeps[places]) if thinned else labelled
    scores = np.sort(highs.scores)[::-1]
    candidates = [float(part[-1]) for part in np.array_split(scores, 20)]
    guarantee = lowest_threshold(
        highs.scores[used],
        highs.right[used],
        candidates,
        precision=PRECISION,
        confidence=CONFIDENCE,
    )
    kept = float(used.sum() / max(labelled.sum(), 1))
    if not guarantee.threshold:
        return Outcome(None, 0.0, kept)
    covered = (keeps[places] > 0) | (not thinned)
    stays = covered & (highs.scores >= guarantee.threshold.score)
    return Outcome(float(highs.right[stays].mean()), float(stays.sum() / covered.sum()), kept)


def _evenly(answers: int, precision: float) -> Floats:
    """Labels of answers whose scores fall, of which a share `precision` is right, and never more of
    the first of them, however many."""
    wrong = np.floor(np.arange(1, answers + 1) * (1 - precision) + 1 - 1e-9)
    steps: Floats = np.diff(wrong, prepend=0).clip(0, 1)
    return 1 - steps


def _falling(rng: Rng, answers: int) -> Floats:
    return np.sort(rng.random(answers))[::-1]


def _one_draw(answers: int, size: int) -> list[Plan]:
    return [Plan(np.zeros(answers, np.int64), size)]


def _flat(rng: Rng, labels: int, precision: float) -> Highs:
    """The score says nothing; every threshold is wrong."""
    answers = 2_000
    right = _evenly(answers, precision)
    return Highs(_falling(rng, answers), right, _one_draw(answers, labels))


def _slope(rng: Rng, labels: int) -> Highs:
    """Precision rises with the score from .88 to 1 and is that promised from the middle on."""
    scores = rng.random(2_000)
    right = (rng.random(2_000) < 0.88 + 0.12 * scores).astype(np.float64)
    return Highs(scores, right, _one_draw(2_000, labels))


def _few_scores(rng: Rng, labels: int) -> Highs:
    """As models do it: .8, .85, .9, .95 and 1, and only the upper two good enough."""
    scores = rng.choice([0.8, 0.85, 0.9, 0.95, 1.0], 2_000, p=[0.1, 0.15, 0.3, 0.3, 0.15])
    right = (rng.random(2_000) < np.interp(scores, [0.8, 1], [0.87, 0.99])).astype(np.float64)
    return Highs(scores, right, _one_draw(2_000, labels))


def _upside_down(rng: Rng, labels: int) -> Highs:
    """The highest scores are the worst; all together are just not good enough."""
    right = np.concatenate([_evenly(1_000, share) for share in (0.93, 0.968)])
    return Highs(_falling(rng, 2_000), right, _one_draw(2_000, labels))


def _by_language(rng: Rng, labels: int) -> Highs:
    """Drawn by language, a tenth of the answers English, which gets more than its share of labels
    and which the judge judges better: all together are just not good enough."""
    lang = np.repeat([0, 1], [1_800, 200])
    right = np.concatenate([_evenly(1_800, 0.9435), np.ones(200)])
    scores = np.concatenate([_falling(rng, 1_800), _falling(rng, 200)])
    return Highs(scores, right, [Plan(lang, labels)])


def _by_notebook(rng: Rng, labels: int) -> Highs:
    """Drawn by notebook: one large one that the judge judges badly, and ten small ones."""
    notebook = np.concatenate([np.zeros(1_000, np.int64), np.repeat(range(1, 11), 100)])
    right = np.concatenate([_evenly(1_000, 0.898), np.ones(1_000)])
    scores = np.concatenate([_falling(rng, 1_000), _falling(rng, 1_000)])
    return Highs(scores, right, [Plan(notebook, labels)])


def _drift(rng: Rng, labels: int) -> Highs:
    """Precision falls over four weeks; a draw from weeks 1 to 3 and one of as many from 2 to 4."""
    week = np.repeat(range(4), 500)
    right = np.concatenate([_evenly(500, p) for p in (0.99, 0.97, 0.94, 0.897)])
    scores = np.concatenate([_falling(rng, 500) for _ in range(4)])
    first, second = np.where(week <= 2, 0, -1), np.where(week >= 1, 0, -1)
    return Highs(scores, right, [Plan(first, labels), Plan(second, labels)])


def _begun(rng: Rng, labels: int) -> Highs:
    """As flat, and a second draw of other answers of which one in twenty is labelled yet."""
    old = np.repeat([True, False], 1_500)
    plans = [Plan(np.where(old, 0, -1), labels), Plan(np.where(old, -1, 0), labels, labelled=0.05)]
    right = np.tile(_evenly(1_500, 0.949), 2)
    scores = np.concatenate([_falling(rng, 1_500) for _ in range(2)])
    return Highs(scores, right, plans)


SCENARIOS: Mapping[str, Callable[[Rng], Highs]] = {
    "scores say nothing, 94.9 % right": lambda rng: _flat(rng, 300, 0.949),
    "… with 60 labels": lambda rng: _flat(rng, 60, 0.949),
    "better with the score": lambda rng: _slope(rng, 300),
    "five scores only": lambda rng: _few_scores(rng, 300),
    "highest scores are worst": lambda rng: _upside_down(rng, 300),
    "stratified by language": lambda rng: _by_language(rng, 300),
    "stratified by notebook": lambda rng: _by_notebook(rng, 300),
    "drift, two draws": lambda rng: _drift(rng, 150),
    "second draw hardly labelled": lambda rng: _begun(rng, 200),
    "good judge, 98 % right": lambda rng: _flat(rng, 200, 0.98),
    "very good judge, 99 % right": lambda rng: _flat(rng, 200, 0.99),
}


@dataclass(frozen=True)
class GuaranteeFigures:
    """Shares of the workspaces: broken, and so where labels are not thinned; found: got a
    guarantee. stays: mean share of highs that stays where one was found; kept: of labels."""

    name: str
    broken: float
    unthinned: float
    found: float
    stays: float
    kept: float

    @property
    def holds(self) -> bool:
        # Three standard errors of a simulation of 2,000.
        return self.broken <= 1 - CONFIDENCE + 0.02


def measure(name: str, workspaces: int, seed: int) -> GuaranteeFigures:
    rng = np.random.default_rng(seed)
    found, plain = [], []
    for _ in range(workspaces):
        highs = SCENARIOS[name](rng)
        highs.draw(rng)
        found.append(calibrate(highs, rng))
        plain.append(calibrate(highs, rng, thinned=False))
    return GuaranteeFigures(
        name,
        _broken(found),
        _broken(plain),
        float(np.mean([one.truth is not None for one in found])),
        float(np.mean([one.stays for one in found if one.truth is not None] or [0])),
        float(np.mean([one.kept for one in found])),
    )


def _broken(outcomes: Sequence[Outcome]) -> float:
    return float(np.mean([one.truth is not None and one.truth < PRECISION for one in outcomes]))


def table(workspaces: int, seed: int) -> list[GuaranteeFigures]:
    """Measures all kinds and prints a row of each."""
    print("\n| workspaces | broken | broken without thinning | found | stays high | labels kept |")
    print("|---|---|---|---|---|---|")
    figures = []
    for number, name in enumerate(SCENARIOS):
        one = measure(name, workspaces, seed + number)
        shares = (one.broken, one.unthinned, one.found, one.stays, one.kept)
        print(f"| {name} | {' | '.join(f'{share:.1%}' for share in shares)} |", flush=True)
        figures.append(one)
    return figures
