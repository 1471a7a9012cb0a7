"""Deletes batches that ended long ago, their lines first: a batch may have fifty thousand."""

from app.batches import queries
from app.db.pool import Pool
from app.db.retention import Retention, RetentionByStatements, Statements
from app.settings import Settings


def batch_retention(pool: Pool, settings: Settings) -> Retention:
    return RetentionByStatements(
        pool,
        {"days": settings.keep_jobs_days},
        {
            "judge_batch_lines": Statements(queries.DELETE_ENDED_LINES, queries.COUNT_ENDED_LINES),
            "judge_batches": Statements(queries.DELETE_ENDED, queries.COUNT_ENDED),
        },
    )
