"""Row-level security isolates workspaces even where a query lacks its filter."""

import uuid

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from api_client import QUESTION, Api, import_notes
from app.notes.fulltext import search
from app.notes.keys import Place
from app.platform.db.session import create_engine, create_sessions, in_workspace
from verdict_world import World, store_answers, verdict

# Not of a workspace, or not for the API's role.
OPEN_TABLES = {
    *("alembic_version", "database_clock", "judge_failures", "judge_pauses", "processes"),
    *("model_endings", "refused_parts", "workspaces"),
}
# Which the role only reads; triggers add to them as their owner.
READ_ONLY_TABLES = {"audit_events", "audit_heads"}


async def workspace_tables(world: World) -> list[str]:
    rows = await world.rows(
        "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p')"
        " AND relnamespace = 'public'::regnamespace ORDER BY relname"
    )
    return [row["relname"] for row in rows if row["relname"] not in OPEN_TABLES]


async def workspace_ids(world: World) -> tuple[uuid.UUID, uuid.UUID]:
    """One with something in it, and another with nothing."""
    (full,) = await world.rows("SELECT id FROM workspaces WHERE name = 'default'")
    empty = uuid.uuid4()
    await world.rows("INSERT INTO workspaces (id, name) VALUES (%s, 'other')", empty)
    return full["id"], empty


@pytest.fixture
async def filled(api: Api) -> Api:
    """A workspace with at least one row in each table that an API call fills."""
    await import_notes(api)
    await api.client.post("/ai/chat", json=QUESTION)
    await api.judge_next(verdict())
    return api


class TestEveryTable:
    async def test_has_a_policy(self, world):
        for table in await workspace_tables(world):
            (row,) = await world.rows(
                "SELECT c.relrowsecurity, p.qual, p.with_check FROM pg_class c LEFT JOIN"
                " pg_policies p ON p.tablename = c.relname AND p.policyname = 'workspace'"
                " WHERE c.oid = %s::regclass",
                table,
            )
            assert row["relrowsecurity"], f"{table}: call protect() in its migration"
            assert "app.workspace_id" in row["qual"], table
            assert "app.workspace_id" in row["with_check"], table

    async def test_shows_only_the_rows_of_the_workspace(self, filled):
        full, empty = await workspace_ids(filled.world)
        seen = 0
        for table in await workspace_tables(filled.world):
            count = text(f"SELECT count(*) FROM {table}")
            async with in_workspace(filled.world.sessions, full) as session:
                seen += (await session.scalar(count)) > 0
            async with in_workspace(filled.world.sessions, empty) as session:
                assert await session.scalar(count) == 0, table
        assert seen >= 10

    async def test_rows_of_another_cannot_be_changed(self, filled):
        _, empty = await workspace_ids(filled.world)
        for table in await workspace_tables(filled.world):
            (before,) = await filled.world.rows(f"SELECT count(*) FROM {table}")
            for statement in (
                f"UPDATE {table} SET workspace_id = workspace_id",
                f"DELETE FROM {table}",
            ):
                async with in_workspace(filled.world.sessions, empty) as session:
                    if table in READ_ONLY_TABLES:
                        with pytest.raises(DBAPIError, match="permission denied"):
                            await session.execute(text(statement))
                        continue
                    result = await session.execute(text(statement))
                    await session.commit()
                    assert result.rowcount == 0, statement  # type: ignore[attr-defined]
            assert await filled.world.rows(f"SELECT count(*) FROM {table}") == [before]

    async def test_takes_no_row_for_another(self, filled):
        full, empty = await workspace_ids(filled.world)
        async with in_workspace(filled.world.sessions, empty) as session:
            with pytest.raises(DBAPIError, match="row-level security"):
                await session.execute(
                    text("INSERT INTO notebooks (id, workspace_id, name) VALUES (:id, :ws, 'x')"),
                    {"id": uuid.uuid4(), "ws": full},
                )


class TestASession:
    async def test_without_a_workspace_is_the_owners(self, world):
        await store_answers(world)
        async with world.sessions() as session:
            assert await session.scalar(text("SELECT count(*) FROM qa_answers")) == 1

    async def test_leaves_nothing_on_its_connection(self, world):
        engine = create_engine(world.url, pool_size=1)
        sessions = create_sessions(engine)
        async with in_workspace(sessions, uuid.uuid4()) as session:
            assert await session.scalar(text("SELECT current_user")) == "searchqa_app"
            pid = await session.scalar(text("SELECT pg_backend_pid()"))
        async with sessions() as session:
            assert await session.scalar(text("SELECT pg_backend_pid()")) == pid
            assert await session.scalar(text("SELECT current_user")) != "searchqa_app"
        await engine.dispose()

    async def test_enters_its_workspace_again_after_a_rollback(self, world):
        async with in_workspace(world.sessions, uuid.uuid4()) as session:
            await session.execute(text("SELECT 1"))
            await session.rollback()
            assert await session.scalar(text("SELECT current_user")) == "searchqa_app"

    async def test_that_names_no_workspace_sees_nothing(self, filled):
        async with filled.world.sessions() as session:
            await session.execute(text("SET LOCAL ROLE searchqa_app"))
            assert await session.scalar(text("SELECT count(*) FROM notes")) == 0

    async def test_searches_only_its_workspace_even_if_asked_for_another(self, filled):
        full, empty = await workspace_ids(filled.world)
        async with in_workspace(filled.world.sessions, full) as session:
            assert await search(session, Place(full), "PCR 변성 온도")
        async with in_workspace(filled.world.sessions, empty) as session:
            assert await search(session, Place(full), "PCR 변성 온도") == []
