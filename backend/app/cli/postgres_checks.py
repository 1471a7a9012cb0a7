"""The checks of `searchqa doctor` that ask PostgreSQL. They are read-only."""

from collections.abc import Iterator, Sequence

import psycopg
from alembic.script import ScriptDirectory

from app.cli import queries
from app.cli.finding import Finding, State
from app.db.migrate import alembic_config
from app.db.pool import CONNECT_ARGS, psycopg_url
from app.errors import SetupError
from app.settings import Settings
from app.verdicts.lifecycle.pause_reasons import reason_in_words

_OLDEST_POSTGRES, _NEWEST_POSTGRES = 15, 18
# Judging starts within a second or two; a row that waits longer than this is stuck.
_MAX_WAIT_SECONDS = 15.0


def postgres(address: str, settings: Settings) -> Iterator[Finding]:
    """The server, its schema, and by the queue its dispatchers and workers."""
    try:
        url = psycopg_url(address)
        with psycopg.connect(url, autocommit=True, **CONNECT_ARGS) as connection:  # type: ignore[arg-type]  # options by name
            yield _server_version(connection)
            migration = _migration(connection)
            yield migration
            if migration.state is State.OK:
                yield from _queue(connection, settings)
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


def _queue(connection: psycopg.Connection, settings: Settings) -> Iterator[Finding]:
    count, age = _one(connection, queries.NOT_PUBLISHED, [settings.republish_after])
    if age > _MAX_WAIT_SECONDS:
        detail = f"{count:,} due verdicts are not published to workers, the oldest for {age:.0f} s"
        mend = "Check that a dispatcher runs (python -m worker.dispatcher) and reaches the broker."
        yield Finding.broken("Dispatcher", detail, mend)
    else:
        yield Finding.ok("Dispatcher", "all due verdicts are published")
    count, age = _one(connection, queries.NOT_TAKEN)
    if age > _MAX_WAIT_SECONDS:
        detail = f"{count:,} verdicts wait for a worker, the oldest for {age:.0f} s"
        yield Finding.broken("Queue", detail, "Start workers: searchqa up --workers 2.")
        return
    (last,) = _one(connection, queries.LAST_VERDICT)
    latest = "no verdict yet" if last is None else f"last verdict {_age(last)} ago"
    yield Finding.ok("Queue", f"no backlog; {latest}")


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
    connection: psycopg.Connection, statement: bytes, parameters: Sequence[object] = ()
) -> tuple[float, ...]:
    row = connection.execute(statement, parameters).fetchone()
    assert row is not None
    return row


def _age(seconds: float) -> str:
    for size, unit in ((86_400, "days"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"
