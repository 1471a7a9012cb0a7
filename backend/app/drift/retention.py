"""Deletes alarms and watched points that have been kept long enough. The last alarm of a series
that is watched stays, for the series begins anew with it, and so do the points since."""

from app.db.pool import Pool
from app.db.retention import Retention, RetentionByStatements
from app.drift import queries
from app.settings import Settings


def alarm_retention(pool: Pool, settings: Settings) -> Retention:
    return RetentionByStatements(
        pool,
        {"days": settings.keep_quality_days},
        delete={"points": queries.DELETE_POINTS, "alarms": queries.DELETE_ALARMS},
        count={"alarms": queries.COUNT_OLD_ALARMS},
    )
