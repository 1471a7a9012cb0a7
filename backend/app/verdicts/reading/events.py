"""Verdict events: a gapless order, and one hub a process that fans them out.

A serial id alone would lose events, because id 3 can commit before id 2. The cursor is
(transaction id, id), and an event is delivered when no older transaction is open, or when one has
been open for too long (`held_back.py`).
"""

import asyncio
import logging
import uuid
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import NamedTuple, Self

import psycopg
from psycopg_pool import PoolTimeout
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.notifications import notifications, stop
from app.db.pool import Pool
from app.errors import InvalidRequest
from app.jobs.status import JobStatus
from app.verdicts.lifecycle.queries import EVENTS_CHANNEL
from app.verdicts.reading import queries
from app.verdicts.reading.held_back import HeldBack
from app.verdicts.status import Status

logger = logging.getLogger(__name__)

# A reader this far behind is let go; it comes back with Last-Event-ID and reads from the table.
SUBSCRIBER_BACKLOG = 1000
REPLAY_PAGE = 500
# Without a notification the table is looked at this often (seconds).
IDLE_POLL = 1.0
# A connection on which nothing is heard is not looked at more often than this (seconds).
LISTEN_CHECK = 60.0
# What an open transaction holds back is looked for after this long, then twice as long.
UNREAD_POLL = 0.01


class Cursor(NamedTuple):
    """A place between events; written `xid-id` in SSE ids."""

    xid: int
    id: int

    def __str__(self) -> str:
        return f"{self.xid}-{self.id}"

    @classmethod
    def parse(cls, written: str) -> Self:
        """Raises InvalidRequest."""
        xid, _, id_ = written.partition("-")
        if not (xid.isascii() and xid.isdecimal() and id_.isascii() and id_.isdecimal()):
            raise InvalidRequest(
                "Last-Event-ID is not one of ours; leave it out to start from now.",
                ko="Last-Event-ID 형식이 올바르지 않습니다. 지금부터 받으려면 생략하세요.",
            )
        cursor = cls(int(xid), int(id_))
        if max(cursor) >= 2**63:
            raise InvalidRequest(
                "Last-Event-ID is out of range; leave it out to start from now.",
                ko="Last-Event-ID가 범위를 벗어났습니다. 지금부터 받으려면 생략하세요.",
            )
        return cursor


# Before every event, and later than every one.
BEGINNING = Cursor(0, 0)
END = Cursor(2**63 - 1, 2**63 - 1)


@dataclass(frozen=True, slots=True)
class VerdictEvent:
    """A change of a verdict, or with a refinement_id of the job that improves its answer.

    resume_after: of an event that was delivered before the events it comes after were settled,
    the cursor up to which all are: who continues there misses nothing, and hears it again.
    """

    cursor: Cursor
    workspace_id: uuid.UUID
    evaluation_id: uuid.UUID
    status: Status | JobStatus
    refinement_id: uuid.UUID | None = None
    resume_after: Cursor | None = None

    @property
    def place(self) -> Cursor:
        """Where a reader continues that has had this event."""
        return self.resume_after or self.cursor


class Subscription:
    """Events of one workspace, or of one evaluation, from the moment of subscribing on.

    Iteration ends when the reader has fallen too far behind or the hub closes. What came before is
    up to the cursor `since`, and what is visible in the snapshot `seen`.
    """

    def __init__(
        self,
        since: Cursor,
        workspace_id: uuid.UUID,
        evaluation_id: uuid.UUID | None,
        seen: str | None = None,
    ) -> None:
        self.since = since
        self.seen = seen
        self.workspace_id = workspace_id
        self.evaluation_id = evaluation_id
        self.closed = False
        self._events: asyncio.Queue[VerdictEvent | None] = asyncio.Queue(SUBSCRIBER_BACKLOG + 1)

    def offer(self, event: VerdictEvent) -> None:
        if event.workspace_id != self.workspace_id:
            return
        if self.evaluation_id not in {None, event.evaluation_id}:
            return
        if self._events.qsize() < SUBSCRIBER_BACKLOG:
            self._events.put_nowait(event)
        elif not self._events.full():
            self._events.put_nowait(None)

    def close(self) -> None:
        """Ends the iteration; what is waiting in it is not delivered any more."""
        self.closed = True
        if not self._events.full():
            self._events.put_nowait(None)

    def __aiter__(self) -> AsyncIterator[VerdictEvent]:
        return self

    async def __anext__(self) -> VerdictEvent:
        event = await self._events.get()
        if event is None or self.closed:
            raise StopAsyncIteration
        return event


class EventHub:
    """Reads new events once for all subscribers of this process, woken by NOTIFY."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._cursor = BEGINNING
        self._held_back = HeldBack()
        self._subscriptions: set[Subscription] = set()
        self._task: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()

    async def start(self) -> None:
        async with self._pool.connection() as connection:
            row = await (await connection.execute(queries.EVENT_HORIZON)).fetchone()
        assert row is not None
        self._cursor = Cursor(row[0], 0)
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        if self._task:
            await stop(self._task)
        for subscription in self._subscriptions:
            subscription.close()

    @asynccontextmanager
    async def subscribe(
        self, workspace_id: uuid.UUID, evaluation_id: uuid.UUID | None = None
    ) -> AsyncIterator[Subscription]:
        seen = self._held_back.snapshot
        subscription = Subscription(self._cursor, workspace_id, evaluation_id, seen)
        self._subscriptions.add(subscription)
        try:
            yield subscription
        finally:
            self._subscriptions.discard(subscription)

    async def _run(self) -> None:
        listener = asyncio.create_task(self._listen())
        pause = IDLE_POLL
        try:
            while True:
                self._wake.clear()
                before = self._cursor
                unread = await self._read_new()
                stuck = unread and self._cursor == before
                pause = min(2 * pause, IDLE_POLL) if stuck else UNREAD_POLL
                # Not wait_for: until Python 3.12 it can swallow the cancellation that stops us.
                with suppress(TimeoutError):
                    async with asyncio.timeout(pause if unread else IDLE_POLL):
                        await self._wake.wait()
        finally:
            await stop(listener)

    async def _listen(self) -> None:
        async with aclosing(
            notifications(self._pool, EVENTS_CHANNEL, look_every=LISTEN_CHECK)
        ) as payloads:
            async for _ in payloads:
                self._wake.set()

    async def _read_new(self) -> bool:
        """Delivers what is settled, and what has been held back for too long. Returns whether
        something newer is left."""
        try:
            return await self._read()
        except (psycopg.Error, PoolTimeout, OSError) as error:
            logger.warning("Verdict events cannot be read (%s); trying again", error)
        except Exception:
            # Streams that never move are worse than a line in the log every second.
            logger.exception("Verdict events cannot be read; trying again")
        return False

    async def _read(self) -> bool:
        parameters = {
            "xid": str(self._cursor.xid),
            "id": self._cursor.id,
            "limit": queries.EVENTS_PAGE,
            "seen": self._held_back.snapshot,
        }
        async with self._pool.connection() as connection:
            rows = await (await connection.execute(queries.NEW_EVENTS, parameters)).fetchall()
        horizon = None
        for xid, id_, workspace_id, evaluation_id, status, refinement, at, settled, early in rows:
            if not settled:
                horizon = at
                break
            self._cursor = Cursor(xid, id_)
            if not early:
                self._deliver(self._cursor, workspace_id, evaluation_id, status, refinement)
        if len(rows) >= queries.EVENTS_PAGE:
            return True
        if horizon is None:
            self._held_back.over()
        elif self._held_back.is_due(horizon):
            await self._read_early()
        return horizon is not None

    async def _read_early(self) -> None:
        seen = {"seen": self._held_back.snapshot}
        async with self._pool.connection() as connection:
            rows = await (await connection.execute(queries.EARLY_EVENTS, seen)).fetchall()
        for snapshot, xid, id_, workspace_id, evaluation_id, status, refinement in rows:
            self._held_back.snapshot = snapshot
            if xid is not None:
                about = (workspace_id, evaluation_id, status, refinement)
                self._deliver(Cursor(xid, id_), *about, resume_after=self._cursor)

    def _deliver(
        self,
        cursor: Cursor,
        workspace_id: uuid.UUID,
        evaluation_id: uuid.UUID,
        status: str,
        refinement_id: uuid.UUID | None,
        resume_after: Cursor | None = None,
    ) -> None:
        about = (workspace_id, evaluation_id, status, refinement_id, resume_after)
        try:
            event = _event(cursor, *about)
        except ValueError:
            # Of a newer version, while versions are changed; the others must go on.
            logger.warning("Event %s has the unknown status %r", cursor, status)
            return
        for subscription in self._subscriptions:
            subscription.offer(event)


async def replay(
    session: AsyncSession, subscription: Subscription, *, after: Cursor, until: Cursor
) -> list[VerdictEvent]:
    """One page of a subscription's events, oldest first: in (after, until], and newer ones that
    were delivered early before it subscribed."""
    rows = await session.execute(
        queries.REPLAY,
        {
            "workspace_id": subscription.workspace_id,
            "evaluation_id": subscription.evaluation_id,
            "after_xid": str(after.xid),
            "after_id": after.id,
            "until_xid": str(until.xid),
            "until_id": until.id,
            "seen": subscription.seen,
            "limit": REPLAY_PAGE,
        },
    )
    return [
        _event(
            Cursor(row.xid, row.id),
            row.workspace_id,
            row.evaluation_id,
            row.status,
            row.refinement_id,
            until if (row.xid, row.id) > until else None,
        )
        for row in rows
    ]


def _event(
    cursor: Cursor,
    workspace_id: uuid.UUID,
    evaluation_id: uuid.UUID,
    status: str,
    refinement_id: uuid.UUID | None,
    resume_after: Cursor | None,
) -> VerdictEvent:
    known = JobStatus(status) if refinement_id else Status(status)
    return VerdictEvent(cursor, workspace_id, evaluation_id, known, refinement_id, resume_after)
