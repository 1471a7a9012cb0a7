"""Stores the spans of a request, and reads the traces of a workspace. Times are of the database
clock.

Writers lock traces first, in the order of their ids, and counts last: two writers never
wait for each other in a circle.
"""

import datetime as dt
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from pydantic import BaseModel
from pydantic_core import to_json

from app.integrations.traces.body import MAX_SPANS_PER_TRACE, TOO_MUCH_OF_A_TRACE, ReadSpans
from app.integrations.traces.grouping import Outcome
from app.platform.db.pool import Connection, Pool, transaction_in_workspace
from app.platform.db.statements import SqlFile, load_sql
from app.platform.settings import Settings

OPEN_TRACES = load_sql(__package__, "open_traces").encode()
INSERT_SPANS = load_sql(__package__, "insert_spans").encode()
_SQL = SqlFile(__package__, "queries", not_genai=Outcome.NOT_GENAI)
COUNT = _SQL("count").encode()
ROOM = _SQL("room").encode()
CLAIM_DUE = _SQL("claim_due").encode()
SPANS_OF = _SQL("spans_of").encode()
FINISH = _SQL("finish").encode()
DROP_SPANS = _SQL("drop_spans").encode()
COUNT_SPANS = _SQL("count_spans").encode()
DELETE_TRACES = _SQL("delete_traces").encode()
COUNT_OLD = _SQL("count_old").encode()
COUNTS = _SQL("counts").encode()
NEWEST = _SQL("newest").encode()


MAX_CONTENT_BYTES_PER_TRACE = 16 * 2**20
# Of one workspace; requests at the same time may exceed it by their own.
MAX_UNSETTLED_TRACES = 20_000
TOO_MANY_UNSETTLED = (
    f"a workspace may have {MAX_UNSETTLED_TRACES:,} traces that are not settled; send new traces"
    " when these are"
)


class Counted(StrEnum):
    """What is counted beside the outcomes of traces."""

    REQUESTS = "requests"
    SPANS = "spans"
    REJECTED_SPANS = "rejected_spans"
    DUPLICATE_SPANS = "duplicate_spans"
    CUT_TEXTS = "cut_texts"
    LATE_SPANS = "late_spans"
    ANSWERS = "answers"


class CountKey(NamedTuple):
    """A number of a workspace, of a day (UTC); None: of today. name: a Counted or an Outcome."""

    workspace_id: uuid.UUID
    name: str
    day: dt.date | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """rejected: spans that were not kept; why: the reason of some of them."""

    rejected: int
    why: str


async def store_spans(
    pool: Pool, settings: Settings, workspace_id: uuid.UUID, read: ReadSpans
) -> Stored:
    """Commits all of a request or nothing of it; what was stored before changes nothing, so the
    request may be sent again. Raises psycopg.Error."""
    async with transaction_in_workspace(pool, workspace_id) as connection:
        given: dict[str, object] = {
            "workspace_id": workspace_id,
            "settle": settings.traces.settle_seconds,
            "max_wait": settings.traces.max_wait_seconds,
            "max_spans": MAX_SPANS_PER_TRACE,
            "max_bytes": MAX_CONTENT_BYTES_PER_TRACE,
            "max_unsettled": MAX_UNSETTLED_TRACES,
        }
        ((room,),) = await (await connection.execute(ROOM, given)).fetchall()
        new = too_much = too_many = 0
        for batch in read.batches:
            given |= {"traces": batch.traces, "spans": batch.spans, "room": room}
            ((opened, large, beyond),) = await (
                await connection.execute(OPEN_TRACES, given)
            ).fetchall()
            room, too_much, too_many = room - opened, too_much + large, too_many + beyond
            new += (await connection.execute(INSERT_SPANS, given)).rowcount
        refused = too_much + too_many
        counts = {
            Counted.REQUESTS: 1,
            Counted.SPANS: new,
            Counted.REJECTED_SPANS: read.rejected + refused,
            Counted.DUPLICATE_SPANS: read.kept - refused - new,
            Counted.CUT_TEXTS: read.cut,
        }
        await add_counts(
            connection, {CountKey(workspace_id, name): count for name, count in counts.items()}
        )
    of_traces = TOO_MANY_UNSETTLED if too_many else TOO_MUCH_OF_A_TRACE if too_much else ""
    return Stored(read.rejected + refused, read.why or of_traces)


async def add_counts(connection: Connection, counts: Mapping[CountKey, int]) -> None:
    """The last statement of its transaction. None is written for 0."""
    rows = [{**key._asdict(), "count": count} for key, count in counts.items() if count]
    if rows:
        await connection.execute(COUNT, {"counts": to_json(rows).decode()})


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
        counted = await (await connection.execute(COUNTS, given)).fetchall()
        newest = await (await connection.execute(NEWEST, given)).fetchall()
    by_name = {str(name): int(count) for name, count in counted}
    return TracesSummary(
        days=days,
        outcomes={each: by_name.get(each, 0) for each in Outcome},
        counts={each: by_name.get(each, 0) for each in Counted},
        newest=[TraceView(**dict(zip(TraceView.model_fields, row, strict=True))) for row in newest],
    )
