"""`searchqa audit …`: who changed what, and whether the log of it is whole."""

import re
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from app.cli import output
from app.cli.language import _
from app.cli.server import connect
from app.cli.tables import print_rows
from app.cli.verdicts import filters
from app.workspaces.tokens import Scope

audit = output.command_group("audit", "It takes a token with the scope admin.")

NAMES = ("kind", "actor", "since", "until")
Where = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help="Only entries that match; repeatable. Names: kind, actor, since, until.",
    ),
]
Installation = Annotated[
    bool, typer.Option("--installation", help="The installation's log: pauses of judges, backups.")
]


@audit.command("list")
def list_events(
    where: Where = None,
    limit: Annotated[int, typer.Option(min=1, max=200, help="At most so many.")] = 50,
    installation: Installation = False,
    json: output.AsJson = False,
) -> None:
    """List the newest entries: when, who, what, before and after.

    Example:

    searchqa audit list --where kind=policy --where since=2026-11-01
    """
    with connect(scopes=set(Scope)) as client:
        given = filters(where, NAMES)
        page = client.get("/audit-events", limit=limit, installation=installation, **given)
    print_rows(
        page["items"],
        "position",
        ("when", lambda row: output.local_time(row["at"])),
        ("who", lambda row: row["actor"]),
        ("from where", lambda row: row["origin"]),
        ("what", lambda row: f"{row['kind']} {row['action']}"),
        ("about", lambda row: row["subject"] or row["subject_id"]),
        ("before", lambda row: _fields(row["before"])),
        ("after", lambda row: _fields(row["after"])),
        as_json=json,
    )


def _fields(changed: dict[str, Any] | None) -> str:
    return ", ".join(f"{name}={output.written(value)}" for name, value in (changed or {}).items())


@audit.command()
def verify(
    expect: Annotated[
        str | None,
        typer.Option(metavar="POSITION:HASH", help="An entry that was noted before, as printed."),
    ] = None,
    installation: Installation = False,
    json: output.AsJson = False,
) -> None:
    """Check that no entry was changed or removed. Exit code 1 if one was.

    Example:

    searchqa audit verify
    """
    noted = re.fullmatch(r"([1-9]\d{0,17}):([0-9a-f]{64})", expect) if expect else None
    if expect and not noted:
        raise typer.BadParameter(_("{expect!r} is not POSITION:HASH.", expect=expect))
    with connect(scopes=set(Scope)) as client:
        asked = {"installation": installation} | ({"noted": noted[1]} if noted else {})
        found = client.get("/audit-events/verification", **asked)
    if noted:
        kept = int(noted[1]) > found["deleted_by_retention"]
        found["whole"] &= not kept or found["noted_hash"] == noted[2]
    output.print_result(found, _show, as_json=json)
    if not found["whole"]:
        raise typer.Exit(1)


def _show(found: output.View) -> None:
    for position in found["changed"]:
        typer.echo(_("Entry {position} was changed.", position=position))
    for gap in found["missing"]:
        typer.echo(_("Entries {first} to {last} are missing.", **gap))
    if found["head_differs"]:
        typer.echo(_("The record of the newest entry was changed."))
    if not found["whole"]:
        typer.echo(_("The log is not intact."))
        return
    typer.echo(_("The log is intact: {events} entries.", events=f"{found['events']:,}"))
    if found["hash"]:
        head = f"{found['position']}:{found['hash']}"
        typer.echo(_("Note the newest elsewhere, for --expect: {head}", head=head))


@audit.command()
def export(
    format_: Annotated[
        Literal["csv", "jsonl"], typer.Option("--format", help="CSV or JSON lines.")
    ] = "csv",
    file: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", dir_okay=False, help="The file; standard output by default."
        ),
    ] = None,
    where: Where = None,
    installation: Installation = False,
) -> None:
    """Export all matching entries, newest first.

    Example:

    searchqa audit export --format jsonl --output audit.jsonl
    """
    with connect(scopes=set(Scope)) as client:
        given: dict[str, Any] = filters(where, NAMES)
        chunks = client.pieces(
            "/audit-events/export", format=format_, installation=installation, **given
        )
        output.save(chunks, file)
