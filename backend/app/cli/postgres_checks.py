"""The checks of `searchqa doctor` that ask PostgreSQL. They are read-only."""

from collections.abc import Iterator

import psycopg
from alembic.script import ScriptDirectory

from app.cli import connection_checks, queries, queue_checks, vector_checks
from app.cli.finding import Finding, State
from app.notes.embedding_queries import STORES_VECTORS
from app.notes.vectors import NO_PGVECTOR
from app.platform.db.address import psycopg_url
from app.platform.db.migrate import alembic_config
from app.platform.db.partition_queries import PARTITIONS
from app.platform.db.pool import CONNECT_ARGS
from app.platform.errors import SetupError
from app.platform.settings import Settings
from app.verdicts.lifecycle.pause_reasons import reason_in_words

_OLDEST_POSTGRES, _NEWEST_POSTGRES = 15, 18


def postgres(address: str, settings: Settings, stack_api: str | None = None) -> Iterator[Finding]:
    """The server, its schema, and by the queue its dispatchers and workers. stack_api: of a running
    `searchqa up` with a Redis of its own."""
    try:
        url = psycopg_url(address)
        with psycopg.connect(url, autocommit=True, **CONNECT_ARGS) as connection:  # type: ignore[arg-type]  # options by name
            yield _server_version(connection)
            yield from connection_checks.pooler(connection, settings)
            migration = _migration(connection)
            yield migration
            if migration.state is State.OK:
                yield _vectors(connection, settings)
                yield from vector_checks.indexes(address, settings)
                yield _partitions(connection)
                yield _published(connection, settings)
                yield from queue_checks.queues(address, connection, settings, stack_api)
                yield from _paused(connection)
    except psycopg.errors.InsufficientPrivilege:
        yield Finding.broken(
            "PostgreSQL",
            "this user may not see the verdicts of all workspaces",
            "Run it where DATABASE_URL names the role of the workers.",
        )
    except (psycopg.Error, SetupError) as error:
        reason = str(error).strip().partition("\n")[0]
        mend = "Check DATABASE_URL and that the server runs."
        yield Finding.broken("PostgreSQL", f"cannot be used ({reason})", mend)


def _server_version(connection: psycopg.Connection) -> Finding:
    number = connection.info.server_version // 10_000
    detail = f"{connection.info.parameter_status('server_version')}"
    if _OLDEST_POSTGRES <= number <= _NEWEST_POSTGRES:
        return Finding.ok("PostgreSQL", detail)
    if number > _NEWEST_POSTGRES:
        return Finding.note("PostgreSQL", f"{detail}, newer than any tested version")
    mend = f"Use PostgreSQL {_OLDEST_POSTGRES} to {_NEWEST_POSTGRES}."
    return Finding.broken("PostgreSQL", f"{detail} is too old", mend)


def _migration(connection: psycopg.Connection) -> Finding:
    head = ScriptDirectory.from_config(alembic_config()).get_current_head()
    try:
        found = connection.execute(queries.MIGRATION).fetchone()
    except psycopg.errors.UndefinedTable:
        found = None
    if found and found[0] == head:
        return Finding.ok("Migrations", f"at the latest, {head}")
    at = f"at {found[0]}" if found else "none applied"
    return Finding.broken("Migrations", f"{at}; the latest is {head}", "searchqa migrate")


def _vectors(connection: psycopg.Connection, settings: Settings) -> Finding:
    stored = connection.execute(STORES_VECTORS).fetchone()
    if stored and stored[0]:
        return Finding.ok("Vectors", "stored by pgvector")
    if settings.embedding.model is not None:
        return Finding.broken_by("Vectors", SetupError(NO_PGVECTOR), "; ")
    return Finding.note("Vectors", "not stored: the server has no pgvector, no model needs it")


def _partitions(connection: psycopg.Connection) -> Finding:
    """Rows of months that have no partition, which retention deletes one by one."""
    rows = connection.execute(PARTITIONS).fetchall()
    astray = [f"{count:,} of {table}" for table, month, count, _ in rows if not month and count]
    if not astray:
        return Finding.ok("Partitions", "each row is in the partition of its month")
    detail = f"rows whose month has no partition, about: {', '.join(astray)}"
    mend = (
        "searchqa partitions add. For months that are over, add --month YYYY-MM; docs/partitions.md"
        " says how to find them."
    )
    return Finding.note("Partitions", detail, mend)


def _published(connection: psycopg.Connection, settings: Settings) -> Finding:
    found = connection.execute(
        queries.NOT_PUBLISHED, [settings.worker.republish_after_seconds]
    ).fetchone()
    count, age = found or (0, 0.0)
    if age > settings.stack.max_queue_wait_seconds:
        detail = f"{count:,} due verdicts are not published to workers, the oldest for {age:.0f} s"
        return Finding.broken("Dispatcher", detail, queue_checks.START_DISPATCHER)
    return Finding.ok("Dispatcher", "all due verdicts are published")


def _paused(connection: psycopg.Connection) -> Iterator[Finding]:
    for model, kind, reason, probe_at in connection.execute(queries.PAUSED).fetchall():
        why = reason_in_words(reason, "en").rstrip(".")
        detail = f"{model}: {why} (next attempt at {probe_at.astimezone():%H:%M:%S})"
        resume = f"searchqa judges resume {model}"
        automatic = f"It is retried automatically; to retry now: {resume}"
        yield Finding.broken(
            "Paused judge", detail, automatic if kind == "failing" else f"Fix that, then: {resume}"
        )
