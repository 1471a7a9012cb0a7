"""Processes that reach PostgreSQL through a PgBouncer in transaction mode."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import psycopg
import pytest
from fault_fixtures import OpenStack
from harness import HOST, LONG_LEASE, Stack
from readers import listening, wait_for_events
from victims import eventually

from api_client import NOTES, QUESTION
from app.operations.embedded.ports import free_port
from app.platform.db.pool import create_pool
from app.platform.db.session import create_engine, create_sessions, in_workspace
from app.workspaces.tokens import DEFAULT_WORKSPACE
from deployment_parts import PgBouncer, pgbouncer

SESSIONS = 5
ANSWERS = 60
# Beyond those after which psycopg prepares a statement.
USES = 12

_HELD = """
SELECT count(*) FILTER (WHERE NOT direct) AS pooled, count(*) FILTER (WHERE direct) AS direct
FROM (SELECT starts_with(query, 'LISTEN') AS direct FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'searchqa') AS sessions
"""


@pytest.fixture
async def stack(open_: OpenStack) -> Stack:
    return await open_(**LONG_LEASE)


@pytest.fixture
async def pooler(stack: Stack, new_folder: Path) -> AsyncIterator[PgBouncer]:
    """What the stack's processes are given as DATABASE_URL; the test itself goes without."""
    folder = new_folder.with_name(f"{new_folder.name}-pgbouncer")
    with pgbouncer(folder, stack.world.url, sessions=SESSIONS) as running:
        stack.environment = {"DATABASE_URL": running.url, "DATABASE_DIRECT_URL": stack.world.url}
        yield running


async def test_answers_are_judged_and_their_events_sent_with_few_sessions(stack, pooler, holds):
    port = free_port(HOST)
    await asyncio.gather(stack.start_api(port), stack.start(workers=2))
    most = 0
    async with listening(stack, port, 2) as readers:
        async with await stack.api_client(port) as client:
            for path, body in (("/notes/import", NOTES), ("/ai/chat", QUESTION)):
                reply = await client.post(path, json=body)
                assert reply.is_success, reply.text
        await stack.answer(ANSWERS)
        while await stack.unfinished():
            (held,) = await stack.world.rows(_HELD)
            most = max(most, held["pooled"])
            assert held["direct"] <= 2

        await holds(stack, f"{SESSIONS} sessions of PgBouncer for an API, 2 workers, a dispatcher")

        expected = await wait_for_events(stack, readers)
        assert all(reader.received == expected for reader in readers)
    assert most <= SESSIONS


async def test_pgbouncer_is_killed_and_comes_back(stack, pooler, holds):
    await stack.start()
    await stack.answer(ANSWERS)
    await eventually(lambda: stack.world.rows("SELECT id FROM judge_calls LIMIT 1"))
    await asyncio.to_thread(pooler.kill)
    await stack.answer(ANSWERS)
    await asyncio.to_thread(pooler.start)

    await holds(stack, f"PgBouncer killed while {ANSWERS} answers were judged")


async def test_nothing_is_prepared_where_a_pooler_is(stack, pooler):
    """By its other clients either: their sessions are shared."""
    async with (
        create_pool(pooler.url, max_size=2) as pool,
        pool.connection() as one,
        pool.connection() as two,
    ):
        for _ in range(USES):
            for connection in (one, two):
                await connection.execute("SELECT %s::int", [1])
        found = await one.execute("SELECT count(*) FROM pg_prepared_statements")
        assert await found.fetchone() == (0,)
    engine = create_engine(pooler.url)
    async with in_workspace(create_sessions(engine), DEFAULT_WORKSPACE) as session:
        for _ in range(USES):
            role = await (await session.connection()).exec_driver_sql(
                "SELECT current_user, count(*) FROM pg_prepared_statements"
            )
            assert role.one() == ("searchqa_app", 0)
    await engine.dispose()
    with psycopg.connect(pooler.url) as after:
        assert after.execute("SELECT current_user").fetchone() == ("postgres",)
