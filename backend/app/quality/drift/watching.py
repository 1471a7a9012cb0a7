"""Looks at each closed day of each workspace once, a day at a time."""

import logging
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict

from psycopg.errors import QueryCanceled

from app.platform.db.pool import Connection, Pool, execute
from app.quality.drift import queries
from app.quality.drift.series import Day, DayPoint, DaySums, Series, extended, points_of
from app.quality.drift.service import store_alarm
from app.quality.metrics.sequential_ranks import first_shift

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
    # It needs NumPy, which the dispatcher of an installation without labels does not load.
    from app.quality.drift.corrected import next_point

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
    """Points since the last alarm, by judge and series."""
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
        told = await store_alarm(connection, day, judge_model, series, points, shift)
        logger.warning("Workspace %s: %s", day.workspace_id, told)
