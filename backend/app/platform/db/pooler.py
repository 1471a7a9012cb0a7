"""A pooler such as PgBouncer before PostgreSQL, which gives each transaction to another session."""

import logging
from functools import lru_cache

from psycopg import AsyncConnection, Connection
from psycopg.rows import TupleRow

logger = logging.getLogger(__name__)

LOOK = "SELECT pg_backend_pid(), current_setting('statement_timeout')"
NO_TIMEOUT = "0"


def allow_pooler(
    connection: AsyncConnection[TupleRow] | Connection[TupleRow], pid: int, timeout: str
) -> bool:
    """Lets a connection prepare no statements where another session may be the next to run them.
    Returns whether a pooler is there: it hides the process id of the session. pid, timeout: what
    LOOK found."""
    if pid == connection.info.backend_pid:
        return False
    connection.prepare_threshold = None
    if timeout == NO_TIMEOUT:
        _warn()
    return True


@lru_cache(maxsize=1)
def _warn() -> None:
    logger.warning(
        "A pooler is before PostgreSQL, and statements have no time limit; run"
        " deploy/pgbouncer/roles.sql"
    )
