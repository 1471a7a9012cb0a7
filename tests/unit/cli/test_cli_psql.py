import os
from pathlib import Path

import pytest

from app.cli import database
from app.platform.db import backup
from app.platform.errors import SetupError
from app.platform.settings import get_settings


def test_the_password_goes_by_environment_and_nothing_else_is_lost():
    address = "postgresql://ann:p%40ss@db.example:6543/notes?sslmode=require&keepalives_idle=9"
    environment, conninfo = backup.connection(address)
    assert environment == {
        "PGUSER": "ann",
        "PGPASSWORD": "p@ss",
        "PGHOST": "db.example",
        "PGPORT": "6543",
        "PGDATABASE": "notes",
        "PGSSLMODE": "require",
    }
    assert conninfo == "keepalives_idle=9"


def test_a_password_in_the_query_is_no_argument_either():
    address = "postgresql+psycopg://ann@db/notes?password=secret&sslpassword=secret"
    environment, conninfo = backup.connection(address)
    assert environment["PGPASSWORD"] == "secret"
    assert "secret" not in conninfo


def test_a_unix_socket():
    environment, conninfo = backup.connection("postgresql://searchqa@/searchqa?host=%2Ftmp%2Fsock")
    assert environment == {"PGUSER": "searchqa", "PGDATABASE": "searchqa", "PGHOST": "/tmp/sock"}
    assert conninfo == ""


def test_an_address_that_is_none_is_one_sentence():
    with pytest.raises(SetupError, match="DATABASE_URL"):
        backup.connection("mysql://db/notes")


def test_psql_gets_the_arguments_as_they_are(monkeypatch, tmp_path):
    started: list[tuple[str, list[str], dict[str, str]]] = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", "postgresql://ann:secret@db/notes")
    monkeypatch.setattr(os, "execve", lambda *call: started.append(call))
    get_settings.cache_clear()
    database.open_psql(["-c", "SELECT 1"])
    get_settings.cache_clear()
    program, command, environment = started[0]
    assert Path(program).name == "psql"
    assert command[1:] == ["-P", "expanded=auto", "-c", "SELECT 1"]
    assert environment["PGPASSWORD"] == "secret"


def test_a_backup_follows_no_link_and_keeps_no_mode_of_what_was_left(tmp_path, monkeypatch):
    modes: list[int] = []

    def dump(*_: str, **__: object) -> str:
        modes.append((tmp_path / "a.dump.part").stat().st_mode & 0o777)
        raise SetupError("no server")

    monkeypatch.setattr(backup, "run_client", dump)
    (tmp_path / "a.dump.part").write_text("left by a killed backup")
    (tmp_path / "a.dump.part").chmod(0o644)
    with pytest.raises(SetupError, match="no server"):
        backup.back_up("postgresql://nobody@127.0.0.1:1/none", tmp_path / "a.dump")
    assert modes == [0o600]

    victim = tmp_path / "victim"
    victim.write_text("kept")
    (tmp_path / "a.dump.part").symlink_to(victim)
    with pytest.raises(SetupError, match="something else under this name"):
        backup.back_up("postgresql://nobody@127.0.0.1:1/none", tmp_path / "a.dump")
    assert victim.read_text() == "kept"
    assert len(modes) == 1
