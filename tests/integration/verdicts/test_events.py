"""Events reach subscribers in order, without gap and without repeat."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
import pytest

from app.platform.db.pool import create_pool
from app.platform.errors import InvalidRequest
from app.verdicts.reading import event_hub, queries
from app.verdicts.reading.event_hub import EventHub
from app.verdicts.reading.events import END, SUBSCRIBER_BACKLOG, Cursor, VerdictEvent, replay
from app.verdicts.status import Status
from cases import TIMEOUT_SECONDS, for_each
from verdict_world import World, store_answers, verdict

INSERT = (
    "INSERT INTO verdict_events (workspace_id, evaluation_id, status) "
    "SELECT workspace_id, id, %s FROM qa_evaluations WHERE id = %s"
)


@pytest.fixture
async def hub(world: World) -> AsyncIterator[EventHub]:
    async with create_pool(world.url) as pool:
        hub = EventHub(pool)
        await hub.start()
        yield hub
        await hub.stop()


async def workspace_of(world: World, evaluation_id: uuid.UUID) -> uuid.UUID:
    return (await world.row(evaluation_id))["workspace_id"]


async def take(subscription: AsyncIterator[VerdictEvent], count: int) -> list[VerdictEvent]:
    async with asyncio.timeout(TIMEOUT_SECONDS):
        return [await anext(subscription) for _ in range(count)]


async def test_a_subscriber_sees_a_verdict_come(world, hub):
    (new,) = await store_answers(world)
    workspace = await workspace_of(world, new.evaluation_id)

    async with hub.subscribe(workspace, new.evaluation_id) as subscription:
        (claim,) = await world.lifecycle.claim([new.evaluation_id])
        await world.lifecycle.record([(claim, verdict())])
        seen = [event.status async for event in until_final(subscription)]

    assert seen[-2:] == [Status.RUNNING, Status.SUCCEEDED]


async def until_final(subscription: AsyncIterator[VerdictEvent]) -> AsyncIterator[VerdictEvent]:
    while True:
        (event,) = await take(subscription, 1)
        yield event
        if event.status.final:
            return


async def test_streams_end_when_no_events_can_be_read(world, hub, monkeypatch):
    (new,) = await store_answers(world)
    workspace = await workspace_of(world, new.evaluation_id)
    monkeypatch.setattr(event_hub, "MAX_SILENCE", 0)

    async with hub.subscribe(workspace) as subscription:
        monkeypatch.setattr(queries, "NEW_EVENTS", b"SELECT FROM a_table_that_is_away")
        async with asyncio.timeout(TIMEOUT_SECONDS):
            heard = [event async for event in subscription]

    assert {event.evaluation_id for event in heard} <= {new.evaluation_id}


async def test_transactions_that_commit_out_of_order_lose_no_event(world, hub, monkeypatch):
    monkeypatch.setattr(event_hub, "HELD_BACK_SECONDS", 60)
    (first, second), workspace = await settled(world, hub, 2)

    async with hub.subscribe(workspace) as subscription:
        async with await psycopg.AsyncConnection.connect(world.url) as slow:
            await slow.execute(INSERT, ("running", first))
            await world.rows(INSERT, "failed", second)
            await world.rows("SELECT pg_notify('verdict_events', '')")
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(anext(subscription), 0.1)
            await slow.commit()
        events = await take(subscription, 2)

    assert [event.evaluation_id for event in events] == [first, second]
    assert events[0].cursor < events[1].cursor


async def settle(world: World, hub: EventHub, workspace: uuid.UUID) -> None:
    """Waits until the hub has delivered all that was there before."""
    async with hub.subscribe(workspace) as subscription:
        (marker,) = await store_answers(world)
        while (await take(subscription, 1))[0].evaluation_id != marker.evaluation_id:
            pass


async def settled(world: World, hub: EventHub, count: int = 1) -> tuple[list[uuid.UUID], uuid.UUID]:
    """Evaluations of so many answers and their workspace, once their events were delivered."""
    ids = [new.evaluation_id for new in await store_answers(world, count)]
    workspace = await workspace_of(world, ids[0])
    await settle(world, hub, workspace)
    return ids, workspace


async def test_a_transaction_that_stays_open_silences_nobody(world, hub):
    """As an analyst's: it has an id and writes nothing. Each event comes once, also when the
    transaction has ended."""
    (first, second, third), workspace = await settled(world, hub, 3)

    async with hub.subscribe(workspace) as subscription:
        async with open_transaction(world) as analyst:
            await insert_event(world, "running", first)
            await insert_event(world, "failed", first)
            early = await take(subscription, 2)
            await insert_event(world, "failed", second)
            early += await take(subscription, 1)
            await analyst.commit()
        await insert_event(world, "failed", third)
        late = await take(subscription, 1)
        assert [(each.evaluation_id, each.status) for each in early + late] == [
            (first, Status.RUNNING),
            (first, Status.FAILED),
            (second, Status.FAILED),
            (third, Status.FAILED),
        ]
        # A transaction of another database of this server holds events back as well.
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while late[-1].resume_after is not None:
                await insert_event(world, "failed", third)
                late += await take(subscription, 1)
    assert {each.place for each in early} == {subscription.since}


async def test_concurrent_commits_come_once_too(world, hub):
    """Also from a transaction that is older than what was delivered early."""
    (first, second, third), workspace = await settled(world, hub, 3)

    async with hub.subscribe(workspace) as subscription, open_transaction(world) as analyst:
        async with open_transaction(world) as slow:
            await slow.execute(INSERT, ("failed", first))
            await insert_event(world, "failed", second)
            early = await take(subscription, 1)
            await slow.commit()
        await notify(world)
        early += await take(subscription, 1)
        await analyst.commit()
        await insert_event(world, "failed", third)
        late = await take(subscription, 1)

    assert [each.evaluation_id for each in early + late] == [second, first, third]


async def test_who_comes_while_events_are_held_back_misses_none(world, hub):
    (first, second, third), workspace = await settled(world, hub, 3)

    async with hub.subscribe(workspace) as reader, open_transaction(world) as analyst:
        await insert_event(world, "failed", first)
        (event,) = await take(reader, 1)
        async with hub.subscribe(workspace) as again, world.sessions() as session:
            past = await replay(session, again, after=event.place, until=again.since)
            await insert_event(world, "failed", second)
            await take(again, 1)
            await analyst.commit()
            await insert_event(world, "failed", third)
            (last,) = await take(again, 1)

    assert [each.evaluation_id for each in past] == [first], "again, with the same place"
    assert past[0].place == event.place
    assert last.evaluation_id == third


@asynccontextmanager
async def open_transaction(world: World) -> AsyncIterator[psycopg.AsyncConnection]:
    async with await psycopg.AsyncConnection.connect(world.url) as connection:
        await connection.execute("SELECT pg_current_xact_id()")
        yield connection


async def insert_event(world: World, status: str, evaluation_id: uuid.UUID) -> None:
    await world.rows(INSERT, status, evaluation_id)
    await notify(world)


async def notify(world: World) -> None:
    await world.rows("SELECT pg_notify('verdict_events', '')")


async def test_replay_continues_where_a_reader_stopped(world, hub):
    new = await store_answers(world, 3)
    workspace = await workspace_of(world, new[0].evaluation_id)
    async with hub.subscribe(workspace) as subscription:
        await store_answers(world, 3)
        seen = await take(subscription, 3)
    await settle(world, hub, workspace)

    async with hub.subscribe(workspace) as subscription, world.sessions() as session:
        missed = await replay(session, subscription, after=seen[0].cursor, until=END)
        mine = await replay(session, subscription, after=Cursor(0, 0), until=END)

    assert missed[:2] == seen[1:]
    assert [event.cursor for event in mine] == sorted(event.cursor for event in mine)
    assert len(mine) == len({event.cursor for event in mine}) >= 7


async def test_other_workspaces_and_evaluations_are_not_heard(world, hub):
    (a, b), workspace = await settled(world, hub, 2)

    async with hub.subscribe(workspace, a) as one, hub.subscribe(uuid.uuid4()) as stranger:
        await world.lifecycle.claim([b])
        await world.lifecycle.claim([a])
        (event,) = await take(one, 1)
        assert event.evaluation_id == a
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(anext(stranger), 0.05)


async def test_a_burst_of_many_pages_is_read_at_once(world, hub, monkeypatch):
    (id_,), workspace = await settled(world, hub)
    # A pause after each page would last longer than the time that there is.
    monkeypatch.setattr(event_hub, "IDLE_POLL", TIMEOUT_SECONDS)
    many = (
        "INSERT INTO verdict_events (workspace_id, evaluation_id, status) "
        "SELECT gen_random_uuid(), id, 'running' FROM qa_evaluations, generate_series(1, 3500) "
        "WHERE id = %s"
    )
    async with hub.subscribe(workspace) as subscription:
        await world.rows(many, id_)
        await store_answers(world)
        hub._wake.set()
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await anext(subscription)


async def test_events_of_another_cluster_hold_nothing_up(world, hub):
    (id_,), workspace = await settled(world, hub)
    restored = (
        "INSERT INTO verdict_events (xid, workspace_id, evaluation_id, status) "
        "SELECT '999999999999', workspace_id, id, 'running' FROM qa_evaluations WHERE id = %s"
    )

    async with hub.subscribe(workspace) as subscription:
        await world.rows(restored, id_)
        (later,) = await store_answers(world)
        (event,) = await take(subscription, 1)

    assert event.evaluation_id == later.evaluation_id


async def test_a_reader_that_never_reads_is_let_go_with_bounded_memory(world, hub):
    (id_,), workspace = await settled(world, hub)
    many = (
        "INSERT INTO verdict_events (workspace_id, evaluation_id, status) "
        "SELECT workspace_id, id, 'running' FROM qa_evaluations, generate_series(1, %s) "
        "WHERE id = %s"
    )

    async with hub.subscribe(workspace) as lazy:
        await world.rows(many, SUBSCRIBER_BACKLOG + 500, id_)
        async with hub.subscribe(workspace) as quick:
            await store_answers(world)
            while (await take(quick, 1))[0].evaluation_id == id_:
                pass
        events = [event async for event in lazy]

    assert len(events) == SUBSCRIBER_BACKLOG


@for_each("written", ["", "x", "1", "1-", "-1", "1-x", "١-2", f"1-{2**63}"])
def test_a_cursor_that_is_not_ours_is_refused(written):
    with pytest.raises(InvalidRequest):
        Cursor.parse(written)


async def test_an_event_of_a_newer_version_does_not_stop_the_others(world, hub):
    (new,) = await store_answers(world)
    workspace = await workspace_of(world, new.evaluation_id)

    async with hub.subscribe(workspace, new.evaluation_id) as subscription:
        for status in ("unheard_of", "running"):
            await world.rows(INSERT, status, new.evaluation_id)
        seen = [event.status async for event in up_to(subscription, Status.RUNNING)]

    assert "unheard_of" not in seen


async def up_to(
    subscription: AsyncIterator[VerdictEvent], last: Status
) -> AsyncIterator[VerdictEvent]:
    async with asyncio.timeout(TIMEOUT_SECONDS):
        async for event in subscription:
            yield event
            if event.status is last:
                return
