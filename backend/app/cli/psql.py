"""`searchqa psql`: PostgreSQL's own shell on the database of the stack."""

import os
import uuid
from typing import Annotated

import typer
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.cli import queries
from app.cli.stack import database_url, in_database
from app.platform.db.backup import client_program, connection
from app.platform.errors import SetupError
from app.workspaces.service import list_workspaces

ANALYST = "searchqa_analyst"

psql = typer.Typer(
    add_completion=False,
    context_settings={"ignore_unknown_options": True},
)


@psql.command()
def open_(
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="[-- ARGS]...", help="Passed on to psql.")
    ] = None,
    analyst: Annotated[
        bool,
        typer.Option(
            "--analyst",
            help="Log in as searchqa_analyst, which may only read schema analytics.",
        ),
    ] = False,
    workspace: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Restrict schema analytics to this workspace."),
    ] = None,
) -> None:
    """Open psql on the stack's database.

    Examples:

    searchqa psql

    searchqa psql --analyst -- -c "SELECT * FROM analytics.daily_quality"

    searchqa psql -- -c "SELECT status, count(*) FROM qa_evaluations GROUP BY status"
    """
    program = client_program("psql")
    address = database_url()
    environment, conninfo = connection(address)
    options: list[str] = []
    if analyst:
        _let_analyst_in(address)
        environment["PGUSER"] = ANALYST
        # The owner's; psql asks for the analyst's if one is needed.
        environment.pop("PGPASSWORD", None)
    if workspace is not None:
        options.append(f"-c app.workspace_id={_workspace_id(address, workspace)}")
    if options:
        given = environment.get("PGOPTIONS") or os.environ.get("PGOPTIONS", "")
        environment["PGOPTIONS"] = " ".join([given, *options]).strip()
    command = [program, *([conninfo] if conninfo else []), *(arguments or [])]
    os.execve(program, command, {**os.environ, **environment})  # noqa: S606  no shell is wanted


def _let_analyst_in(address: str) -> None:
    """Whoever may use this address may see all workspaces, and so may the analyst of this command
    unless `analytics.access` lists its workspaces. Raises SetupError when the role cannot log
    in."""

    async def allow(session: AsyncSession) -> bool:
        await session.execute(text(queries.LET_ANALYST_SEE), {"login": ANALYST})
        found = await session.execute(text(queries.MAY_LOG_IN), {"login": ANALYST})
        return bool(found.scalar())

    if not in_database(address, allow):
        raise SetupError(
            f"The role {ANALYST} cannot log in here; have a server administrator run:"
            f" ALTER ROLE {ANALYST} LOGIN PASSWORD '…';"
            f" ALTER ROLE {ANALYST} SET default_transaction_read_only = on;"
        )


def _workspace_id(address: str, name: str) -> uuid.UUID:
    """Raises SetupError that lists the workspaces."""

    async def read(session: AsyncSession) -> dict[str, uuid.UUID]:
        return {there.name: there.id for there in await list_workspaces(session)}

    there = in_database(address, read)
    if name not in there:
        known = ", ".join(sorted(there)) or "none yet"
        raise SetupError(f"There is no workspace {name!r}; there are: {known}.")
    return there[name]
