"""What a workspace sees of its traces."""

import datetime as dt
import uuid

from pydantic import BaseModel

from app.integrations.traces import queries
from app.integrations.traces.answer_unit import Outcome
from app.integrations.traces.intake import Counted
from app.platform.db.pool import Pool, transaction_in_workspace


class TraceView(BaseModel):
    """settle_at: when spans that have arrived since are due; null without any."""

    trace_id: str
    outcome: Outcome
    service: str
    name: str
    spans: int
    answers: int
    created_at: dt.datetime
    settle_at: dt.datetime | None


class TracesSummary(BaseModel):
    """outcomes: settled traces by what came of them. counts: requests, spans and answers. newest:
    settled traces by the time of their first span."""

    days: int
    outcomes: dict[Outcome, int]
    counts: dict[Counted, int]
    newest: list[TraceView]


async def summary(
    pool: Pool, workspace_id: uuid.UUID, *, days: int, outcome: Outcome | None, limit: int
) -> TracesSummary:
    """Of the last `days` days. Raises psycopg.Error."""
    given = {
        "workspace_id": workspace_id,
        "days": days,
        "limit": limit,
        "outcome": outcome and outcome.value,
    }
    async with transaction_in_workspace(pool, workspace_id) as connection:
        counted = await (await connection.execute(queries.COUNTS, given)).fetchall()
        newest = await (await connection.execute(queries.NEWEST, given)).fetchall()
    by_name = {str(name): int(count) for name, count in counted}
    return TracesSummary(
        days=days,
        outcomes={each: by_name.get(each, 0) for each in Outcome},
        counts={each: by_name.get(each, 0) for each in Counted},
        newest=[TraceView(**dict(zip(TraceView.model_fields, row, strict=True))) for row in newest],
    )
