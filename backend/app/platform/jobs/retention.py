"""Deletes jobs that ended long ago. Those of refinements go with their answer."""

from app.platform.db.pool import Pool
from app.platform.db.retention import Retention, RetentionByStatements, Statements
from app.platform.jobs import queries
from app.platform.settings import Settings


def job_retention(pool: Pool, settings: Settings) -> Retention:
    return RetentionByStatements(
        pool,
        {"days": settings.retention.jobs_days},
        {"jobs": Statements(queries.DELETE_ENDED, queries.COUNT_ENDED)},
    )
