"""Points of the corrected series: as many consecutive days as have labels for one."""

import datetime as dt
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter

from app.platform.db.pool import Connection
from app.quality.drift import queries
from app.quality.drift.series import MIN_LABELS, Day, DayPoint
from app.quality.metrics.ppi import Cell, degrees_of, estimate

# Labels of older answers are not waited for.
WINDOW_DAYS = 60
# Days after a draw until its missing labels are ignored; at once when nine of ten are there.
LABELLING_DAYS = 14
_MAX_AWAITED = 0.1


async def next_point(connection: Connection, day: Day) -> tuple[str, DayPoint] | None:
    """A judge and the next point of its series until this day, without a score; None where none has
    enough labels. Raises psycopg.Error."""
    earliest = day.date - dt.timedelta(days=WINDOW_DAYS - 1)
    given = day.span(earliest) | {"labelling_days": LABELLING_DAYS}
    rows = await (await connection.execute(queries.LABELLED_DAYS, given)).fetchall()
    for judge_model, days in groupby(rows, key=itemgetter(0)):
        for first, last in _candidates([row[1:] for row in days]):
            span_of_judge = {
                "judge_model": judge_model,
                "since": first,
                "until": last + dt.timedelta(days=1),
            }
            if point := await _point(connection, given | span_of_judge, first, last):
                return judge_model, point
    return None


def _candidates(days: Iterable[tuple[dt.date, int, int]]) -> Iterator[tuple[dt.date, dt.date]]:
    """First and last of consecutive days with MIN_LABELS labels or more, the shortest first, until
    too many are awaited. days: with labels and how many are awaited."""
    first: dt.date | None = None
    labels = awaited = 0
    for day, more, missing in days:
        first = first or day
        labels += more
        awaited += missing
        if awaited > _MAX_AWAITED * (labels + awaited):
            return
        if labels >= MIN_LABELS:
            yield first, day


async def _point(
    connection: Connection, given: dict[str, object], first: dt.date, last: dt.date
) -> DayPoint | None:
    """The mean correctness of these days; None where so few labels are in too many strata. Ten
    labels cannot tune the weight of the judge's scores, which is 1: prediction-powered inference
    as first published."""
    rows = await (await connection.execute(queries.CELLS, given)).fetchall()
    cells = [
        cell
        for _, measure, _, in_frame, _, _, *sums in rows
        if measure == "correctness" and in_frame and (cell := Cell(*sums)).stratum_labels
    ]
    if degrees_of(cells) < 2:
        return None
    found = estimate(cells, power=1)
    variance = found.variance + found.spread / found.answers
    return DayPoint(first, last, found.labels, found.value, variance * found.labels)
