"""The checks of `searchqa doctor` that ask PostgreSQL. They are read-only."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import psycopg
from alembic.script import ScriptDirectory

from app.cli import queries, queue_checks
from app.cli.finding import Finding, State
from app.db import replica_queries
from app.db.migrate import alembic_config
from app.db.pool import CONNECT_ARGS, psycopg_url
from app.db.pooler import LOOK, NO_TIMEOUT, allow_pooler
from app.errors import SetupError
from app.search.embedding_queries import STORES_VECTORS
from app.search.vectors import NO_PGVECTOR
from app.settings import Settings
from app.verdicts.lifecycle.pause_reasons import reason_in_words

_OLDEST_POSTGRES, _NEWEST_POSTGRES = 15, 18


def postgres(address: str, settings: Settings) -> Iterator[Finding]:
    """The server, its schema, and by the queue its dispatchers and workers."""
    try:
        url = psycopg_url(address)
        with psycopg.connect(url, autocommit=True, **CONNECT_ARGS) as connection:  # type: ignore[arg-type]  # options by name
            yield _server_version(connection)
            yield from _pooler(connection, settings)
            migration = _migration(connection)
            yield migration
            if migration.state is State.OK:
                yield _vectors(connection, settings)
                yield _published(connection, settings)
                yield from queue_checks.queues(address, connection, settings)
                yield from _paused(connection)
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


def _pooler(connection: psycopg.Connection, settings: Settings) -> Iterator[Finding]:
    """Nothing where the server itself answers."""
    pid, timeout = _one(connection, LOOK.encode())
    if not allow_pooler(connection, pid, timeout):
        return
    if settings.database_direct_url is None:
        detail = "is before PostgreSQL, and LISTEN and migrations need a session of their own"
        yield Finding.broken("Pooler", detail, "Set DATABASE_DIRECT_URL to PostgreSQL itself.")
    elif timeout == NO_TIMEOUT:
        detail = "statements have no time limit behind it"
        yield Finding.broken("Pooler", detail, "Run deploy/pgbouncer/roles.sql.")
    else:
        yield Finding.ok("Pooler", "no statement is prepared; LISTEN has DATABASE_DIRECT_URL")


def replica(address: str, settings: Settings) -> Finding:
    """How old the data of DATABASE_READ_URL is."""
    try:
        with psycopg.connect(
            psycopg_url(settings.session_url or address), connect_timeout=3
        ) as primary:
            log, now = _one(primary, replica_queries.PRIMARY)
        read_url = psycopg_url(settings.database_read_url or address)
        with psycopg.connect(read_url, connect_timeout=3) as connection:
            (age,) = _one(connection, replica_queries.REPLICA, {"log": log, "now": now})
    except (psycopg.Error, SetupError) as error:
        reason = str(error).strip().partition("\n")[0]
        mend = "Check DATABASE_READ_URL; the primary is read meanwhile."
        return Finding.broken("Replica", f"cannot be used ({reason})", mend)
    if age is None:
        mend = "Set DATABASE_READ_URL to a streaming replica; the primary is read meanwhile."
        return Finding.broken("Replica", "is none, or has replayed nothing since its start", mend)
    if age > settings.replica_max_lag:
        mend = f"The primary is read while it is over {settings.replica_max_lag:g} s; see its log."
        return Finding.broken("Replica", f"is {_age(age)} behind", mend)
    return Finding.ok("Replica", f"is {_age(age)} behind")


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
    if settings.embedding_model is not None:
        return Finding.broken_by("Vectors", SetupError(NO_PGVECTOR), "; ")
    return Finding.note("Vectors", "not stored: the server has no pgvector, no model needs it")


def _published(connection: psycopg.Connection, settings: Settings) -> Finding:
    found = connection.execute(queries.NOT_PUBLISHED, [settings.republish_after]).fetchone()
    count, age = found or (0, 0.0)
    if age > settings.max_queue_wait:
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


def _one(
    connection: psycopg.Connection,
    statement: bytes,
    parameters: Sequence[object] | Mapping[str, object] = (),
) -> tuple[Any, ...]:
    row = connection.execute(statement, parameters).fetchone()
    assert row is not None
    return row


def _age(seconds: float) -> str:
    for size, unit in ((86_400, "days"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"
