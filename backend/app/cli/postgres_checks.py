"""The checks of `searchqa doctor` on PostgreSQL, its replica and pooler. They are read-only."""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

import psycopg
from alembic.script import ScriptDirectory

from app.cli import queries, queue_checks
from app.cli.checks import Finding, State
from app.cli.maintenance import REMEDIES
from app.notes.embedding_queries import STORES_VECTORS
from app.notes.vector_indexes import Obstacle, VectorIndex, large_workspaces, obstacle
from app.notes.vectors import NO_PGVECTOR, embedding_model
from app.platform.db.address import LOOK, NO_TIMEOUT, allow_pooler, psycopg_url
from app.platform.db.migrate import alembic_config
from app.platform.db.pool import CONNECT_ARGS, create_pool
from app.platform.db.replica import NO_REPLICA, PRIMARY, REPLICA, Primary
from app.platform.db.retention import PARTITIONS
from app.platform.errors import SetupError
from app.platform.settings import Settings
from app.verdicts.lifecycle.retry import reason_in_words

_OLDEST_POSTGRES, _NEWEST_POSTGRES = 15, 18


def postgres(address: str, settings: Settings, stack_api: str | None = None) -> Iterator[Finding]:
    """The server, its schema, and by the queue its dispatchers and workers. stack_api: of a running
    `searchqa up` with a Redis of its own."""
    try:
        url = psycopg_url(address)
        with psycopg.connect(url, autocommit=True, **CONNECT_ARGS) as connection:  # type: ignore[arg-type]  # options by name
            yield _server_version(connection)
            yield from pooler(connection, settings)
            migration = _migration(connection)
            yield migration
            if migration.state is State.OK:
                yield _vectors(connection, settings)
                yield from indexes(address, settings)
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
        resume = f"searchqa api POST /judges/{quote(model, safe='')}/resume"
        automatic = f"It is retried automatically; to retry now: {resume}"
        yield Finding.broken(
            "Paused judge", detail, automatic if kind == "failing" else f"Fix that, then: {resume}"
        )


def pooler(connection: psycopg.Connection, settings: Settings) -> Iterator[Finding]:
    """Nothing where the server itself answers."""
    pid, timeout = _one(connection, LOOK.encode())
    if not allow_pooler(connection, pid, timeout):
        return
    if settings.database.direct_url is None:
        detail = "is before PostgreSQL, and LISTEN and migrations need a session of their own"
        yield Finding.broken("Pooler", detail, "Set DATABASE_DIRECT_URL to PostgreSQL itself.")
    elif timeout == NO_TIMEOUT:
        detail = "statements have no time limit behind it"
        yield Finding.broken("Pooler", detail, "Run deploy/pgbouncer/roles.sql.")
    else:
        yield Finding.ok("Pooler", "no statement is prepared; LISTEN has DATABASE_DIRECT_URL")


def replica(primary_url: str, replica_url: str, max_lag: float) -> Finding:
    """How old the data of DATABASE_READ_URL is."""
    try:
        with psycopg.connect(psycopg_url(primary_url), connect_timeout=3) as connection:
            primary = Primary(*_one(connection, PRIMARY))
        with psycopg.connect(psycopg_url(replica_url), connect_timeout=3) as connection:
            is_replica, age = _one(connection, REPLICA, primary._asdict())
    except (psycopg.Error, SetupError) as error:
        reason = str(error).strip().partition("\n")[0]
        mend = "Check DATABASE_READ_URL; the primary is read meanwhile."
        return Finding.broken("Replica", f"cannot be used ({reason})", mend)
    if not is_replica:
        mend = "Correct DATABASE_READ_URL; the primary is read meanwhile."
        return Finding.broken("Replica", NO_REPLICA, mend)
    if age is None:
        mend = "See its log; the primary is read meanwhile."
        return Finding.broken("Replica", "it has replayed nothing since its start", mend)
    if age > max_lag:
        mend = f"See its log; over {max_lag:g} s the primary is read."
        return Finding.broken("Replica", f"its data is {age:,.0f} s old", mend)
    return Finding.ok("Replica", f"its data is {age:,.0f} s old")


def _one(
    connection: psycopg.Connection, statement: bytes, parameters: Mapping[str, object] | None = None
) -> tuple[Any, ...]:
    row = connection.execute(statement, parameters).fetchone()
    assert row is not None
    return row


_VECTOR_INDEXES = "Vector indexes"
_WAIT_FOR_INDEXES = (
    "A worker makes them; see `searchqa api GET /jobs`. At once: `searchqa vectors index`."
)


def indexes(address: str, settings: Settings) -> Iterator[Finding]:
    """Nothing while no workspace is large. Raises ConfigurationError for a model that is none."""
    model = embedding_model(settings)
    if model is None:
        return
    large, why = asyncio.run(_look(address, model, settings.embedding.index_min_vectors))
    missing = [each for each in large if not each.ready]
    if missing:
        names = ", ".join(str(each.of.workspace_id) for each in missing[:3])
        count = f"{len(missing)} of {len(large)} large workspaces"
        detail = f"missing in {count}, which are searched slowly: {names}"
        yield Finding.note(_VECTOR_INDEXES, detail, REMEDIES[why] if why else _WAIT_FOR_INDEXES)
    elif large:
        yield Finding.ok(_VECTOR_INDEXES, f"there for each large workspace ({len(large)})")


async def _look(
    address: str, model: str, at_least: int
) -> tuple[list[VectorIndex], Obstacle | None]:
    async with create_pool(address, max_size=1) as pool, pool.connection() as connection:
        return await large_workspaces(connection, model, at_least), await obstacle(connection)
