"""Deletes alarms and watched points that have been kept long enough. The last alarm of a series
that is watched stays, for the series begins anew with it, and so do the points since."""

from app.platform.db.pool import Pool
from app.platform.db.retention import Retention, RetentionByStatements, Statements
from app.platform.settings import Settings
from app.quality.drift import queries


def alarm_retention(pool: Pool, settings: Settings) -> Retention:
    return RetentionByStatements(
        pool,
        {"days": settings.retention.quality_days},
        {
            "points": Statements(queries.DELETE_POINTS, queries.COUNT_OLD_POINTS),
            "alarms": Statements(queries.DELETE_ALARMS, queries.COUNT_OLD_ALARMS),
        },
    )
