"""Means over all answers, corrected by the labels of those that were drawn at random."""

import asyncio
import dataclasses
import uuid
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Literal, NamedTuple

from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from app.judges.answer import HIGH_CORRECTNESS
from app.platform.db.statements import load_sql
from app.quality.analytics.service import applied_filters, text_and_rows
from app.quality.analytics.sources import Filters
from app.quality.metrics import ppi
from app.quality.metrics.ppi import more_labels

By = Literal[
    "all", "day", "week", "judge", "model", "lang", "notebook", "app_version", "environment"
]
Measure = Literal["grounded", "correctness", "utility"]
Note = Literal["too_few_answers", "not_drawn", "too_few_labels", "labels_alike", "partly_covered"]

DEFAULT_WIDTH = 0.1
_PERIODS = frozenset({"day", "week"})
# Grouped by columns of the answers themselves, which are found by their days too.
_OF_ANSWERS = frozenset({"model", "lang", "notebook", "app_version", "environment"})
_LOCAL = "v.answered_at AT TIME ZONE %(tz)s"
_GROUPS: Mapping[By, str] = {
    "all": "NULL::text",
    "day": f"({_LOCAL})::date",
    "week": f"date_trunc('week', {_LOCAL})::date",
    "judge": "v.made_by",
    "model": "v.answer_model",
    "lang": "v.lang",
    "notebook": "v.notebook_id",
    "app_version": "v.app_version",
    "environment": "v.environment",
}


class Bounds(BaseModel):
    """A mean, 0 to 1, and its 95 % interval."""

    value: float
    low: float
    high: float


class QualityChange(BaseModel):
    """By how much the mean is above that of the period before, -1 to 1, with its 95 % interval.
    p_value: chance of a change at least as large if nothing had changed."""

    since: str
    change: float
    low: float
    high: float
    p_value: float


class TrueQualityRow(BaseModel):
    """One measure of one group of answers that were judged, degraded verdicts left out.

    group: null where all are one group, or the answers have no such property. answers: with a
    verdict; covered: those that a labelled draw could have picked, which the estimates are of;
    drawn, labels: of these, and how many labels count.
    raw: the judge's figure over all `answers`, for grounded the share with a correctness of .8 or
    more. corrected: what the mean of people's labels would be over the covered ones, by judge and
    labels together; labels_only: by labels alone; both null
    with too few labels. power: how much the judge's scores count, 0 not at all.
    more_labels: how many more make the interval as narrow as asked for, as far as there are
    answers. strata: parts of draws
    that have no label. note: too_few_answers (labelling all of them would not do), not_drawn (no
    answer was in a draw), too_few_labels, labels_alike, partly_covered, the first that holds; null
    where there is nothing to say.
    """

    group: str | None
    measure: Measure
    answers: int
    covered: int
    drawn: int
    labels: int
    raw: float
    corrected: Bounds | None
    labels_only: Bounds | None
    power: float | None
    more_labels: int
    strata: list[str]
    note: Note | None
    change: QualityChange | None


class Sums(NamedTuple):
    """A row of true_quality.sql."""

    group: str | None
    measure: Measure
    stratum: str | None
    in_frame: bool
    drawn: int
    raw: float
    cell: ppi.Cell


@dataclasses.dataclass(frozen=True, slots=True)
class TrueQuality:
    """`sql` is the text whose sums the rows are computed from."""

    filters: Filters
    sql: str
    rows: list[TrueQualityRow]


async def true_quality(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    filters: Filters,
    *,
    by: By,
    width: float,
    order: Sequence[str] = (),
) -> TrueQuality:
    """width: of the interval that more_labels is about, above 0 to 1. order: of groups that follow
    each other in time, the only ones then. Raises as service.run."""
    applied = await applied_filters(session, workspace_id, filters)
    sql = load_sql(
        *("app.quality.analytics", "true_quality"),
        group_by=_GROUPS[by],
        grounded=str(HIGH_CORRECTNESS),
        # queries.statement fills them in
        filters="{filters_of_answers}" if by in _OF_ANSWERS else "{filters}",
    )
    sql, found = await text_and_rows(session, workspace_id, sql, applied)
    sums = [Sums._make([*row[:6], ppi.Cell(*row[6:])]) for row in found]
    # Ninety days take half a second of quantiles.
    if order:
        place = {group: at for at, group in enumerate(order)}
        known = (each for each in sums if each.group in place)
        sums = sorted(known, key=lambda each: (place[each.group or ""], each.measure))
    periods = bool(order) or by in _PERIODS
    rows = await asyncio.to_thread(corrected_rows, sums, width, periods=periods)
    return TrueQuality(applied, sql, rows)


def corrected_rows(sums: Iterable[Sums], width: float, *, periods: bool) -> list[TrueQualityRow]:
    """sums: sorted by group and measure. periods: groups follow each other in time, and each is
    compared with the one before."""
    rows: list[TrueQualityRow] = []
    before: dict[Measure, tuple[str, ppi.Corrected]] = {}
    for (group, measure), members in groupby(sums, key=lambda each: (each.group, each.measure)):
        row, found = _row(group, measure, list(members), width)
        if periods and found and group is not None:
            if measure in before:
                row = row.model_copy(update={"change": _change(*before[measure], found)})
            before[measure] = (group, found)
        rows.append(row)
    return rows


def _row(
    group: str | None, measure: Measure, members: Sequence[Sums], width: float
) -> tuple[TrueQualityRow, ppi.Corrected | None]:
    answers = sum(each.cell.answers for each in members)
    cells = [each.cell for each in members if each.in_frame and each.cell.stratum_labels]
    covered, labels = (sum(getattr(c, name) for c in cells) for name in ("answers", "labels"))
    missing = {
        each.stratum
        for each in members
        if each.in_frame and each.stratum and not each.cell.stratum_labels
    }
    degrees = ppi.degrees_of(cells)
    found = ppi.estimate(cells) if degrees >= ppi.MIN_DEGREES else None
    plain = ppi.estimate(cells, power=0) if found else None
    row = TrueQualityRow(
        group=group,
        measure=measure,
        answers=answers,
        covered=covered,
        drawn=sum(each.drawn for each in members),
        labels=labels,
        raw=sum(each.raw for each in members) / answers,
        corrected=_bounds(found),
        labels_only=_bounds(plain),
        power=found.power if found else None,
        more_labels=more_labels(found, width)
        if found
        else _missing(answers, labels, degrees, width),
        strata=sorted(missing),
        note=_note(members, cells, found, answers),
        change=None,
    )
    return row, found


def _missing(answers: int, labels: int, degrees: int, width: float) -> int:
    wanted = max(ppi.first_labels(answers, width) - labels, ppi.MIN_DEGREES - degrees)
    return max(min(wanted, answers - labels), 0)


def _note(
    members: Sequence[Sums], cells: Sequence[ppi.Cell], found: ppi.Corrected | None, answers: int
) -> Note | None:
    if answers - max(len(cells), 1) < ppi.MIN_DEGREES:
        return "too_few_answers"
    if not any(each.in_frame for each in members):
        return "not_drawn"
    if found is None:
        return "too_few_labels"
    labels, y, yy = (sum(getattr(c, name) for c in cells) for name in ("labels", "y", "yy"))
    # Between 0 and 1 the mean square is the squared mean only if all are one value.
    if labels * yy - y * y < 1e-9 * labels**2:
        return "labels_alike"
    return "partly_covered" if sum(cell.answers for cell in cells) < answers else None


def _bounds(found: ppi.Corrected | None) -> Bounds | None:
    if found is None:
        return None
    return Bounds(value=found.value, low=found.interval.low, high=found.interval.high)


def _change(since: str, before: ppi.Corrected, after: ppi.Corrected) -> QualityChange:
    return QualityChange(since=since, **change_fields(ppi.difference(before, after)))


def change_fields(found: ppi.Difference) -> dict[str, float]:
    """As views of a change have them."""
    bounds = dataclasses.asdict(found.interval)
    return {"change": found.difference, **bounds, "p_value": found.p_value}
