"""How a case came out in the second of two runs against the first.

Figures are read by their bands (app.experiments.runs.diagnosis): a case passes from the band `good` on.
"""

import enum
from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from app.experiments.runs.diagnosis import HIGH_FROM, Band, band
from app.experiments.runs.pairing import Pair, both

# One mean speaks for the search: the others change with it.
READ = ("recall_at_k", "mean_faithfulness", "mean_answer_relevancy")


class Change(enum.StrEnum):
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
        return self in {Change.NOW_FAILS, Change.NOW_PASSES}

    @property
    def rank(self) -> int:
        return list(Change).index(self)


class CaseChange(BaseModel):
    """A figure of a case, by the name of its mean, in either run."""

    name: str
    change: Change
    first: float
    second: float
    first_band: Band
    second_band: Band


def severity(change: CaseChange) -> tuple[int, float]:
    """A key that sorts by kind, the largest difference first."""
    return change.change.rank, -abs(change.second - change.first)


def changes_of(pair: Pair, fields: Mapping[str, str]) -> list[CaseChange]:
    """The figures of a case that are in another band, the most severe first. fields: those that
    can be compared, by the names of their means."""
    compared = ((name, both(pair, fields[name])) for name in READ if name in fields)
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


def _change(before: float, after: float) -> Change:
    passed, passes = before >= HIGH_FROM, after >= HIGH_FROM
    if passed != passes:
        return Change.NOW_PASSES if passes else Change.NOW_FAILS
    return Change.HIGHER if after > before else Change.LOWER


def change_of(pair: Pair, changes: Sequence[CaseChange]) -> Change:
    """Of the whole case: an error, else the most severe of its changes."""
    first, second = pair
    if (first.error is None) != (second.error is None):
        return Change.ERROR if first.error is None else Change.RECOVERED
    return changes[0].change if changes else Change.SAME
