"""The fixtures that the other integration tests stand on."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import redis
from kept_sessions import KeptSessions
from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession

from app.platform.db.session import create_engine
from app.workspaces.models import Workspace
from factories import make_workspace

LEFT_BEHIND = (
    "CREATE TABLE pg_temp.left_behind ()",
    "PREPARE one AS SELECT 1",
    "SELECT pg_advisory_lock(1)",
    "LISTEN spring",
    "SET statement_timeout = '7s'",
    "SET ROLE searchqa_app",
)


async def _count_workspaces(engine: AsyncEngine) -> int:
    async with engine.connect() as connection:
        count = await connection.scalar(select(func.count()).select_from(Workspace))
    return count or 0


async def test_commits_of_a_test_session_stay_inside_the_test(
    session: AsyncSession, engine: AsyncEngine
) -> None:
    await make_workspace(session)
    await session.commit()
    assert await session.scalar(select(func.count()).select_from(Workspace)) == 1
    assert await _count_workspaces(engine) == 0


async def test_a_rollback_after_a_commit_keeps_what_was_committed(session: AsyncSession) -> None:
    await make_workspace(session, "kept")
    await session.commit()
    await make_workspace(session, "lost")
    await session.rollback()
    assert list(await session.scalars(select(Workspace.name))) == ["kept"]


async def test_a_clean_database_is_migrated_and_separate(
    clean_database_url: str, database_url: str
) -> None:
    assert clean_database_url != database_url
    engine = create_engine(clean_database_url)
    async with AsyncSession(engine) as session:
        await make_workspace(session)
        await session.commit()
        assert await session.scalar(text("SELECT count(*) FROM alembic_version")) == 1
    assert await _count_workspaces(engine) == 1
    await engine.dispose()


def test_redis_is_empty_and_real(redis_url: str) -> None:
    with redis.Redis.from_url(redis_url) as client:
        assert client.dbsize() == 0
        client.set("left", "behind")


def test_redis_is_empty_again(redis_url: str) -> None:
    with redis.Redis.from_url(redis_url) as client:
        assert client.get("left") is None


async def test_two_connections_see_each_other_in_a_clean_database(clean_database_url: str) -> None:
    engine = create_engine(clean_database_url)
    async with AsyncSession(engine) as writer, AsyncSession(engine) as reader:
        await make_workspace(writer, "seen")
        await writer.commit()
        assert await reader.scalar(select(Workspace.name)) == "seen"
    await engine.dispose()


async def _found(url: str) -> tuple[object, ...]:
    """The process of a session, and what an earlier test might have left in it."""
    async with await AsyncConnection.connect(url, autocommit=True) as connection:
        cursor = await connection.execute(
            "SELECT pg_backend_pid(), current_user, current_setting('statement_timeout'),"
            " to_regclass('left_behind'), ARRAY(SELECT pg_listening_channels()),"
            " (SELECT count(*) FROM pg_prepared_statements),"
            " (SELECT count(*) FROM pg_locks"
            " WHERE locktype = 'advisory' AND pid = pg_backend_pid())"
        )
        row = await cursor.fetchone()
        heard = [notice async for notice in connection.notifies(timeout=0)]
    return (*row, heard)


@contextmanager
def _keeping(url: str) -> Iterator[KeptSessions]:
    kept = KeptSessions()
    with kept.used(), kept.of(conninfo_to_dict(url)["dbname"]):
        yield kept


async def test_a_kept_session_is_as_a_new_one(clean_database_url: str) -> None:
    with _keeping(clean_database_url) as kept:
        new = await _found(clean_database_url)
        kept.next_test()
        async with await AsyncConnection.connect(clean_database_url, autocommit=True) as used:
            for statement in LEFT_BEHIND:
                await used.execute(statement)
            with psycopg.connect(clean_database_url, autocommit=True) as other:
                other.execute("NOTIFY spring")
        kept.next_test()
        assert await _found(clean_database_url) == new


async def test_a_test_that_connects_anew_gets_a_new_session(clean_database_url: str) -> None:
    with _keeping(clean_database_url):
        first, *_ = await _found(clean_database_url)
        second, *_ = await _found(clean_database_url)
        assert second != first


async def test_a_session_that_was_ended_is_not_kept(clean_database_url: str) -> None:
    with _keeping(clean_database_url) as kept:
        pid, *_ = await _found(clean_database_url)
        kept.next_test()
        with psycopg.connect(clean_database_url) as other:
            other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
        assert (await _found(clean_database_url))[0] != pid
