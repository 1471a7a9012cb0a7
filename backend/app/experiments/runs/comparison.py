"""Runs over the same questions: two side by side, or several against a baseline."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel

from app.experiments.models import Retrieval
from app.experiments.runs import likeness
from app.experiments.runs.changes import CaseChange, find_changes, severity
from app.quality.metrics import statistics

Mark = Literal["highest", "lowest"]


class MeanDifference(BaseModel):
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
    not_compared: list[likeness.NotCompared]
    differences: list[MeanDifference]
    flipped: list[Flipped]
    only_first: int
    only_second: int
    notes_changed: int
    first_cost_usd: float | None
    second_cost_usd: float | None
    first_latency_ms: float | None
    second_latency_ms: float | None


def compare_results(first: likeness.Measured, second: likeness.Measured) -> Comparison:
    """Means are compared where the runs are alike in what they depend on (see
    app.experiments.runs.likeness), over the questions that both runs have. Raises Conflict where
    nothing is left."""
    aligned = likeness.align(first, second)
    pairs, fields = aligned.pairs, aligned.fields
    return Comparison(
        **_side("first", first),
        **_side("second", second),
        not_compared=list(aligned.unlike),
        differences=[
            found for name, field in fields.items() if (found := _difference(name, field, pairs))
        ],
        flipped=_flipped(pairs, fields),
        only_first=len(first.results) - len(pairs),
        only_second=len(second.results) - len(pairs),
        notes_changed=notes_changed(pairs),
    )


def _side(which: str, measured: likeness.Measured) -> dict[str, Any]:
    fields = _measured(measured)
    names = ("id", "name", "k", "retrieval", "cost_usd", "latency_ms")
    return {f"{which}_{name}": fields[name] for name in names}


def notes_changed(pairs: Sequence[likeness.Pair]) -> int:
    return sum(
        set(first.missing_chunk_ids) != set(second.missing_chunk_ids) for first, second in pairs
    )


def _difference(name: str, field: str, pairs: Sequence[likeness.Pair]) -> MeanDifference | None:
    measured = [figures for pair in pairs if (figures := likeness.both_figures(pair, field))]
    if not measured:
        return None
    first, second = [a for a, _ in measured], [b for _, b in measured]
    paired = statistics.paired_difference(first, second)
    interval = paired.interval
    return MeanDifference(
        name=name,
        cases=len(measured),
        unread=sum(likeness.is_unread(a, field) or likeness.is_unread(b, field) for a, b in pairs),
        first=sum(first) / len(first),
        second=sum(second) / len(second),
        difference=paired.difference,
        low=interval and interval.low,
        high=interval and interval.high,
        p_value=paired.p_value,
        significant=paired.significant(),
    )


def _flipped(pairs: Sequence[likeness.Pair], fields: Mapping[str, str]) -> list[Flipped]:
    found = [
        Flipped(
            **change.model_dump(),
            question=a.question,
            first_case_id=a.test_case_id,
            second_case_id=b.test_case_id,
        )
        for a, b in pairs
        for change in find_changes((a, b), fields)
        if change.change.is_flip
    ]
    return sorted(found, key=severity)


class MeasuredRun(likeness.ComparedRun):
    """`cost_usd` of all its cases, null where no price is known; `latency_ms` of a case."""

    cost_usd: float | None
    latency_ms: float | None


class OtherRun(MeasuredRun):
    """A run beside the baseline. `notes_changed`: questions of which a passage of the ground truth
    still existed in one of the two only."""

    not_compared: list[likeness.NotCompared]
    notes_changed: int


class RunDifference(BaseModel):
    """A mean of a run, and the mean minus that of the baseline with its 95 % interval. `p_value`
    of a paired permutation test, adjusted for the number of runs in the row (Holm)."""

    run_id: uuid.UUID
    mean: float
    mark: Mark | None
    difference: float
    low: float | None
    high: float | None
    p_value: float
    significant: bool


class MetricRow(BaseModel):
    """One mean of the baseline and of the runs that it can be compared with, over the same `cases`
    in all of them. `unread` cases are left out, because a reply of the judge could not be read in
    one of the runs."""

    name: str
    cases: int
    unread: int
    baseline: float
    baseline_mark: Mark | None
    runs: list[RunDifference]


class BaselineComparison(BaseModel):
    baseline: MeasuredRun
    runs: list[OtherRun]
    metrics: list[MetricRow]


def compare_with_baseline(
    baseline: likeness.Measured, others: Sequence[likeness.Measured]
) -> BaselineComparison:
    """Raises Conflict, which names the run, where one has nothing that can be compared."""
    aligned = [likeness.align(baseline, other) for other in others]
    fields = dict(zip((other.run.id for other in others), aligned, strict=True))
    return BaselineComparison(
        baseline=MeasuredRun(**_measured(baseline)),
        runs=[
            OtherRun(
                **_measured(other),
                not_compared=list(each.unlike),
                notes_changed=notes_changed(each.pairs),
            )
            for other, each in zip(others, aligned, strict=True)
        ],
        metrics=[
            row
            for name, field in likeness.COMPARED.items()
            if (row := _row(name, field, baseline, _comparable(name, others, fields)))
        ],
    )


def _measured(measured: likeness.Measured) -> dict[str, Any]:
    cost = statistics.sum_known(each.cost_usd for each in measured.results)
    return {
        **measured.run.model_dump(),
        "cost_usd": None if cost is None else float(cost),
        "latency_ms": statistics.mean_known(each.latency_ms for each in measured.results),
    }


def _comparable(
    name: str, others: Sequence[likeness.Measured], aligned: Mapping[uuid.UUID, likeness.Aligned]
) -> list[likeness.Measured]:
    return [
        other
        for other in others
        if (field := aligned[other.run.id].fields.get(name))
        and any(likeness.figure(result, field) is not None for result in other.results)
    ]


def _row(
    name: str, field: str, baseline: likeness.Measured, others: Sequence[likeness.Measured]
) -> MetricRow | None:
    """None where no case was measured in all of the runs."""
    cases = likeness.common_cases([baseline.results, *(other.results for other in others)])
    figures = [[likeness.figure(result, field) for result in case] for case in cases]
    measured = [
        [value for value in case if value is not None] for case in figures if None not in case
    ]
    if not measured or not others:
        return None
    first, *rest = ([case[at] for case in measured] for at in range(len(others) + 1))
    paired = [statistics.paired_difference(first, each) for each in rest]
    adjusted = statistics.holm([each.p_value for each in paired])
    means = [sum(each) / len(each) for each in (first, *rest)]
    marks = _marks(means)
    return MetricRow(
        name=name,
        cases=len(measured),
        unread=sum(any(likeness.is_unread(result, field) for result in case) for case in cases),
        baseline=means[0],
        baseline_mark=marks[0],
        runs=[
            RunDifference(
                run_id=other.run.id,
                mean=mean,
                mark=mark,
                difference=difference.difference,
                low=difference.interval and difference.interval.low,
                high=difference.interval and difference.interval.high,
                p_value=p_value,
                significant=p_value < 1 - statistics.CONFIDENCE,
            )
            for other, mean, mark, difference, p_value in zip(
                others, means[1:], marks[1:], paired, adjusted, strict=True
            )
        ],
    )


def _marks(means: Sequence[float]) -> list[Mark | None]:
    """None of the runs is marked where all are the same."""
    highest, lowest = max(means), min(means)
    if highest == lowest:
        return [None] * len(means)
    return ["highest" if one == highest else "lowest" if one == lowest else None for one in means]
