"""Backups and what is restored of them, by PostgreSQL's own programs on real servers."""

import asyncio
import contextlib
import errno
import os
import re
import signal
import stat
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import psycopg
import pytest
from alembic import command

from analytics_rows import put_verdict
from app.cli import database as database_commands
from app.operations.embedded.postgres_upgrade import database_alone
from app.platform.db import restore as restoring
from app.platform.db.address import is_newest, newest
from app.platform.db.backup import Backup, back_up, client_program, connection, read_backup
from app.platform.db.restore import restore
from app.platform.errors import SetupError
from app.platform.settings import get_settings
from cases import TIMEOUT_SECONDS, eventually, for_each
from servers import alembic
from servers import database_url as url_of

pytestmark = pytest.mark.slow

Databases = Callable[[], str]
# PostgreSQL writes the same casts of arrays in another way once it has read them.
_CASTS = re.compile(r"::(character varying|text|double precision)(\[\])?|[()]")


@pytest.fixture
def new_database(postgres_url: str) -> Iterator[Databases]:
    """Makes empty databases for one test."""
    names: list[str] = []

    def make() -> str:
        names.append(f"test_{uuid.uuid4().hex}")
        with psycopg.connect(postgres_url, autocommit=True) as opened:
            opened.execute(f"CREATE DATABASE {names[-1]}".encode())
        return url_of(postgres_url, names[-1])

    yield make
    with psycopg.connect(postgres_url, autocommit=True) as opened:
        for name in names:
            opened.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def quiet(_: str) -> None: ...


def files_in(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def schema_of(address: str) -> list[str]:
    """The whole schema as SQL, with owners and rights. The key of a dump differs each time, and so
    do the marks of a server that is newer than pg_dump."""
    environment, _ = connection(address)
    done = subprocess.run(
        [client_program("pg_dump"), "--schema-only"],
        env={**os.environ, **environment},
        check=True,
        capture_output=True,
        text=True,
    )
    lines = (_CASTS.sub("", line) for line in done.stdout.splitlines())
    differs = ("restrict ", "pg_attver=")
    return sorted(line for line in lines if not any(word in line for word in differs))


def counts_of(address: str) -> dict[str, int]:
    with psycopg.connect(address) as opened:
        names = opened.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        return {
            name: (opened.execute(f"SELECT count(*) FROM {name}".encode()).fetchone() or (0,))[0]
            for (name,) in names.fetchall()
        }


async def test_a_restore_equals_its_backup(world, clean_database_url, new_database, tmp_path):
    workspace_id = await world.workspace()
    for score in (0.2, 0.9, 0.95):
        await put_verdict(world, workspace_id, correctness=score)
    found = back_up(clean_database_url, tmp_path / "a.dump")
    assert found.schema == newest()
    assert files_in(tmp_path) == [found.path]
    assert (tmp_path / "a.dump").stat().st_mode & 0o777 == 0o600

    restored = new_database()
    restore(restored, read_backup(found.path), quiet)
    assert counts_of(restored) == counts_of(clean_database_url)
    assert counts_of(restored)["qa_evaluations"] == 3
    assert schema_of(restored) == schema_of(clean_database_url)
    assert figures(restored) == figures(clean_database_url)


def figures(address: str) -> list[tuple[object, ...]]:
    with psycopg.connect(address) as opened:
        return opened.execute("SELECT * FROM analytics.daily_quality").fetchall()


def test_an_older_backup_is_migrated(clean_database_url, new_database, tmp_path):
    with alembic(clean_database_url) as config:
        command.downgrade(config, "0038")
    found = back_up(clean_database_url, tmp_path / "old.dump")
    assert found.schema == "0038"
    restored = new_database()
    restore(restored, found, quiet)
    assert is_newest(restored)


@pytest.fixture(scope="module")
def migrated(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Backup:
    """A backup of a migrated database without rows."""
    return back_up(database_url, tmp_path_factory.mktemp("backup") / "migrated.dump")


def test_a_backup_of_a_newer_schema_is_refused(migrated, new_database, tmp_path):
    address = new_database()
    with pytest.raises(SetupError, match="schema 9999, and this SearchQA knows"):
        restore(address, Backup(migrated.path, "9999", migrated.contents), quiet)
    assert counts_of(address) == {}


def test_nothing_is_overwritten(migrated, new_database, tmp_path):
    address = new_database()
    with psycopg.connect(address) as opened:
        opened.execute("CREATE TABLE mine (id int)")
    with pytest.raises(SetupError, match=r"not empty \(it has mine\)"):
        restore(address, migrated, quiet)
    assert counts_of(address) == {"mine": 0}
    with pytest.raises(SetupError, match="is there already"):
        back_up(address, migrated.path)


@pytest.mark.parametrize("cut", [10, 0.5, -1], ids=["header", "half", "last byte"])
def test_a_file_that_was_cut_is_no_backup(migrated, tmp_path, cut):
    whole = migrated.path.read_bytes()
    path = tmp_path / "cut.dump"
    path.write_bytes(whole[: cut if isinstance(cut, int) else int(len(whole) * cut)])
    with pytest.raises(SetupError, match="is not a whole backup"):
        read_backup(path)


def test_other_files_are_no_backups(new_database, tmp_path):
    (tmp_path / "notes.dump").write_text("Some notes.")
    with pytest.raises(SetupError, match="is not a whole backup"):
        read_backup(tmp_path / "notes.dump")
    with pytest.raises(SetupError, match="There is no file"):
        read_backup(tmp_path / "missing.dump")
    with pytest.raises(SetupError, match="another application's database"):
        back_up(new_database(), tmp_path / "other.dump")
    assert not (tmp_path / "other.dump").exists()
    with pytest.raises(SetupError, match="cannot be written"):
        back_up("postgresql://nobody@127.0.0.1:1/none", tmp_path / "missing" / "a.dump")


def test_a_restore_that_breaks_off_leaves_nothing(migrated, new_database, monkeypatch):
    """As if this process were killed: psql gets no more input, and no COMMIT."""

    def half(backup: Backup, contents: list[str], into: IO[bytes], *options: str) -> bool:
        whole = subprocess.run(
            [client_program("pg_restore"), "--file=-", *options, backup.path],
            capture_output=True,
            check=True,
        ).stdout
        if "--section=pre-data" in options:
            into.write(whole)
            return True
        into.write(whole[: len(whole) // 2])
        return False

    address = new_database()
    monkeypatch.setattr(restoring, "_defaults", lambda *_: "")
    monkeypatch.setattr(restoring, "_print", half)
    with pytest.raises(SetupError, match="Nothing was restored"):
        restore(address, migrated, quiet)
    assert counts_of(address) == {}


def test_a_role_that_is_missing_is_named_and_nothing_is_stored(
    clean_database_url, new_database, tmp_path
):
    role = f"dashboards_{uuid.uuid4().hex}"
    with psycopg.connect(clean_database_url, autocommit=True) as opened:
        opened.execute(f"CREATE ROLE {role}".encode())
        opened.execute(f"GRANT SELECT ON qa_answers TO {role}".encode())
        found = back_up(clean_database_url, tmp_path / "a.dump")
        opened.execute(f"DROP OWNED BY {role}; DROP ROLE {role}".encode())
    empty = new_database()
    with pytest.raises(SetupError, match=f'role "{role}" does not exist'):
        restore(empty, found, quiet)
    assert counts_of(empty) == {}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Callable[[int], Path]]:
    """Mounts file systems of so many KiB, in memory."""
    mounted: list[Path] = []

    def mount(kilobytes: int) -> Path:
        folder = tmp_path / f"{kilobytes}k"
        folder.mkdir()
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", folder],
            capture_output=True,
        )
        if done.returncode != 0:
            pytest.skip("no file system may be mounted here")
        mounted.append(folder)
        return folder

    yield mount
    for folder in mounted:
        subprocess.run(["umount", "--lazy", folder], check=True)


def test_no_space_for_a_backup(new_database, migrated, small_disk):
    """Full at its first bytes, in its middle and at its last; a page more is enough."""
    address = new_database()
    restore(address, migrated, quiet)
    whole = small_disk(50_000)
    pages = -(-back_up(address, whole / "a.dump").size // 4096)

    for size in (1, pages // 2, pages - 1):
        folder = small_disk(4 * size)
        with pytest.raises(SetupError, match=r"could not be backed up: .*No space left"):
            back_up(address, folder / "a.dump")
        assert not files_in(folder)
    # One backup is a few bytes longer or shorter than another.
    assert back_up(address, small_disk(4 * (pages + 2)) / "a.dump").schema == migrated.schema


@for_each("step", ["fsync of the file", "rename", "fsync of the folder"])
def test_no_space_at_a_later_step_of_a_backup(step, new_database, migrated, tmp_path, monkeypatch):
    address = new_database()
    restore(address, migrated, quiet)
    fsync = os.fsync

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def full_for(descriptor: int) -> None:
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        (full if is_folder == step.endswith("folder") else fsync)(descriptor)

    with monkeypatch.context() as patched:
        if step == "rename":
            patched.setattr(Path, "rename", full)
        else:
            patched.setattr(os, "fsync", full_for)
        with pytest.raises(SetupError, match="No space left"):
            back_up(address, tmp_path / "a.dump")

    assert not files_in(tmp_path)


@for_each("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_backup_that_is_stopped_leaves_nothing(number, clean_database_url, tmp_path):
    waits = (
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'pg_dump'"
        " AND datname = current_database()"
    )
    with (
        psycopg.connect(clean_database_url, autocommit=True) as looking,
        psycopg.connect(clean_database_url) as holding,
        contextlib.ExitStack() as at_end,
    ):
        holding.execute("LOCK TABLE notes")
        backup = subprocess.Popen(
            [Path(sys.executable).with_name("searchqa"), "backup", tmp_path / "a.dump"],
            env={**os.environ, "DATABASE_URL": clean_database_url},
            stderr=subprocess.DEVNULL,
            # Under nohup, or in the background of a shell, it would inherit that they are ignored.
            preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
        )
        at_end.callback(backup.wait)
        at_end.callback(backup.kill)
        asyncio.run(eventually(lambda: looking.execute(waits).fetchall()))
        assert files_in(tmp_path) == [tmp_path / "a.dump.part"]
        backup.send_signal(number)
        assert backup.wait(TIMEOUT_SECONDS) != 0
        assert not files_in(tmp_path)
        holding.rollback()  # what waits for a lock does not look whether its client is there
        asyncio.run(eventually(lambda: not looking.execute(waits).fetchall()))


def test_the_commands_on_folders_whose_stacks_do_not_run(migrated, tmp_path, monkeypatch, capsys):
    """From a database of `postgres` into one of `searchqa`, who is no superuser."""
    folder = tmp_path / "new"
    monkeypatch.setenv("SEARCHQA_DATA_DIR", str(folder))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    get_settings.cache_clear()
    database_commands.restore(migrated.path, None)
    output = capsys.readouterr()
    assert output.out == f"Restored into {folder}, schema {newest()}.\n"
    assert output.err.splitlines() == ["restoring …", "migrating …", "collecting statistics …"]
    with database_alone(folder) as address, psycopg.connect(address) as opened:
        owners = opened.execute(
            "SELECT DISTINCT relkind::text, relowner::regrole::text FROM pg_class"
            " WHERE relnamespace IN ('public'::regnamespace, 'analytics'::regnamespace)"
            " AND relkind IN ('r', 'v')"
        )
        assert set(owners) == {("r", "searchqa"), ("v", "searchqa_views")}
        rights = opened.execute(
            "SELECT defaclrole::regrole::text, array_to_string(defaclacl, ' ') FROM pg_default_acl"
            " WHERE defaclobjtype = 'r'"
        )
        assert set(rights) == {("searchqa", "searchqa_worker=arwd/searchqa")}
    database_commands.backup(tmp_path / "again.dump")
    assert read_backup(tmp_path / "again.dump").schema == newest()
    with pytest.raises(SetupError, match="not empty"):
        database_commands.restore(migrated.path, folder)
    get_settings.cache_clear()
