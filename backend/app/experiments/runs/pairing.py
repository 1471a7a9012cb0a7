"""The same cases of several runs side by side, and the figures of them that can be compared."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.experiments.runs.likeness import (
    ANSWER_MEANS,
    COMPARED,
    Measured,
    NotCompared,
    incomparable,
    not_compared,
)
from app.experiments.runs.models import EvalResult

Pair = tuple[EvalResult, EvalResult]


@dataclass(frozen=True, slots=True)
class Aligned:
    """Two runs with the cases that both have. fields: what can be compared, the name of a mean to
    the figure of a case that it is taken over."""

    pairs: Sequence[Pair]
    fields: Mapping[str, str]
    unlike: Sequence[NotCompared]


def align(first: Measured, second: Measured) -> Aligned:
    """Raises Conflict for runs that are so unlike that no figure of any case can be compared."""
    unlike = not_compared(first, second)
    refused = {name for each in unlike for name in each.names}
    fields = {name: field for name, field in COMPARED.items() if name not in refused}
    pairs = [(a, b) for a, b in side_by_side([first.results, second.results])]
    if unlike and not any(both(pair, field) for pair in pairs for field in fields.values()):
        raise incomparable(unlike, first.run, second.run)
    return Aligned(pairs, fields, unlike)


def side_by_side(runs: Sequence[Sequence[EvalResult]]) -> list[tuple[EvalResult, ...]]:
    """The cases that all runs have, in the order of the first; in each tuple one of every run.

    Cases are the same where their questions are. A question that a dataset has more than once is
    matched by its ground truth.
    """
    keyed = [_keyed(results) for results in runs]
    return [
        tuple(each[key] for each in keyed) for key in keyed[0] if all(key in each for each in keyed)
    ]


def _keyed(results: Sequence[EvalResult]) -> dict[tuple[str, int], EvalResult]:
    """In the order given, by question and the number of the case among those that ask it, by
    ground truth."""
    asked: Counter[str] = Counter()
    numbers = {}
    for each in sorted(results, key=lambda one: sorted(one.ground_truth_chunk_ids)):
        numbers[each.position] = asked[each.question]
        asked[each.question] += 1
    return {(each.question, numbers[each.position]): each for each in results}


def figure(result: EvalResult, field: str) -> float | None:
    """A figure of a case; None where it was not measured. A reply of the judge that could not be
    read is stored as 0.0, which says nothing of the answer."""
    if field in ANSWER_MEANS.values() and getattr(result, f"{field}_parsed") is False:
        return None
    value = getattr(result, field)
    return None if value is None else float(value)


def is_unread(result: EvalResult, field: str) -> bool:
    """Whether the judge was asked for this figure, and its reply could not be read."""
    return getattr(result, field) is not None and figure(result, field) is None


def both(pair: Pair, field: str) -> tuple[float, float] | None:
    """A figure in either run; None where one of them has none."""
    first, second = figure(pair[0], field), figure(pair[1], field)
    return None if first is None or second is None else (first, second)
