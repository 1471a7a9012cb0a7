"""Alarms of a workspace, for the API."""

import uuid

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.errors import NotFound
from app.quality.drift import queries
from app.quality.drift.series import JOIN_DAYS, Series
from app.quality.drift.views import QualityAlarm, QualityAlarms, WatchedSeries
from app.quality.metrics.sequential_ranks import LEARNING

MAX_ALARMS = 100


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
