"""Confidence intervals of means and tests between runs, by resampling.

Every function is seeded: equal input gives equal figures on the same release of NumPy.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import fmean
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.95
RESAMPLES = 2_000
PERMUTATIONS = 10_000
# Up to this many cases that differ, all 2 ** n ways to flip their signs are tried.
EXACT_CASES = 16
# Maximum number of drawn values in memory.
_CHUNK = 1_000_000

Number = TypeVar("Number", int, float, Decimal)
Floats: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Interval:
    """A percentile interval: between `low` and `high` lie 95 % of the resampled figures."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and the 95 % bootstrap interval around it; None where there is none."""

    value: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The difference of the second of two runs from the first on the same cases.

    difference: mean of after - before; interval: of that mean, None with fewer than two cases;
    p_value: chance of a difference at least as large, in either direction, if the runs were
    alike; exact: all flips were tried, not a sample of them; cases: pairs; changed: pairs that
    differ.
    """

    difference: float
    interval: Interval | None
    p_value: float
    exact: bool
    cases: int
    changed: int

    def significant(self) -> bool:
        """Whether the difference would be rarer than 1 - CONFIDENCE by chance alone."""
        return self.p_value < 1 - CONFIDENCE


def sum_known(values: Iterable[Number | None]) -> Number | None:
    """The sum without those that are not known; None where none is."""
    known = [value for value in values if value is not None]
    return sum(known[1:], known[0]) if known else None


def mean_known(values: Iterable[float | None]) -> float | None:
    """The mean of those that are known."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def bootstrap_interval(
    values: Sequence[float], *, confidence: float = CONFIDENCE, seed: int = 0
) -> Interval | None:
    """Percentile bootstrap interval of the mean (Efron and Tibshirani 1993, chapter 13).

    None with fewer than two values, which say nothing of their spread.
    """
    data = np.asarray(values, dtype=np.float64)
    return bootstrap_statistic(
        len(data), lambda drawn: float(data[drawn].mean()), confidence=confidence, seed=seed
    )


def bootstrap_statistic(
    cases: int,
    statistic: Callable[[Indices], float],
    *,
    confidence: float = CONFIDENCE,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval | None:
    """Percentile bootstrap interval of any figure of `cases` cases.

    statistic: the figure of the cases with these indices, which are drawn with replacement; NaN
    where a draw has no such figure, and the draw is left out. None with fewer than two cases or
    when no draw has a figure.
    """
    if cases < 2:
        return None
    rng = np.random.default_rng(seed)
    figures = [statistic(rng.integers(0, cases, size=cases)) for _ in range(resamples)]
    return percentile_interval(figures, confidence)


def percentile_interval(
    figures: Sequence[float], confidence: float = CONFIDENCE
) -> Interval | None:
    """The interval between the outer quantiles of resampled figures, NaN left out."""
    known = np.asarray(figures, dtype=np.float64)
    known = known[~np.isnan(known)]
    if not known.size:
        return None
    outside = (1 - confidence) / 2
    low, high = np.quantile(known, [outside, 1 - outside])
    return Interval(float(low), float(high))


def paired_difference(
    before: Sequence[float], after: Sequence[float], *, permutations: int = PERMUTATIONS
) -> PairedDifference:
    """Compares two runs case by case. `before[i]` and `after[i]` are the same case.

    The p-value is that of Fisher's randomisation test in the form that Smucker, Allan and
    Carterette (2007) recommend for retrieval: were the runs alike, each difference could as well
    have the other sign. Exact for up to EXACT_CASES differences; else with (b + 1) / (m + 1), so
    that no sample of flips calls a difference impossible (Phipson and Smyth 2010).

    Raises ValueError without cases or when their numbers differ.
    """
    if len(before) != len(after) or not len(before):
        raise ValueError("a paired comparison needs the same cases on both sides")
    differences = [b - a for a, b in zip(before, after, strict=True)]
    observed = fmean(differences)
    changed = np.asarray([one for one in differences if one], dtype=np.float64)
    exact = len(changed) <= EXACT_CASES
    pairs = len(differences)
    # Without resampling where no pair differs.
    zero = Interval(0.0, 0.0) if pairs > 1 else None
    return PairedDifference(
        difference=observed,
        interval=bootstrap_interval(differences) if len(changed) else zero,
        p_value=_exact_p(changed) if exact else _sampled_p(changed, permutations),
        exact=exact,
        cases=pairs,
        changed=len(changed),
    )


def _exact_p(changed: Floats) -> float:
    sums = np.zeros(1)
    for one in changed:
        sums = np.concatenate([sums + one, sums - one])
    return float(_as_extreme(sums, changed).mean())


def _sampled_p(changed: Floats, permutations: int) -> float:
    extreme = sum(int(_as_extreme(sums, changed).sum()) for sums in _flipped(changed, permutations))
    return (extreme + 1) / (permutations + 1)


def _flipped(changed: Floats, permutations: int) -> Iterator[Floats]:
    """Sums of the differences with random signs, a chunk of permutations at a time."""
    rng = np.random.default_rng(0)
    rows = max(1, _CHUNK // len(changed))
    for start in range(0, permutations, rows):
        size = (min(rows, permutations - start), len(changed))
        signs = rng.integers(0, 2, size=size, dtype=np.int8)
        yield 2 * (signs @ changed) - changed.sum()


def _as_extreme(sums: Floats, changed: Floats) -> NDArray[np.bool_]:
    # Sums of the same numbers in another order differ in their last bits.
    tolerance = 1e-9 * np.abs(changed).sum()
    return np.asarray(np.abs(sums) >= abs(changed.sum()) - tolerance)


def holm(p_values: Sequence[float]) -> list[float]:
    """P values adjusted by the step-down procedure of Holm (1979), in the order given: below a
    level for any of them is by chance alone no more often than that level, whatever the tests
    have to do with each other. One p value stays as it is."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = largest
    return adjusted
