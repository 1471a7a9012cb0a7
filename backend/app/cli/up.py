"""`searchqa up`: the whole stack on this machine, until Ctrl-C."""

import sys
from pathlib import Path
from typing import Annotated
from unicodedata import east_asian_width

import typer

from app.cli.language import _
from app.operations.embedded.postgres import version_of
from app.operations.embedded.postgres_programs import VERSION
from app.operations.embedded.process import PrefixedLog
from app.operations.embedded.stack import RunningStack, run
from app.platform.errors import SetupError
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
    run(settings, PrefixedLog(sys.stdout), show_ready, flower=flower)


def upgrade_if_old(data_dir: Path, *, agreed: bool, programs: Path | None) -> None:
    """Upgrades the database of a data folder if it is of an older PostgreSQL and people agree, by
    option or on a terminal. Raises SetupError where nobody did: it is never done silently."""
    found = version_of(data_dir)
    if found is None or found == VERSION:
        return
    from app.operations.embedded.postgres_upgrade import how_to_get, upgrade

    asked = _(
        "The database in {data_dir} was made by PostgreSQL {found}, and this is {VERSION}. Copy"
        " it into a new one? The old one is kept as postgres.{found}; both together need twice"
        " its space.",
        data_dir=data_dir,
        found=found,
        VERSION=VERSION,
    )
    if not agreed and not (sys.stdin.isatty() and typer.confirm(asked, err=True)):
        raise SetupError(
            _(
                "The database in {data_dir} was made by PostgreSQL {found}, this is {VERSION},"
                " and nothing was changed. Its old programs make the copy. {found_2}",
                data_dir=data_dir,
                found=found,
                VERSION=VERSION,
                found_2=how_to_get(found),
            )
        )
    kept = upgrade(data_dir, programs, _report_step)
    typer.echo(
        _(
            "The database is of PostgreSQL {VERSION} now, with equal figures. The old one is kept"
            " in {kept}; remove it when you no longer want to go back.",
            VERSION=VERSION,
            kept=kept,
        ),
        err=True,
    )


def _report_step(step: str) -> None:
    steps = {
        "dump": _("copying the database …"),
        "restore": _("loading it into the new one …"),
        "analyze": _("collecting statistics …"),
    }
    typer.echo(steps[step], err=True)


def show_ready(running: RunningStack) -> None:
    """The only place that prints secrets of this start, and only to a terminal: other output ends
    in a log. Lines are not wrapped, so that an address can be copied. Without Rich, which takes
    3 MB for as long as this process runs."""
    info = running.info
    is_terminal = sys.stdout.isatty()
    rows = []
    opened = _("Open")
    once = _("one-time, expires after 10 minutes")
    if running.settings.api.auth and not is_terminal:
        rows.append((opened, _("`searchqa login` prints a one-time link")))
    elif running.settings.api.auth:
        # With it comes SQLAlchemy: 20 MB for as long as this process runs.
        from app.cli.token import login_link

        # Who starts the stack operates it.
        url = running.settings.api.public_url or info.api_url
        link = login_link(running.database_url, url, operator=True)
        rows.append((opened, f"{link}  ({once})"))
    else:
        rows.append((opened, f"{info.api_url}/ui/"))
    if not (running.settings.api.ui_dir / "index.html").is_file():
        rows.append((_("Pages"), _("not built yet: run `make ui` with Node.js 20.19 or newer")))
    rows.append(("API", f"{info.api_url}  ({_('documentation')}: {info.api_url}/docs)"))
    if info.flower_url:
        user, __, password = running.flower_basic_auth.partition(":")
        if get_settings().flower.basic_auth is not None:
            shown = _("password of SEARCHQA_FLOWER_BASIC_AUTH")
        elif is_terminal:
            shown = _("password {password}", password=password)
        else:
            shown = _("password shown on a terminal only, or set SEARCHQA_FLOWER_BASIC_AUTH")
        rows.append(("Flower", f"{info.flower_url}  ({_('user')} {user}, {shown})"))
    live = running.settings.stack.live_workers
    workers = _("{live} for fresh answers (--workers), 1 for jobs, 1 isolated if needed", live=live)
    rows.append((_("Workers"), workers))
    rows.append((_("Data"), str(running.settings.stack.data_dir)))
    rows.append((_("Stop"), f"Ctrl-C, {_('or')}: kill {info.pid}"))
    typer.secho(f"\n{_('SearchQA is ready')}", bold=True, fg="green")
    for name, value in rows:
        cells = sum(1 + (east_asian_width(letter) in "FW") for letter in name)
        typer.echo(f"{typer.style(f'  {name}', bold=True)}{' ' * (8 - cells)}{value}")
