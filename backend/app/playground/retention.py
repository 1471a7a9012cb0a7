"""Deletes trials that were made long ago."""

from app.db.pool import Pool
from app.db.retention import Retention, RetentionByStatements
from app.playground import queries
from app.settings import Settings


def trial_retention(pool: Pool, settings: Settings) -> Retention:
    return RetentionByStatements(
        pool,
        {"days": settings.keep_jobs_days},
        delete={"judge_trials": queries.DELETE_OLD},
        count={"judge_trials": queries.COUNT_OLD},
    )
