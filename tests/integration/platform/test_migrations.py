"""Models and migrations say the same, in both directions and from many processes at once."""

import asyncio
import uuid
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import psycopg
import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import DeadlockDetected
from sqlalchemy.exc import OperationalError

from app.notes.vectors import STORES_VECTORS
from app.platform.db.address import is_newest, newest
from app.platform.db.migrate import alembic_config, migrate
from app.platform.errors import SetupError
from cases import TIMEOUT_SECONDS, eventually
from migrations import functions
from servers import alembic
from servers import database_url as url_of

pytestmark = pytest.mark.slow


@pytest.fixture
def empty_database_url(postgres_url: str) -> Iterator[str]:
    name = f"test_{uuid.uuid4().hex}"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    yield url_of(postgres_url, name)
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def tables(database_url: str) -> set[str]:
    with psycopg.connect(database_url) as connection:
        found = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        return {name for (name,) in found}


def versions(database_url: str) -> list[str]:
    with psycopg.connect(database_url) as connection:
        return [row[0] for row in connection.execute("SELECT version_num FROM alembic_version")]


def head() -> str:
    found = ScriptDirectory.from_config(alembic_config()).get_current_head()
    assert found is not None
    return found


def test_the_migrated_schema_is_that_of_the_models(clean_database_url):
    with alembic(clean_database_url) as config:
        command.check(config)


def test_the_check_sees_a_difference(clean_database_url):
    with psycopg.connect(clean_database_url, autocommit=True) as connection:
        connection.execute("ALTER TABLE qa_evaluations ADD COLUMN surplus int")

    with (
        pytest.raises(Exception, match="New upgrade operations detected"),
        alembic(clean_database_url) as config,
    ):
        command.check(config)


def test_down_to_nothing_and_up_again(clean_database_url):
    before = tables(clean_database_url)
    with alembic(clean_database_url) as config:
        command.downgrade(config, "base")
    assert tables(clean_database_url) == {"alembic_version"}
    assert versions(clean_database_url) == []

    migrate(clean_database_url)

    assert tables(clean_database_url) == before
    with alembic(clean_database_url) as config:
        command.check(config)


def test_a_schema_is_known_to_be_the_newest_without_alembic(empty_database_url):
    assert not is_newest(empty_database_url)
    migrate(empty_database_url)
    assert is_newest(empty_database_url)
    assert newest() == head()
    with psycopg.connect(empty_database_url) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    assert not is_newest(empty_database_url)


def test_many_may_migrate_at_once(empty_database_url):
    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(migrate, empty_database_url) for _ in range(4)]:
            done.result(timeout=TIMEOUT_SECONDS)

    assert versions(empty_database_url) == [head()]
    assert "qa_evaluations" in tables(empty_database_url)


def test_a_migration_gives_way_to_who_uses_its_table(clean_database_url, monkeypatch):
    """And is tried again once that has ended."""
    monkeypatch.setattr("app.platform.db.migrate.TABLE_LOCK_SECONDS", 0.05)
    with alembic(clean_database_url) as config:
        command.downgrade(config, "0043")
    with psycopg.connect(clean_database_url) as user:
        user.execute("LOCK TABLE qa_evaluations IN ROW EXCLUSIVE MODE")
        with pytest.raises(SetupError, match="A table stays in use"):
            migrate(clean_database_url, tries=1)
        assert versions(clean_database_url) == ["0043"]
        assert "judge_prompts" not in tables(clean_database_url)

        monkeypatch.setattr("app.platform.db.migrate.time.sleep", lambda _: user.rollback())
        migrate(clean_database_url, tries=2)
    assert versions(clean_database_url) == [head()]


def test_dropping_an_index_waits_for_who_uses_its_table(clean_database_url, monkeypatch):
    """A try more would make the new index again, while the old one serves nobody any more."""
    monkeypatch.setattr("app.platform.db.migrate.TABLE_LOCK_SECONDS", 0.05)
    with alembic(clean_database_url) as config:
        command.downgrade(config, "0054")
    # Longer than it would wait for a lock.
    waiting = """
        SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event = 'virtualxid'
        AND query_start < clock_timestamp() - interval '0.1 s'
    """
    create_function = functions.create_function
    ends: list[Future[None]] = []
    with psycopg.connect(clean_database_url) as user, ThreadPoolExecutor() as beside:

        def end_once_waited_for() -> None:
            try:
                with psycopg.connect(clean_database_url, autocommit=True) as watching:
                    asyncio.run(eventually(lambda: watching.execute(waiting).fetchall()))
            finally:
                user.rollback()

        def use_the_table(name: str) -> str:
            if name == "note_postings":  # the last step but one
                user.execute("SELECT FROM note_chunks")
                ends.append(beside.submit(end_once_waited_for))
            return create_function(name)

        monkeypatch.setattr(functions, "create_function", use_the_table)
        migrate(clean_database_url, tries=1)
    (end,) = ends
    end.result()
    assert versions(clean_database_url) == [head()]


_A_CHUNK = """
WITH workspace AS (
    INSERT INTO workspaces (id, name) VALUES (gen_random_uuid(), 'old') RETURNING id
), notebook AS (
    INSERT INTO notebooks (id, workspace_id, name)
    SELECT gen_random_uuid(), id, 'old' FROM workspace RETURNING id, workspace_id
), note AS (
    INSERT INTO notes (id, workspace_id, notebook_id, source_key, title, content_text, content_hash,
                       lang, tags)
    SELECT gen_random_uuid(), workspace_id, id, 'old', 'old', 'text', '', 'ko', '{}' FROM notebook
    RETURNING id, workspace_id, notebook_id
)
INSERT INTO note_chunks (id, workspace_id, notebook_id, note_id, position, content, terms, length)
SELECT gen_random_uuid(), workspace_id, notebook_id, id, 1, 'text', '', 1 FROM note
"""


def test_chunks_of_before_are_queued_for_embedding_though_one_is_in_use(
    clean_database_url, monkeypatch
):
    monkeypatch.setattr("app.platform.db.migrate.TABLE_LOCK_SECONDS", 0.05)
    with alembic(clean_database_url) as config:
        command.downgrade(config, "0056")
    with psycopg.connect(clean_database_url) as user:
        user.execute(_A_CHUNK)
        user.commit()
        user.execute("SELECT FROM note_chunks FOR UPDATE")
        with pytest.raises(SetupError, match="A table stays in use"):
            migrate(clean_database_url, tries=1)
        user.rollback()
        migrate(clean_database_url, tries=1)
        queued = user.execute(
            "SELECT count(*) FROM unembedded_chunks JOIN note_chunks ON chunk_id = id"
        )
        assert queued.fetchall() == [(1,)]


def test_a_migration_that_is_ended_by_a_deadlock_is_tried_again(empty_database_url, monkeypatch):
    """On a busy machine PostgreSQL may look for one before the lock's time is over."""
    tries: list[str] = []

    def upgrade(config: Config, revision: str) -> None:
        tries.append(revision)
        if len(tries) == 1:
            raise OperationalError("DROP TRIGGER", None, DeadlockDetected("deadlock detected"))
        command.upgrade(config, revision)

    monkeypatch.setattr("app.platform.db.migrate.command", SimpleNamespace(upgrade=upgrade))
    monkeypatch.setattr("app.platform.db.migrate.time.sleep", lambda _: None)
    migrate(empty_database_url, tries=2)
    assert len(tries) == 2
    assert versions(empty_database_url) == [head()]


@pytest.mark.usefixtures("pgvector")
def test_vectors_are_stored_once_the_server_has_pgvector(empty_database_url, server_version):
    """And until then a model that needs them is refused; all else goes without."""
    if server_version < 18:
        pytest.skip("it can be hidden by extension_control_path, of PostgreSQL 18, alone")
    name = conninfo_to_dict(empty_database_url)["dbname"]
    with psycopg.connect(empty_database_url, autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} SET extension_control_path = '/'".encode())
    migrate(empty_database_url)
    assert is_newest(empty_database_url)
    assert not stores_vectors(empty_database_url)

    with psycopg.connect(empty_database_url, autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} RESET extension_control_path".encode())
    assert not is_newest(empty_database_url)
    migrate(empty_database_url)

    assert is_newest(empty_database_url)
    assert stores_vectors(empty_database_url)
    with alembic(empty_database_url) as config:
        command.check(config)


def stores_vectors(database_url: str) -> bool:
    with psycopg.connect(database_url) as connection:
        return connection.execute(STORES_VECTORS).fetchone() == (True,)


def test_each_function_is_that_of_its_file(clean_database_url):
    with psycopg.connect(clean_database_url) as connection:
        found = connection.execute("""
            SELECT p.proname, p.prosrc FROM pg_proc p
            WHERE p.pronamespace IN ('public'::regnamespace, 'analytics'::regnamespace)
              AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
        """).fetchall()
    folder = Path(functions.__file__).parent

    assert dict(found) == {
        file.stem: file.read_text().split("$$")[1] for file in folder.glob("*.sql")
    }


def test_migrating_again_changes_nothing(clean_database_url):
    before = tables(clean_database_url)

    migrate(clean_database_url)

    assert tables(clean_database_url) == before
    assert versions(clean_database_url) == [head()]
