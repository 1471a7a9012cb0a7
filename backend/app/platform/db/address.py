"""The address of PostgreSQL, a pooler before it, and the version of the schema there."""

import logging
from functools import lru_cache
from importlib import resources

import psycopg
from psycopg import AsyncConnection, Connection, ProgrammingError
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import TupleRow

from app.platform.errors import SetupError

NO_ADDRESS = "DATABASE_URL is not a valid address; write postgresql://user:password@host:5432/name."
OTHER_DATABASE = "DATABASE_URL must be a PostgreSQL address: postgresql://…"


def psycopg_url(database_url: str) -> str:
    """The address as libpq reads it: with no driver in it. Raises SetupError if malformed."""
    scheme, separator, rest = database_url.partition("://")
    if not separator:
        raise SetupError(NO_ADDRESS)
    url = f"postgresql://{rest}"
    try:
        conninfo_to_dict(url)
    except ProgrammingError as error:
        raise SetupError(NO_ADDRESS) from error
    if scheme.partition("+")[0] not in {"postgresql", "postgres"}:
        raise SetupError(OTHER_DATABASE)
    return url


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


_MADE = "SELECT to_regclass('public.alembic_version')"
# Without a row also where vectors are not stored yet and could be: see migrations/vectors.py.
_MIGRATED = """
SELECT version_num FROM alembic_version
WHERE NOT EXISTS (
    SELECT FROM pg_attribute
    WHERE attrelid = to_regclass('public.note_embeddings') AND attname = 'embedding'
      AND atttypid = 'text'::regtype
  ) OR NOT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector')
"""


def newest() -> str:
    """The number of the newest migration, with which the names of their files begin."""
    names = (entry.name for entry in resources.files("migrations.versions").iterdir())
    return max(name.partition("_")[0] for name in names if name[0].isdigit())


def is_newest(database_url: str) -> bool:
    """False also where it cannot be determined: `migrate` reports why."""
    try:
        with psycopg.connect(psycopg_url(database_url), connect_timeout=5) as connection:
            # Looked up before: a table that is not there would be an error in the server's log.
            (made,) = connection.execute(_MADE).fetchone() or (None,)
            found = connection.execute(_MIGRATED).fetchall() if made else []
    except psycopg.Error:
        return False
    return found == [(newest(),)]
