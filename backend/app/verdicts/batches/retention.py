"""Deletes batches that ended long ago, their lines first: a batch may have fifty thousand."""

from app.platform.db.pool import Pool
from app.platform.db.retention import Retention, RetentionByStatements, Statements
from app.platform.settings import Settings
from app.verdicts.batches import queries


def batch_retention(pool: Pool, settings: Settings) -> Retention:
    return RetentionByStatements(
        pool,
        {"days": settings.retention.jobs_days},
        {
            "judge_batch_lines": Statements(queries.DELETE_ENDED_LINES, queries.COUNT_ENDED_LINES),
            "judge_batches": Statements(queries.DELETE_ENDED, queries.COUNT_ENDED),
        },
    )
