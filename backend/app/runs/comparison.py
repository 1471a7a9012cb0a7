"""Two runs over the same questions, side by side."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from app.metrics.statistics import mean_known, paired_difference, sum_known
from app.runs.evaluation_type import Retrieval
from app.runs.models import EvalResult

# Names of means and the figures of a case they are taken over.
COMPARED: Mapping[str, str] = {
    "precision_at_k": "precision",
    "recall_at_k": "recall",
    "hit_rate_at_k": "hit",
    "mrr": "reciprocal_rank",
    "map": "average_precision",
    "ndcg_at_k": "ndcg",
    "mean_faithfulness": "faithfulness",
    "mean_answer_relevancy": "answer_relevancy",
}
# From here on an answer counts as good, and a case that crosses the line has flipped.
GOOD = 0.5


class Difference(BaseModel):
    """The second mean minus the first over the cases that both runs measured, with its 95 %
    interval and the p value of a paired permutation test; both null with too few cases."""

    name: str
    cases: int
    first: float
    second: float
    difference: float
    low: float | None
    high: float | None
    p_value: float | None
    significant: bool


class Flipped(BaseModel):
    """A case that was good in one run and not in the other."""

    question: str
    name: str
    first: float
    second: float


class Comparison(BaseModel):
    """`only_first`, `only_second`: questions that the other run did not have."""

    first_id: uuid.UUID
    second_id: uuid.UUID
    first_retrieval: Retrieval
    second_retrieval: Retrieval
    differences: list[Difference]
    flipped: list[Flipped]
    only_first: int
    only_second: int
    first_cost_usd: float | None
    second_cost_usd: float | None
    first_latency_ms: float | None
    second_latency_ms: float | None


Pairs = Sequence[tuple[EvalResult, EvalResult]]


def compare_results(
    first_run: Mapping[str, Any],
    second_run: Mapping[str, Any],
    first: Sequence[EvalResult],
    second: Sequence[EvalResult],
) -> Comparison:
    """Cases are matched by their questions, so that versions of a dataset can be compared."""
    by_question = {result.question: result for result in second}
    pairs = [(a, by_question[a.question]) for a in first if a.question in by_question]
    return Comparison(
        first_id=first_run["id"],
        second_id=second_run["id"],
        first_retrieval=first_run["retrieval"],
        second_retrieval=second_run["retrieval"],
        differences=[
            found for name, field in COMPARED.items() if (found := _difference(name, field, pairs))
        ],
        flipped=[
            flip
            for name in ("recall_at_k", "mean_faithfulness", "mean_answer_relevancy")
            for flip in _flipped(name, COMPARED[name], pairs)
        ],
        only_first=len(first) - len(pairs),
        only_second=len(second) - len(pairs),
        first_cost_usd=_cost(first),
        second_cost_usd=_cost(second),
        first_latency_ms=mean_known(each.latency_ms for each in first),
        second_latency_ms=mean_known(each.latency_ms for each in second),
    )


def _both(field: str, pairs: Pairs) -> list[tuple[float, float]]:
    values = ((getattr(a, field), getattr(b, field)) for a, b in pairs)
    return [(float(a), float(b)) for a, b in values if a is not None and b is not None]


def _difference(name: str, field: str, pairs: Pairs) -> Difference | None:
    both = _both(field, pairs)
    if not both:
        return None
    first, second = [a for a, _ in both], [b for _, b in both]
    paired = paired_difference(first, second)
    interval = paired.interval
    return Difference(
        name=name,
        cases=len(both),
        first=sum(first) / len(first),
        second=sum(second) / len(second),
        difference=paired.difference,
        low=interval and interval.low,
        high=interval and interval.high,
        p_value=paired.p_value,
        significant=paired.significant(),
    )


def _flipped(name: str, field: str, pairs: Pairs) -> list[Flipped]:
    found = []
    for a, b in pairs:
        before, after = getattr(a, field), getattr(b, field)
        if before is not None and after is not None and (before >= GOOD) != (after >= GOOD):
            found.append(Flipped(question=a.question, name=name, first=before, second=after))
    return found


def _cost(results: Sequence[EvalResult]) -> float | None:
    cost = sum_known(each.cost_usd for each in results)
    return None if cost is None else float(cost)
