"""`searchqa backup`, `restore`, `migrate` and `psql`: the database as a whole."""

import contextlib
import os
import signal
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.cli.language import _
from app.cli.output import AsJson, print_json
from app.cli.stack import database_url, in_database
from app.operations.embedded.data_dir import running_stack
from app.operations.embedded.postgres import version_of
from app.operations.embedded.postgres_upgrade import database_alone
from app.platform.db import restore as restoring
from app.platform.db.address import newest
from app.platform.db.backup import Backup, back_up, client_program, connection, read_backup
from app.platform.errors import SetupError
from app.platform.settings import get_settings
from app.workspaces import audit_queries as audit
from app.workspaces.queries import workspaces


def backup(
    file: Annotated[Path, typer.Argument(dir_okay=False, help="Where to write it.")],
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; read a backup whole.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Back up the database into a file, and read it whole afterwards.

    The database is DATABASE_URL's, else that of the data folder, whether its stack runs or not; it
    may be used meanwhile. Everything that is stored is in it, tokens as hashes and secrets of
    webhooks as they are: keep it as safe as the database. Redis holds nothing that is not there.

    Examples:

    searchqa backup searchqa-2026-11-22.dump

    searchqa backup --check searchqa-2026-11-22.dump
    """
    if check:
        found = read_backup(file)
    else:
        with _ended_as_by_ctrl_c(), _source() as address:
            found = back_up(address, file)
            _record(address, found)
    if json:
        print_json({"file": str(found.path), "bytes": found.size, "schema": found.schema})
        return
    typer.echo(_sentence(found, written=not check))


def _record(address: str, found: Backup) -> None:
    """In the audit log, unless the database is a replica or of an earlier release."""

    async def record(session: AsyncSession) -> None:
        if (await session.execute(text(_CAN_RECORD))).scalar():
            detail = {"bytes": found.size}
            await audit.record(session, audit.INSTALLATION, "backup", str(found.path), detail)

    in_database(address, record)


@contextlib.contextmanager
def _ended_as_by_ctrl_c() -> Iterator[None]:
    """SIGTERM, as of a timer, and a closed terminal leave neither half a file nor a pg_dump."""
    kinds = (signal.SIGTERM, signal.SIGHUP)
    ours = [kind for kind in kinds if signal.getsignal(kind) is signal.SIG_DFL]  # not under nohup
    for kind in ours:
        signal.signal(kind, signal.default_int_handler)
    try:
        yield
    finally:
        for kind in ours:
            signal.signal(kind, signal.SIG_DFL)


@contextlib.contextmanager
def _source() -> Iterator[str]:
    settings = get_settings()
    at_rest = version_of(settings.stack.data_dir) is not None
    if settings.database.url or running_stack(settings.stack.data_dir) or not at_rest:
        yield database_url()
        return
    with database_alone(settings.stack.data_dir.absolute()) as address:
        yield address


def _sentence(found: Backup, *, written: bool) -> str:
    size = f"{found.size / 1e6:,.1f} MB"
    if written:
        return _(
            "{path}: {size}, schema {schema}; written and read whole. Restore it with `searchqa"
            " restore {path}`.",
            path=found.path,
            size=size,
            schema=found.schema,
        )
    return _(
        "{path}: {size}, schema {schema}; read whole.",
        path=found.path,
        size=size,
        schema=found.schema,
    )


def restore(
    file: Annotated[Path, typer.Argument(dir_okay=False, help="A backup by `searchqa backup`.")],
    data_dir: Annotated[
        Path | None, typer.Option(file_okay=False, help="A folder for a stack of its own.")
    ] = None,
) -> None:
    """Restore a backup into an empty database.

    All of it or nothing, then migrated; nothing is overwritten. Without DATABASE_URL it goes into a
    data folder that has no database yet; `searchqa up --data-dir` with that folder runs it.

    Examples:

    searchqa restore searchqa-2026-11-22.dump --data-dir ~/searchqa-restored

    DATABASE_URL=postgresql://searchqa_owner@db/new searchqa restore searchqa-2026-11-22.dump
    """
    found = read_backup(file)
    with _target(data_dir) as (address, where):
        restoring.restore(address, found, _report)
    typer.echo(_("Restored into {where}, schema {newest}.", where=where, newest=newest()))


@contextlib.contextmanager
def _target(data_dir: Path | None) -> Iterator[tuple[str, str]]:
    """The address and what to call it."""
    settings = get_settings()
    if settings.database.session_url and data_dir is None:
        yield settings.database.session_url, "DATABASE_URL"
        return
    folder = (data_dir or settings.stack.data_dir).expanduser().absolute()
    if running_stack(folder):
        raise SetupError(
            _("A stack runs on {folder}; choose another folder with --data-dir.", folder=folder)
        )
    with database_alone(folder) as address:
        yield address, str(folder)


def _report(step: str) -> None:
    steps = {
        "restore": _("restoring …"),
        "migrate": _("migrating …"),
        "analyze": _("collecting statistics …"),
    }
    typer.echo(steps[step], err=True)


def migrate() -> None:
    """Migrate the database at DATABASE_URL to the latest schema.

    Safe to run from several machines at once. `searchqa up` runs it automatically.

    Example:

    DATABASE_URL=postgresql://searchqa@db/searchqa searchqa migrate
    """
    import psycopg

    from app.notes.vectors import NO_PGVECTOR, STORES_VECTORS
    from app.platform.db import migrate as migrations
    from app.platform.db.address import psycopg_url

    settings = get_settings()
    address = settings.database.session_url
    if not address:
        raise SetupError(
            _("Set DATABASE_URL to the database to migrate; `searchqa up` migrates its own.")
        )
    migrations.migrate(address)
    if settings.embedding.model is not None:
        with psycopg.connect(psycopg_url(address)) as connection:
            if connection.execute(STORES_VECTORS).fetchone() == (False,):
                raise SetupError(NO_PGVECTOR)
    typer.echo(_("The database is at the latest migration."))


_CAN_RECORD = "SELECT to_regclass('audit_events') IS NOT NULL AND NOT pg_is_in_recovery()"
ANALYST = "searchqa_analyst"
_GRANT_ANALYST = """
INSERT INTO analytics.access (login, workspace_id)
SELECT CAST(:login AS name), NULL
WHERE NOT EXISTS (SELECT FROM analytics.access WHERE login = CAST(:login AS name))
"""
_CAN_LOG_IN = "SELECT rolcanlogin FROM pg_roles WHERE rolname = :login"

psql = typer.Typer(add_completion=False, context_settings={"ignore_unknown_options": True})


@psql.command()
def open_psql(
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="[-- ARGS]...", help="Passed on to psql.")
    ] = None,
    analyst: Annotated[
        bool,
        typer.Option(
            "--analyst", help="Log in as searchqa_analyst, which may only read schema analytics."
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
        _grant_analyst(address)
        environment["PGUSER"] = ANALYST
        # The owner's; psql asks for the analyst's if one is needed.
        environment.pop("PGPASSWORD", None)
    if workspace is not None:
        options.append(f"-c app.workspace_id={_workspace_id(address, workspace)}")
    if options:
        given = environment.get("PGOPTIONS") or os.environ.get("PGOPTIONS", "")
        environment["PGOPTIONS"] = " ".join([given, *options]).strip()
    # Rows that are wider than the terminal stand one column below the other.
    wide = ["-P", "expanded=auto"]
    command = [program, *([conninfo] if conninfo else []), *wide, *(arguments or [])]
    os.execve(program, command, {**os.environ, **environment})  # noqa: S606  no shell is wanted


def _grant_analyst(address: str) -> None:
    """Grants the analyst all workspaces, which the owner of this address sees too,
    unless `analytics.access` lists its workspaces. Raises SetupError when the role cannot log
    in."""

    async def allow(session: AsyncSession) -> bool:
        await session.execute(text(_GRANT_ANALYST), {"login": ANALYST})
        found = await session.execute(text(_CAN_LOG_IN), {"login": ANALYST})
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
        return {there.name: there.id for there in await workspaces(session)}

    there = in_database(address, read)
    if name not in there:
        known = ", ".join(sorted(there)) or "none yet"
        raise SetupError(f"There is no workspace {name!r}; there are: {known}.")
    return there[name]
