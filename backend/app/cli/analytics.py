"""`searchqa analytics …`: named queries over all verdicts."""

from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.text import Text

from app.cli import quality_alarms
from app.cli.ask import notebook_id
from app.cli.client import Client, connect
from app.cli.files import format_of, save
from app.cli.language import translated
from app.cli.options import AsJson, NotebookName
from app.cli.output import View, console, indented, print_json, print_result, printable
from app.cli.tables import print_query, print_rows
from app.cli.true_quality import NAME, TITLE, print_true_quality
from app.quality.analytics.export import ExportFormat


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
    notebook: NotebookName = None,
    tz: Annotated[str, typer.Option(help="Time zone of the days.")] = "UTC",
    by: Annotated[
        Literal["all", "day", "week", "judge", "model", "lang", "notebook"] | None,
        typer.Option(help="What true-quality is grouped by."),
    ] = None,
    width: Annotated[
        float | None,
        typer.Option(
            min=0.01,
            max=1,
            help="Of true-quality: how wide the interval should be; 0.1 by default.",
        ),
    ] = None,
    acknowledge: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Of alarms: mark this one as seen."),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Maximum number of rows.")] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", dir_okay=False, help="A .csv, .jsonl or .parquet file."),
    ] = None,
    sql: Annotated[bool, typer.Option("--sql", help="Also print the SQL that was run.")] = False,
    wide: Annotated[
        bool, typer.Option("--wide", "-w", help="Show every column, however narrow the terminal.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Run a named query over all verdicts: quality by day, cost, and so on.

    `searchqa psql --analyst` runs the SQL that --sql prints.

    Examples:

    searchqa analytics

    searchqa analytics daily-quality --since 2026-03-01 --tz Asia/Seoul

    searchqa analytics verdicts -o verdicts.parquet

    searchqa analytics true-quality --by week

    searchqa analytics alarms
    """
    if name == NAME and (output or limit):
        raise typer.BadParameter("true-quality has a few rows only; use --json", param_hint=["-o"])
    if name != NAME and (by or width):
        raise typer.BadParameter(f"only {NAME} takes it", param_hint="--by, --width")
    if name != quality_alarms.NAME and acknowledge:
        raise typer.BadParameter("only alarms takes it", param_hint="--acknowledge")
    if name == quality_alarms.NAME:
        if any((output, limit, since, until, model, notebook)):
            raise typer.BadParameter("alarms are all listed; use --json", param_hint="alarms")
        with connect() as client:
            quality_alarms.run(client, acknowledged=acknowledge, json=json)
        return
    with connect() as client:
        if name is None:
            _list(client, json=json)
            return
        asked = {"since": since, "until": until, "model": model, "tz": tz, "limit": limit}
        if notebook is not None:
            asked["notebook_id"] = notebook_id(client, notebook)
        if name == NAME:
            del asked["limit"]
            print_true_quality(client, asked | {"by": by, "width": width}, sql=sql, json=json)
            return
        if output is not None:
            kind = format_of(output, {f".{each}": each for each in ExportFormat})
            save(client.chunks(f"/analytics/{name}", format=kind, **asked), output)
            return
        found = client.get(f"/analytics/{name}", **asked)
    print_result(found, partial(_show, with_sql=sql, wide=wide), as_json=json)


def _list(client: Client, *, json: bool) -> None:
    found = client.get("/analytics")
    title = itemgetter(f"title_{client.lang}")
    if json:
        print_json(found)
    else:
        more = [
            {"name": name, **{f"title_{lang}": text for lang, text in titles.items()}}
            for name, titles in ((NAME, TITLE), (quality_alarms.NAME, quality_alarms.TITLE))
        ]
        print_rows([*found["queries"], *more], "name", ("title", title), as_json=False)


def _show(found: View, *, with_sql: bool, wide: bool) -> None:
    out = console()
    if with_sql:
        for line in found["sql"].splitlines():
            out.print(indented(Text(printable(line), "dim")))
        out.print()
    if not found["rows"]:
        about = found["parameters"]
        since, until, tz = about["since"], about["until"], about["tz"]
        out.print(
            translated(
                f"No rows from {since} to {until} ({tz}).",
                f"{since}부터 {until}까지({tz}) 결과가 없습니다.",
            )
        )
        return
    names = [column["name"] for column in found["columns"]]
    print_query(names, ([row[name] for name in names] for row in found["rows"]), wide=wide)
    if found["truncated"]:
        count = len(found["rows"])
        out.print(
            translated(
                f"… {count:,} rows; see more with --limit, all with --output.",
                f"… {count:,}행입니다. --limit로 더 보고, --output으로 모두 저장하세요.",
            )
        )
