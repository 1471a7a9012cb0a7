"""The SQL that moves a verdict from state to state: a file each in `sql/`, short ones in one.

Every statement is one transaction and takes its time from the database clock; those that change a
status insert the event of the change. Workers send these, so this imports no SQLAlchemy.
"""

from dataclasses import dataclass, replace
from typing import Self

from app.judges.answer_parts import MAX_PARTS, PART_CHARS
from app.platform.broker import Queue
from app.platform.db.pool import Pool, fetch
from app.platform.db.statements import SqlFile, in_list, load_sql
from app.verdicts.lifecycle.outcome import MAX_COST_USD, MAX_TOKENS
from app.verdicts.lifecycle.retry import UNSUITABLE, UNSUITABLE_ANSWERS, UNUSABLE_REPLIES
from app.verdicts.policy.document import BATCH_HOURS
from app.verdicts.status import BUDGET_REASONS, FINAL, UNJUDGED, WAITING

# An event row is visible to subscribers after commit; the notification wakes them.
EVENTS_CHANNEL = "verdict_events"
# The API publishes a fresh row itself; the dispatcher looks after it only if that was lost.
PUBLISH_GRACE_SECONDS = 1

_FRAGMENTS = {
    "waiting": in_list(WAITING),
    "final": in_list(FINAL),
    "unjudged": in_list(UNJUDGED),
    "budget_reasons": in_list(BUDGET_REASONS),
    "events_channel": EVENTS_CHANNEL,
    # The mode of a verdict that rules gave in the judge's place, the end of its judge_key: the
    # judge's own key stays free for the verdict that it gives once it is back.
    "degraded_mode": "/degraded",
    "max_tokens": str(MAX_TOKENS),
    "max_cost_usd": str(MAX_COST_USD),
    "max_parts": str(MAX_PARTS),
    "part_chars": str(PART_CHARS),
    "publish_grace_seconds": str(PUBLISH_GRACE_SECONDS),
    "batch_hours": str(BATCH_HOURS),
    "unusable": UNUSABLE_REPLIES,
    "unsuitable": UNSUITABLE,
    "unsuitable_answers": str(UNSUITABLE_ANSWERS),
    "unsuitable_probe": "1 day",
}


def load(name: str, **fragments: str) -> str:
    """The statement of `sql/NAME.sql`."""
    return load_sql(__package__, name, **_FRAGMENTS, **fragments)


_FRAGMENTS |= {
    name: load(name)
    for name in (
        *("answer_cost", "in_queue", "lease", "mid_cascade", "next_in_cascade", "next_in_chain"),
        *("not_paused", "spent", "to_publish"),
    )
}

_SQL = SqlFile(__package__, "queries", **_FRAGMENTS)

INSERT = load("insert").encode()
BY_IDEMPOTENCY_KEY = _SQL("by_idempotency_key").encode()

WAITING_AMONG = load("waiting_among").encode()
CLAIM = load("claim").encode()


def record(extension: str) -> bytes:
    """The statement that ends attempts, with the CTEs `extension`."""
    rest = load("record_rest")
    return load("record", rest=rest, calls=load("record_calls"), extension=extension).encode()


RECORD_PLAIN = load("record", rest="", calls=_SQL("no_calls"), extension="").encode()


SAVE_REPLIES = load("save_replies", rows="%(rows)s::jsonb").encode()
LOAD_REPLIES = _SQL("load_replies").encode()

FIND_REPLIES = load("find_replies").encode()

# Of the dispatcher's ticks.
REAP = load("reap", lost="e.run_at <= now()").encode()
REAP_OF_ENDED = load("reap", lost="e.worker_id = ANY(%(ended)s::uuid[])").encode()
PROBE = load("probe").encode()
PROBE_SOON = _SQL("probe_soon").encode()
FALL_BACK = load("fall_back").encode()
TAKE_DUE = load("take_due").encode()
TAKE_SUSPECTS = load("take_suspects").encode()
UNPUBLISH = _SQL("unpublish").encode()

COUNT_WAITING = _SQL("count_waiting")
STRANDED = _SQL("stranded")

UNPRICED = _SQL("unpriced").encode()
PRICE_WAITING = load("price_waiting").encode()

BACKLOG = load("backlog").encode()

# Rows due of one queue and judge are counted up to this; it takes a tenth of a second.
MAX_COUNTED = 50_000


@dataclass(frozen=True, slots=True)
class Backlog:
    """Of one queue and judge. due: rows that may be claimed now, MAX_COUNTED for more;
    oldest_seconds: since when the first of them may be, None without one. running: rows that
    workers hold; expired: those of them whose lease has ended. paused: the kind of the judge's
    pause, None while it is asked."""

    queue: Queue
    judge_model: str
    due: int
    oldest_seconds: float | None
    running: int
    expired: int
    paused: str | None

    def aged(self, seconds: float) -> Self:
        """As it is so many seconds later, if nothing has changed."""
        oldest = self.oldest_seconds
        return self if oldest is None else replace(self, oldest_seconds=oldest + seconds)


async def read_backlog(pool: Pool) -> list[Backlog]:
    """A row for each queue and judge with rows due or running, of all workspaces: the pool's role
    must see them. Raises psycopg.Error."""
    rows = await fetch(pool, BACKLOG, {"max_counted": MAX_COUNTED})
    return [Backlog(Queue(row[0]), *row[1:]) for row in rows]
