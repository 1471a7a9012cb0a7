"""Sampling: how many answers of each stratum are drawn, which, and with which chance."""

import heapq
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

# With fewer a stratum has no variance of its own.
MIN_OF_STRATUM = 2


@dataclass(frozen=True, slots=True)
class Stratum:
    """Of one draw. chance: with which it picked an answer that no earlier draw had; labelled: the
    share of those picked whose label counts."""

    draw: int
    chance: float
    labelled: float


def chance_of_label(strata: Sequence[Stratum], draws: Collection[int]) -> float:
    """For an answer in these strata, in the order of their draws: the chance that one of `draws`
    picked it and that its label counts. A draw leaves out what earlier ones have picked."""
    left, chance = 1.0, 0.0
    for stratum in strata:
        if stratum.draw in draws:
            chance += left * stratum.chance * stratum.labelled
        left *= 1 - stratum.chance
    return chance


@dataclass(frozen=True, slots=True)
class Cell:
    """Answers in the same strata. answers: how many the result is to speak of; labels: of these,
    by the draw that picked them."""

    strata: tuple[Stratum, ...]
    answers: int
    labels: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Thinning:
    """draws: whose labels count; chances: of each cell to have one, 0 for cells that are left out;
    rate: the smallest of the others. A label that is kept with a chance of `rate` by its cell's
    makes a sample in which every answer had one chance."""

    draws: frozenset[int]
    chances: tuple[float, ...]
    rate: float

    def keeps(self, place: int) -> float:
        """The chance, 0 to 1, with which labels of the cell at `place` are kept."""
        chance = self.chances[place]
        return min(self.rate / chance, 1) if chance else 0.0


def thin(cells: Sequence[Cell]) -> Thinning:
    """Gives all answers one chance and keeps the most labels.

    A draw that covers its answers thinly, such as one that is hardly labelled yet, would cost the
    others most of theirs, so it may be left out, with the answers that only it could have picked.
    Which are left out depends on how many labels there are, not on what they say.
    """
    draws = {stratum.draw for cell in cells for stratum in cell.strata}
    shares = {draw: _share(cells, draw) for draw in draws}
    best, most = Thinning(frozenset(), (0.0,) * len(cells), 0.0), -1.0
    densest = sorted(shares, key=lambda draw: (-shares[draw], draw))
    for size in range(1, len(densest) + 1):
        found = _thinned(cells, frozenset(densest[:size]))
        kept = sum(
            found.keeps(place) * sum(cell.labels.get(draw, 0) for draw in found.draws)
            for place, cell in enumerate(cells)
        )
        if kept >= most:
            best, most = found, kept
    return best


def _share(cells: Sequence[Cell], draw: int) -> float:
    """Of the answers that the draw could have picked, the share that has a label by it."""
    covered = [c for c in cells if any(stratum.draw == draw for stratum in c.strata)]
    labels = sum(c.labels.get(draw, 0) for c in covered)
    return labels / max(sum(c.answers for c in covered), 1)


def _thinned(cells: Sequence[Cell], draws: frozenset[int]) -> Thinning:
    chances = tuple(chance_of_label(cell.strata, draws) if cell.answers else 0.0 for cell in cells)
    return Thinning(draws, chances, min(filter(None, chances), default=0.0))


def allocate(available: Sequence[int], size: int) -> list[int]:
    """Divides `size` among strata with so many answers, at most all of each.

    In proportion to the square root of their sizes, at least MIN_OF_STRATUM each (power allocation
    with exponent one half, Bankier 1988): small strata get more than their share, so that a
    language that few use has an estimate too, at little cost for the whole.
    """
    given = [min(MIN_OF_STRATUM, count) for count in available]
    waiting = [
        (-sqrt(count) / (first + 1), place)
        for place, (count, first) in enumerate(zip(available, given, strict=True))
        if first < count
    ]
    heapq.heapify(waiting)
    for _ in range(size - sum(given)):
        if not waiting:
            break
        _, place = heapq.heappop(waiting)
        given[place] += 1
        if given[place] < available[place]:
            heapq.heappush(waiting, (-sqrt(available[place]) / (given[place] + 1), place))
    return given


def pick(
    available: Sequence[Sequence[uuid.UUID]], counts: Sequence[int], seed: int
) -> list[tuple[int, uuid.UUID]]:
    """Draws without replacement `counts[i]` of `available[i]`, all in one random order.

    Returns (i, id). Equal arguments give equal draws on the same release of NumPy. The order of
    all is random too, so that the first of them are a sample as well.
    """
    rng = np.random.default_rng(seed)
    picked = [
        (place, ids[at])
        for place, (ids, count) in enumerate(zip(available, counts, strict=True))
        for at in rng.permutation(len(ids))[:count]
    ]
    return [picked[at] for at in rng.permutation(len(picked))]
