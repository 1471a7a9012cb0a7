"""How the cases of a run came out against another run's, those that differ first."""

import enum
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import BaseModel

from app.experiments.models import EvalResult
from app.experiments.runs.diagnosis import HIGH_FROM, Band, band
from app.experiments.runs.likeness import Measured, Pair, align, both_figures, figure, state_of
from app.verdicts.reading.state import AnswerState

# One mean speaks for the search: the others change with it.
SHOWN_MEANS = ("recall_at_k", "mean_faithfulness", "mean_answer_relevancy")

Shown = Literal["all", "worse", "better"]


class ChangeKind(enum.StrEnum):
    """What became of a case, in the order in which cases are shown.

    error: measured in the first run, failed with an error in the second; recovered: the other way
    round; lower, higher: in another band on the same side of the line between pass and fail.
    """

    ERROR = "error"
    NOW_FAILS = "now_fails"
    NOW_PASSES = "now_passes"
    RECOVERED = "recovered"
    LOWER = "lower"
    HIGHER = "higher"
    SAME = "same"

    @property
    def is_flip(self) -> bool:
        return self in {ChangeKind.NOW_FAILS, ChangeKind.NOW_PASSES}

    @property
    def rank(self) -> int:
        return list(ChangeKind).index(self)


class CaseChange(BaseModel):
    """A figure of a case, by the name of its mean, in either run."""

    name: str
    change: ChangeKind
    first: float
    second: float
    first_band: Band
    second_band: Band


def severity(change: CaseChange) -> tuple[int, float]:
    """A key that sorts by kind, the largest difference first."""
    return change.change.rank, -abs(change.second - change.first)


def find_changes(pair: Pair, fields: Mapping[str, str]) -> list[CaseChange]:
    """The figures of a case that are in another band, the most severe first. fields: those that
    can be compared, by the names of their means."""
    compared = ((name, both_figures(pair, fields[name])) for name in SHOWN_MEANS if name in fields)
    found = [
        CaseChange(
            name=name,
            change=_change(*figures),
            first=figures[0],
            second=figures[1],
            first_band=band(figures[0]),
            second_band=band(figures[1]),
        )
        for name, figures in compared
        if figures and band(figures[0]) is not band(figures[1])
    ]
    return sorted(found, key=severity)


def _change(before: float, after: float) -> ChangeKind:
    passed, passes = before >= HIGH_FROM, after >= HIGH_FROM
    if passed != passes:
        return ChangeKind.NOW_PASSES if passes else ChangeKind.NOW_FAILS
    return ChangeKind.HIGHER if after > before else ChangeKind.LOWER


def classify_case(pair: Pair, changes: Sequence[CaseChange]) -> ChangeKind:
    """Of the whole case: an error, else the most severe of its changes."""
    first, second = pair
    if (first.error is None) != (second.error is None):
        return ChangeKind.ERROR if first.error is None else ChangeKind.RECOVERED
    return changes[0].change if changes else ChangeKind.SAME


_KINDS_SHOWN: Mapping[Shown, frozenset[ChangeKind]] = {
    "all": frozenset(ChangeKind),
    "worse": frozenset({ChangeKind.ERROR, ChangeKind.NOW_FAILS, ChangeKind.LOWER}),
    "better": frozenset({ChangeKind.RECOVERED, ChangeKind.NOW_PASSES, ChangeKind.HIGHER}),
}


class CaseSide(BaseModel):
    """A case in one of the runs. `figures`: those that can be compared, 0 to 1, by the names of
    their means; null where not measured or where the judge's reply could not be read. state: what
    the judge's come to for whoever reads the answer."""

    test_case_id: uuid.UUID
    state: AnswerState | None
    answer: str | None
    error: str | None
    figures: dict[str, float | None]


class ComparedCase(BaseModel):
    """`change` is the most severe of `changes`, which are those of single figures."""

    question: str
    change: ChangeKind
    changes: list[CaseChange]
    first: CaseSide
    second: CaseSide


class ComparedCases(BaseModel):
    """`counts`: cases by what became of them, whichever are shown. `next`: the `after` of the
    next page, null on the last."""

    counts: dict[ChangeKind, int]
    items: list[ComparedCase]
    next: int | None


def compare_cases(
    first: Measured, second: Measured, *, show: Shown, after: int, limit: int
) -> ComparedCases:
    """A page of the questions that both runs have. after: how many to leave out.

    Raises Conflict where the runs have nothing that can be compared.
    """
    aligned = align(first, second)
    cases = []
    for pair in aligned.pairs:
        changes = find_changes(pair, aligned.fields)
        cases.append((classify_case(pair, changes), changes, pair))
    counts = Counter(change for change, *_ in cases)
    shown = sorted((each for each in cases if each[0] in _KINDS_SHOWN[show]), key=_order)
    end = after + limit
    return ComparedCases(
        counts={change: counts[change] for change in ChangeKind},
        items=[
            ComparedCase(
                question=first_result.question,
                change=change,
                changes=changes,
                first=_side(first_result, aligned.fields),
                second=_side(second_result, aligned.fields),
            )
            for change, changes, (first_result, second_result) in shown[after:end]
        ],
        next=end if end < len(shown) else None,
    )


def _order(case: tuple[ChangeKind, list[CaseChange], Pair]) -> tuple[int, float, int]:
    """The most severe first, then in the order of the dataset."""
    change, changes, (first, _) = case
    largest = severity(changes[0])[1] if changes else 0.0
    return change.rank, largest, first.position


def _side(result: EvalResult, fields: Mapping[str, str]) -> CaseSide:
    return CaseSide(
        test_case_id=result.test_case_id,
        state=state_of(result),
        answer=result.generated_answer,
        error=result.error,
        figures={name: figure(result, fields[name]) for name in SHOWN_MEANS if name in fields},
    )
