"""Claims, records and sweeps: each method is one guarded statement over many rows."""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NamedTuple

from pydantic_core import PydanticSerializationError, to_json

from app.ai_router.types import ChatResponse, Lang
from app.platform.broker import Queue
from app.platform.db.pool import Pool, execute, fetch
from app.platform.db.statements import storable
from app.platform.ids import new_id
from app.platform.settings import Settings
from app.verdicts.lifecycle import queries as sql
from app.verdicts.lifecycle.lease_rows import lease_of
from app.verdicts.lifecycle.outcome import Held, Lease, Outcome
from app.verdicts.lifecycle.record_rows import is_plain, record_row

# Rows of one judge and workspace that are published and not claimed: enough for the workers until
# the next tick.
PUBLISH_WINDOW = 2000
# Rows of one judge and workspace that a tick takes, however many others there are.
MIN_GROUP_BATCH = 100
# Rows of one statement.
MAX_REAPED = 500


@dataclass(slots=True)
class StoredCall:
    """One reply of a judge as it goes to judge_calls, or the error that came instead of a reply
    or with one of no use. Its id is made with it, so that writing it again adds nothing. batched:
    it was a line of a batch. purpose: the name of the schema that the reply was to have; re_ask: it
    was asked for once more. elapsed_ms: from asking until the reply or the error."""

    lease: Lease | Held
    request_hash: str
    provider: str
    model: str
    response: ChatResponse | None
    error: str | None = None
    id: uuid.UUID = field(default_factory=new_id)
    batched: bool = False
    purpose: str | None = None
    re_ask: bool = False
    elapsed_ms: float | None = None

    def row(self) -> dict[str, Any]:
        reply = self.response
        return {
            "id": self.id,
            "workspace_id": self.lease.workspace_id,
            "evaluation_id": self.lease.id,
            "attempt": self.lease.attempt,
            "request_hash": self.request_hash,
            "provider": self.provider,
            "model": self.model,
            "content": None if reply is None or self.error else storable(reply.content),
            "body": reply and storable(reply.raw_body),
            "prompt_tokens": reply and reply.prompt_tokens,
            "completion_tokens": reply and reply.completion_tokens,
            "cached_tokens": reply and reply.cached_tokens,
            "cache_write_tokens": reply and reply.cache_write_tokens,
            "cost_usd": None if reply is None or reply.cost_usd is None else str(reply.cost_usd),
            # A batch reports when it ended, not how long a line took.
            "latency_ms": None if reply is None or self.batched else reply.latency_ms,
            "error": self.error,
            "batched": self.batched,
            "purpose": self.purpose,
            "re_ask": self.re_ask,
            "elapsed_ms": self.elapsed_ms,
        }


class ReplyKey(NamedTuple):
    """A request that another answer of the workspace may have had too."""

    workspace_id: uuid.UUID
    request_hash: str


class Lengths(NamedTuple):
    """Of an answer that is to be judged, in bytes of UTF-8."""

    lang: Lang
    question: int
    answer: int
    notes: int
    parts: int


class WaitingRow(NamedTuple):
    """A row that waits to be judged; lengths: where they were wanted."""

    id: uuid.UUID
    judge_model: str
    workspace_id: uuid.UUID
    queue: str
    evaluators: Sequence[str]
    judge_prompt: str | None
    lengths: Lengths | None


@dataclass(frozen=True, slots=True)
class RecordExtension:
    """What a package above this one writes in the statement that records outcomes, so that it is
    written with them or not at all: CTEs, each after a comma, and the values of their parameters.

    They may read the columns id, workspace_id and refine_job of the CTE `recorded`; refine_job is
    the id of the job to improve a poor answer, NULL where it is not to be improved.
    """

    ctes: str = ""
    parameters: Mapping[str, object] = field(default_factory=dict)


class VerdictLifecycle:
    """The hot path of workers and dispatcher over one psycopg pool.

    Statements may raise psycopg.Error; nothing is then changed and the call may be repeated.
    """

    def __init__(
        self, pool: Pool, settings: Settings, extension: RecordExtension = RecordExtension()
    ) -> None:
        self._pool = pool
        self._settings = settings
        self._record = sql.record(extension.ctes)
        self._extension = extension
        # One for each process: what it holds when it dies is what it may have died of.
        self.worker_id = new_id()

    async def waiting(
        self, ids: Sequence[uuid.UUID], limited: Sequence[str] = ()
    ) -> list[WaitingRow]:
        """Those of `ids` that wait to be judged. Claims nothing. limited: judges of whose rows the
        lengths are wanted."""
        parameters = {"ids": list(ids), "limited": list(limited)}
        return [
            WaitingRow._make([*row[:6], None if row[6] is None else Lengths(*row[6:])])
            for row in await fetch(self._pool, sql.WAITING_AMONG, parameters)
        ]

    async def claim(
        self, ids: Sequence[uuid.UUID], queues: Sequence[str] = tuple(Queue)
    ) -> list[Lease]:
        """Takes those of `ids` that are free and of one of the queues; the others are somebody
        else's or done."""
        parameters = {
            "ids": list(ids),
            "queues": list(queues),
            "worker_id": self.worker_id,
            "lease": self._settings.judge.lease_seconds,
        }
        return [lease_of(row) for row in await fetch(self._pool, sql.CLAIM, parameters)]

    async def record(self, outcomes: Sequence[tuple[Lease, Outcome]]) -> set[uuid.UUID]:
        """Writes the outcome of each lease. Returns the ids written: one that was
        lost in the meantime writes nothing."""
        rows = [record_row(lease, outcome) for lease, outcome in outcomes]
        written = await fetch(
            self._pool,
            sql.RECORD_PLAIN if all(map(is_plain, rows)) else self._record,
            {
                "rows": rows_json(rows),
                "pause": self._settings.judge.pause_seconds,
                "lease": self._settings.judge.lease_seconds,
                "breaker_failures": self._settings.judge.breaker_failures,
                "breaker_window": self._settings.judge.breaker_window_seconds,
                "breaker_probe": self._settings.judge.breaker_probe_seconds,
                **self._extension.parameters,
            },
        )
        return {row[0] for row in written}

    async def save_replies(self, calls: Sequence[StoredCall]) -> None:
        """Commits replies before they are parsed."""
        rows = rows_json([call.row() for call in calls])
        async with self._pool.connection() as connection:
            await connection.execute(sql.SAVE_REPLIES, {"rows": rows})

    async def load_replies(self, lease: Lease) -> dict[str, ChatResponse]:
        """Usable replies of earlier attempts, by request hash."""
        rows = await fetch(self._pool, sql.LOAD_REPLIES, {"id": lease.id})
        return {
            row[0]: ChatResponse(
                content=row[1],
                provider=row[2],
                model=row[3],
                prompt_tokens=row[4],
                completion_tokens=row[5],
                cost_usd=row[6],
                latency_ms=row[7] or 0.0,
            )
            for row in rows
        }

    async def find_replies(self, requests: Sequence[ReplyKey]) -> dict[ReplyKey, ChatResponse]:
        """Replies that identical requests had within `reuse_replies_hours`; they cost nothing."""
        rows = await fetch(
            self._pool,
            sql.FIND_REPLIES,
            {
                "workspaces": [request.workspace_id for request in requests],
                "hashes": [request.request_hash for request in requests],
                "hours": self._settings.judge.reuse_replies_hours,
            },
        )
        return {
            ReplyKey(row[0], row[1]): ChatResponse(
                content=row[2],
                provider=row[3],
                model=row[4],
                prompt_tokens=0,
                completion_tokens=0,
                cost_usd=Decimal(0),
            )
            for row in rows
        }

    async def reap(self, ended: Sequence[uuid.UUID] = ()) -> int:
        """Queues rows again whose worker's lease has ended, or those of workers that are known to
        have ended. Returns how many."""
        parameters = {"limit": MAX_REAPED, "lease": self._settings.judge.lease_seconds}
        statement = sql.REAP_OF_ENDED if ended else sql.REAP
        rows = await fetch(self._pool, statement, parameters | {"ended": list(ended)})
        return int(rows[0][0])

    async def probe_paused(self) -> None:
        """Lets one waiting row of each paused judge through, when it is time."""
        await execute(self._pool, sql.PROBE, {"pause": self._settings.judge.pause_seconds})

    async def fall_back(self, limit: int = 500) -> int:
        """Gives rows whose judge is paused to another judge of their workspace, or to the rules
        where it is failing. Returns how many."""
        parameters = {
            "judge_model": self._settings.judge.model,
            "judge_fallback": self._settings.judge.fallback,
            "limit": limit,
        }
        return int((await fetch(self._pool, sql.FALL_BACK, parameters))[0][0])

    async def probe_soon(self) -> None:
        """Has one row of each paused judge tried now rather than when its rest is over."""
        await execute(self._pool, sql.PROBE_SOON)

    async def ping(self) -> None:
        """Returns when PostgreSQL can be asked. Raises psycopg.Error."""
        await execute(self._pool, b"SELECT 1")

    async def take_due(self, queue: Queue, limit: int) -> list[uuid.UUID]:
        """Rows of one queue that should be published now, stamped as published."""
        parameters: Mapping[str, Any] = {
            "queue": queue.value,
            "limit": limit,
            "republish": self._settings.worker.republish_after_seconds,
            "window": PUBLISH_WINDOW,
            "least": MIN_GROUP_BATCH,
        }
        isolated = queue is Queue.ISOLATED
        query = sql.TAKE_SUSPECTS if isolated else sql.TAKE_DUE
        return [row[0] for row in await fetch(self._pool, query, parameters)]

    async def unpublish(self, ids: Sequence[uuid.UUID]) -> None:
        """Takes the stamp back after a publish that failed, so that they are due at once."""
        await execute(self._pool, sql.UNPUBLISH, {"ids": list(ids)})


def rows_json(rows: Sequence[Mapping[str, Any]]) -> str:
    """For a statement that takes many rows at once."""
    try:
        return to_json(rows).decode()
    except PydanticSerializationError:
        # Half a surrogate pair somewhere: PostgreSQL refuses its row, and that row alone.
        return json.dumps(rows, default=str)
