"""Readers of events that come and go while transactions end in any order and hubs restart: each
sees every event once, in the order of the cursors."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from fastapi.sse import ServerSentEvent
from hypothesis import HealthCheck
from hypothesis import settings as profile
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from app.api import sse
from app.platform.db.pool import Pool, create_pool
from app.verdicts.lifecycle.outcome import Lease
from app.verdicts.lifecycle.service import finish_answer
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.verdicts.reading import event_hub, events, following, queries
from app.verdicts.reading.event_hub import EventHub
from app.verdicts.reading.events import Cursor, Subscription, VerdictEvent
from app.verdicts.reading.following import SharedViews, VerdictFollower
from app.workspaces.models import Workspace
from app.workspaces.service import Principal, TokenWatch
from cases import TIMEOUT_SECONDS
from verdict_world import World, finished_answer, open_world, settings, verdict

pytestmark = pytest.mark.slow

# The same examples on every run and machine, and none kept on disk.
bounded = profile(
    max_examples=30,
    stateful_step_count=30,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
# Longer than anything here takes; only a lost event is waited for so long.

NOTIFY_EVENT = """
WITH emitted AS (
    INSERT INTO verdict_events (workspace_id, evaluation_id, status)
    SELECT workspace_id, id, %s FROM qa_evaluations WHERE id = %s
)
SELECT pg_notify('verdict_events', '')
"""
HISTORY = """
SELECT xid::text::bigint AS xid, id, status,
    xid < pg_snapshot_xmin(pg_current_snapshot()) AS settled
FROM verdict_events
WHERE workspace_id = %s AND (%s::uuid IS NULL OR evaluation_id = %s)
ORDER BY xid, id
"""

Seen = tuple[Cursor, str]
# Set when the reader that is connecting has its first frame or waits for live events.
UNDER_WAY: ContextVar[asyncio.Event] = ContextVar("UNDER_WAY")
places = st.integers(0, 5)
WORKSPACES, ANSWERS_OF_EACH, WRITERS, HUBS = 2, 2, 3, 2


class WatchedSubscription(Subscription):
    """Says when its reader has come to the live events."""

    under_way: asyncio.Event

    async def __anext__(self) -> VerdictEvent:
        self.under_way.set()
        return await super().__anext__()


class StallingHub(EventHub):
    """A hub that lags behind the table, as that of a busy process does, but while `going`."""

    def __init__(self, pool: Pool) -> None:
        super().__init__(pool)
        self.going = asyncio.Event()

    @asynccontextmanager
    async def subscribe(
        self, workspace_id: uuid.UUID, evaluation_id: uuid.UUID | None = None
    ) -> AsyncIterator[Subscription]:
        async with super().subscribe(workspace_id, evaluation_id) as subscription:
            subscription.under_way = UNDER_WAY.get()
            yield subscription

    async def _read_new(self) -> bool:
        await self.going.wait()
        return await super()._read_new()


@dataclass
class Evaluation:
    lease: Lease
    finished: bool = False


@dataclass
class Writer:
    """An open transaction that has written events."""

    connection: psycopg.AsyncConnection
    emitted: set[uuid.UUID] = field(default_factory=set)


class Reader:
    """A client that resumes from the last id it received."""

    def __init__(self, workspace_id: uuid.UUID, evaluation_id: uuid.UUID | None) -> None:
        self.workspace_id = workspace_id
        self.evaluation_id = evaluation_id
        self.cursor = Cursor(0, 0)
        self.seen: list[Seen] = []
        self.hub: StallingHub
        # After its verdict had come.
        self.came_late = False
        self._status = ""
        self._frames: asyncio.Queue[ServerSentEvent | None] = asyncio.Queue(1)
        self._task: asyncio.Task[None] | None = None

    @property
    def connected(self) -> bool:
        return self._task is not None

    async def connect(self, hub: StallingHub, services: Any) -> None:
        principal = Principal(self.workspace_id, None, frozenset())
        follower: VerdictFollower = services.follower
        if self.evaluation_id is None:
            changes = follower.follow_workspace(principal, self.cursor)
        else:
            changes = follower.follow_evaluation(principal, self.evaluation_id, self.cursor)
        stream = sse.change_events(services, principal, changes)
        self.hub = hub
        under_way = asyncio.Event()
        UNDER_WAY.set(under_way)
        self._frames = asyncio.Queue(1)
        self._task = asyncio.create_task(self._pump(stream, under_way))
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await under_way.wait()

    async def _pump(self, stream: AsyncIterator[ServerSentEvent], under_way: asyncio.Event) -> None:
        async for frame in stream:
            under_way.set()
            await self._frames.put(frame)
        under_way.set()
        await self._frames.put(None)

    async def cut_off(self) -> None:
        if self._task is not None:
            self._task.cancel()
            (ended,) = await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
            if isinstance(ended, Exception):
                raise ended

    async def read_frame(self) -> bool:
        """False when the stream has ended."""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            frame = await self._frames.get()
        if frame is None:
            await self.cut_off()
            return False
        if frame.event == "evaluation":
            self._status = json.loads(frame.raw_data)["status"]
        if frame.id is not None:
            self.cursor = Cursor.parse(frame.id)
            self.seen.append((self.cursor, self._status))
        return True


class EventReplay(RuleBasedStateMachine):
    """Two workspaces with a reader of each and one of a single verdict, over two hubs."""

    def __init__(
        self, world: World, pool: Pool, run: Callable[[Coroutine[Any, Any, Any]], Any]
    ) -> None:
        super().__init__()
        self.world = world
        self.pool = pool
        self.run = run
        self.evaluations: list[Evaluation] = []
        self.writers: list[Writer | None] = [None] * WRITERS
        self.readers: list[Reader] = []
        self.hubs: list[StallingHub] = []

    @initialize()
    def start(self) -> None:
        self.run(self._start())

    async def _start(self) -> None:
        policy = EvaluationPolicy.from_settings(settings())
        for _ in range(WORKSPACES):
            async with self.world.sessions.begin() as session:
                workspace = Workspace(name=uuid.uuid4().hex)
                session.add(workspace)
                await session.flush()
                workspace_id = workspace.id
            answers = [finished_answer(workspace_id) for _ in range(ANSWERS_OF_EACH)]
            new = [await finish_answer(self.world.pool, policy, answer) for answer in answers]
            ids = [one.evaluation_id for one in new]
            self.evaluations += map(Evaluation, await self.world.lifecycle.claim(ids))
            self.readers += [Reader(workspace_id, None), Reader(workspace_id, ids[0])]
        self.hubs = [await self._new_hub() for _ in range(HUBS)]

    async def _new_hub(self) -> StallingHub:
        hub = StallingHub(self.pool)
        await hub.start()
        return hub

    @rule(writer=places, emitted=st.lists(places, min_size=1, max_size=3))
    def a_transaction_inserts_events(self, writer: int, emitted: list[int]) -> None:
        self.run(self._insert_events(writer % WRITERS, emitted))

    async def _insert_events(self, place: int, emitted: list[int]) -> None:
        writer = self.writers[place]
        if writer is None:
            writer = Writer(await psycopg.AsyncConnection.connect(self.world.url))
            self.writers[place] = writer
        for number in emitted:
            evaluation = self.evaluations[number % len(self.evaluations)]
            if not evaluation.finished:
                await writer.connection.execute(NOTIFY_EVENT, ("retrying", evaluation.lease.id))
                writer.emitted.add(evaluation.lease.id)

    @rule(writer=places, commit=st.sampled_from([True, True, False]))
    def a_transaction_ends(self, writer: int, commit: bool) -> None:
        self.run(self._end(writer % WRITERS, commit=commit))

    async def _end(self, place: int, *, commit: bool) -> None:
        writer, self.writers[place] = self.writers[place], None
        if writer is not None:
            await (writer.connection.commit() if commit else writer.connection.rollback())
            await writer.connection.close()

    @rule(place=places)
    def a_verdict_comes(self, place: int) -> None:
        """Not while another transaction has written an event of the same row: it is locked."""
        evaluation = self.evaluations[place % len(self.evaluations)]
        open_writers = [writer for writer in self.writers if writer is not None]
        if not any(evaluation.lease.id in writer.emitted for writer in open_writers):
            self.run(self._finish(evaluation))

    async def _finish(self, evaluation: Evaluation) -> None:
        if not evaluation.finished:
            evaluation.finished = True
            assert await self.world.lifecycle.record([(evaluation.lease, verdict())])

    @rule(place=places, hub=places, frames=st.integers(0, 6))
    def a_reader_reads(self, place: int, hub: int, frames: int) -> None:
        reader = self.readers[place % len(self.readers)]
        self.run(self._read(reader, self.hubs[hub % HUBS], frames))

    async def _read(self, reader: Reader, hub: StallingHub, frames: int) -> None:
        """At most so many frames, and no more than are sure to come."""
        if not reader.connected:
            await self._connect(reader, hub)
        history = await self._history(reader)
        to_come = [
            emitted for emitted, settled in history if settled and emitted[0] > reader.cursor
        ]
        reader.hub.going.set()
        for _ in range(min(frames, len(to_come))):
            if not await reader.read_frame():
                # The stream of a final verdict ends with the verdict and with nothing less.
                whole = reader.seen == [emitted for emitted, _ in history]
                assert whole or not reader.came_late or reader.hub not in self.hubs
                break
        reader.hub.going.clear()
        assert all(a < b for a, b in pairwise(cursor for cursor, _ in reader.seen))

    async def _connect(self, reader: Reader, hub: StallingHub) -> None:
        sessions = self.world.sessions
        follower = VerdictFollower(
            sessions=sessions,
            pool=self.pool,
            hub=hub,
            views=SharedViews(self.pool),
            tokens=TokenWatch(self.pool),
        )
        services = SimpleNamespace(sessions=sessions, follower=follower)
        reader.came_late = any(
            evaluation.finished and evaluation.lease.id == reader.evaluation_id
            for evaluation in self.evaluations
        )
        await reader.connect(hub, services)

    async def _history(self, reader: Reader) -> list[tuple[Seen, bool]]:
        rows = await self.world.rows(
            HISTORY, reader.workspace_id, reader.evaluation_id, reader.evaluation_id
        )
        return [((Cursor(row["xid"], row["id"]), row["status"]), row["settled"]) for row in rows]

    @rule(place=places)
    def a_reader_is_cut_off(self, place: int) -> None:
        self.run(self.readers[place % len(self.readers)].cut_off())

    @rule(hub=places)
    def a_hub_restarts(self, hub: int) -> None:
        self.run(self._restart(hub % HUBS))

    async def _restart(self, place: int) -> None:
        """Its readers and all who are not connected come back at once, as browsers do."""
        stopped = self.hubs[place]
        await stopped.stop()
        self.hubs[place] = await self._new_hub()
        for reader in self.readers:
            while reader.connected and reader.hub is stopped and await reader.read_frame():
                pass
            if not reader.connected:
                await self._connect(reader, self.hubs[place])

    def teardown(self) -> None:
        try:
            self.run(self._all_is_seen())
        finally:
            self.run(self._close())

    async def _all_is_seen(self) -> None:
        for place in range(WRITERS):
            await self._end(place, commit=True)
        # A verdict for each: what comes before it must have been seen when it is.
        for evaluation in self.evaluations:
            await self._finish(evaluation)
        for number, reader in enumerate(self.readers):
            history = [emitted for emitted, _ in await self._history(reader)]
            async with asyncio.timeout(TIMEOUT_SECONDS):
                while reader.cursor < history[-1][0]:
                    await self._read(reader, self.hubs[number % HUBS], 1)
            assert reader.seen == history

    async def _close(self) -> None:
        for place in range(WRITERS):
            await self._end(place, commit=False)
        for reader in self.readers:
            await reader.cut_off()
        for hub in self.hubs:
            await hub.stop()


@pytest.fixture
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of two, readers let go after three, and a look at the table at once."""
    monkeypatch.setattr(queries, "EVENTS_PAGE", 2)
    monkeypatch.setattr(events, "REPLAY_PAGE", 2)
    monkeypatch.setattr(following, "REPLAY_PAGE", 2)
    monkeypatch.setattr(events, "SUBSCRIBER_BACKLOG", 3)
    monkeypatch.setattr(event_hub, "IDLE_POLL", 0.02)
    monkeypatch.setattr(event_hub, "Subscription", WatchedSubscription)
    # The order of transactions is waited for, however long they stay open.
    monkeypatch.setattr(event_hub, "HELD_BACK_SECONDS", 3600)


@pytest.mark.usefixtures("small_pages")
def test_each_reader_sees_each_event_once_and_in_order(clean_database_url):
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        try:
            world = runner.run(stack.enter_async_context(open_world(clean_database_url)))
            pool = create_pool(clean_database_url, max_size=2 * HUBS)
            runner.run(stack.enter_async_context(pool))
            run_state_machine_as_test(
                lambda: EventReplay(world, pool, runner.run), settings=bounded
            )
        finally:
            runner.run(stack.aclose())
