"""A judge that hangs in one workspace takes its share of the places and no more.

Order is judged by what is still in flight, not by time."""

import asyncio
import threading
import uuid
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from celery import Celery

import app.verdicts.lifecycle.lifecycle
from app.platform.broker import Queue
from app.text.morphemes import warm_up
from app.verdicts.lifecycle.lifecycle import VerdictLifecycle
from cases import TIMEOUT_SECONDS, eventually
from stub_server import StubServer
from verdict_world import World, settings, store_answers, verdict
from worker.judge_loop import JudgeLoop
from worker.loop_thread import TaskOutcome
from workers import QUICK, RULES, SLOW, SlowJudge, judge_policy, one_call, worker_process

SHARE = 64


@pytest.fixture
def judge() -> SlowJudge:
    return SlowJudge()


@pytest.fixture
async def stub(judge: SlowJudge) -> AsyncIterator[StubServer]:
    async with StubServer(judge) as stub:
        yield stub


async def store(world: World, count: int, judge_model: str, workspace: str) -> list[uuid.UUID]:
    new = await store_answers(world, count, policy=judge_policy(judge_model), workspace=workspace)
    return [one.evaluation_id for one in new]


async def judged(world: World, ids: Sequence[uuid.UUID]) -> int:
    query = "SELECT id FROM qa_evaluations WHERE id = ANY(%s) AND status = 'succeeded'"
    return len(await world.rows(query, list(ids)))


class TestAProcess:
    @pytest.fixture
    async def loop(
        self, world: World, stub: StubServer, monkeypatch: pytest.MonkeyPatch
    ) -> AsyncIterator[JudgeLoop]:
        monkeypatch.setattr("worker.admission.MAX_WAITING", 2 * SHARE)
        await asyncio.to_thread(warm_up)
        loop = JudgeLoop(settings(max_in_flight=SHARE, **one_call(stub)), world.url)
        await asyncio.to_thread(loop.start)
        yield loop
        loop.begin_stop(0)
        await asyncio.to_thread(loop.close)

    async def one_by_one(
        self, world: World, loop: JudgeLoop, judge: SlowJudge, count: int
    ) -> tuple[list[uuid.UUID], list[Future[TaskOutcome]]]:
        """Messages of one id each, for the judge that hangs; returns when it has its share."""
        ids = await store(world, count, SLOW, "hog")
        messages = [loop.submit([id_]) for id_ in ids]
        await eventually(lambda: judge.in_flight == min(count, SHARE))
        return ids, messages

    async def test_others_are_judged_while_all_of_a_judge_hang(self, world, loop, judge):
        ids, _ = await self.one_by_one(world, loop, judge, 300)

        for model in (RULES, QUICK):
            others = await store(world, 20, model, model)
            outcomes = await asyncio.gather(
                *(asyncio.wrap_future(loop.submit([i])) for i in others)
            )
            assert outcomes == [TaskOutcome("1 judged")] * 20
        same_judge = loop.submit(await store(world, 1, SLOW, "neighbour"))
        await eventually(lambda: judge.in_flight == SHARE + 1)

        assert await judged(world, ids) == 0
        assert judge.most_in_flight == SHARE + 1
        judge.let.set()
        assert await asyncio.wrap_future(same_judge) == TaskOutcome("1 judged")

    async def test_what_went_back_is_due_when_there_is_room_and_all_are_judged(
        self, world, loop, judge
    ):
        ids, messages = await self.one_by_one(world, loop, judge, 4 * SHARE)
        await eventually(lambda: sum(message.done() for message in messages) == 2 * SHARE)
        await world.rows("UPDATE qa_evaluations SET run_at = now(), enqueued_at = now()")
        assert await world.lifecycle.take_due(Queue.LIVE, 1000) == [], "all are published"

        judge.let.set()

        async with asyncio.timeout(TIMEOUT_SECONDS):
            while await judged(world, ids) < len(ids):
                if due := await world.lifecycle.take_due(Queue.LIVE, 1000):
                    await asyncio.wrap_future(loop.submit(due))
                await asyncio.sleep(0.01)
        rows = await world.rows("SELECT attempt FROM qa_evaluations")
        assert {row["attempt"] for row in rows} == {1}

    async def test_a_message_says_what_came_of_each_of_its_ids(self, world, loop, judge):
        await self.one_by_one(world, loop, judge, 4 * SHARE)
        mixed = await store(world, 3, QUICK, "quick") + await store(world, 2, SLOW, "hog")
        outcomes = await asyncio.wrap_future(loop.submit([*mixed, uuid.uuid4()]))
        assert outcomes == TaskOutcome("3 judged, 2 released, 1 not claimable")


class TestWhatIsDue:
    """Published by judge and workspace in turn."""

    async def due(self, world: World, count: int, model: str, workspace: str) -> list[uuid.UUID]:
        """Due in the order in which they were stored."""
        ids = await store(world, count, model, workspace)
        await world.rows("UPDATE qa_evaluations SET run_at = created_at - interval '1 h'")
        return ids

    @pytest.mark.parametrize("other", [(QUICK, "other"), (RULES, "other"), (SLOW, "other")])
    async def test_a_backlog_blocks_no_other_workspace(self, world, other):
        await self.due(world, 60, SLOW, "hog")
        late = await self.due(world, 2, *other)

        taken = await world.lifecycle.take_due(Queue.LIVE, 10)

        assert len(taken) == 10
        assert set(late) <= set(taken)

    async def test_the_oldest_of_a_workspace_come_first(self, world):
        ids = await self.due(world, 20, SLOW, "hog")
        assert set(await world.lifecycle.take_due(Queue.LIVE, 5)) == set(ids[:5])

    async def test_no_more_are_published_than_the_workers_have_room_for(self, world, monkeypatch):
        monkeypatch.setattr(app.verdicts.lifecycle.lifecycle, "PUBLISH_WINDOW", 10)
        await self.due(world, 30, SLOW, "hog")
        late = await self.due(world, 3, QUICK, "other")

        first = await world.lifecycle.take_due(Queue.LIVE, 100)
        assert len(first) == 13
        assert set(late) < set(first)
        assert await world.lifecycle.take_due(Queue.LIVE, 100) == []

        claims = await world.lifecycle.claim([i for i in first if i not in late][:4])
        assert len(await world.lifecycle.take_due(Queue.LIVE, 100)) == 4
        await world.lifecycle.record([(claim, verdict()) for claim in claims])

    async def test_lost_rows_are_published_again(self, world, monkeypatch):
        monkeypatch.setattr(app.verdicts.lifecycle.lifecycle, "PUBLISH_WINDOW", 10)
        lifecycle = VerdictLifecycle(world.pool, settings(republish_after=0.001))
        await self.due(world, 30, SLOW, "hog")
        first = await lifecycle.take_due(Queue.LIVE, 100)
        await asyncio.sleep(0.01)
        assert set(await lifecycle.take_due(Queue.LIVE, 100)) == set(first)


class TestAWorker:
    """The real one, with Celery, as Flower sees it."""

    COUNT = 300

    @pytest.fixture
    async def worker(self, world: World, redis_url: str, stub: StubServer) -> AsyncIterator[int]:
        chosen = settings(database_url=world.url, redis_url=redis_url, **one_call(stub))
        async with worker_process(chosen) as pid:
            yield pid

    @pytest.mark.slow
    async def test_answers_posted_one_by_one_are_all_in_flight_and_hold_no_thread(
        self, world, worker, judge, publisher, redis_url
    ):
        threads = _threads(worker)
        ids = await store(world, self.COUNT, SLOW, "hog")
        with events(redis_url) as heard:
            for id_ in ids:
                publisher.publish(Queue.LIVE, [id_])
            await eventually(lambda: judge.in_flight == self.COUNT)
            assert _threads(worker) < threads + 32, "PostgreSQL's pool, names, the Korean model"

            others = await store(world, 2, QUICK, "other")
            publisher.publish(Queue.LIVE, others)
            await eventually(lambda: _events_of_kind(heard, "task-succeeded"))
            assert await judged(world, [*ids, *others]) == 2
            (done,) = _events_of_kind(heard, "task-succeeded")
            assert done["result"] == "2 judged"
            assert 0 < done["runtime"] < TIMEOUT_SECONDS
            assert len(_events_of_kind(heard, "task-started")) == self.COUNT + 1
            # Longer than the quick one took, which shows in Flower.
            judge.let.set()
            await eventually(
                lambda: len(_events_of_kind(heard, "task-succeeded")) == self.COUNT + 1
            )
        runtimes = [one["runtime"] for one in _events_of_kind(heard, "task-succeeded")[1:]]
        assert min(runtimes) > done["runtime"]
        assert {one["result"] for one in _events_of_kind(heard, "task-succeeded")[1:]} == {
            "1 judged"
        }


def _threads(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/task").iterdir()))


Heard = list[dict[str, Any]]


def _events_of_kind(heard: Heard, kind: str) -> Heard:
    return [event for event in list(heard) if event["type"] == kind]


@contextmanager
def events(redis_url: str) -> Iterator[Heard]:
    """What Flower would hear from now on."""
    app = Celery("listener", broker=redis_url, set_as_current=False)
    heard: Heard = []
    with app.connection_for_read() as connection:
        receiver = app.events.Receiver(connection, handlers={"*": heard.append})
        stopping = threading.Event()

        def listen() -> None:
            with receiver.consumer_context() as (used, _, _):
                listening.set()
                while not stopping.is_set():
                    try:
                        used.drain_events(timeout=0.1)
                    except TimeoutError:
                        continue

        listening = threading.Event()
        thread = threading.Thread(target=listen)
        thread.start()
        listening.wait(TIMEOUT_SECONDS)
        try:
            yield heard
        finally:
            stopping.set()
            thread.join()
