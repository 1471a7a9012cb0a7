"""`searchqa retention …`: what is kept, and for how long."""

import asyncio
from typing import Annotated

import psycopg
import typer
from psycopg_pool import PoolTimeout

from app.cli.database import database_url
from app.cli.output import console, print_json, table
from app.db.pool import create_pool
from app.errors import SetupError
from app.settings import Settings, get_settings
from app.verdicts.lifecycle.retention import Forgotten, Retention

retention = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="""Forget what has been kept long enough, and say how much it was.

    The dispatcher does it every minute. SEARCHQA_KEEP_… say for how many days what is kept,
    and a workspace's own policy before them (`searchqa policy`).""",
)


@retention.callback()
def _retention() -> None:
    # Without a callback Typer takes a single command for the whole.
    pass


@retention.command()
def run(
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only count what is old enough.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False,
) -> None:
    """Forget what has been kept long enough, and say how much it was.

    Nothing that hangs on an unfinished verdict is touched.

    Examples:

    searchqa retention run --dry-run

    SEARCHQA_KEEP_ANSWERS_DAYS=365 searchqa retention run
    """
    settings = get_settings()
    counted = asyncio.run(_apply(database_url(), settings, dry_run=dry_run))
    if json:
        print_json({"dry_run": dry_run, **dict(counted)})
    else:
        _show(counted, settings, "would go" if dry_run else "gone")


async def _apply(address: str, settings: Settings, *, dry_run: bool) -> Forgotten:
    try:
        async with create_pool(address, max_size=1) as pool:
            policy = Retention(pool, settings)
            return await (policy.due() if dry_run else policy.forget_all())
    except (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn):
        raise SetupError("The database is not ready; run `searchqa migrate`.") from None
    except (psycopg.Error, PoolTimeout) as error:
        reason = str(error).strip().partition("\n")[0]
        raise SetupError(
            f"PostgreSQL cannot be used ({reason}); check DATABASE_URL and that it runs."
        ) from None


def _show(counted: Forgotten, settings: Settings, heading: str) -> None:
    shown = table("what", "kept for", heading)
    for what, days, count in (
        ("raw replies of judges", settings.keep_judge_bodies_days, counted.bodies),
        ("events before a verdict's last", settings.keep_events_days, counted.events),
        ("answers and all that hangs on them", settings.keep_answers_days, counted.answers),
    ):
        shown.add_row(what, "ever" if days is None else f"{days} days", f"{count:,}")
    console().print(shown)
