"""Turns a table into one of month partitions while it is in use, and back.

A partitioned copy in the schema `moving` takes every change of the table by a trigger, and the rows
that are there already in batches, each a transaction of its own. When all are there, the two change
places in one short transaction. Until then nobody reads the copy. A run that was killed is gone on
with by the next one; `DROP SCHEMA moving CASCADE` gives it up.

Every lock is waited for briefly and asked for again, so that readers and writers never wait long.
"""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import psycopg
from alembic import op
from psycopg.errors import DeadlockDetected, DiskFull, LockNotAvailable
from psycopg.rows import TupleRow

from app.platform.errors import SetupError
from migrations import partition_catalog as catalog

logger = logging.getLogger("migrations.partitioning")

BATCH_ROWS = 5_000
LOG_SECONDS = 10.0
# How long one step waits for tables that are in use.
LOCKS_SECONDS = 600.0
_LOCK_TIMEOUT = "SET LOCAL lock_timeout = '200ms'"
_LOCK_PAUSE_SECONDS = 0.5

_BEGIN = """
CREATE SCHEMA IF NOT EXISTS moving;
CREATE TABLE IF NOT EXISTS moving.progress (table_name text PRIMARY KEY, last_key text[]);
"""
_DEFAULT = """
CREATE TABLE partitions.{table}_default (LIKE moving.{table}
    INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE);
ALTER TABLE moving.{table} ATTACH PARTITION partitions.{table}_default DEFAULT;
"""
# From the month of the oldest row, if its key is a UUIDv7 of this system's time, until three ahead.
_MONTHS = """
SELECT add_month_partition('moving.{table}', month::date) FROM generate_series(
    date_trunc('month', LEAST(now() AT TIME ZONE 'UTC', (
        SELECT to_timestamp(
            ('x' || left(translate({key}::text, '-', ''), 12))::bit(48)::bigint / 1000.0
        ) AT TIME ZONE 'UTC'
        FROM public.{table} WHERE {key} >= uuid_lower_bound('2020-01-01Z')
        ORDER BY {key} LIMIT 1))),
    date_trunc('month', now() AT TIME ZONE 'UTC') + interval '3 months',
    interval '1 month') AS month
"""
_SYNC = """
CREATE FUNCTION moving.sync_{table}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        DELETE FROM moving.{table} WHERE ({key}) = ({old});
    ELSE
        INSERT INTO moving.{table} ({columns}) OVERRIDING SYSTEM VALUE VALUES ({new})
        ON CONFLICT ({key}) DO UPDATE SET ({updated}) = ROW ({excluded});
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER zz_moving AFTER INSERT OR UPDATE OR DELETE ON public.{table}
FOR EACH ROW EXECUTE FUNCTION moving.sync_{table}();
"""
# Rows are locked, so that none is copied that somebody deletes meanwhile.
_COPY = """
WITH source AS MATERIALIZED (
    SELECT * FROM public.{table} WHERE {after} ORDER BY {key} LIMIT {limit} FOR KEY SHARE
), copied AS (
    INSERT INTO moving.{table} ({columns}) OVERRIDING SYSTEM VALUE SELECT {columns} FROM source
    ON CONFLICT DO NOTHING
), last AS (
    SELECT ARRAY[{as_text}] AS key FROM source ORDER BY {downwards} LIMIT 1
)
UPDATE moving.progress SET last_key = last.key FROM last WHERE table_name = '{table}'
RETURNING last_key, (SELECT count(*) FROM source)
"""
_SWAP = """
DROP TRIGGER IF EXISTS zz_moving ON public.{table};
CREATE SCHEMA replaced;
ALTER TABLE public.{table} SET SCHEMA replaced;
ALTER TABLE moving.{table} SET SCHEMA public;
"""
_GO_ON_NUMBERING = """
SELECT setval(pg_get_serial_sequence('public.{table}', '{column}'),
    nextval(pg_get_serial_sequence('replaced.{table}', '{column}')))
"""

Connection = psycopg.Connection[TupleRow]


@dataclass(frozen=True)
class MonthTable:
    """key: the UUIDv7 whose month a row belongs to. primary_key: of the partitioned table; `key`
    is one of it."""

    name: str
    key: str
    primary_key: Sequence[str]


def partition_by_month(*tables: MonthTable) -> None:
    """Beside the migration's transaction; may be killed and repeated at any point."""
    with op.get_context().autocommit_block():
        connection = _raw_connection()
        for table in tables:
            if not catalog.is_partitioned(connection, table.name):
                _retry_locks(connection, lambda table=table: _prepare(connection, table))
                _copy(connection, table)
                _retry_locks(connection, lambda table=table: _swap(connection, table.name))
            _retry_locks(connection, lambda table=table: _analyze(connection, table.name))
        _retry_locks(connection, lambda: _end(connection))


def unpartition(table: str, primary_key: Sequence[str], *, unique: str = "") -> None:
    """Makes it one table again, in the migration's transaction. unique: a constraint that the
    primary key made superfluous, its name and definition."""
    connection = _raw_connection()
    connection.execute("CREATE SCHEMA moving")
    old = catalog.read(connection, table)
    columns = ", ".join(old.columns)
    into = f"INSERT INTO moving.{table} ({columns}) OVERRIDING SYSTEM VALUE"
    for statement in (
        catalog.create_copy(old, partitioned_by=None),
        f"{into} SELECT {columns} FROM public.{table}",
        *catalog.keys_and_indexes(old, primary_key, unique=unique),
        *catalog.foreign_keys(old),
    ):
        connection.execute(statement.encode())
    _swap(connection, table)
    connection.execute("DROP SCHEMA moving CASCADE")


def _raw_connection() -> Connection:
    connection = op.get_bind().connection.driver_connection
    assert isinstance(connection, psycopg.Connection)
    return connection


def _retry_locks(connection: Connection, step: Callable[[], None]) -> None:
    """One transaction, tried until it gets its locks, for LOCKS_SECONDS at most."""
    began = logged = time.monotonic()
    while True:
        try:
            with connection.transaction():
                connection.execute(_LOCK_TIMEOUT)
                return step()
        except (LockNotAvailable, DeadlockDetected) as error:
            now = time.monotonic()
            if now - began > LOCKS_SECONDS:
                raise SetupError(
                    f"A table stays in use ({_message(error)}). Look for long transactions (SELECT"
                    " pid, xact_start, query FROM pg_stat_activity ORDER BY xact_start), end them,"
                    " and run `searchqa migrate` again: it goes on where it was."
                ) from error
            if now - logged > LOG_SECONDS:
                logger.warning(
                    "A table has been in use for %.0f s, trying again (%s)",
                    *(now - began, _message(error)),
                )
                logged = now
            time.sleep(_LOCK_PAUSE_SECONDS)
        except DiskFull as error:
            raise SetupError(
                f"The disk of the database is full ({_message(error)}). Make room for a second copy"
                " of its largest table and migrate again: it goes on where it was. To get the space"
                " back instead: DROP SCHEMA moving CASCADE."
            ) from error


def _analyze(connection: Connection, name: str) -> None:
    connection.execute(f"ANALYZE public.{name}".encode())


def _end(connection: Connection) -> None:
    connection.execute("DROP SCHEMA IF EXISTS moving CASCADE")


def _message(error: psycopg.Error) -> str:
    return str(error).partition("\n")[0]


def _prepare(connection: Connection, table: MonthTable) -> None:
    """The copy with its partitions, and the trigger that keeps it up to date. What locks the
    tables in use comes last."""
    connection.execute(_BEGIN)
    if catalog.is_partitioned(connection, table.name, schema="moving"):
        return
    old = catalog.read(connection, table.name)
    others = [column for column in old.columns if column not in table.primary_key]
    for statement in (
        f"INSERT INTO moving.progress VALUES ('{table.name}')",
        catalog.create_copy(old, partitioned_by=table.key),
        *catalog.keys_and_indexes(old, table.primary_key, unique=""),
        _DEFAULT.format(table=table.name),
        _MONTHS.format(table=table.name, key=table.key),
        *catalog.foreign_keys(old),
        _SYNC.format(
            table=table.name,
            key=", ".join(table.primary_key),
            old=", ".join(f"OLD.{column}" for column in table.primary_key),
            columns=", ".join(old.columns),
            new=", ".join(f"NEW.{column}" for column in old.columns),
            updated=", ".join(others),
            excluded=", ".join(f"excluded.{column}" for column in others),
        ),
    ):
        connection.execute(statement.encode())


def _copy(connection: Connection, table: MonthTable) -> None:
    """From where an earlier run has ended."""
    old = catalog.read(connection, table.name)
    keys = old.primary_key
    last: list[str] | None
    [last] = connection.execute(
        "SELECT last_key FROM moving.progress WHERE table_name = %s", [table.name]
    ).fetchone() or [None]
    copied, logged = 0, time.monotonic()
    while True:
        statement = _COPY.format(
            table=table.name,
            columns=", ".join(old.columns),
            key=", ".join(keys),
            downwards=", ".join(f"{key} DESC" for key in keys),
            as_text=", ".join(f"{key}::text" for key in keys),
            # Literals: PostgreSQL gives them the columns' types.
            after=f"({', '.join(keys)}) > ({', '.join(_literal(text) for text in last)})"
            if last
            else "true",
            limit=BATCH_ROWS,
        )
        done: list[TupleRow] = []
        _retry_locks(
            connection,
            lambda statement=statement, done=done: done.extend(
                connection.execute(statement.encode()).fetchall()
            ),
        )
        if not done:
            return
        [(last, rows)] = done
        copied += rows
        if time.monotonic() - logged > LOG_SECONDS:
            # Shown where nobody has set up logging, too: somebody waits for the end.
            logger.warning(
                "Moving %s into month partitions: %s of about %s rows since the start",
                *(table.name, f"{copied:,}", f"{old.rows:,}"),
            )
            logged = time.monotonic()


def _literal(text: str) -> str:
    return psycopg.sql.quote(text)


_REFERRED_TO = b"""
SELECT DISTINCT confrelid::regclass::text FROM pg_constraint
WHERE conrelid = %s::regclass AND contype = 'f' AND confrelid <> conrelid ORDER BY 1
"""


def _swap(connection: Connection, name: str) -> None:
    """The copy takes the table's name and all that belongs to it; the table is dropped.

    Dropping its foreign keys locks the tables that they refer to. A verdict is recorded by one
    statement, which locks those first and then waits for this table, so they are locked first here
    too: otherwise each waits for the other whenever verdicts are recorded all the time.
    """
    parents = connection.execute(_REFERRED_TO, [f"public.{name}"]).fetchall()
    for table in (*(parent for [parent] in parents), f"public.{name}"):
        connection.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE".encode())
    old = catalog.read(connection, name)
    for statement in (
        _SWAP.format(table=name),
        *([_GO_ON_NUMBERING.format(table=name, column=old.identity)] if old.identity else []),
        *old.after_swap,
        "DROP SCHEMA replaced CASCADE",
        *old.statistics,
    ):
        connection.execute(statement.encode())
