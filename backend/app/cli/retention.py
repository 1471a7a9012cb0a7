"""`searchqa retention …`: what is kept, and for how long."""

import asyncio
from typing import Annotated

import typer

from app.cli.database import database_url, errors_in_words
from app.cli.options import AsJson, command_group
from app.cli.output import console, print_json
from app.cli.tables import table
from app.db.pool import create_pool
from app.settings import Settings, get_settings
from app.verdicts.lifecycle.retention import Forgotten, Retention

retention = command_group(
    "retention",
    """The dispatcher runs it every minute. SEARCHQA_KEEP_… set the periods in days; a workspace's
    policy overrides them (`searchqa policy`).""",
)


@retention.command()
def run(
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only count what would be deleted.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Delete data that is past its retention period, and print how much it was.

    Data of unfinished verdicts is kept.

    Examples:

    searchqa retention run --dry-run

    SEARCHQA_KEEP_ANSWERS_DAYS=365 searchqa retention run
    """
    settings = get_settings()
    counted = asyncio.run(_apply(database_url(), settings, dry_run=dry_run))
    if json:
        print_json({"dry_run": dry_run, **dict(counted)})
    else:
        _show(counted, settings, "would be deleted" if dry_run else "deleted")


async def _apply(address: str, settings: Settings, *, dry_run: bool) -> Forgotten:
    with errors_in_words():
        async with create_pool(address, max_size=1) as pool:
            policy = Retention(pool, settings)
            return await (policy.due() if dry_run else policy.forget_all())


def _show(counted: Forgotten, settings: Settings, heading: str) -> None:
    shown = table("what", "kept for", heading)
    for what, days, count in (
        ("raw judge replies", settings.keep_judge_bodies_days, counted.bodies),
        ("events before a verdict's last one", settings.keep_events_days, counted.events),
        ("answers with all their data", settings.keep_answers_days, counted.answers),
    ):
        shown.add_row(what, "forever" if days is None else f"{days} days", f"{count:,}")
    console().print(shown)
