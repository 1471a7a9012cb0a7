"""Releases of the applications whose answers are judged, each beside the one first seen before."""

import datetime as dt
import uuid
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.db.statements import SqlFile
from app.quality.analytics.queries import Row
from app.quality.analytics.service import applied_filters, text_and_rows
from app.quality.analytics.sources import Filters
from app.quality.analytics.true_quality import (
    DEFAULT_WIDTH,
    Bounds,
    QualityChange,
    TrueQualityRow,
    change_fields,
    true_quality,
)
from app.quality.drift.series import Sums
from app.quality.metrics.ppi import Difference, welch
from app.quality.metrics.statistics import CONFIDENCE, holm

Outcome = Literal["better", "worse", "same", "too_few"]

MAX_RELEASES = 20
# Fewer scored answers on either side are not compared.
MIN_ANSWERS = 10
_SQL = SqlFile(
    __package__,
    "releases",
    # Filled in by app.quality.analytics.queries.
    filters="{filters_of_answers}",
    releases=str(MAX_RELEASES + 1),
    min_answers=str(MIN_ANSWERS),
)


class GroupKey(NamedTuple):
    """topic: None where nothing names one."""

    lang: str
    topic: str | None


class Change(BaseModel):
    """By how much a mean is above that of the release before, -1 to 1, with its 95 % interval.
    p_value: chance of a change at least as large if the two were alike."""

    change: float
    low: float
    high: float
    p_value: float


class WorseGroup(BaseModel):
    """Questions of one language about one topic whose mean correctness has fallen beyond chance,
    and which lower that of the release most. topic: null where nothing names one. answers: since;
    before, after: their mean correctness."""

    lang: str
    topic: str | None
    answers: int
    before: float
    after: float


class Release(BaseModel):
    """first_seen_at: of its first answer, whatever the filters. scored: verdicts that the means are
    of, none degraded. corrected: mean correctness by people's labels and the judge, null with too
    few of them; corrected_change: since the last release that has one.

    outcome: of the corrected change where it is since the release before, else of the judge's mean
    correctness: better or worse where the interval leaves 0 out; too_few below 10 scored answers of
    either; null for the first release. worse_for: null where no group stands out."""

    app_version: str
    previous_version: str | None
    first_seen_at: dt.datetime
    last_seen_at: dt.datetime
    answers: int
    scored: int
    share_high: float | None
    correctness: float | None
    utility: float | None
    share_high_change: Change | None
    correctness_change: Change | None
    utility_change: Change | None
    corrected: Bounds | None
    corrected_change: QualityChange | None
    outcome: Outcome | None
    worse_for: WorseGroup | None


class ReleaseSums(NamedTuple):
    """A row of the statement `sums`."""

    app_version: str
    first_seen_at: dt.datetime
    last_seen_at: dt.datetime
    answers: int
    high: int
    c: int
    c_sum: float
    c_squares: float
    u: int
    u_sum: float
    u_squares: float

    @property
    def measures(self) -> tuple[Sums, Sums, Sums]:
        """Of confidence high, correctness and utility."""
        return (
            Sums(self.c, self.high, self.high),
            Sums(self.c, self.c_sum, self.c_squares),
            Sums(self.u, self.u_sum, self.u_squares),
        )


async def releases(
    session: AsyncSession, workspace_id: uuid.UUID, filters: Filters
) -> tuple[Filters, list[Release]]:
    """The filters as applied, and the newest MAX_RELEASES of the period, the newest first. Raises
    as service.run."""
    applied = await applied_filters(session, workspace_id, filters)
    _, found = await text_and_rows(session, workspace_id, _SQL("sums"), applied)
    if not found:
        return applied, []
    sums = [ReleaseSums._make(row) for row in reversed(found)]
    _, of_groups = await text_and_rows(session, workspace_id, _SQL("groups"), applied)
    groups = _by_release(of_groups)
    corrected = await true_quality(
        *(session, workspace_id, applied),
        by="app_version",
        width=DEFAULT_WIDTH,
        order=[each.app_version for each in sums],
    )
    labelled = {row.group: row for row in corrected.rows if row.measure == "correctness"}
    pairs = zip([None, *sums], sums, strict=False)
    compared = [_release(*pair, groups, labelled) for pair in pairs]
    return applied, compared[::-1][:MAX_RELEASES]


def _by_release(rows: Iterable[Row]) -> Mapping[str, Mapping[GroupKey, Sums]]:
    """rows: release, language, topic, and the three sums."""
    found: dict[str, dict[GroupKey, Sums]] = {}
    for version, lang, topic, *sums in rows:
        found.setdefault(version, {})[GroupKey(lang, topic)] = Sums(*sums)
    return found


def _release(
    before: ReleaseSums | None,
    now: ReleaseSums,
    groups: Mapping[str, Mapping[GroupKey, Sums]],
    labelled: Mapping[str | None, TrueQualityRow],
) -> Release:
    high, correctness, utility = now.measures
    changes = [None] * 3 if before is None else [*map(_change, before.measures, now.measures)]
    row = labelled.get(now.app_version)
    previous = before and before.app_version
    corrected = row.change if row else None
    decisive = corrected if corrected and corrected.since == previous else changes[1]
    of_before = groups.get(previous, {}) if previous else {}
    return Release(
        **{name: getattr(now, name) for name in ("app_version", "first_seen_at", "last_seen_at")},
        previous_version=previous,
        answers=now.answers,
        scored=now.c,
        share_high=high.mean,
        correctness=correctness.mean,
        utility=utility.mean,
        share_high_change=changes[0],
        correctness_change=changes[1],
        utility_change=changes[2],
        corrected=row.corrected if row else None,
        corrected_change=corrected,
        outcome=_outcome(decisive) if before else None,
        worse_for=most_lost(of_before, groups.get(now.app_version, {})),
    )


def _change(before: Sums, after: Sums) -> Change | None:
    found = difference(before, after)
    return None if found is None else Change(**change_fields(found))


def _outcome(change: Change | QualityChange | None) -> Outcome:
    if change is None:
        return "too_few"
    if change.low > 0:
        return "better"
    return "worse" if change.high < 0 else "same"


def _variance(sums: Sums) -> float:
    """Of a single value, from at least two."""
    mean = sums.total / sums.answers
    return max(sums.squares - sums.answers * mean**2, 0.0) / (sums.answers - 1)


def difference(before: Sums, after: Sums) -> Difference | None:
    """Of the means of two samples (Welch 1947); None below MIN_ANSWERS on either side."""
    if min(before.answers, after.answers) < MIN_ANSWERS:
        return None
    parts = [_variance(each) / each.answers for each in (before, after)]
    found = after.total / after.answers - before.total / before.answers
    return welch(found, parts, [each.answers - 1 for each in (before, after)])


def most_lost(before: Mapping[GroupKey, Sums], after: Mapping[GroupKey, Sums]) -> WorseGroup | None:
    """Of the groups that are worse beyond chance, for as many as are looked at (Holm 1979), the one
    that lowers the mean most; None where there is none, or only one group."""
    keys = [key for key in after if key in before]
    compared = {key: found for key in keys if (found := difference(before[key], after[key]))}
    if len({*before, *after}) < 2:
        return None
    p_values = holm([found.p_value for found in compared.values()])
    worse = [
        key
        for (key, found), p_value in zip(compared.items(), p_values, strict=True)
        if found.difference < 0 and p_value < 1 - CONFIDENCE
    ]
    if not worse:
        return None
    key = min(worse, key=lambda each: compared[each].difference * after[each].answers)
    old, new = (sums[key].total / sums[key].answers for sums in (before, after))
    return WorseGroup(**key._asdict(), answers=after[key].answers, before=old, after=new)
