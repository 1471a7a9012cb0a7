"""How many answers of each stratum to draw, and which. No I/O."""

import heapq
import uuid
from collections.abc import Sequence
from math import sqrt

import numpy as np

# With fewer a stratum has no variance of its own.
MIN_OF_STRATUM = 2


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
