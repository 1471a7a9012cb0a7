"""The checks of `searchqa doctor` on what stands between us and PostgreSQL, and on its replica."""

from collections.abc import Iterator, Mapping
from typing import Any

import psycopg

from app.cli.finding import Finding
from app.platform.db import replica_queries
from app.platform.db.address import psycopg_url
from app.platform.db.pooler import LOOK, NO_TIMEOUT, allow_pooler
from app.platform.db.replica import NO_REPLICA, Primary
from app.platform.errors import SetupError
from app.platform.settings import Settings


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
            primary = Primary(*_one(connection, replica_queries.PRIMARY))
        with psycopg.connect(psycopg_url(replica_url), connect_timeout=3) as connection:
            is_replica, age = _one(connection, replica_queries.REPLICA, primary._asdict())
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
