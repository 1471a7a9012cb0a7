"""Monitors quality: adds each closed day of each workspace to its series once."""

import datetime as dt
import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from itertools import groupby
from operator import itemgetter

from psycopg.errors import QueryCanceled

from app.platform.db.pool import Connection, Pool, execute
from app.quality.drift import queries
from app.quality.drift.series import (
    MIN_LABELS,
    Day,
    DayPoint,
    DaySums,
    Series,
    extended,
    first_shift,
    points_of,
)
from app.quality.drift.service import store_alarm

logger = logging.getLogger(__name__)

# After the end of a day, for the verdicts of its last answers.
CLOSE_HOURS = 3
# How far back a workspace that was not watched before is looked at.
HISTORY_DAYS = 60

_Key = tuple[str, Series]


class Watch:
    """Any number may run: a workspace is locked while one of its days is looked at."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def step(self) -> bool:
        """Looks at one day of a workspace, or adds a point of labels before that. True when there
        may be more. Raises psycopg.Error; nothing is stored then."""
        async with self._pool.connection() as connection, connection.transaction():
            cursor = await connection.execute(queries.CLAIM, {"hours": CLOSE_HOURS})
            if claimed := await cursor.fetchone():
                await self._look(connection, Day(*claimed))
                return True
        return await execute(self._pool, queries.START, {"days": HISTORY_DAYS}) > 0

    async def _look(self, connection: Connection, day: Day) -> None:
        of_workspace = {"workspace_id": str(day.workspace_id)}
        try:
            async with connection.transaction():
                await connection.execute(queries.ENTER, of_workspace)
                if await _add_labels(connection, day):
                    return
                await _add_day(connection, day)
        except QueryCanceled:
            logger.warning(
                "Workspace %s has too many answers on %s; the day is not watched",
                day.workspace_id,
                day.date,
            )
        await connection.execute(queries.LOOKED, {"workspace_id": day.workspace_id})


async def _add_labels(connection: Connection, day: Day) -> bool:
    """Adds one point of the corrected series, if there are labels for one."""
    cursor = await connection.execute(queries.HAS_DRAWS, {"workspace_id": day.workspace_id})
    if not cursor.rowcount:
        return False
    found = await next_point(connection, day)
    if found is None:
        return False
    judge_model, point = found
    series = await _series(connection, day, [judge_model])
    before = series[judge_model, Series.CORRECTED]
    await _add(connection, day, (judge_model, Series.CORRECTED), before, point.scored(before))
    return True


async def _add_day(connection: Connection, day: Day) -> None:
    cursor = await connection.execute(queries.SUMS, day.span())
    sums = [DaySums._make(row) for row in await cursor.fetchall()]
    series = await _series(connection, day, [each.judge_model for each in sums])
    for each in sums:
        for name, point in points_of(day.date, each).items():
            before = series[each.judge_model, name]
            await _add(connection, day, (each.judge_model, name), before, extended(before, point))


async def _series(
    connection: Connection, day: Day, judges: list[str]
) -> Mapping[_Key, list[DayPoint]]:
    given = {"workspace_id": day.workspace_id, "judges": judges}
    cursor = await connection.execute(queries.POINTS, given)
    found: dict[_Key, list[DayPoint]] = defaultdict(list)
    for judge_model, series, *point in await cursor.fetchall():
        found[judge_model, Series(series)].append(DayPoint(*point))
    return found


async def _add(
    connection: Connection, day: Day, key: _Key, before: list[DayPoint], point: DayPoint
) -> None:
    """Stores a point, and the alarm that it gives."""
    judge_model, series = key
    about = {"workspace_id": day.workspace_id, "judge_model": judge_model, "series": series}
    await connection.execute(queries.PUT_POINT, about | asdict(point))
    if point.score is None:
        return
    points = [each for each in before if each.score is not None] + [point]
    if shift := first_shift([each.score or 0.0 for each in points]):
        sentence = await store_alarm(connection, day, judge_model, series, points, shift)
        logger.warning("Workspace %s: %s", day.workspace_id, sentence)


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
    # It needs NumPy, which the dispatcher of an installation without labels does not load.
    from app.quality.metrics.ppi import Cell, degrees_of, estimate

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
