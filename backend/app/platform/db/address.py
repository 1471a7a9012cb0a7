"""DATABASE_URL as drivers read it."""

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

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
