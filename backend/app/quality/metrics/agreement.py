"""How far two raters agree beyond chance, and how far two sets of marked text overlap."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from app.quality.metrics.statistics import Floats

Weights: TypeAlias = Literal["linear", "quadratic"]
Span: TypeAlias = tuple[int, int]


def weighted_kappa(
    pairs: Sequence[tuple[int, int]], categories: int, weights: Weights = "quadratic"
) -> float | None:
    """Cohen's weighted kappa (1968): 1 for full agreement, 0 for what chance gives, below for
    less.

    pairs: the two raters' categories, 0 to categories - 1 in their order. Disagreement weighs
    |i - j| (linear) or its square. None without pairs, and when both raters used one and the same
    category only, where chance leaves nothing to agree on. Raises ValueError for a category
    outside of the range.
    """
    if any(not 0 <= one < categories for pair in pairs for one in pair):
        raise ValueError(f"categories are 0 to {categories - 1}")
    table = np.zeros((categories, categories))
    for first, second in pairs:
        table[first, second] += 1
    kappa = kappa_of(table, weights)
    return None if np.isnan(kappa) else kappa


def kappa_of(table: Floats, weights: Weights = "quadratic") -> float:
    """`weighted_kappa` of a square table of counts; NaN instead of None."""
    rows, columns = np.indices(table.shape)
    distance = np.abs(rows - columns).astype(np.float64)
    if weights == "quadratic":
        distance **= 2
    by_chance = np.outer(table.sum(axis=1), table.sum(axis=0))
    expected = float((distance * by_chance).sum())
    if not expected:
        return float("nan")
    return 1 - float((distance * table).sum()) * float(table.sum()) / expected


@dataclass(frozen=True, slots=True)
class SpanOverlap:
    """Characters that people and a judge marked, over `answers` that both marked.

    As in RAGTruth (Niu et al. 2024), where a character counts once however often it is marked.
    precision: of what the judge marked, the share that people marked too; recall: the reverse;
    f1: twice the common part over the sum of both. None where the denominator is 0.
    """

    answers: int
    precision: float | None
    recall: float | None
    f1: float | None


def span_overlap(answers: Iterable[tuple[Iterable[Span], Iterable[Span]]]) -> SpanOverlap:
    """The overlap of (human, judge) spans, each (start, end) in characters, end excluded."""
    human = judge = both = count = 0
    for by_people, by_judge in answers:
        expected, marked = _characters(by_people), _characters(by_judge)
        human += len(expected)
        judge += len(marked)
        both += len(expected & marked)
        count += 1
    marked_by_any = human + judge
    return SpanOverlap(
        answers=count,
        precision=both / judge if judge else None,
        recall=both / human if human else None,
        f1=2 * both / marked_by_any if marked_by_any else None,
    )


def _characters(spans: Iterable[Span]) -> set[int]:
    return {place for start, end in spans for place in range(start, end)}
