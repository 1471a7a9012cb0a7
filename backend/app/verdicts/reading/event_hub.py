"""The hub of a process: reads new verdict events and fans them out to subscribers."""

import asyncio
import logging
import uuid
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from time import monotonic
from typing import Any

import psycopg

from app.platform.db.pool import Pool, end_task, fetch, notifications, transaction_in_workspace
from app.platform.metrics import EVENT_LAG, EVENT_SUBSCRIBERS, EVENTS_SILENCE
from app.verdicts.lifecycle.queries import EVENTS_CHANNEL
from app.verdicts.reading import queries
from app.verdicts.reading.events import BEGINNING, Cursor, Subscription, VerdictEvent

logger = logging.getLogger(__name__)


class Deliveries:
    """Notes final events that were passed on to a reader's stream, and stores the moment for many
    at once. What cannot be stored is dropped: it is a figure, and readers have their verdict."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._noted: dict[uuid.UUID, list[tuple[int, float]]] = defaultdict(list)

    def note(self, event: VerdictEvent) -> None:
        """Now is when it was delivered."""
        self._noted[event.workspace_id].append((event.cursor.id, monotonic()))

    async def store(self) -> None:
        noted, self._noted = self._noted, defaultdict(list)
        for workspace_id, events in noted.items():
            try:
                async with transaction_in_workspace(self._pool, workspace_id) as connection:
                    # By the clock of PostgreSQL, as all other moments of a verdict.
                    ago = [monotonic() - at for _, at in events]
                    given = {"workspace_id": workspace_id, "ids": [id_ for id_, _ in events]}
                    await connection.execute(queries.DELIVERED, {**given, "ago": ago})
            except (psycopg.Error, OSError) as error:
                logger.warning("When verdicts were delivered cannot be stored (%s)", error)


# How long events wait for the order of their transactions (seconds).
HELD_BACK_SECONDS = 1.0


class HeldBack:
    """`snapshot` is set while events are delivered early: all that are visible in it were."""

    def __init__(self) -> None:
        self.snapshot: str | None = None
        self._horizon: int | None = None
        self._since = 0.0

    def is_due(self, horizon: int) -> bool:
        """Whether what is visible above the horizon is to be delivered now; all below it was."""
        if self.snapshot is not None:
            return True
        if horizon != self._horizon:
            self._horizon, self._since = horizon, monotonic()
        if monotonic() - self._since < HELD_BACK_SECONDS:
            return False
        self.snapshot = f"{horizon}:{horizon}:"
        logger.warning(
            "Transaction %s has been open for over %g s; until it ends, events are delivered as"
            " they come. The oldest backend_xid in pg_stat_activity names its session.",
            *(horizon, HELD_BACK_SECONDS),
        )
        return True

    def clear(self) -> None:
        """Nothing above the horizon is left."""
        self.snapshot = self._horizon = None


# Without a notification the table is looked at this often (seconds).
IDLE_POLL = 1.0
# A connection on which nothing is heard is not looked at more often than this (seconds).
LISTEN_CHECK = 60.0
# What was delivered meanwhile is stored together (seconds).
DELIVERY_SECONDS = 1.0
# Streams of a process that could read no events for so long (seconds) are ended: behind a load
# balancer their readers come back to another one, and miss nothing.
MAX_SILENCE = 30.0
# What an open transaction holds back is looked for after this long, then twice as long.
UNREAD_POLL = 0.01


class EventHub:
    """Reads new events once for all subscribers of this process, woken by NOTIFY."""

    def __init__(self, pool: Pool, listening: Pool | None = None) -> None:
        """listening: where one connection listens; by default it is one of the pool."""
        self._pool = pool
        self._listening = listening or pool
        self._cursor = BEGINNING
        self._held_back = HeldBack()
        self._subscriptions: set[Subscription] = set()
        self._read_at = monotonic()
        self._task: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()
        self._deliveries = Deliveries(pool)
        self._delivered = asyncio.Event()
        self._storing: asyncio.Task[None] | None = None

    async def start(self) -> None:
        [(horizon,)] = await fetch(self._pool, queries.EVENT_HORIZON)
        self._cursor = Cursor(horizon, 0)
        self._read_at = monotonic()
        EVENTS_SILENCE.source = lambda: {(): monotonic() - self._read_at}
        EVENT_SUBSCRIBERS.source = lambda: {(): len(self._subscriptions)}
        self._task = asyncio.create_task(self._run())
        self._storing = asyncio.create_task(self._store_deliveries())

    async def stop(self) -> None:
        for task in filter(None, (self._task, self._storing)):
            await end_task(task)
        self._end_streams()

    def _end_streams(self) -> None:
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
            await end_task(listener)

    async def _store_deliveries(self) -> None:
        while True:
            await self._delivered.wait()
            await asyncio.sleep(DELIVERY_SECONDS)
            self._delivered.clear()
            await self._deliveries.store()

    async def _listen(self) -> None:
        async with aclosing(
            notifications(self._listening, EVENTS_CHANNEL, look_every=LISTEN_CHECK)
        ) as payloads:
            async for _ in payloads:
                self._wake.set()

    async def _read_new(self) -> bool:
        """Delivers what is settled, and what has been held back for too long. Returns whether
        something newer is left."""
        try:
            return await self._read()
        except (psycopg.Error, OSError) as error:
            logger.warning("Verdict events cannot be read (%s); trying again", error)
        except Exception:
            # Streams that never move are worse than a line in the log every second.
            logger.exception("Verdict events cannot be read; trying again")
        if monotonic() - self._read_at > MAX_SILENCE:
            self._end_streams()
        return False

    async def _read(self) -> bool:
        parameters = {
            "xid": str(self._cursor.xid),
            "id": self._cursor.id,
            "limit": queries.EVENTS_PAGE,
            "seen": self._held_back.snapshot,
        }
        rows = await fetch(self._pool, queries.NEW_EVENTS, parameters)
        self._read_at = monotonic()
        horizon = None
        for xid, id_, *about, lag, at, settled, early in rows:
            if not settled:
                horizon = at
                break
            self._cursor = Cursor(xid, id_)
            if not early:
                EVENT_LAG.observe(lag)
                self._deliver(self._cursor, about)
        if len(rows) >= queries.EVENTS_PAGE:
            return True
        if horizon is None:
            self._held_back.clear()
        elif self._held_back.is_due(horizon):
            await self._read_early()
        return horizon is not None

    async def _read_early(self) -> None:
        seen = {"seen": self._held_back.snapshot}
        rows = await fetch(self._pool, queries.EARLY_EVENTS, seen)
        for snapshot, xid, id_, *about, lag in rows:
            self._held_back.snapshot = snapshot
            if xid is not None:
                EVENT_LAG.observe(lag)
                self._deliver(Cursor(xid, id_), about, resume_after=self._cursor)

    def _deliver(
        self, cursor: Cursor, about: Sequence[Any], resume_after: Cursor | None = None
    ) -> None:
        """about: what VerdictEvent.from_row is given behind the cursor."""
        workspace_id, evaluation_id, status, refinement_id = about
        try:
            event = VerdictEvent.from_row(
                cursor, workspace_id, evaluation_id, status, refinement_id, resume_after
            )
        except ValueError:
            # Of a newer version, while versions are changed; the others must go on.
            logger.warning("Event %s has the unknown status %r", cursor, status)
            return
        offered = [subscription.offer(event) for subscription in self._subscriptions]
        if any(offered) and event.status.final and event.refinement_id is None:
            self._deliveries.note(event)
            self._delivered.set()
