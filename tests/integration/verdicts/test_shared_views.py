"""Readers of one event share one look into the database."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from app.platform.db.pool import Connection
from app.verdicts.reading.events import Cursor, VerdictEvent
from app.verdicts.reading.following import SharedViews
from app.verdicts.status import Status
from verdict_world import World, store_answers
from workers import TableLock


class Looks:
    """A pool that counts what is taken from it; `broken` makes the next one fail."""

    def __init__(self, world: World) -> None:
        self._pool = world.pool
        self.count = 0
        self.held = 0
        self.broken = False

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        self.count += 1
        if self.broken:
            self.broken = False
            raise OSError("no connection")
        self.held += 1
        try:
            async with self._pool.connection() as connection:
                yield connection
        finally:
            self.held -= 1


async def event_of(world: World, number: int = 1) -> VerdictEvent:
    (new,) = await store_answers(world)
    row = await world.row(new.evaluation_id)
    return VerdictEvent(Cursor(1, number), row["workspace_id"], row["id"], Status.QUEUED)


@pytest.fixture
def looks(world: World) -> Looks:
    return Looks(world)


@pytest.fixture
def shared(looks: Looks) -> SharedViews:
    return SharedViews(looks)  # type: ignore[arg-type]  # all that it uses of a pool


async def test_many_readers_of_an_event_share_one_look(world, looks, shared):
    event = await event_of(world)

    seen = await asyncio.gather(*(shared.at(event) for _ in range(50)))

    assert looks.count == 1
    assert {view.id for view in seen if view} == {event.evaluation_id}


async def test_each_event_is_looked_at_by_itself(world, looks, shared):
    for number in (1, 2):
        event = await event_of(world, number)
        view = await shared.at(event)
        assert view.id == event.evaluation_id
    assert looks.count == 2


async def test_a_reader_that_leaves_takes_nothing_from_the_others(world, shared):
    event = await event_of(world)
    leaving, staying = (asyncio.create_task(shared.at(event)) for _ in range(2))
    await asyncio.sleep(0)
    leaving.cancel()

    assert await staying
    with pytest.raises(asyncio.CancelledError):
        await leaving


async def test_a_look_that_failed_is_not_kept(world, looks, shared):
    event = await event_of(world)
    looks.broken = True

    with pytest.raises(OSError, match="no connection"):
        await shared.at(event)

    assert await shared.at(event)


async def test_at_the_end_no_look_keeps_its_connection(world, looks, shared):
    event = await event_of(world)
    async with TableLock(world, "qa_evaluations") as absence:
        reader = asyncio.create_task(shared.at(event))
        await absence.wait_until_blocked()
        reader.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reader

        await shared.stop()

        assert looks.held == 0
