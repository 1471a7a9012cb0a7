"""`searchqa analytics …`: named queries over all verdicts."""

from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text
from searchqa_client import Api

from app.cli import output
from app.cli.language import _, language
from app.cli.server import connect, notebook_id
from app.cli.tables import print_query, print_rows
from app.quality.analytics.service import ExportFormat


def analytics(
    name: Annotated[
        str | None, typer.Argument(help="A query; without one, all queries are listed.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="First day; by default 30 days ago.")
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(metavar="YYYY-MM-DD", help="Last day, inclusive; by default today."),
    ] = None,
    model: Annotated[str | None, typer.Option(help="Only this judge's verdicts.")] = None,
    notebook: output.NotebookName = None,
    app_version: Annotated[str | None, typer.Option(help="Only this release's answers.")] = None,
    environment: Annotated[str | None, typer.Option(help="Only this environment's.")] = None,
    tag: Annotated[str | None, typer.Option(help="Only answers with this tag.")] = None,
    tz: Annotated[str, typer.Option(help="Time zone of the days.")] = "UTC",
    limit: Annotated[int | None, typer.Option(min=1, help="Maximum number of rows.")] = None,
    file: Annotated[
        Path | None,
        typer.Option("--output", "-o", dir_okay=False, help="A .csv, .jsonl or .parquet file."),
    ] = None,
    sql: Annotated[bool, typer.Option("--sql", help="Also print the SQL that was run.")] = False,
    wide: Annotated[
        bool, typer.Option("--wide", "-w", help="Show every column, however narrow the terminal.")
    ] = False,
    json: output.AsJson = False,
) -> None:
    """Run a named query over all verdicts: quality by day, cost, and so on.

    `searchqa psql --analyst` runs the SQL that --sql prints.

    Examples:

    searchqa analytics

    searchqa analytics daily-quality --since 2026-03-01 --tz Asia/Seoul

    searchqa analytics verdicts -o verdicts.parquet
    """
    with connect() as client:
        if name is None:
            _list(client, json=json)
            return
        asked = {"since": since, "until": until, "model": model, "tz": tz, "limit": limit}
        asked |= {"app_version": app_version, "environment": environment, "tag": tag}
        if notebook is not None:
            asked["notebook_id"] = notebook_id(client, notebook)
        if file is not None:
            kind = output.format_of(file, {f".{each}": each for each in ExportFormat})
            output.save(client.pieces(f"/analytics/{name}", format=kind, **asked), file)
            return
        found = client.get(f"/analytics/{name}", **asked)
    output.print_result(found, partial(_show, with_sql=sql, wide=wide), as_json=json)


def _list(client: Api, *, json: bool) -> None:
    found = client.get("/analytics")
    title = itemgetter(f"title_{language()}")
    if json:
        output.print_json(found)
    else:
        print_rows(found["queries"], "name", ("title", title), as_json=False)


def _show(found: output.View, *, with_sql: bool, wide: bool) -> None:
    out = output.console()
    if with_sql:
        for line in found["sql"].splitlines():
            out.print(output.indented(Text(output.printable(line), "dim")))
        out.print()
    if not found["rows"]:
        about = found["parameters"]
        since, until, tz = about["since"], about["until"], about["tz"]
        out.print(_("No rows from {since} to {until} ({tz}).", since=since, until=until, tz=tz))
        return
    names = [column["name"] for column in found["columns"]]
    print_query(names, ([row[name] for name in names] for row in found["rows"]), wide=wide)
    if found["truncated"]:
        count = len(found["rows"])
        out.print(_("… {count:,} rows; see more with --limit, all with --output.", count=count))
