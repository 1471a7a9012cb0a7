"""The dispatcher over a real database and a real Redis."""

import asyncio
import base64
import json
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any

import psycopg
import pytest
import redis

from app.operations.embedded.ports import free_port
from app.platform.broker import JOB_TASK_NAME, TASK_NAME, Publisher, PublishError, Queue
from app.platform.db.pool import CONNECT_ARGS, RECONNECT_SECONDS
from app.verdicts.lifecycle.lifecycle import VerdictLifecycle
from cases import TIMEOUT_SECONDS, eventually
from run_rows import KIND, end_lease, job, put
from servers import redis_server
from verdict_world import World, settings, store_answers
from worker.batched_lifecycle import OUTAGE_RETRY_SECONDS
from worker.dispatcher import GRACE_SECONDS, MAX_QUEUE_MESSAGES, Dispatcher

UNREACHABLE_REDIS = "redis://127.0.0.1:1/0"


@pytest.fixture
def broker(redis_url: str) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(redis_url, decode_responses=True) as client:
        yield client


@pytest.fixture
def dispatcher(world: World, publisher: Publisher) -> Dispatcher:
    return Dispatcher(world.lifecycle, world.jobs, publisher, settings(dispatch_batch=2))


async def store_due(world: World, count: int) -> list[uuid.UUID]:
    new = await store_answers(world, count)
    await world.rows("UPDATE qa_evaluations SET run_at = now()")
    return [one.evaluation_id for one in new]


def messages(broker: redis.Redis, queue: Queue) -> list[dict[str, Any]]:
    return [json.loads(message) for message in broker.lrange(queue.value, 0, -1)]


def arguments(message: dict[str, Any]) -> list[Any]:
    args, kwargs, _ = json.loads(base64.b64decode(message["body"]))
    assert kwargs == {}
    return args


async def unpublished(world: World) -> list[dict[str, Any]]:
    return await world.rows("SELECT id FROM qa_evaluations WHERE enqueued_at IS NULL")


async def test_due_rows_are_published_in_batches_of_ids(world, dispatcher, broker):
    ids = await store_due(world, 5)

    assert await dispatcher.tick() == 5
    assert await dispatcher.tick() == 0, "once is enough for a while"

    sent = messages(broker, Queue.LIVE)
    batches = [arguments(message) for message in sent]
    assert sorted(len(batch) for (batch,) in batches) == [1, 2, 2]
    assert sorted(id_ for (batch,) in batches for id_ in batch) == sorted(map(str, ids))
    for message in sent:
        assert message["headers"]["task"] == TASK_NAME
        sent_text = json.dumps(message, ensure_ascii=False)
        assert "변성" not in sent_text
        assert "변성" not in base64.b64decode(message["body"]).decode()


async def test_suspects_go_one_by_one_to_the_isolated_queue(world, dispatcher, broker):
    ids = await store_due(world, 2)
    await world.rows("UPDATE qa_evaluations SET queue = 'isolated'")

    taken = []
    for _ in ids:
        assert await dispatcher.tick() == 1
        assert await dispatcher.tick() == 0, "what becomes of it may acquit the other"
        assert messages(broker, Queue.LIVE) == []
        (message,) = messages(broker, Queue.ISOLATED)
        taken.append(arguments(message))
        broker.delete(Queue.ISOLATED)

    assert sorted(taken) == sorted([[str(id_)]] for id_ in ids)


async def test_after_an_outage_workers_have_time_to_store_what_they_hold(
    world, dispatcher, monkeypatch
):
    """However long the outage was: its rows are not another worker's at the first tick."""
    (id_,) = await store_due(world, 1)
    await world.lifecycle.claim([id_])
    await world.expire_lease(id_)
    stopping = asyncio.Event()

    async def away(*_: object) -> None:
        stopping.set()
        raise psycopg.OperationalError("the server closed the connection")

    with monkeypatch.context() as patched:
        patched.setattr(VerdictLifecycle, "reap", away)
        await dispatcher.run(stopping)

    await dispatcher.tick()
    assert (await world.row(id_))["status"] == "running"
    now = monotonic()
    monkeypatch.setattr("worker.dispatcher.monotonic", lambda: now + GRACE_SECONDS + 5)
    await dispatcher.tick()
    assert (await world.row(id_))["crashes"] == 1


def test_workers_have_stored_what_they_hold_before_that_time_ends():
    needed = RECONNECT_SECONDS + int(CONNECT_ARGS["connect_timeout"]) + OUTAGE_RETRY_SECONDS
    assert needed < GRACE_SECONDS


async def test_rows_of_dead_workers_are_taken_back_and_published(world, dispatcher, broker):
    (id_,) = await store_due(world, 1)
    await world.lifecycle.claim([id_])
    assert await dispatcher.tick() == 0, "its lease holds"
    await world.expire_lease(id_)

    assert await dispatcher.tick() == 1

    row = await world.row(id_)
    assert (row["status"], row["reason"], row["crashes"]) == ("retrying", "lease_expired", 1)
    assert [arguments(message) for message in messages(broker, Queue.LIVE)] == [[[str(id_)]]]


async def test_a_full_queue_gets_no_more(world, dispatcher, broker):
    await store_due(world, 5)
    broker.rpush(Queue.LIVE.value, *["{}"] * (MAX_QUEUE_MESSAGES + 1))

    assert await dispatcher.tick() == 0
    assert len(await unpublished(world)) == 5

    broker.lpop(Queue.LIVE.value, 2)
    assert await dispatcher.tick() == 2, "room for one message of two ids"
    assert broker.llen(Queue.LIVE.value) == MAX_QUEUE_MESSAGES
    assert len(await unpublished(world)) == 3


async def test_without_redis_rows_stay_due(world):
    await store_due(world, 3)
    publisher = Publisher(UNREACHABLE_REDIS, settings())

    with pytest.raises(PublishError):
        await Dispatcher(world.lifecycle, world.jobs, publisher, settings()).tick()

    publisher.close()
    assert len(await unpublished(world)) == 3


async def test_unsent_messages_are_due_again(world, dispatcher, publisher, monkeypatch):
    await store_due(world, 5)
    publish, sent = publisher.publish, []

    def once(queue: Queue, ids: list[uuid.UUID], task: str) -> None:
        if sent:
            raise PublishError("Redis did not take the message")
        sent.extend(ids)
        publish(queue, ids, task)

    monkeypatch.setattr(publisher, "publish", once)
    with pytest.raises(PublishError):
        await dispatcher.tick()

    due_again = {row["id"] for row in await unpublished(world)}
    assert len(due_again) == 3
    assert due_again.isdisjoint(sent)


async def test_jobs_go_one_by_one_to_the_bulk_queue(world, dispatcher, broker):
    ids = [await put(world, note_id="n1") for _ in range(3)]

    assert await dispatcher.tick() == 3
    assert await dispatcher.tick() == 0, "once is enough for a while"

    sent = messages(broker, Queue.BULK)
    assert sorted(arguments(message) for message in sent) == [[[str(id_)]] for id_ in ids]
    assert {message["headers"]["task"] for message in sent} == {JOB_TASK_NAME}


async def test_a_job_that_killed_two_processes_goes_to_the_isolated_queue(
    world, dispatcher, broker
):
    id_ = await put(world)
    for _ in range(2):
        await world.jobs.claim([id_], [KIND], 1)
        await end_lease(world, id_)
        await dispatcher.tick()

    assert len(messages(broker, Queue.BULK)) == 1
    assert [arguments(message) for message in messages(broker, Queue.ISOLATED)] == [[[str(id_)]]]


async def test_without_redis_jobs_stay_due(world):
    id_ = await put(world)
    publisher = Publisher(UNREACHABLE_REDIS, settings())

    with pytest.raises(PublishError):
        await Dispatcher(world.lifecycle, world.jobs, publisher, settings()).tick()

    publisher.close()
    assert (await job(world, id_))["enqueued_at"] is None


async def test_a_job_that_redis_does_not_take_is_due_again(
    world, dispatcher, publisher, monkeypatch
):
    id_ = await put(world)

    def refuse(queue: Queue, ids: list[uuid.UUID], task: str) -> None:
        raise PublishError("Redis did not take the message")

    monkeypatch.setattr(publisher, "publish", refuse)
    with pytest.raises(PublishError):
        await dispatcher.tick()

    assert (await job(world, id_))["enqueued_at"] is None


class Watched(Dispatcher):
    """Set when a tick has failed."""

    failed: asyncio.Event

    async def tick(self) -> int:
        try:
            return await super().tick()
        except Exception:
            self.failed.set()
            raise

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Runs until the block ends; the block begins when a tick has failed."""
        self.failed, stopping = asyncio.Event(), asyncio.Event()
        running = asyncio.create_task(self.run(stopping))
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await self.failed.wait()
            yield
            stopping.set()
            await running


async def first_message(broker: redis.Redis) -> dict[str, Any]:
    return (await eventually(lambda: messages(broker, Queue.LIVE)))[0]


async def test_it_goes_on_when_redis_comes_back(world, tmp_path):
    (id_,) = await store_due(world, 1)
    port = free_port("127.0.0.1")
    publisher = Publisher(f"redis://127.0.0.1:{port}/0", settings())
    dispatcher = Watched(world.lifecycle, world.jobs, publisher, settings(dispatch_interval=0.01))

    async with dispatcher.running():
        with redis_server(tmp_path, port=port) as url, redis.Redis.from_url(url) as broker:
            message = await first_message(broker)
            publisher.close()

    assert arguments(message) == [[str(id_)]]


async def test_it_goes_on_when_postgres_comes_back(world, publisher, broker):
    (id_,) = await store_due(world, 1)
    await world.rows("ALTER TABLE judge_pauses RENAME TO gone")
    dispatcher = Watched(world.lifecycle, world.jobs, publisher, settings(dispatch_interval=0.01))

    async with dispatcher.running():
        await world.rows("ALTER TABLE gone RENAME TO judge_pauses")
        message = await first_message(broker)

    assert arguments(message) == [[str(id_)]]


async def test_two_share_what_is_due(world, dispatcher, publisher, broker):
    ids = await store_due(world, 9)
    other = Dispatcher(world.lifecycle, world.jobs, publisher, settings())

    published = await asyncio.gather(dispatcher.tick(), other.tick())

    assert sum(published) == 9
    sent = [id_ for message in messages(broker, Queue.LIVE) for id_ in arguments(message)[0]]
    assert sorted(sent) == sorted(map(str, ids))
