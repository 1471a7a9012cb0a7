"""Two runs over the same questions, side by side."""

import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel

from app.errors import Conflict
from app.metrics.retrieval import MEANS
from app.metrics.statistics import mean_known, paired_difference, sum_known
from app.runs.evaluation_type import Retrieval
from app.runs.models import EvalResult

# Names of means and the figures of a case they are taken over.
COMPARED: Mapping[str, str] = {
    **MEANS,
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


class NotCompared(BaseModel):
    """Means that cannot be compared, because the runs differ in what they depend on: `k`, or the
    questions and ground truth of the `dataset`."""

    because: Literal["k", "dataset"]
    names: list[str]


class Comparison(BaseModel):
    """`only_first`, `only_second`: questions that the other run did not have."""

    first_id: uuid.UUID
    second_id: uuid.UUID
    first_name: str
    second_name: str
    first_k: int
    second_k: int
    first_retrieval: Retrieval
    second_retrieval: Retrieval
    not_compared: list[NotCompared]
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
    """Cases are matched by their questions. What is measured of the search depends on k and on the
    ground truth, so it is compared only where these are the same; what is measured of the answers
    is compared over the questions that both runs have. Raises Conflict where nothing is left."""
    by_question = {result.question: result for result in second}
    pairs = [(a, by_question[a.question]) for a in first if a.question in by_question]
    not_compared = _not_compared(first_run, second_run, first, second)
    refused = {name for each in not_compared for name in each.names}
    compared = {name: field for name, field in COMPARED.items() if name not in refused}
    differences = [
        found for name, field in compared.items() if (found := _difference(name, field, pairs))
    ]
    if not_compared and not differences:
        raise _incomparable(not_compared, first_run, second_run)
    return Comparison(
        first_id=first_run["id"],
        second_id=second_run["id"],
        first_retrieval=first_run["retrieval"],
        second_retrieval=second_run["retrieval"],
        first_name=first_run["name"],
        second_name=second_run["name"],
        first_k=first_run["k"],
        second_k=second_run["k"],
        not_compared=not_compared,
        differences=differences,
        flipped=[
            flip
            for name in ("recall_at_k", "mean_faithfulness", "mean_answer_relevancy")
            if name in compared
            for flip in _flipped(name, compared[name], pairs)
        ],
        only_first=len(first) - len(pairs),
        only_second=len(second) - len(pairs),
        first_cost_usd=_cost(first),
        second_cost_usd=_cost(second),
        first_latency_ms=mean_known(each.latency_ms for each in first),
        second_latency_ms=mean_known(each.latency_ms for each in second),
    )


def _not_compared(
    first_run: Mapping[str, Any],
    second_run: Mapping[str, Any],
    first: Sequence[EvalResult],
    second: Sequence[EvalResult],
) -> list[NotCompared]:
    names = list(MEANS)
    found = []
    if first_run["k"] != second_run["k"]:
        found.append(NotCompared(because="k", names=names))
    if _dataset(first) != _dataset(second):
        found.append(NotCompared(because="dataset", names=names))
    return found


def _dataset(results: Sequence[EvalResult]) -> Counter[tuple[str, frozenset[str]]]:
    """What was measured against, which outlives the dataset itself."""
    return Counter((each.question, frozenset(each.ground_truth_chunk_ids)) for each in results)


def _incomparable(
    not_compared: Sequence[NotCompared], first_run: Mapping[str, Any], second_run: Mapping[str, Any]
) -> Conflict:
    if not_compared[0].because == "k":
        ks = first_run["k"], second_run["k"]
        return Conflict(
            f"The runs have k {ks[0]} and {ks[1]}, so the means of their search cannot be compared,"
            " and no question was answered in both; run one of them again with the k of the other.",
            ko=f"두 실행의 k가 {ks[0]}, {ks[1]}로 달라 검색 지표를 비교할 수 없고, 양쪽에서 답변한"
            " 질문도 없습니다. 한 실행을 같은 k로 다시 실행하세요.",
            code="runs-differ-in-k",
        )
    return Conflict(
        "The datasets of the runs differ in questions or ground truth, so the means of their search"
        " cannot be compared, and no question was answered in both; run one of them again over the"
        " dataset of the other.",
        ko="두 실행의 데이터셋은 질문이나 정답 문단이 달라 검색 지표를 비교할 수 없고, 양쪽에서"
        " 답변한 질문도 없습니다. 한 실행을 같은 데이터셋으로 다시 실행하세요.",
        code="runs-differ-in-dataset",
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
