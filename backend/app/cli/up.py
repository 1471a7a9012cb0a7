"""`searchqa up`: the whole stack on this machine, until Ctrl-C."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from app.cli.database_upgrade import upgrade_if_old
from app.operations.embedded.logs import PrefixedLog
from app.operations.embedded.stack import RunningStack, StackOptions, run
from app.platform.settings import get_settings


def up(
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port of the API; 0 picks a free one.")
    ] = None,
    host: Annotated[str | None, typer.Option(help="Address the API listens on.")] = None,
    data_dir: Annotated[
        Path | None, typer.Option(file_okay=False, help="Where notes and verdicts are stored.")
    ] = None,
    flower_port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port of Flower; 0 picks a free one.")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=64, help="Workers for fresh answers; one a core by default."),
    ] = None,
    flower: Annotated[bool, typer.Option(help="Run Flower, the worker monitor.")] = True,
    auth: Annotated[
        bool | None,
        typer.Option(help="Require a token. --no-auth works only on a loopback address."),
    ] = None,
    upgrade_database: Annotated[
        bool,
        typer.Option("--upgrade-database", help="Copy a database of an older PostgreSQL anew."),
    ] = False,
    old_postgres: Annotated[
        Path | None,
        typer.Option(exists=True, file_okay=False, help="Where that PostgreSQL's programs are."),
    ] = None,
) -> None:
    """Run the whole stack locally: PostgreSQL, Redis, API, workers, dispatcher and Flower.

    Ctrl-C stops all of it. Options default to the environment's settings; DATABASE_URL and
    REDIS_URL replace the embedded servers.

    Examples:

    searchqa up

    searchqa up --port 9000 --workers 2 --data-dir ~/searchqa-data
    """
    given = {
        "port": port,
        "host": host,
        "data_dir": data_dir and data_dir.expanduser(),
        "flower_port": flower_port,
        "auth": auth,
        "live_workers": workers,
    }
    settings = get_settings().replace(
        **{name: value for name, value in given.items() if value is not None}
    )
    if not settings.database.url:
        data_dir = settings.stack.data_dir.absolute()
        upgrade_if_old(data_dir, agreed=upgrade_database, programs=old_postgres)
    options = StackOptions(settings, flower=flower)
    run(options, PrefixedLog(sys.stdout), _show_ready)


def _show_ready(running: RunningStack) -> None:
    # Imports SQLAlchemy and Rich, which would delay the start of the parts.
    from app.cli.ready import show_ready

    show_ready(running)
