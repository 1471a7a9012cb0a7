"""Deletes what is kept of traces: spans that gave no answer after an hour, and the traces after
some days. Answers stay as long as other answers."""

from app.integrations.traces import queries
from app.platform.db.pool import Pool
from app.platform.db.retention import BATCH, Retention, RetentionByStatements, Statements
from app.platform.settings import Settings

# What comes later than this does not complete a trace any more.
LATE_HOURS = 1


def trace_retention(pool: Pool, settings: Settings, *, batch: int = BATCH) -> Retention:
    return RetentionByStatements(
        pool,
        {"hours": LATE_HOURS, "days": settings.retention.traces_days, "limit": batch},
        {
            "spans_of_traces": Statements(queries.DROP_SPANS, queries.COUNT_SPANS),
            "traces": Statements(queries.DELETE_TRACES, queries.COUNT_OLD),
        },
    )
