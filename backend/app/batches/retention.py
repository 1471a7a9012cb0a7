"""Deletes batches that ended long ago, their lines first: a batch may have fifty thousand."""

from app.batches import queries
from app.db.pool import Pool
from app.db.retention import Retention, RetentionByStatements
from app.settings import Settings


def batch_retention(pool: Pool, settings: Settings) -> Retention:
    return RetentionByStatements(
        pool,
        {"days": settings.keep_jobs_days},
        delete={
            "judge_batch_lines": queries.DELETE_ENDED_LINES,
            "judge_batches": queries.DELETE_ENDED,
        },
        count={"judge_batches": queries.COUNT_ENDED},
    )
