"""What an alarm says: since when, by how much, and what differs most."""

import datetime as dt
import uuid
from collections.abc import Sequence

from psycopg.types.json import Jsonb

from app.db.ids import new_id
from app.db.pool import Connection
from app.drift import queries
from app.drift.series import DayPoint, Series
from app.drift.views import Cause
from app.metrics.contributions import Group, Sums, contributions
from app.metrics.sequential_ranks import Shift

# The days before the change that it is compared with.
COMPARED_DAYS = 28
# Of more answers a share is looked at for what differs.
MAX_ANSWERS = 50_000


async def store_alarm(
    connection: Connection,
    workspace_id: uuid.UUID,
    zone: str,
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
    days = {"since": before.first_day, "began": began, "noticed_on": after.last_day}
    about = {"workspace_id": workspace_id, "judge_model": judge_model, "zone": zone}
    share = min(1.0, MAX_ANSWERS / (before.answers + after.answers))
    causes = await _causes(connection, series, about | days | {"share": share})
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
    await connection.execute(queries.PUT_ALARM, about | row)
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


async def _causes(connection: Connection, series: Series, given: dict[str, object]) -> list[Cause]:
    until = given["noticed_on"]
    assert isinstance(until, dt.date)
    given |= {"until": until + dt.timedelta(days=1)}
    rows = await (await connection.execute(queries.groups(series), given)).fetchall()
    if not rows:
        return []
    whole, *groups = [
        Group(dimension, value, name, Sums(*figures[:3]), Sums(*figures[3:]))
        for dimension, value, name, *figures in rows
    ]
    causes = []
    for each in contributions(whole.before, whole.after, groups):
        cause = Cause.of(each, whole)
        if cause.dimension == "notebook":
            of_notebook = {"workspace_id": given["workspace_id"], "id": cause.value}
            names = await connection.execute(queries.NOTEBOOK_NAME, of_notebook)
            if name := await names.fetchone():
                cause.name = name[0]
        causes.append(cause)
    return causes
