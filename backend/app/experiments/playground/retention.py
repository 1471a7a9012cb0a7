"""Deletes trials that were made long ago."""

from app.experiments.playground import queries
from app.platform.db.pool import Pool
from app.platform.db.retention import Retention, RetentionByStatements, Statements
from app.platform.settings import Settings


def trial_retention(pool: Pool, settings: Settings) -> Retention:
    return RetentionByStatements(
        pool,
        {"days": settings.retention.jobs_days},
        {"judge_trials": Statements(queries.DELETE_OLD, queries.COUNT_OLD)},
    )
