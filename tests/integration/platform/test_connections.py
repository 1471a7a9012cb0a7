"""Connections to PostgreSQL as the processes hold them."""

import uuid

from sqlalchemy import text

from app.ai_router.types import ChatResponse
from app.platform.db.pool import Pool, create_pool
from app.platform.db.session import create_engine, create_sessions
from app.verdicts.lifecycle.lifecycle import StoredCall, VerdictLifecycle
from verdict_world import settings, store_answers, verdict

# Beyond those after which PostgreSQL keeps a statement's plan.
USES = 12
ANSWERS = 300

_END = "SELECT pg_terminate_backend(%s, 5000)"
_PID = "SELECT pg_backend_pid()"
_READ = """
SELECT sum(seq_tup_read) FROM pg_stat_user_tables
WHERE relname IN ('qa_evaluations', 'qa_answers', 'judge_calls', 'verdict_events')
"""


async def test_the_engine_leaves_connections_that_were_ended(world, clean_database_url):
    engine = create_engine(clean_database_url)
    sessions = create_sessions(engine)
    async with sessions() as one, sessions() as two:
        pids = [await session.scalar(text(_PID)) for session in (one, two)]
    for pid in pids:
        await world.rows(_END, pid)

    async with sessions() as session:
        assert await session.scalar(text(_PID)) not in pids
    await engine.dispose()


async def test_the_pool_leaves_connections_that_were_ended(world, clean_database_url):
    async with create_pool(clean_database_url, max_size=1) as pool:
        async with pool.connection() as connection:
            pid = connection.info.backend_pid
        await world.rows(_END, pid)

        async with pool.connection() as connection:
            assert await (await connection.execute(_PID)).fetchone() != (pid,)


async def test_what_the_server_says_by_the_way_ends_no_connection(world, clean_database_url):
    async with create_pool(clean_database_url, max_size=1) as pool:
        async with pool.connection() as connection:
            pid = connection.info.backend_pid
            await connection.execute("LISTEN spring")
        await world.rows("NOTIFY spring")

        async with pool.connection() as connection:
            assert connection.info.backend_pid == pid


async def test_plans_made_for_empty_tables_read_no_full_ones(world, clean_database_url):
    """Nor do the checks of foreign keys."""
    async with create_pool(clean_database_url, max_size=1) as pool:
        lifecycle = VerdictLifecycle(pool, settings())
        for new in await store_answers(world, USES):
            await _judge(lifecycle, new.evaluation_id)
        before = await _rows_read_in_vain(pool)

        for new in (await store_answers(world, ANSWERS))[:USES]:
            await _judge(lifecycle, new.evaluation_id)

        assert await _rows_read_in_vain(pool) - before < ANSWERS


async def _judge(lifecycle: VerdictLifecycle, id_: uuid.UUID) -> None:
    (claim,) = await lifecycle.claim([id_])
    reply = ChatResponse(content="{}", provider="openai", model="stub")
    await lifecycle.save_replies([StoredCall(claim, "hash", "openai", "stub", reply)])
    assert await lifecycle.record([(claim, verdict())]) == {id_}


async def _rows_read_in_vain(pool: Pool) -> int:
    async with pool.connection() as connection:
        await connection.execute("SELECT pg_stat_force_next_flush()")
        await connection.execute("SELECT pg_stat_clear_snapshot()")
        (row,) = await (await connection.execute(_READ)).fetchall()
        return int(row[0])
