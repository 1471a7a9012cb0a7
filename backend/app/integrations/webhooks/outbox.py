"""Claims and records of deliveries: each method is one guarded statement."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg
from pydantic_core import to_json

from app.integrations.webhooks.events import MAX_WAITING, TEST_EVENT, DeliveryStatus, FailureCode
from app.platform.db.pool import Pool, execute, fetch
from app.platform.db.statements import SqlFile, in_list, load_sql
from app.platform.settings import Settings
from app.verdicts.status import BUDGET_REASONS, UNFINISHED

# Attempts of one delivery that its log keeps.
MAX_LOGGED = 20
# Deliveries to one receiver at a time, of one process.
MAX_PER_WEBHOOK = 4
# What a process needs, beside the deadline of an attempt, to record it.
LEASE_MARGIN_SECONDS = 30

_CLAIM = load_sql(__package__, "claim").encode()
_RECORD = load_sql(
    __package__, "record", test_event=TEST_EVENT, attempts=str(MAX_LOGGED - 1)
).encode()
_RELEASE = b"""
UPDATE webhook_deliveries SET run_at = now(), lease_until = NULL, tries = tries - 1
WHERE id = %(id)s AND attempt = %(attempt)s AND lease_until IS NOT NULL
"""


@dataclass(frozen=True, slots=True)
class Delivery:
    """A delivery that this process holds until its lease ends. `attempt` is the fence, `tries`
    counts this one too. secrets: the newest first. content, traceparent: None without."""

    id: uuid.UUID
    webhook_id: uuid.UUID
    attempt: int
    tries: int
    event: str
    at: dt.datetime
    data: Mapping[str, Any]
    url: str
    format: str
    lang: str
    secrets: Sequence[str]
    content: Mapping[str, Any] | None
    traceparent: str | None


@dataclass(frozen=True, slots=True)
class Attempt:
    """The result of an attempt. failure: None where the receiver has taken it. delay: seconds until
    the next one, None where there is none."""

    failure: FailureCode | None
    delay: float | None
    status: int | None
    ms: float
    reply: str


class Outbox:
    """Over one psycopg pool. Statements may raise psycopg.Error; nothing is then changed, and the
    call may be repeated."""

    def __init__(self, pool: Pool, settings: Settings) -> None:
        self._pool = pool
        self._lease = settings.webhooks.timeout_seconds + LEASE_MARGIN_SECONDS
        self._disable_days = settings.webhooks.disable_after_days

    async def claim(self, limit: int, held: Mapping[uuid.UUID, int]) -> list[Delivery]:
        """Takes what is due. held: how many deliveries this process holds, by webhook."""
        given = {
            "limit": limit,
            "webhooks": list(held),
            "held": list(held.values()),
            "per_webhook": MAX_PER_WEBHOOK,
            "lease": self._lease,
        }
        rows = await fetch(self._pool, _CLAIM, given)
        return [Delivery(*row) for row in rows]

    async def record(self, delivery: Delivery, attempt: Attempt) -> bool:
        """False when the delivery is not held any more, and nothing was written."""
        if attempt.failure is None:
            status = DeliveryStatus.DELIVERED
        elif attempt.delay is None:
            status = DeliveryStatus.FAILED
        else:
            status = DeliveryStatus.PENDING
        entry = {
            "attempt": delivery.attempt,
            "at": dt.datetime.now(dt.UTC),
            "status": attempt.status,
            "ms": attempt.ms,
            "code": attempt.failure,
            "reply": attempt.reply,
        }
        given = {
            "id": delivery.id,
            "attempt": delivery.attempt,
            "status": status,
            "delay": attempt.delay or 0,
            "code": attempt.failure,
            "entry": to_json(entry).decode(),
            "disable_days": self._disable_days,
        }
        return bool(await fetch(self._pool, _RECORD, given))

    async def release(self, delivery: Delivery) -> None:
        """Gives it back unsent, because this process stops."""
        await execute(self._pool, _RELEASE, {"id": delivery.id, "attempt": delivery.attempt})


_SQL = SqlFile(__package__, "deliveries")
DELIVERY_BACKLOG = _SQL("delivery_backlog").encode()
COUNT_DELIVERIES = _SQL("count_deliveries").encode()
DELETE_DELIVERIES = _SQL("delete_deliveries").encode()
COUNT_SECRETS = _SQL("count_secrets").encode()
DELETE_SECRETS = _SQL("delete_secrets").encode()

# Verdicts of a day before a share of them says anything.
MIN_VERDICTS = 20

_FRESH = (
    f"is_current AND queue <> 'bulk' AND COALESCE(reason, '') NOT IN ({in_list(BUDGET_REASONS)})"
)
_BACKLOG = load_sql(__package__, "backlog", unfinished=in_list(UNFINISHED), fresh=_FRESH).encode()
_THRESHOLDS = load_sql(__package__, "thresholds").encode()
_ENDINGS = load_sql(__package__, "endings").encode()
# Named in one alert of a model that ends.
_MAX_USES = 50
_GIVEN = {"min_verdicts": MIN_VERDICTS, "max_waiting": MAX_WAITING}


async def raise_alerts(pool: Pool) -> int:
    """Puts what has been crossed into the outbox. Returns how many. Raises psycopg.Error; one kind
    of alert that fails does not keep the others back."""
    raised, failure = 0, None
    for statement in (_BACKLOG, _THRESHOLDS):
        try:
            [(count,)] = await fetch(pool, statement, _GIVEN)
        except psycopg.Error as error:
            failure = error
        else:
            raised += count
    if failure:
        raise failure
    return raised


async def raise_endings(
    pool: Pool, server_models: Mapping[str, Sequence[str]], days: Sequence[int]
) -> int:
    """Puts models that end within one of `days` into the outbox, each once for each of them.
    server_models: see endings.sql. Returns how many. Raises psycopg.Error."""
    server = to_json(server_models).decode()
    given = {"server": server, "days": list(days), "max_uses": _MAX_USES}
    [(count,)] = await fetch(pool, _ENDINGS, given)
    return int(count)
