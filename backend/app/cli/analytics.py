"""`searchqa analytics …`: named queries over all verdicts."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from app.analytics.export import ExportFormat
from app.cli.ask import notebook_id
from app.cli.client import Client, connect
from app.cli.output import console, indented, one_line, print_json, printable, table
from app.errors import SetupError


def analytics(
    name: Annotated[
        str | None, typer.Argument(help="A query; without one, all are listed.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="First day; else the last 30 days.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="YYYY-MM-DD", help="Last day, included; else today.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="Only what this judge was asked.")] = None,
    notebook: Annotated[
        str | None, typer.Option(help="Only answers for which this notebook alone was searched.")
    ] = None,
    tz: Annotated[str, typer.Option(help="Time zone of the days.")] = "UTC",
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many rows.")] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", dir_okay=False, help="A .csv, .jsonl or .parquet file."),
    ] = None,
    sql: Annotated[bool, typer.Option("--sql", help="Print the SQL too, as it was run.")] = False,
    json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False,
) -> None:
    """Ask all verdicts a named question: quality by day, cost, and so on.

    The same by `searchqa psql --analyst` with the SQL that --sql prints.

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
        if notebook is not None:
            asked["notebook_id"] = notebook_id(client, notebook)
        if output is not None:
            named = {key: value for key, value in asked.items() if value is not None}
            kind = _format_of(output).value
            _save(client.chunks(f"/analytics/{name}", format=kind, **named), output)
            return
        found = client.get(f"/analytics/{name}", **asked)
    if json:
        print_json(found)
        return
    _show(console(), found, with_sql=sql)


def _format_of(file: Path) -> ExportFormat:
    ending = file.suffix.removeprefix(".").lower()
    if ending not in list(ExportFormat):
        raise SetupError(
            f"{file.name} does not say its format; end it with .csv, .jsonl or .parquet."
        )
    return ExportFormat(ending)


def _save(chunks: Iterator[bytes], output: Path) -> None:
    """Raises SetupError when the file cannot be written."""
    # Under its own name it is whole.
    part = output.with_name(f"{output.name}.part")
    try:
        with part.open("wb") as file:
            file.writelines(chunks)
        part.replace(output)
    except OSError as error:
        raise SetupError(f"{output} cannot be written: {error.strerror}.") from None
    finally:
        part.unlink(missing_ok=True)


def _list(client: Client, *, json: bool) -> None:
    found = client.get("/analytics")
    if json:
        print_json(found)
        return
    shown = table("query", "tells")
    for query in found["queries"]:
        shown.add_row(query["name"], one_line(query[f"title_{client.lang}"]))
    console().print(shown)


def _show(out: Console, found: dict[str, Any], *, with_sql: bool) -> None:
    if with_sql:
        for line in found["sql"].splitlines():
            out.print(indented(Text(printable(line), "dim")))
        out.print()
    if not found["rows"]:
        about = found["parameters"]
        out.print(f"Nothing from {about['since']} to {about['until']} ({about['tz']}).")
        return
    names = [column["name"] for column in found["columns"]]
    shown = table(*names)
    for row in found["rows"]:
        shown.add_row(*(one_line(_cell(row[name])) for name in names))
    out.print(shown)
    if found["truncated"]:
        out.print(f"… {len(found['rows']):,} rows; --limit gives more, --output all.")


def _cell(value: object) -> str:
    """Figures as they are, to the last digit."""
    if value is None:
        return "-"
    return str(value).lower() if isinstance(value, bool) else str(value)
