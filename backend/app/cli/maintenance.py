"""`searchqa retention`, `partitions` and `vectors`: upkeep of the database by the operator."""

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Annotated

import typer

from app.cli.language import _
from app.cli.output import AsJson, command_group, print_json
from app.cli.stack import Result, database_url, errors_in_words
from app.cli.tables import print_table
from app.notes import vector_indexes as indexes
from app.notes.vectors import embedding_model
from app.operations.retention import retentions
from app.platform.db.pool import Pool, create_pool
from app.platform.db.retention import Deleted, Partition, add_missing, add_month, list_partitions
from app.platform.errors import SetupError
from app.platform.settings import Settings, get_settings

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
    counted = _in_pool(lambda pool: _apply(pool, settings, dry_run=dry_run))
    kept = _kept(settings)
    if json:
        print_json({"dry_run": dry_run} | {name: counted[name] for name in kept})
        return
    heading = _("would be deleted") if dry_run else _("deleted")
    rows = ([what, period, f"{counted[name]:,}"] for name, (what, period) in kept.items())
    print_table([_("what"), _("kept for"), heading], rows)


async def _apply(pool: Pool, settings: Settings, *, dry_run: bool) -> Deleted:
    total = Deleted()
    for each in retentions(pool, settings):
        total += await (each.due() if dry_run else each.delete_all())
    return total


def _in_pool(work: Callable[[Pool], Awaitable[Result]]) -> Result:
    """Runs `work` on the database of the commands. Raises SetupError when it cannot be used."""

    async def run() -> Result:
        async with create_pool(database_url(), max_size=1) as pool:
            return await work(pool)

    with errors_in_words():
        return asyncio.run(run())


def _kept(settings: Settings) -> dict[str, tuple[str, str]]:
    """Kinds of rows and their periods in words, by their names in the JSON."""
    answers, jobs = _days(settings.retention.answers_days), _days(settings.retention.jobs_days)
    quality, traces = _days(settings.retention.quality_days), _days(settings.retention.traces_days)
    expired = _("a day after they expire")
    kept = {
        "bodies": (_("raw judge replies"), _days(settings.retention.judge_bodies_days)),
        "events": (_("events before a verdict's last one"), _days(settings.retention.events_days)),
        "answers": (_("answers with all their data"), answers),
        "partitions": (_("partitions of months that are over"), answers),
        "traces": (_("traces"), traces),
        "spans_of_traces": (_("traces whose spans gave no answer"), _("an hour")),
        "alarms": (_("alarms"), quality),
        "points": (_("points of watched series"), quality),
        "empty_failures": (_("failures without answers"), _("until their last answer is deleted")),
    }
    deliveries = _days(settings.retention.webhook_deliveries_days)
    return kept | {
        "webhook_deliveries": (_("webhook deliveries"), deliveries),
        "webhook_secrets": (_("old webhook secrets"), expired),
        "jobs": (_("jobs that have ended"), jobs),
        "judge_batches": (_("batches that have ended"), jobs),
        "judge_batch_lines": (_("lines of these batches"), jobs),
        "judge_trials": (_("trials of judges' prompts"), jobs),
        "sessions": (_("browser sessions and login codes"), expired),
        "reader_tokens": (_("reader tokens"), _("until they expire")),
        "audit_events": (_("entries of the audit log"), _days(settings.retention.audit_days)),
    }


def _days(days: int | None) -> str:
    if days is None:
        return _("forever")
    return _("{days} days", days=days)


partitions = command_group(
    "partitions",
    """The dispatcher adds partitions ahead of time, and retention drops them when their month is
    over for everybody.""",
)


@partitions.command("list")
def list_partitions_(json: AsJson = False) -> None:
    """List the partitions by month, with their sizes."""
    found = _in_pool(list_partitions)
    if json:
        print_json(
            [asdict(each) | {"month": each.month and f"{each.month:%Y-%m}"} for each in found]
        )
        return
    headers = [_("month"), _("table"), _("rows, about"), _("size")]
    print_table(headers, ([_month(p), p.table, f"{p.rows:,}", _size(p.bytes)] for p in found))


@partitions.command("add")
def add_partitions(
    month: Annotated[
        dt.datetime | None,
        typer.Option(
            formats=["%Y-%m"], help="Only this month, such as one whose rows went to the default."
        ),
    ] = None,
) -> None:
    """Add the partitions that are missing: of this month and the next three.

    Rows of the month that the default partition holds are moved into the new one. A partition that
    is there already is left as it is.

    Examples:

    searchqa partitions add

    searchqa partitions add --month 2026-08
    """
    count = _in_pool(lambda pool: add_month(pool, month.date()) if month else add_missing(pool))
    typer.echo(_("{count} partitions added.", count=count))


def _month(partition: Partition) -> str:
    if partition.month is None:
        return _("default")
    return f"{partition.month:%Y-%m}"


def _size(size: int) -> str:
    return f"{size / 2**20:,.1f} MB"


REMEDIES = {
    indexes.Obstacle.NOT_OWNER: "Only the owner of the tables may make indexes; run `searchqa"
    " vectors index` with the DATABASE_URL of `searchqa migrate`.",
    indexes.Obstacle.OLD_PGVECTOR: "Indexes of vectors need pgvector 0.8 or newer; upgrade it on"
    " the server and have an administrator run ALTER EXTENSION vector UPDATE.",
}

vectors = command_group(
    "vectors",
    """Workspaces with SEARCHQA_VECTOR_INDEX_FROM vectors or more have an index each. A worker makes
    it where it connects as the owner of the tables; elsewhere run `searchqa vectors index` as the
    owner, the role that runs `searchqa migrate`.""",
)


@vectors.command("list")
def list_vectors(json: AsJson = False) -> None:
    """List the large workspaces, and whether searches of theirs have an index."""
    model, at_least = _model(), get_settings().embedding.index_min_vectors

    async def read(pool: Pool) -> list[indexes.VectorIndex]:
        async with pool.connection() as connection:
            return await indexes.large_workspaces(connection, model, at_least)

    found = _in_pool(read)
    if json:
        print_json([_as_json(each) for each in found])
        return
    headers = [_("workspace"), _("model"), _("dimensions"), _("index"), _("size")]
    print_table(headers, (_cells(each) for each in found))


@vectors.command("index")
def index_vectors() -> None:
    """Make the indexes that are missing, one after the other, and drop those of no use.

    Notes are searched, stored and deleted meanwhile. A million vectors take some minutes and a
    gigabyte of PostgreSQL's memory.

    Example:

    DATABASE_URL=postgresql://searchqa_owner@db/searchqa searchqa vectors index
    """
    with errors_in_words():
        asyncio.run(
            _make_indexes(database_url(), _model(), get_settings().embedding.index_min_vectors)
        )


async def _make_indexes(address: str, model: str, at_least: int) -> None:
    async with indexes.maker(address) as connection:
        if why := await indexes.obstacle(connection):
            raise SetupError(REMEDIES[why])
        missing = [
            each.of
            for each in await indexes.large_workspaces(connection, model, at_least)
            if not each.ready
        ]
        for number, each in enumerate(missing, start=1):
            where = f"{number}/{len(missing)} {each.workspace_id}"
            typer.echo(_("{where}: indexing …", where=where))
            if not await indexes.make_index(connection, each):
                raise SetupError(_("Another process is making an index; run this again later."))
        dropped = await indexes.drop_unused(connection, model, at_least)
    typer.echo(_("{count} indexes made, {dropped} dropped.", count=len(missing), dropped=dropped))


def _model() -> str:
    """Raises SetupError without one."""
    if model := embedding_model(get_settings()):
        return model
    raise SetupError(
        _("Without SEARCHQA_EMBEDDING_MODEL there are no vectors to search; set it first.")
    )


def _as_json(index: indexes.VectorIndex) -> dict[str, object]:
    of = asdict(index.of) | {"workspace_id": str(index.of.workspace_id)}
    return of | {"ready": index.ready, "bytes": index.bytes}


def _cells(index: indexes.VectorIndex) -> list[str]:
    state = _("ready") if index.ready else _("missing")
    size = _size(index.bytes) if index.bytes else ""
    of = index.of
    return [str(of.workspace_id), of.model, str(of.dimensions), state, size]
