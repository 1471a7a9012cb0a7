"""A psycopg pool for the hot path, which does without SQLAlchemy."""

from psycopg import AsyncConnection, ProgrammingError
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool

from app.errors import SetupError

# A stuck statement or an abandoned transaction must end by itself: rows wait on them.
_SERVER_OPTIONS = "-c statement_timeout=5s -c idle_in_transaction_session_timeout=10s"
CONNECT_ARGS: dict[str, str | int] = {
    "connect_timeout": 3,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    "options": _SERVER_OPTIONS,
}

NO_ADDRESS = "DATABASE_URL is not a valid address; write postgresql://user:password@host:5432/name."
OTHER_DATABASE = "DATABASE_URL must be a PostgreSQL address: postgresql://…"

Pool = AsyncConnectionPool[AsyncConnection[TupleRow]]


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


def create_pool(database_url: str, *, max_size: int = 4) -> Pool:
    """A closed psycopg pool for one event loop; open it with `async with`. Autocommit: each
    statement of the hot path is one transaction."""
    return AsyncConnectionPool(
        psycopg_url(database_url),
        min_size=1,
        max_size=max_size,
        timeout=5,
        kwargs={**CONNECT_ARGS, "autocommit": True},
        open=False,
        check=AsyncConnectionPool.check_connection,
    )
