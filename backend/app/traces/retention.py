"""Deletes what is kept of traces: spans that gave no answer after an hour, and the traces after
some days. Answers stay as long as other answers."""

from app.db.pool import Pool
from app.db.retention import BATCH, Retention, RetentionByStatements
from app.settings import Settings
from app.traces import queries

# What comes later than this does not complete a trace any more.
LATE_HOURS = 1


def trace_retention(pool: Pool, settings: Settings, *, batch: int = BATCH) -> Retention:
    return RetentionByStatements(
        pool,
        {"hours": LATE_HOURS, "days": settings.keep_traces_days, "limit": batch},
        delete={"spans_of_traces": queries.DROP_SPANS, "traces": queries.DELETE_TRACES},
        count={"traces": queries.COUNT_OLD},
    )
