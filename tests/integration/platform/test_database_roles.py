"""The roles of docker-compose.yml, made by its script on a real PostgreSQL: who may do what."""

import asyncio
import datetime as dt
import os
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest
from psycopg import errors

from app.operations.embedded.postgres import EmbeddedPostgres
from app.operations.embedded.supervisor import Supervisor
from app.platform.db.backup import back_up, client_program
from app.platform.db.migrate import migrate
from app.platform.db.restore import restore
from app.platform.db.retention import add_month, drop_months
from app.platform.db.session import in_workspace
from app.platform.errors import SetupError
from app.verdicts.lifecycle.retention import VerdictRetention
from app.workspaces.service import authenticate, create_token, ensure_workspace
from verdict_world import open_world, settings, store_answers, verdict
from worker.periodic import keep_partitions

pytestmark = pytest.mark.slow

SCRIPT = Path(__file__).parents[3] / "deploy" / "postgres" / "roles.sql"
PASSWORDS = {f"POSTGRES_{name}_PASSWORD": f"it's {name}" for name in ("OWNER", "API", "WORKER")}
PROCESSES = ("searchqa_api", "searchqa_worker", "searchqa_analyst")


class Roles(NamedTuple):
    """The address of the database by the name of a role."""

    server: EmbeddedPostgres

    def url(self, role: str) -> str:
        return self.server._url(role, "searchqa")


async def rows(url: str, query: str) -> list[tuple[Any, ...]]:
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        cursor = await connection.execute(query.encode())
        return await cursor.fetchall() if cursor.description else []


async def make_roles(admin: str) -> None:
    command = [client_program("psql"), "-XAtqd", admin, "-f", str(SCRIPT)]
    ran = await asyncio.to_thread(
        subprocess.run, command, env=os.environ | PASSWORDS, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr


@pytest.fixture
async def roles(tmp_path: Path) -> AsyncIterator[Roles]:
    """A cluster as the image makes it: an administrator, an empty database, and then the script,
    twice; and after that the migrations, by the owner."""
    server = EmbeddedPostgres(tmp_path)
    await server.prepare()
    supervisor = Supervisor(lambda *_: None)
    try:
        await supervisor.start([server.part()])
        await rows(server._url("postgres", "postgres"), "CREATE DATABASE searchqa")
        roles = Roles(server)
        for _ in range(2):
            await make_roles(roles.url("postgres"))
        await asyncio.to_thread(migrate, roles.url("searchqa_owner"))
        yield roles
    finally:
        await supervisor.stop()


async def refused(url: str, statement: str) -> None:
    with pytest.raises(errors.InsufficientPrivilege):
        await rows(url, statement)


async def test_processes_are_neither_superusers_nor_owners_and_change_no_schema(roles):
    admin = roles.url("postgres")
    for role in (*PROCESSES, "searchqa_owner"):
        (attributes,) = await rows(
            admin,
            "SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin FROM pg_roles"
            f" WHERE rolname = '{role}'",
        )
        assert attributes == (False, False, False, False, True), role
    owners = await rows(
        admin,
        "SELECT DISTINCT c.relowner::regrole::text FROM pg_class c"
        " WHERE c.relnamespace IN ('public'::regnamespace, 'analytics'::regnamespace)"
        " AND c.relkind IN ('r', 'v') AND c.relname !~ '^pg_'",
    )
    assert sorted(owners) == [("searchqa_owner",), ("searchqa_views",)]
    for role in PROCESSES:
        for statement in (
            "CREATE TABLE public.mine (id int)",
            "CREATE SCHEMA mine",
            "ALTER TABLE qa_answers ADD COLUMN mine int",
            "DROP TABLE qa_answers",
            "TRUNCATE qa_answers",
            "ALTER TABLE qa_answers DISABLE ROW LEVEL SECURITY",
            "UPDATE alembic_version SET version_num = '0'",
            "SET ROLE searchqa_owner",
            "CREATE ROLE mine",
        ):
            # A read-only session gets that error first.
            await refused(roles.url(role), f"SET transaction_read_only = off; {statement}")


async def test_the_owner_of_the_tables_backs_up_and_restores(roles, tmp_path):
    found = await asyncio.to_thread(back_up, roles.url("searchqa_owner"), tmp_path / "a.dump")
    await rows(roles.server._url("postgres", "postgres"), "CREATE DATABASE restored")
    await make_roles(roles.server._url("postgres", "restored"))
    restored = roles.server._url("searchqa_owner", "restored")
    await asyncio.to_thread(restore, restored, found, lambda _: None)
    assert await rows(restored, "SELECT count(*) FROM analytics.verdicts") == [(0,)]
    with pytest.raises(SetupError, match="could not be backed up: permission denied"):
        await asyncio.to_thread(back_up, roles.url("searchqa_api"), tmp_path / "b.dump")


async def test_passwords_are_those_of_the_environment(roles):
    stored = await rows(
        roles.url("postgres"),
        "SELECT rolname, left(rolpassword, 13) FROM pg_authid WHERE rolname ~ '^searchqa_'"
        " AND rolpassword IS NOT NULL ORDER BY rolname",
    )
    names = ("searchqa_api", "searchqa_owner", "searchqa_worker")
    assert stored == [(name, "SCRAM-SHA-256") for name in names]


async def test_row_level_security_holds_for_the_api(roles):
    """And for a second login in its role, as while its password changes."""
    await rows(roles.url("postgres"), "CREATE ROLE searchqa_api_2 LOGIN IN ROLE searchqa_api")
    async with open_world(roles.url("searchqa_worker")) as world:
        await store_answers(world)
    async with open_world(roles.url("searchqa_api_2")) as world:
        await store_answers(world)
        await refused(world.url, "SELECT FROM qa_answers")
    async with open_world(roles.url("searchqa_api")) as world:
        for table in ("qa_answers", "qa_evaluations", "judge_calls", "notes", "jobs"):
            await refused(world.url, f"SELECT FROM {table}")
        async with world.sessions.begin() as session:
            full = await ensure_workspace(session)
            empty = await ensure_workspace(session, "other")
            _, token = await create_token(session, empty, name="t")
        async with world.sessions.begin() as session:
            assert (await authenticate(session, token)).workspace_id == empty
        (statement,) = ["SELECT count(*) FROM qa_answers"]
        for workspace, expected in ((full, 2), (empty, 0)):
            async with in_workspace(world.sessions, workspace) as session:
                found = await session.connection()
                assert (await found.exec_driver_sql(statement)).scalar() == expected
        assert await rows(world.url, "DELETE FROM judge_pauses") == []
        # By `ensure_workspace` and the statements that store an answer.
        await store_answers(world)


async def test_a_worker_judges_and_cleans_up_for_all_workspaces(roles):
    async with open_world(roles.url("searchqa_worker")) as world:
        (new,) = await store_answers(world)
        (claim,) = await world.lifecycle.claim([new.evaluation_id])
        assert await world.lifecycle.record([(claim, verdict())])
        assert (await world.row(new.evaluation_id))["status"] == "succeeded"
        await world.lifecycle.probe_paused()
        await world.lifecycle.fall_back()
        assert await world.lifecycle.reap() == 0
        await VerdictRetention(world.pool, settings(keep_answers_days=30)).delete_all()
        await keep_partitions(world.pool)
        assert await add_month(world.pool, dt.date(2025, 3, 1))
        assert await drop_months(world.pool, [("qa_claims", dt.date(2025, 3, 1))])
    # Of tables that come with later migrations, too.
    owner, worker = roles.url("searchqa_owner"), roles.url("searchqa_worker")
    await rows(owner, "CREATE TABLE later (id bigint GENERATED ALWAYS AS IDENTITY, v int)")
    await rows(worker, "INSERT INTO later (v) VALUES (1)")


async def test_an_analyst_takes_on_no_role_and_writes_nothing(roles):
    analyst = roles.url("searchqa_analyst")
    assert await rows(analyst, "SHOW default_transaction_read_only") == [("on",)]
    assert await rows(analyst, "SELECT count(*) FROM analytics.verdicts") == [(0,)]
    others = await rows(
        analyst,
        "SELECT rolname FROM pg_roles WHERE rolname <> current_user"
        " AND pg_has_role(current_user, oid, 'MEMBER')",
    )
    assert others == []
    for role in ("searchqa_owner", "searchqa_app", "searchqa_views", "searchqa_worker", "postgres"):
        await refused(analyst, f"SET ROLE {role}")
    await refused(analyst, "SELECT FROM qa_answers")
