"""The embedded database under a newer major version of PostgreSQL, with real servers of both.

The old one is Debian's, without pgvector, or the one below the folder that OLD_POSTGRES names.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from analytics_rows import put_verdict
from app.cli.up import upgrade_if_old
from app.operations.embedded import process as accounts
from app.operations.embedded.postgres import UPGRADED, EmbeddedPostgres, version_of
from app.operations.embedded.postgres_programs import VERSION
from app.operations.embedded.postgres_upgrade import _OldPostgres, server_alone, upgrade
from app.operations.embedded.process import Program, run_to_end, server_environment
from app.platform.db.migrate import migrate
from app.platform.errors import SetupError
from verdict_world import open_world

_ROLES = ("searchqa_app", "searchqa_analyst", "searchqa_views", "searchqa_api", "searchqa_worker")
_COUNTS = "SELECT (SELECT count(*) FROM workspaces), (SELECT count(*) FROM qa_evaluations)"


@pytest.fixture(scope="session")
def old_programs() -> Path:
    folder = Path(os.environ.get("OLD_POSTGRES", "/usr/lib/postgresql"))
    for program in sorted(folder.rglob("bin/postgres")):
        said = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
        if f"(PostgreSQL) {VERSION}." not in said:
            return program.parent
    pytest.skip("no older PostgreSQL is installed: apt-get install postgresql-15")


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """Where the account that runs PostgreSQL may enter: before 16 its programs leave the folder
    they were started in, and come back by its name."""
    with tempfile.TemporaryDirectory(prefix="sqa-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def files_in(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def quiet(_: str) -> None: ...


async def make_old(data_dir: Path, programs: Path) -> tuple[int, int]:
    """A data folder as an older SearchQA left it; gives how many workspaces and verdicts it has."""
    server = _OldPostgres(data_dir, programs)
    folder = data_dir / "postgres"
    if server._user:
        await accounts.ensure(server._user)
    accounts.make_private_dir(folder, server._user)
    initdb = [str(programs / "initdb"), "--pgdata", server._name_of(folder)]
    initdb += ["--username", "postgres", "--auth", "trust", "--encoding", "UTF8", "--locale", "C"]
    code, said = await run_to_end(
        Program(initdb, server_environment(), user=server._user, cwd=folder)
    )
    assert code == 0, said

    def fill() -> tuple[int, int]:
        with server_alone(server) as address:
            with psycopg.connect(server.admin_url, autocommit=True) as admin:
                for role in _ROLES:
                    admin.execute(f"CREATE ROLE {role}".encode())
                owner = "CREATE ROLE searchqa LOGIN CREATEROLE IN ROLE " + ", ".join(_ROLES[:3])
                admin.execute(owner.encode())
                admin.execute("CREATE ROLE reports LOGIN PASSWORD 'kept' IN ROLE searchqa_analyst")
                admin.execute("CREATE DATABASE searchqa OWNER searchqa")
            migrate(address)
            asyncio.run(verdicts(address))
            return counts(address)

    return await asyncio.to_thread(fill)


async def verdicts(address: str) -> None:
    async with open_world(address) as world:
        workspace_id = await world.workspace()
        for score in (0.2, 0.9, 0.95):
            await put_verdict(world, workspace_id, correctness=score)


def counts(address: str) -> tuple[int, int]:
    with psycopg.connect(address) as opened:
        row = opened.execute(_COUNTS).fetchone()
        assert row
        return row


async def test_it_is_copied_and_the_old_one_kept(data_dir, old_programs, capsys):
    before = await make_old(data_dir, old_programs)
    found = version_of(data_dir)
    with pytest.raises(SetupError, match=r"--upgrade-database"):
        await EmbeddedPostgres(data_dir).prepare()

    await asyncio.to_thread(upgrade_if_old, data_dir, agreed=True, programs=old_programs)

    kept = data_dir / f"postgres.{found}"
    steps = [
        *("copying the database …", "loading it into the new one …", "collecting statistics …")
    ]
    *printed, done = capsys.readouterr().err.splitlines()
    assert printed == steps
    assert f"is kept in {kept}" in done
    assert (kept / "PG_VERSION").read_text().strip() == str(found)
    assert version_of(data_dir) == VERSION
    assert {path.name for path in files_in(data_dir)} == {"postgres", kept.name, "lock"}

    def look() -> tuple[object, ...]:
        server = EmbeddedPostgres(data_dir)
        with server_alone(server) as address, psycopg.connect(server.admin_url) as admin:
            migrate(address)
            passwords = "SELECT rolpassword LIKE 'SCRAM%' FROM pg_authid WHERE rolname = 'reports'"
            return counts(address), admin.execute(passwords).fetchone()

    assert await asyncio.to_thread(look) == (before, (True,))
    with pytest.raises(SetupError, match="no database of another PostgreSQL"):
        await asyncio.to_thread(upgrade, data_dir, old_programs, quiet)


async def test_one_that_was_broken_off(data_dir, old_programs):
    """Killed while it loads: the old database is in its place, and the next start says what to do.
    Killed between two renames: the next start ends it."""
    before = await make_old(data_dir, old_programs)
    found = version_of(data_dir)
    options = ("--upgrade-database", "--old-postgres", str(old_programs))
    killed = start(data_dir, *options)
    assert killed.stderr
    with killed, killed.stderr:
        for line in killed.stderr:
            if line.startswith("loading"):
                killed.kill()
    assert version_of(data_dir) == found

    refused = start(data_dir)
    _, said = refused.communicate(timeout=60)
    assert refused.returncode != 0
    assert f"made by PostgreSQL {found}, this is {VERSION}" in said
    assert "nothing was changed" in said
    assert "--upgrade-database --old-postgres" in said

    await asyncio.to_thread(upgrade, data_dir, old_programs, quiet)
    (data_dir / "postgres").rename(data_dir / UPGRADED)

    def look() -> tuple[int, int]:
        with server_alone(EmbeddedPostgres(data_dir)) as address:
            return counts(address)

    assert await asyncio.to_thread(look) == before


def start(data_dir: Path, *options: str) -> "subprocess.Popen[str]":
    """`searchqa up`, which is to end by itself."""
    return subprocess.Popen(
        [Path(sys.executable).with_name("searchqa"), "up", "--data-dir", data_dir, *options],
        env={**os.environ, "LANG": "C.UTF-8", "SEARCHQA_LANG": "en"},
        cwd=data_dir,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_programs_of_another_version_are_refused(data_dir, old_programs):
    (data_dir / "postgres").mkdir()
    (data_dir / "postgres/PG_VERSION").write_text("12\n")
    with pytest.raises(SetupError, match=r"no programs of PostgreSQL 12 below .*Install"):
        upgrade(data_dir, old_programs, quiet)
