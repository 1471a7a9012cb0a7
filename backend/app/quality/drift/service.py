"""Alarms of a workspace and their views, for the API."""

import datetime as dt
import uuid
from collections.abc import Sequence
from functools import reduce
from typing import Any, Literal, Self

from psycopg.types.json import Jsonb
from pydantic import BaseModel
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.db.pool import Connection
from app.platform.errors import NotFound
from app.platform.ids import new_id
from app.quality.drift import queries
from app.quality.drift.series import (
    JOIN_DAYS,
    LEARNING,
    Contribution,
    Day,
    DayPoint,
    Group,
    Series,
    Shift,
    Sums,
    contributions,
)

Dimension = Literal[
    "answer_model",
    "judge_model",
    "notebook",
    "prompt_version",
    "lang",
    "feature",
    "app_version",
    "environment",
    "reason",
    "misquoted_note",
    "cited_note",
]


class Cause(BaseModel):
    """Answers that differ: of one model that answered, judge, notebook, version of the judge's
    prompt, language, feature, release or environment; without a score for one reason; or that cite
    or misquote one note.

    value: an id for notebooks and notes of ours, which `name` names; of copies of a note, with the
    same text but for case and white space, their ids with spaces between. part: of the change that
    is theirs alone, from 0.3; of one dimension to the next they overlap. share_before, share_after:
    of all answers; mean_before, mean_after: of the series over them, null without answers.
    """

    dimension: Dimension
    value: str
    name: str | None
    part: float
    share_before: float
    share_after: float
    mean_before: float | None
    mean_after: float | None

    @classmethod
    def from_contribution(cls, contribution: Contribution, whole: Group) -> Self:
        """whole: of all answers."""
        group = contribution.group
        return cls.model_validate(
            {
                "dimension": group.dimension,
                "value": group.value,
                "name": group.name,
                "part": contribution.part,
                "share_before": group.before.answers / whole.before.answers,
                "share_after": group.after.answers / whole.after.answers,
                "mean_before": group.before.mean,
                "mean_after": group.after.mean,
            }
        )


class QualityAlarm(BaseModel):
    """A series of a judge has changed: score (mean correctness), corrected (the same by people's
    labels and the judge), coverage (the share of answers given to the judge that it scored itself)
    or unjudged (the share that was skipped or failed), each 0 to 1.

    began_on: estimated first day after the change; noticed_on: the day that gave the alarm.
    before: the mean from compared_from until the day before; after: the mean from then on, of so
    many answers, or of labels for `corrected`. causes: what differs most, the largest part first;
    empty where nothing in particular does.
    """

    id: uuid.UUID
    judge_model: str
    series: Series
    compared_from: dt.date
    began_on: dt.date
    noticed_on: dt.date
    before: float
    after: float
    answers_before: int
    answers_after: int
    causes: list[Cause]
    acknowledged_at: dt.datetime | None
    created_at: dt.datetime


class WatchedSeries(BaseModel):
    """How far a series of a judge is watched: its points since it began or since its last alarm,
    and the last day of them. missing: points until alarms are possible, each of at least 20 answers
    of a day or of some days together (10 labels for `corrected`); 0 when it is watched."""

    judge_model: str
    series: Series
    points: int
    missing: int
    last_day: dt.date | None


class QualityAlarms(BaseModel):
    """rows: newest first. watched: series of judges that were asked in the last 28 days looked
    at. tz: the time zone of all days."""

    rows: list[QualityAlarm]
    watched: list[WatchedSeries]
    tz: str


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
    before = reduce(DayPoint.joined, recent or points[shift.began - 1 : shift.began])
    after = reduce(DayPoint.joined, points[shift.began : shift.noticed + 1])
    whose = {"workspace_id": day.workspace_id, "judge_model": judge_model}
    compared = {
        "zone": day.zone,
        "since": before.first_day,
        "began": began,
        "until": after.last_day + dt.timedelta(days=1),
        "share": min(1.0, MAX_ANSWERS / (before.answers + after.answers)),
    }
    found = await connection.execute(queries.groups_of(series), whose | compared)
    causes = causes_of(await found.fetchall())
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
    differing = (
        ", ".join(f"{each.dimension} {each.value}" for each in causes) or "nothing in particular"
    )
    return (
        f"{series} of {judge_model} changed from {before.value:.3f} to {after.value:.3f}"
        f" since {began}; what differs most: {differing}"
    )


def causes_of(rows: Sequence[Sequence[Any]]) -> list[Cause]:
    """What differs most, the largest part first. rows: of queries.groups."""
    if not rows:
        return []
    whole, *groups = [
        Group(dimension, value, name, Sums(*figures[:3]), Sums(*figures[3:]))
        for dimension, value, name, *figures in rows
    ]
    found = contributions(whole.before, whole.after, groups)
    return [Cause.from_contribution(each, whole) for each in found]


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
        raise NotFound.worded("no-such-alarm")
