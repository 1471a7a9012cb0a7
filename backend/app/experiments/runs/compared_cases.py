"""The cases of two runs side by side, those that came out differently first."""

import uuid
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pydantic import BaseModel

from app.experiments.runs.changes import READ, CaseChange, Change, change_of, changes_of, severity
from app.experiments.runs.likeness import Measured
from app.experiments.runs.models import EvalResult
from app.experiments.runs.pairing import Pair, align, figure

Shown = Literal["all", "worse", "better"]
_SHOWN: Mapping[Shown, frozenset[Change]] = {
    "all": frozenset(Change),
    "worse": frozenset({Change.ERROR, Change.NOW_FAILS, Change.LOWER}),
    "better": frozenset({Change.RECOVERED, Change.NOW_PASSES, Change.HIGHER}),
}


class CaseSide(BaseModel):
    """A case in one of the runs. `figures`: those that can be compared, 0 to 1, by the names of
    their means; null where not measured or where the judge's reply could not be read."""

    test_case_id: uuid.UUID
    answer: str | None
    error: str | None
    figures: dict[str, float | None]


class ComparedCase(BaseModel):
    """`change` is the most severe of `changes`, which are those of single figures."""

    question: str
    change: Change
    changes: list[CaseChange]
    first: CaseSide
    second: CaseSide


class ComparedCases(BaseModel):
    """`counts`: cases by what became of them, whichever are shown. `next`: the `after` of the
    next page, null on the last."""

    counts: dict[Change, int]
    items: list[ComparedCase]
    next: int | None


def compare_cases(
    first: Measured, second: Measured, *, show: Shown, after: int, limit: int
) -> ComparedCases:
    """A page of the questions that both runs have. after: how many to leave out.

    Raises Conflict where the runs have nothing that can be compared.
    """
    aligned = align(first, second)
    read = [_Read(pair, changes_of(pair, aligned.fields)) for pair in aligned.pairs]
    counts = Counter(each.change for each in read)
    wanted = sorted((each for each in read if each.change in _SHOWN[show]), key=_Read.order)
    end = after + limit
    return ComparedCases(
        counts={change: counts[change] for change in Change},
        items=[each.view(aligned.fields) for each in wanted[after:end]],
        next=end if end < len(wanted) else None,
    )


@dataclass(frozen=True)
class _Read:
    pair: Pair
    changes: list[CaseChange]

    @cached_property
    def change(self) -> Change:
        return change_of(self.pair, self.changes)

    def order(self) -> tuple[int, float, int]:
        """The most severe first, then in the order of the dataset."""
        largest = severity(self.changes[0])[1] if self.changes else 0.0
        return self.change.rank, largest, self.pair[0].position

    def view(self, fields: Mapping[str, str]) -> ComparedCase:
        first, second = (_side(result, fields) for result in self.pair)
        return ComparedCase(
            question=self.pair[0].question,
            change=self.change,
            changes=self.changes,
            first=first,
            second=second,
        )


def _side(result: EvalResult, fields: Mapping[str, str]) -> CaseSide:
    return CaseSide(
        test_case_id=result.test_case_id,
        answer=result.generated_answer,
        error=result.error,
        figures={name: figure(result, fields[name]) for name in READ if name in fields},
    )
