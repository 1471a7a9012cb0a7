"""The fixtures that the other integration tests stand on."""

import redis
from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession

from app.platform.db.session import create_engine
from app.workspaces.models import Workspace
from verdict_world import make_workspace


async def _count_workspaces(engine: AsyncEngine) -> int:
    async with engine.connect() as connection:
        count = await connection.scalar(select(func.count()).select_from(Workspace))
    return count or 0


async def test_commits_of_a_test_session_stay_inside_the_test(session, engine):
    await make_workspace(session)
    await session.commit()
    assert await session.scalar(select(func.count()).select_from(Workspace)) == 1
    assert await _count_workspaces(engine) == 0


async def test_a_rollback_after_a_commit_keeps_what_was_committed(session):
    await make_workspace(session, "kept")
    await session.commit()
    await make_workspace(session, "lost")
    await session.rollback()
    assert list(await session.scalars(select(Workspace.name))) == ["kept"]


async def test_a_clean_database_is_migrated_and_separate(clean_database_url, database_url):
    assert clean_database_url != database_url
    engine = create_engine(clean_database_url)
    async with AsyncSession(engine) as session:
        await make_workspace(session)
        await session.commit()
        assert await session.scalar(text("SELECT count(*) FROM alembic_version")) == 1
    assert await _count_workspaces(engine) == 1
    await engine.dispose()


def test_redis_is_empty_and_real(redis_url):
    with redis.Redis.from_url(redis_url) as client:
        assert client.dbsize() == 0
        client.set("left", "behind")


def test_redis_is_empty_again(redis_url):
    with redis.Redis.from_url(redis_url) as client:
        assert client.get("left") is None


async def test_two_connections_see_each_other_in_a_clean_database(clean_database_url):
    engine = create_engine(clean_database_url)
    async with AsyncSession(engine) as writer, AsyncSession(engine) as reader:
        await make_workspace(writer, "seen")
        await writer.commit()
        assert await reader.scalar(select(Workspace.name)) == "seen"
    await engine.dispose()
