"""Deletes trials that were made long ago."""

from app.db.pool import Pool
from app.db.retention import Retention, RetentionByStatements, Statements
from app.playground import queries
from app.settings import Settings


def trial_retention(pool: Pool, settings: Settings) -> Retention:
    return RetentionByStatements(
        pool,
        {"days": settings.keep_jobs_days},
        {"judge_trials": Statements(queries.DELETE_OLD, queries.COUNT_OLD)},
    )
