"""Alarms of a workspace, for the API."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence

from psycopg.types.json import Jsonb
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.db.pool import Connection
from app.platform.errors import NotFound
from app.platform.ids import new_id
from app.quality.drift import queries
from app.quality.drift.series import JOIN_DAYS, Day, DayPoint, Series
from app.quality.drift.views import Cause, QualityAlarm, QualityAlarms, WatchedSeries
from app.quality.metrics.sequential_ranks import LEARNING, Group, Shift, Sums, contributions

# The days before the change that it is compared with.
COMPARED_DAYS = 28
# Of more answers a share is looked at for what differs.
MAX_ANSWERS = 50_000

MAX_ALARMS = 100


async def store_alarm(
    connection: Connection,
    day: Day,
    judge_model: str,
    series: Series,
    points: Sequence[DayPoint],
    shift: Shift,
) -> str:
    """Stores the alarm once, and returns it in words, for the log. points: those with a score since
    the alarm before. Raises psycopg.Error."""
    began = points[shift.began].first_day
    earliest = began - dt.timedelta(days=COMPARED_DAYS)
    recent = [point for point in points[: shift.began] if point.first_day >= earliest]
    before = _together(recent or points[shift.began - 1 : shift.began])
    after = _together(points[shift.began : shift.noticed + 1])
    whose = {"workspace_id": day.workspace_id, "judge_model": judge_model}
    compared = {
        "zone": day.zone,
        "since": before.first_day,
        "began": began,
        "until": after.last_day + dt.timedelta(days=1),
        "share": min(1.0, MAX_ANSWERS / (before.answers + after.answers)),
    }
    causes = await _causes(connection, series, whose | compared)
    row = {
        "id": new_id(),
        "series": series,
        "compared_from": before.first_day,
        "began_on": began,
        "noticed_on": after.last_day,
        "before": before.value,
        "after": after.value,
        "answers_before": before.answers,
        "answers_after": after.answers,
        "causes": Jsonb([cause.model_dump() for cause in causes]),
    }
    await connection.execute(queries.PUT_ALARM, whose | row)
    told = ", ".join(f"{each.dimension} {each.value}" for each in causes) or "nothing in particular"
    return (
        f"{series} of {judge_model} changed from {before.value:.3f} to {after.value:.3f}"
        f" since {began}; what differs most: {told}"
    )


def _together(points: Sequence[DayPoint]) -> DayPoint:
    whole, *rest = points
    for point in rest:
        whole = whole.joined(point)
    return whole


async def _causes(
    connection: Connection, series: Series, given: Mapping[str, object]
) -> list[Cause]:
    rows = await (await connection.execute(queries.groups(series), given)).fetchall()
    if not rows:
        return []
    whole, *groups = [
        Group(dimension, value, name, Sums(*figures[:3]), Sums(*figures[3:]))
        for dimension, value, name, *figures in rows
    ]
    found = contributions(whole.before, whole.after, groups)
    return [Cause.of(each, whole) for each in found]


async def list_alarms(session: AsyncSession, workspace_id: uuid.UUID) -> QualityAlarms:
    """The newest MAX_ALARMS, and what is watched."""
    given = {"workspace_id": workspace_id}
    alarms = await session.execute(text(queries.LIST_ALARMS), given | {"limit": MAX_ALARMS})
    asked = given | {"days": JOIN_DAYS, "series": [str(series) for series in Series]}
    watched = await session.execute(text(queries.WATCHED), asked)
    return QualityAlarms(
        rows=[QualityAlarm.model_validate(dict(row)) for row in alarms.mappings()],
        watched=[
            WatchedSeries(**row, missing=max(LEARNING - row["points"], 0))
            for row in watched.mappings()
        ],
        tz=await session.scalar(text(queries.TIME_ZONE), given),
    )


async def acknowledge(session: AsyncSession, workspace_id: uuid.UUID, alarm_id: uuid.UUID) -> None:
    """May be repeated. Raises NotFound."""
    given = {"workspace_id": workspace_id, "id": alarm_id}
    if await session.scalar(text(queries.ACKNOWLEDGE), given) is None:
        raise NotFound("There is no such alarm.", ko="그런 알림이 없습니다.")
