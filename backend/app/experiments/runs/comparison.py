"""Two runs over the same questions, side by side."""

import uuid
from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from app.experiments.runs.changes import CaseChange, changes_of, severity
from app.experiments.runs.evaluation_type import Retrieval
from app.experiments.runs.likeness import Measured, NotCompared
from app.experiments.runs.models import EvalResult
from app.experiments.runs.pairing import Pair, align, both, is_unread
from app.quality.metrics.statistics import mean_known, paired_difference, sum_known


class Difference(BaseModel):
    """The second mean minus the first over the cases that both runs measured, with its 95 %
    interval and the p value of a paired permutation test; both null with too few cases. `unread`
    cases are left out, because a reply of the judge could not be read in one of the runs."""

    name: str
    cases: int
    unread: int
    first: float
    second: float
    difference: float
    low: float | None
    high: float | None
    p_value: float | None
    significant: bool


class Flipped(CaseChange):
    """A case that passed in one run and not in the other."""

    question: str
    first_case_id: uuid.UUID
    second_case_id: uuid.UUID


class Comparison(BaseModel):
    """`only_first`, `only_second`: questions that the other run did not have. `notes_changed`:
    questions of which a passage of the ground truth still existed in one of the runs only.
    `flipped`: worst first."""

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
    notes_changed: int
    first_cost_usd: float | None
    second_cost_usd: float | None
    first_latency_ms: float | None
    second_latency_ms: float | None


def compare_results(first: Measured, second: Measured) -> Comparison:
    """Means are compared where the runs are alike in what they depend on (see app.experiments.runs.likeness),
    over the questions that both runs have. Raises Conflict where nothing is left."""
    aligned = align(first, second)
    pairs, fields = aligned.pairs, aligned.fields
    return Comparison(
        first_id=first.run.id,
        second_id=second.run.id,
        first_retrieval=first.run.retrieval,
        second_retrieval=second.run.retrieval,
        first_name=first.run.name,
        second_name=second.run.name,
        first_k=first.run.k,
        second_k=second.run.k,
        not_compared=list(aligned.unlike),
        differences=[
            found for name, field in fields.items() if (found := _difference(name, field, pairs))
        ],
        flipped=_flipped(pairs, fields),
        only_first=len(first.results) - len(pairs),
        only_second=len(second.results) - len(pairs),
        notes_changed=notes_changed(pairs),
        first_cost_usd=total_cost(first.results),
        second_cost_usd=total_cost(second.results),
        first_latency_ms=mean_known(each.latency_ms for each in first.results),
        second_latency_ms=mean_known(each.latency_ms for each in second.results),
    )


def notes_changed(pairs: Sequence[Pair]) -> int:
    return sum(
        set(first.missing_chunk_ids) != set(second.missing_chunk_ids) for first, second in pairs
    )


def total_cost(results: Sequence[EvalResult]) -> float | None:
    """US dollars; None where no price is known."""
    cost = sum_known(each.cost_usd for each in results)
    return None if cost is None else float(cost)


def _difference(name: str, field: str, pairs: Sequence[Pair]) -> Difference | None:
    measured = [figures for pair in pairs if (figures := both(pair, field))]
    if not measured:
        return None
    first, second = [a for a, _ in measured], [b for _, b in measured]
    paired = paired_difference(first, second)
    interval = paired.interval
    return Difference(
        name=name,
        cases=len(measured),
        unread=sum(is_unread(a, field) or is_unread(b, field) for a, b in pairs),
        first=sum(first) / len(first),
        second=sum(second) / len(second),
        difference=paired.difference,
        low=interval and interval.low,
        high=interval and interval.high,
        p_value=paired.p_value,
        significant=paired.significant(),
    )


def _flipped(pairs: Sequence[Pair], fields: Mapping[str, str]) -> list[Flipped]:
    found = [
        Flipped(
            **change.model_dump(),
            question=a.question,
            first_case_id=a.test_case_id,
            second_case_id=b.test_case_id,
        )
        for a, b in pairs
        for change in changes_of((a, b), fields)
        if change.change.is_flip
    ]
    return sorted(found, key=severity)
