"""The worker's loop against a real database, with rules and with a stub model as the judge."""

import asyncio
import os
import traceback
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import psycopg
import pytest

import worker.batched_lifecycle
from app.operations.embedded import parts
from app.operations.embedded.process import spawn
from app.platform.ids import new_id
from app.verdicts.lifecycle.outcome import Usage
from app.verdicts.lifecycle.service import NewEvaluation
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from cases import TIMEOUT_SECONDS, eventually
from judge_replies import CORRECTNESS, Gate, well
from stub_server import Exchange, StubServer
from verdict_world import World, settings, store_answers, verdict
from worker.batched_lifecycle import BatchedLifecycle
from worker.judge_loop import JudgeLoop
from worker.loop_thread import TaskOutcome
from worker.predecessor import WorkerPlace
from workers import TableLock, started

Loops = Callable[..., AbstractAsyncContextManager[JudgeLoop]]


@pytest.fixture
def judging(world: World) -> Loops:
    """A running JudgeLoop over the world's database."""

    @asynccontextmanager
    async def running(**changes: object) -> AsyncIterator[JudgeLoop]:
        async with started(JudgeLoop(settings(**changes), world.url)) as loop:
            yield loop

    return running


def by_model(judge: StubServer) -> dict[str, str]:
    return {"judge_model": "openai:stub", "openai_base_url": judge.base_url}


async def store(world: World, count: int, **changes: object) -> list[uuid.UUID]:
    policy = EvaluationPolicy.from_settings(settings(**changes))
    stored: Sequence[NewEvaluation] = await store_answers(world, count, policy=policy)
    return [new.evaluation_id for new in stored]


async def run(loop: JudgeLoop, *ids: uuid.UUID) -> TaskOutcome:
    """As Celery's pool does."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        return await asyncio.wrap_future(loop.submit(ids))


async def statuses(world: World, *columns: str) -> list[tuple[Any, ...]]:
    chosen = ("status", *columns)
    return [
        tuple(row[c] for c in chosen) for row in await world.rows("SELECT * FROM qa_evaluations")
    ]


async def test_rules_judge_a_list_of_ids(world, judging):
    ids = await store(world, 20)

    async with judging() as loop:
        await run(loop, *ids)

    assert await statuses(world, "attempt", "provider") == [("succeeded", 1, "offline")] * 20
    for id_ in ids:
        assert await world.events(id_) == ["queued", "running", "succeeded"]


async def test_one_task_has_all_its_calls_in_flight_side_by_side(world, judging, judge):
    judge.default = gate = Gate()
    ids = await store(world, 30, **by_model(judge))

    async with judging(**by_model(judge)) as loop:
        running = asyncio.create_task(run(loop, *ids))
        await judge.until_in_flight(30)
        gate.open.set()
        await running

    assert await statuses(world, "correctness") == [("succeeded", CORRECTNESS)] * 30
    calls = await world.rows("SELECT * FROM judge_calls WHERE content IS NOT NULL")
    assert len(calls) == judge.count == 30


async def test_answers_of_one_refused_statement_do_not_lengthen_its_trace(world, judging):
    await world.rows("ALTER TABLE qa_evaluations RENAME TO elsewhere")

    async with judging() as loop:
        tasks = [loop.submit([new_id()]) for _ in range(50)]
        async with asyncio.timeout(TIMEOUT_SECONDS):
            errors = [await asyncio.to_thread(task.exception) for task in tasks]
    await world.rows("ALTER TABLE elsewhere RENAME TO qa_evaluations")

    assert {type(error) for error in errors} == {psycopg.errors.UndefinedTable}
    assert max(len(traceback.extract_tb(error.__traceback__)) for error in errors if error) < 30


async def test_no_more_calls_are_in_flight_than_allowed(world, judging, judge):
    ids = await store(world, 12, **by_model(judge))

    async with judging(**by_model(judge), max_in_flight=2) as loop:
        await run(loop, *ids)

    assert await statuses(world) == [("succeeded",)] * 12
    assert judge.most_in_flight <= 2


async def test_an_id_that_is_delivered_ten_times_is_judged_once(world, judging, judge):
    (id_,) = await store(world, 1, **by_model(judge))

    async with judging(**by_model(judge)) as one, judging(**by_model(judge)) as other:
        await asyncio.gather(*(run(loop, id_, id_) for loop in (one, other) for _ in range(5)))
        await run(one, id_)

    assert judge.count == 1
    assert await statuses(world, "attempt") == [("succeeded", 1)]
    assert await world.events(id_) == ["queued", "running", "succeeded"]


async def test_a_task_ends_at_its_limit_and_its_rows_are_judged_all_the_same(world, judging, judge):
    (id_,) = await store(world, 1, **by_model(judge))
    go_on = asyncio.Event()

    async def reply_when_released(exchange: Exchange) -> None:
        await go_on.wait()
        await well()(exchange)

    judge.default = reply_when_released
    async with judging(**by_model(judge)) as loop:
        loop._settings = loop._settings.replace(task_time_limit=0.05)
        await run(loop, id_)
        await judge.until_in_flight(1)
        assert await statuses(world, "attempt") == [("running", 1)]
        go_on.set()
        await eventually(
            lambda: statuses(world, "attempt"), when=lambda found: found == [("succeeded", 1)]
        )


async def test_stopping_gives_back_what_is_in_flight(world, judging, judge):
    judge.default = Gate()
    ids = await store(world, 3, **by_model(judge))

    async with judging(**by_model(judge)) as loop:
        running = asyncio.create_task(run(loop, *ids))
        await judge.until_in_flight(3)
        loop.begin_stop(0)
        await running
        await world.rows("UPDATE qa_evaluations SET enqueued_at = now()")
        assert await run(loop, *ids) == TaskOutcome("3 released")

    assert await statuses(world, "enqueued_at") == [("queued", None)] * 3, "published at once"
    columns = ("reason", "attempt", "tries", "crashes", "correctness")
    assert await statuses(world, *columns) == [("queued", "released", 1, 0, 0, None)] * 3
    judge.default = well()
    async with judging(**by_model(judge)) as loop:
        await run(loop, *ids)
    assert await statuses(world, "attempt", "tries") == [("succeeded", 2, 0)] * 3


async def test_stopping_lets_calls_end_for_a_while(world, judging, judge):
    judge.default = gate = Gate()
    ids = await store(world, 3, **by_model(judge))

    async with judging(**by_model(judge)) as loop:
        running = asyncio.create_task(run(loop, *ids))
        await judge.until_in_flight(3)
        loop.begin_stop(TIMEOUT_SECONDS)
        gate.open.set()
        await running

    assert await statuses(world, "attempt") == [("succeeded", 1)] * 3


async def test_rows_claimed_while_stopping_are_released(world, judging, judge):
    ids = await store(world, 3, **by_model(judge))

    async with judging(**by_model(judge)) as loop:
        async with TableLock(world, "qa_evaluations") as absence:
            running = asyncio.create_task(run(loop, *ids))
            await absence.wait_until_blocked()
            loop.begin_stop(0)
        await running

    assert judge.count == 0
    assert await statuses(world, "reason", "attempt") == [("queued", "released", 1)] * 3


class TestWhenPostgresIsAwayForAMoment:
    async def test_a_claim_is_tried_again(self, world, judging):
        ids = await store(world, 3)

        async with judging() as loop:
            async with TableLock(world, "qa_evaluations") as absence:
                running = asyncio.create_task(run(loop, *ids))
                await absence.terminate_blocked()
            await running

        assert await statuses(world, "attempt") == [("succeeded", 1)] * 3

    @pytest.mark.parametrize("table", ["judge_calls", "qa_scores"])
    async def test_a_reply_and_a_verdict_are_written_later(self, world, judging, judge, table):
        judge.default = gate = Gate()
        ids = await store(world, 3, **by_model(judge))

        async with judging(**by_model(judge)) as loop:
            running = asyncio.create_task(run(loop, *ids))
            await judge.until_in_flight(3)
            async with TableLock(world, table) as absence:
                gate.open.set()
                await absence.terminate_blocked()
            await running

        assert judge.count == 3, "nothing is paid for twice"
        assert (
            await statuses(world, "attempt", "correctness") == [("succeeded", 1, CORRECTNESS)] * 3
        )
        assert len(await world.rows("SELECT * FROM judge_calls")) == 3

    @pytest.mark.parametrize("table", ["judge_calls", "qa_scores"])
    async def test_they_are_written_when_a_long_lock_is_over(
        self, world, judging, judge, table, monkeypatch, caplog
    ):
        monkeypatch.setattr("app.platform.db.pool._SERVER_OPTIONS", "-c statement_timeout=200ms")
        monkeypatch.setattr(worker.batched_lifecycle, "DATABASE_RETRY_SECONDS", (0.01,) * 5)
        monkeypatch.setattr(worker.batched_lifecycle, "OUTAGE_RETRY_SECONDS", 0.01)
        judge.default = gate = Gate()
        (id_,) = await store(world, 1, **by_model(judge))

        async with judging(**by_model(judge)) as loop:
            running = asyncio.create_task(run(loop, id_))
            await judge.until_in_flight(1)
            async with TableLock(world, table):
                gate.open.set()
                await eventually(lambda: caplog.text.count("canceling") >= 7)
            await running

        assert judge.count == 1, "nothing is paid for twice"
        assert await statuses(world, "attempt", "correctness") == [("succeeded", 1, CORRECTNESS)]

    async def test_stored_replies_are_read_later(self, world, judging, judge):
        (id_,) = await store(world, 1, **by_model(judge))
        await world.lifecycle.claim([id_])
        await world.expire_lease(id_)
        await world.lifecycle.reap()

        async with judging(**by_model(judge)) as loop:
            async with TableLock(world, "judge_calls") as absence:
                running = asyncio.create_task(run(loop, id_))
                await absence.terminate_blocked()
            await running

        assert await statuses(world, "attempt") == [("succeeded", 2)]

    async def test_an_absence_that_lasts_leaves_an_unclaimed_row_as_it_was(
        self, world, judging, judge, monkeypatch
    ):
        monkeypatch.setattr(worker.batched_lifecycle, "DATABASE_RETRY_SECONDS", ())
        (id_,) = await store(world, 1, **by_model(judge))

        async with judging(**by_model(judge)) as loop, TableLock(world, "judge_calls") as absence:
            running = asyncio.create_task(run(loop, id_))
            await absence.terminate_blocked()
            with pytest.raises(psycopg.errors.AdminShutdown):
                await running

        assert await statuses(world, "reason", "tries") == [("queued", None, 0)]


async def test_a_verdict_that_the_table_refuses_is_a_failure_and_its_neighbours_stand(world):
    ids = await store(world, 2)
    good, bad = await world.lifecycle.claim(ids)
    hot_path = BatchedLifecycle(world.lifecycle)

    await asyncio.gather(
        hot_path.record(good, verdict()), hot_path.record(bad, verdict(usage=Usage(2**40, 1)))
    )

    assert (await world.row(good.id))["status"] == "succeeded"
    row = await world.row(bad.id)
    assert row["status"] == "failed"
    assert "NumericValueOutOfRange" in row["error"]


@pytest.mark.slow
async def test_rows_of_a_dead_worker_are_released_to_its_successor(world, tmp_path):
    """In `searchqa up` and in a container that is restarted: nobody waits for the lease."""
    (held,) = await store(world, 1)
    (lease,) = await world.lifecycle.claim([held])
    (tmp_path / "beat.worker").write_bytes(b"\0" * 36)
    dead = WorkerPlace(tmp_path / "beat.worker")
    dead.take(world.lifecycle.worker_id, freed=True)
    given = settings(heartbeat_file=tmp_path / "beat")

    two_given_one_place = JudgeLoop(given, world.url)
    async with started(two_given_one_place):
        assert (await world.row(held))["status"] == "running"
    dead.leave()
    without_database = JudgeLoop(given, world.url.replace("/test_", "/none_"))
    async with started(without_database):
        assert (await world.row(held))["status"] == "running"
    async with started(JudgeLoop(given, world.url)):
        pass

    row = await world.row(held)
    assert (row["status"], row["crashes"]) == ("retrying", 1)
    assert await world.lifecycle.record([(lease, verdict())]) == set()


async def test_a_worker_on_demand_ends_when_no_message_comes(world, redis_url, monkeypatch):
    monkeypatch.setattr(parts, "MAX_IDLE_SECONDS", 1)
    servers = {"DATABASE_URL": world.url, "REDIS_URL": redis_url}

    async def has_messages(queue: str) -> bool:
        raise NotImplementedError

    part = parts.isolated_worker(settings(), {**os.environ, **servers}, has_messages)
    async with asyncio.timeout(TIMEOUT_SECONDS):
        child = await spawn(part.program)
        said = [line async for line in child.lines()]
        assert await child.wait() == 0

    assert any(" ready." in line for line in said)
    assert any("No message for 1 s" in line for line in said)
    assert await world.rows("SELECT FROM processes") == [], "it is not missed"
