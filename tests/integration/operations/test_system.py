"""Processes that report in a real PostgreSQL, and what the API says of the installation."""

import asyncio
import datetime as dt
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack

import pytest
import redis

from api_client import Api, open_api, served
from app.cli import postgres_checks
from app.cli.checks import State
from app.notes.vector_indexes import Obstacle, Unindexed
from app.operations.system import presence
from app.operations.system.presence import ProcessKind, Report, delete_silent, present
from app.operations.system.processes import Process, read_processes
from app.platform.broker import Publisher, Queue
from app.platform.db.address import newest
from app.platform.db.pool import create_pool
from app.verdicts.lifecycle.queries import Backlog
from cases import TIMEOUT_SECONDS, eventually
from verdict_world import World, settings, store_answers
from worker.dispatcher import Dispatcher, Reporting
from worker.judge_loop import JudgeLoop
from workers import started

# As if all of them had been there for an hour.
SETTLED = "UPDATE processes SET steady_since = now() - interval '1 hour'"
LACKING = Unindexed(2, Obstacle.NOT_OWNER)
LATE = Backlog(Queue.LIVE, "offline:rules", 3, 600.0, 0, 0, None)


@pytest.fixture(autouse=True)
def beat_once(monkeypatch):
    """What tests change of a report stays."""
    monkeypatch.setattr(presence, "BEAT_SECONDS", 3600.0)


async def listed(world: World, count: int) -> list[Process]:
    return await eventually(
        lambda: read_processes(world.pool), when=lambda found: len(found) == count
    )


@pytest.fixture
async def api(world: World, redis_url: str) -> AsyncIterator[Api]:
    async with open_api(world, redis_url) as api:
        await listed(world, 1)
        yield api


async def _rows_of(api: Api, table: str) -> int | None:
    tables = (await api.client.get("/system")).json()["tables"]
    return next((one["estimated_rows"] for one in tables if one["name"] == table), None)


async def enter(
    stack: AsyncExitStack, world: World, kind: ProcessKind, report: Report, *queues: Queue
) -> None:
    async def reported() -> Report:
        return report

    await stack.enter_async_context(
        present(world.pool, settings(), kind, queues=queues, report=reported)
    )


async def test_a_worker_reports_what_it_claims_until_it_stops(world):
    (new,) = await store_answers(world, 1)
    async with started(JudgeLoop(settings(), world.url, queues={Queue.LIVE})) as loop:
        (idle,) = await listed(world, 1)
        await asyncio.wrap_future(loop.submit([new.evaluation_id]))
        report = await loop._report()
    assert (idle.kind, idle.queues, idle.claim_seconds) == ("worker", ("live",), {})
    assert idle.seen_seconds < TIMEOUT_SECONDS
    assert list(report.claims) == ["offline:rules"]
    assert await read_processes(world.pool) == []


async def test_a_process_leaves_in_the_moment_in_which_it_gets_a_connection(world):
    """Python 3.11's wait_for, by which the pool waits, swallows a cancellation of that moment."""
    async with asyncio.timeout(TIMEOUT_SECONDS), create_pool(world.url, max_size=1) as pool:
        held, listed_process = AsyncExitStack(), AsyncExitStack()
        await held.enter_async_context(pool.connection())
        await listed_process.enter_async_context(present(pool, settings(), ProcessKind.WORKER))
        while not pool.get_stats().get("requests_waiting"):  # noqa: ASYNC110  the pool has no event
            await asyncio.sleep(0)
        await held.aclose()
        await listed_process.aclose()
    assert await read_processes(world.pool) == []


async def test_a_dispatcher_reports_its_sweeps_and_what_waits(world, redis_url):
    await store_answers(world, 2)
    await world.rows("UPDATE qa_evaluations SET run_at = now() - interval '5 minutes'")
    publisher = Publisher(redis_url, settings())
    dispatcher = Dispatcher(world.lifecycle, world.jobs, publisher, settings())
    before = await Reporting(dispatcher, world.pool, None).report()
    await dispatcher.tick()
    publisher.close()
    async with AsyncExitStack() as stack:
        after = await Reporting(dispatcher, world.pool, None).report()
        await enter(stack, world, ProcessKind.DISPATCHER, after)
        (found,) = await listed(world, 1)
    assert before.ticked_seconds is None
    assert found.tick_seconds is not None
    assert found.backlog is not None
    (backlog,) = found.backlog
    assert (backlog.queue, backlog.due) == (Queue.LIVE, 2)
    assert backlog.oldest_seconds is not None
    assert backlog.oldest_seconds >= 300


async def test_a_process_is_listed_with_its_first_report(world):
    for _ in range(5):
        async with AsyncExitStack() as stack:
            await enter(stack, world, ProcessKind.DISPATCHER, Report(ticked_seconds=1.0))
            while not (found := await read_processes(world.pool)):
                pass
        assert found[0].tick_seconds is not None


async def test_another_release_may_report_more(world):
    async with AsyncExitStack() as stack:
        await enter(stack, world, ProcessKind.DISPATCHER, Report(backlog=[LATE], unindexed=LACKING))
        await listed(world, 1)
        await world.rows(
            """UPDATE processes SET backlog = jsonb_build_array(
                   backlog->0 || '{"more": 1}', backlog->0 || '{"queue": "priority"}'),
               unindexed = unindexed || '{"obstacle": "no_disk", "more": 1}'"""
        )
        (found,) = await listed(world, 1)
    assert found.backlog is not None
    assert [one.due for one in found.backlog] == [LATE.due]
    assert found.unindexed == Unindexed(2, None)


async def test_a_silent_process_starts_anew_and_a_dead_one_is_deleted(world):
    async with AsyncExitStack() as stack:
        await enter(stack, world, ProcessKind.WORKER, Report())
        await listed(world, 1)
        await world.rows("UPDATE processes SET seen_at = now() - interval '2 hours'")
        assert await read_processes(world.pool) == []
        await delete_silent(world.pool)
        assert await world.rows("SELECT FROM processes") == []


class TestHealth:
    async def test_says_that_no_worker_lives_once_that_is_certain(self, api):
        async with AsyncExitStack() as stack:
            dispatching = Report(ticked_seconds=0.1, backlog=())
            await enter(stack, api.world, ProcessKind.DISPATCHER, dispatching)
            await listed(api.world, 2)
            services = api.app.state.services
            assert (await services.health.health()).condition == "unknown"
            await api.world.rows(SETTLED)
            services.health._until = 0
            reader = await api.as_token(scopes=["read"])
            health = (await reader.get("/system/health")).json()
            ready = (await api.anonymous.get("/readyz")).json()
            refused = await reader.get("/system")
        assert health == {"condition": "no_worker", "delayed": True, "waiting": 0, "stranded": 0}
        assert ready == {"status": "ok", "postgresql": "ok", "verdicts": "stopped"}
        assert refused.status_code == 403
        assert "searchqa login --operator" in refused.json()["detail"]

    async def test_a_stack_is_not_ready_before_commands_find_it(self, api, tmp_path, monkeypatch):
        stack = api.app.state.services.settings.stack
        starting = stack.model_copy(update={"fork_server": tmp_path / "s", "data_dir": tmp_path})
        monkeypatch.setattr(api.app.state.services.settings, "stack", starting)
        before = await api.anonymous.get("/readyz")
        (tmp_path / "stack.json").touch()
        after = await api.anonymous.get("/readyz")
        assert (before.status_code, before.json()) == (503, {"status": "starting"})
        assert after.status_code == 200

    async def test_shows_operators_what_waits_and_who_lives(self, api):
        async with AsyncExitStack() as stack:
            dispatching = Report(ticked_seconds=0.1, backlog=[LATE], unindexed=LACKING)
            await enter(stack, api.world, ProcessKind.DISPATCHER, dispatching)
            await enter(stack, api.world, ProcessKind.WORKER, Report(in_flight=2), Queue.LIVE)
            await listed(api.world, 3)
            await api.world.rows(SETTLED)
            seen = (await api.client.get("/system")).json()
        assert seen["condition"] == "stuck"
        problem, lacking = seen["problems"]
        assert (problem["judge_model"], problem["due"]) == ("offline:rules", 3)
        assert (lacking["condition"], lacking["workspaces"]) == ("unindexed", 2)
        assert lacking["obstacle"] == "not_owner"
        assert seen["queues"][0]["oldest_seconds"] >= 600
        by_kind = {one["kind"]: one for one in seen["processes"]}
        assert by_kind.keys() == {"api", "dispatcher", "worker"}
        assert (by_kind["worker"]["in_flight"], by_kind["worker"]["lives"]) == (2, True)
        assert dt.datetime.fromisoformat(by_kind["api"]["started_at"]).tzinfo
        assert {"qa_evaluations", "judge_calls"} <= {table["name"] for table in seen["tables"]}
        assert seen["versions"]["redis"]
        assert seen["versions"]["schema_revision"] == newest()

    async def test_counts_the_rows_of_a_table_that_was_never_analyzed(self, api):
        wide = "SELECT repeat(md5(n::text), 60) AS text FROM generate_series(1, 500) n"
        async with api.world.pool.connection() as connection:
            await connection.execute(f"CREATE TABLE never_analyzed AS {wide}".encode())
            # Else a session reports what it counted ten seconds later.
            await connection.execute(b"SELECT pg_stat_force_next_flush()")
        try:
            await eventually(lambda: _rows_of(api, "never_analyzed"), when=lambda rows: rows == 500)
        finally:
            async with api.world.pool.connection() as connection:
                await connection.execute(b"DROP TABLE never_analyzed")

    async def test_redis_is_away(self, world):
        async with open_api(world, "redis://127.0.0.1:1/0") as api:
            health = (await api.client.get("/system/health")).json()
            seen = (await api.client.get("/system")).json()
        assert (health["condition"], health["delayed"]) == ("redis_unreachable", True)
        assert seen["versions"]["redis"] is None

    async def test_redis_whose_version_may_not_be_read_is_there(self, world, redis_url):
        with redis.Redis.from_url(redis_url) as admin:
            admin.acl_setuser(
                "few", enabled=True, passwords="+few", keys="*", channels="*",
                commands=["+@all", "-info"],
            )  # fmt: skip
        few = redis_url.replace("://", "://few:few@")
        async with open_api(world, few) as api:
            assert (await api.client.get("/system")).json()["versions"]["redis"] == "?"


async def test_doctor_distinguishes_a_stuck_queue_from_a_slow_judge(api):
    world = api.world
    await store_answers(world, 2)
    await world.rows(
        "UPDATE qa_evaluations SET run_at = now() - interval '5 minutes', enqueued_at = now()"
    )

    async def queue(claims: Mapping[str, float], stack_api: str | None = None) -> tuple[State, str]:
        dispatching = Report(ticked_seconds=0.1, backlog=())
        async with AsyncExitStack() as stack:
            await enter(stack, world, ProcessKind.DISPATCHER, dispatching)
            await enter(stack, world, ProcessKind.WORKER, Report(claims=claims), Queue.LIVE)
            await listed(world, 3)
            await world.rows(SETTLED)
            found = await asyncio.to_thread(
                lambda: list(postgres_checks.postgres(world.url, settings(), stack_api))
            )
        (finding,) = (each for each in found if each.about == "Queue")
        return finding.state, finding.detail

    stuck, why = await queue({})
    slow, _ = await queue({"offline:rules": 1.0})
    async with served(api) as url:
        goes_on_by_api, _ = await queue({}, url)
    assert (stuck, slow, goes_on_by_api) == (State.BROKEN, State.NOTE, State.NOTE)
    assert "none claims them" in why
    assert "2 verdicts wait" in why
