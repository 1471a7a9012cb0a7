"""The views of schema analytics as an analyst sees them, and the pages that tell of them."""

import asyncio
import datetime as dt
import os
import subprocess
import uuid
from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pytest
from psycopg import errors, sql
from psycopg.rows import dict_row

from analytics_rows import PATH, put_label, put_steps, put_verdict, render
from app.cli import database
from app.platform.settings import get_settings
from app.quality.analytics.queries import named_queries, statement
from app.quality.analytics.sources import Filters
from cases import TIMEOUT_SECONDS, for_each
from verdict_world import World

# Shares are for charts, and calls of batches have a view of their own.
NOT_IN_VIEWS = {"parse_failure_share", "batched_calls", "batched_cost_usd", "rightly_refused"}
# Named query and the view that counts the same without filters, in days of UTC.
SAME = {
    "daily-quality": "daily_quality",
    "judge-cost": "judge_cost_daily",
    "verdict-latency": "verdict_latency",
    "model-comparison": "model_comparison",
    "judge-reliability": "judge_reliability",
    "judge-agreement": "judge_agreement",
    "cascade": "cascade",
}


@pytest.fixture
async def here(world: World) -> uuid.UUID:
    """A workspace with verdicts of two judges, claims, issues, calls and labels."""
    workspace_id = await world.workspace()
    call = {"prompt_tokens": 100, "cached_tokens": 64, "completion_tokens": 9}
    call |= {"cost_usd": "0.00013"}
    note = {"note_index": 1, "title": "노트", "cited": True, "quote_found": True}
    for correctness, judge in ((0.9, "1"), (0.4, "1"), (0.6, "1"), (0.7, "2")):
        id_ = await put_verdict(
            world,
            workspace_id,
            correctness=correctness,
            judge_key=f"search_qa/m/{judge}",
            from_cache=judge == "2",
            prompt_version=judge,
            queue_ms=correctness * 7,
            judge_ms=100 / 3,
            sources=[note],
            claims=["supported", "unsupported"],
            issues=[("grounding", "x")],
            calls=[call, {"error": "malformed: x"}],
        )
        await put_label(world, workspace_id, id_, "right" if correctness > 0.5 else "partly")
    await put_steps(world, id_, ("openai:a", "low"), ("openai:b", "high"))
    await put_verdict(world, workspace_id, degraded=True, error="transient: x")
    await put_verdict(world, workspace_id, status="skipped", reason="no_context")
    return workspace_id


@pytest.fixture
async def elsewhere(world: World) -> uuid.UUID:
    workspace_id = await world.workspace("other")
    await put_verdict(world, workspace_id)
    return workspace_id


async def view_columns(world: World) -> dict[str, list[dict[str, Any]]]:
    found = await world.rows("""
        SELECT c.relname, a.attname, obj_description(c.oid) AS of_view,
            col_description(c.oid, a.attnum) AS comment
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
        WHERE c.relnamespace = 'analytics'::regnamespace AND c.relkind = 'v'
        ORDER BY c.relname, a.attnum
    """)
    views: dict[str, list[dict[str, Any]]] = {}
    for column in found:
        views.setdefault(column["relname"], []).append(column)
    return views


class TestViews:
    async def test_every_view_and_column_is_described(self, world):
        views = await view_columns(world)
        assert len(views) >= 15
        for name, columns in views.items():
            assert columns[0]["of_view"].startswith("Version 1. "), name
            for column in columns:
                assert column["comment"], f"{name}.{column['attname']}"

    async def test_the_reference_is_that_of_the_code(self, world):
        page = render(named_queries(), await view_columns(world))
        if "RENEW_REFERENCE" in os.environ:
            PATH.write_text(page, "utf-8")
        assert PATH.read_text("utf-8") == page, "run `make reference`"

    async def test_count_what_the_named_queries_count(self, world, here):
        async with await psycopg.AsyncConnection.connect(
            world.url, row_factory=dict_row, cursor_factory=psycopg.AsyncClientCursor
        ) as connection:
            for name, view in SAME.items():
                query = named_queries()[name]
                cursor = await connection.execute(*statement(query.sql, Filters(), here))
                counted = await cursor.fetchall()
                assert counted, name
                names = set(counted[0])
                cursor = await connection.execute(
                    sql.SQL("SELECT * FROM analytics.{}").format(sql.Identifier(view))
                )
                seen = await cursor.fetchall()
                assert names - set(seen[0]) <= NOT_IN_VIEWS, name
                shared = sorted(names & set(seen[0]))

                counted, seen = (
                    sorted((tuple(row[key] for key in shared) for row in rows), key=str)
                    for rows in (counted, seen)
                )
                assert counted == seen, name

    async def test_notes_are_counted_by_view_and_queries_alike(self, world, here):
        (row,) = await world.rows("SELECT * FROM analytics.note_quality")
        figures = ("given", "cited", "ignored", "misquoted", "correctness", "scored", "ungrounded")
        assert [row[name] for name in figures] == [4, 4, 0, 0, 0.65, 4, 1]


@pytest.fixture
async def analyst(world: World) -> AsyncIterator[str]:
    """The address of a login that is nothing but an analyst."""
    login = f"ann_{uuid.uuid4().hex[:12]}"
    await world.rows(f"CREATE ROLE {login} LOGIN IN ROLE searchqa_analyst")
    user = psycopg.conninfo.conninfo_to_dict(world.url)["user"]
    yield world.url.replace(f"//{user}:", f"//{login}:", 1)
    await world.rows("DELETE FROM analytics.access")
    # The end of a session that had made something of its own may come after its client is gone.
    await world.rows(f"DROP OWNED BY {login}")
    await world.rows(f"DROP ROLE {login}")


async def workspaces_visible_to(url: str, *before: str) -> set[uuid.UUID]:
    async with await psycopg.AsyncConnection.connect(url) as connection:
        for statement_ in before:
            await connection.execute(statement_.encode())
        cursor = await connection.execute("SELECT workspace_id FROM analytics.verdicts")
        return {row[0] for row in await cursor.fetchall()}


def login_of(url: str) -> str:
    return str(psycopg.conninfo.conninfo_to_dict(url)["user"])


class TestAnAnalyst:
    async def test_sees_nothing_until_the_operator_says_what(self, world, analyst, here, elsewhere):
        assert await workspaces_visible_to(analyst) == set()
        await world.rows("INSERT INTO analytics.access VALUES (%s, %s)", login_of(analyst), here)
        assert await workspaces_visible_to(analyst) == {here}
        name_other = f"SET app.workspace_id = '{elsewhere}'"
        assert await workspaces_visible_to(analyst, name_other) == set()
        await world.rows("INSERT INTO analytics.access VALUES (%s, NULL)", login_of(analyst))
        assert await workspaces_visible_to(analyst) == {here, elsewhere}
        assert await workspaces_visible_to(analyst, name_other) == {elsewhere}

    async def test_sees_no_row_of_another_through_a_function(self, world, analyst, here, elsewhere):
        await world.rows("INSERT INTO analytics.access VALUES (%s, %s)", login_of(analyst), here)
        tell = """
            CREATE FUNCTION pg_temp.tell(workspace uuid) RETURNS bool LANGUAGE plpgsql COST 1e-6
            AS $$ BEGIN RAISE NOTICE '%', workspace; RETURN true; END $$
        """
        heard: list[str] = []
        async with await psycopg.AsyncConnection.connect(analyst) as connection:
            connection.add_notice_handler(lambda notice: heard.append(notice.message_primary or ""))
            await connection.execute(tell)
            await connection.execute(
                "SELECT count(*) FROM analytics.verdicts WHERE pg_temp.tell(workspace_id)"
            )
        assert set(heard) == {str(here)}

    @for_each(
        "attempt",
        [
            "SELECT 1 FROM public.qa_evaluations",
            "SELECT content_text FROM public.notes",
            "DELETE FROM analytics.claims",
            "UPDATE analytics.feedback SET label = 'right'",
            "INSERT INTO analytics.access VALUES (session_user, NULL)",
            "SELECT * FROM analytics.access",
            "CREATE TABLE analytics.mine (id int)",
            "SET ROLE searchqa_views",
            "SET ROLE searchqa_app",
        ],
    )
    async def test_may_do_nothing_else(self, analyst, attempt):
        async with await psycopg.AsyncConnection.connect(analyst) as connection:
            with pytest.raises((errors.InsufficientPrivilege, errors.FeatureNotSupported)):
                await connection.execute(attempt.encode())

    async def test_by_psql_is_the_operator_with_fewer_rights(
        self, world, here, elsewhere, monkeypatch, tmp_path, server_version
    ):
        started: list[tuple[str, list[str], dict[str, str]]] = []
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("DATABASE_URL", world.url)
        monkeypatch.setattr(os, "execve", lambda *call: started.append(call))
        get_settings.cache_clear()
        count = (
            "SELECT count(DISTINCT workspace_id), current_user,"
            " current_setting('idle_in_transaction_session_timeout'),"
            " current_setting('statement_timeout'), current_setting('transaction_timeout', true)"
            " FROM analytics.verdicts"
        )

        for options in ({}, {"workspace": "other"}):
            await asyncio.to_thread(
                database.open_psql, ["-AtX", "-c", count], analyst=True, **options
            )
        get_settings.cache_clear()
        outputs = []
        for _, command, environment in started:
            ended = await asyncio.to_thread(
                subprocess.run,
                command,
                env=environment,
                capture_output=True,
                text=True,
                timeout=TIMEOUT_SECONDS,
            )
            outputs.append(ended.stdout.strip() or ended.stderr)
        timeouts = f"1min|5min|{'10min' if server_version >= 17 else ''}"
        assert outputs == [f"2|searchqa_analyst|{timeouts}", f"1|searchqa_analyst|{timeouts}"]


@for_each("name", named_queries())
async def test_the_sql_that_is_shown_gives_the_same_to_an_analyst(world, here, name):
    query = named_queries()[name]
    filters = Filters(dt.date(2026, 3, 1), dt.date(2026, 3, 30), tz="Asia/Seoul")
    async with await psycopg.AsyncConnection.connect(world.url) as connection:
        cursor = psycopg.AsyncClientCursor(connection)
        shown = cursor.mogrify(*statement(query.sql, filters, None))
        direct = await cursor.execute(*statement(query.sql, filters, here))
        expected = await direct.fetchall()
        await connection.execute("SET ROLE searchqa_analyst")
        rows = await (await connection.execute(shown.encode())).fetchall()
    assert rows == expected
