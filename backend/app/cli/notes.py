"""`searchqa notes …`: import and list notes."""

import json as json_
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from app.cli.ask import notebook_id
from app.cli.client import Client, connect
from app.cli.output import console, local_time, one_line, print_json, table
from app.errors import SetupError
from app.search.importers.markdown import read_markdown_folder
from app.search.importers.note import ImportedNote
from app.search.samples import LABORATORY, WASTE_SORTING, sample_notes

notes = typer.Typer(add_completion=False, no_args_is_help=True, help="Import and list notes.")

# Of one request: the API takes 1,000 notes and 2 MiB.
_BATCH_NOTES = 500
_BATCH_BYTES = 1_000_000
_FILES = (".md", ".jsonl", ".nsx")
_PAGE = 200

AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of text.")]


@notes.command("import")
def import_(
    path: Annotated[
        Path, typer.Argument(exists=True, help="A folder of Markdown, or a .md, .jsonl, .nsx file.")
    ],
    notebook: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Notebook to put them in; named after PATH if left out."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Import notes. Importing again updates what has changed and leaves the rest as it is.

    Examples:

    searchqa notes import ~/Documents/notes --notebook Lab

    searchqa notes import backup.nsx
    """
    name = notebook or path.resolve().stem or "notes"
    with connect() as client:
        if path.is_dir():
            report = import_notes(client, read_markdown_folder(path), name)
        elif path.suffix.lower() in _FILES:
            with path.open("rb") as file:
                report = client.upload("/notes/import/file", path.name, file, {"notebook": name})
        else:
            raise SetupError(f"{path} is no folder and does not end in {', '.join(_FILES)}.")
    _show_report(name, report, json=json)


class Sample(StrEnum):
    LABORATORY = LABORATORY
    WASTE_SORTING = WASTE_SORTING


@notes.command()
def samples(
    name: Annotated[Sample, typer.Argument(help="Which ones.")] = Sample.LABORATORY,
    json: AsJson = False,
) -> None:
    """Import sample notes: a laboratory's, or those of the domain pack `waste_sorting`.

    Example:

    searchqa notes samples waste_sorting
    """
    with connect() as client:
        report = import_notes(client, sample_notes(name.value), name.value)
    _show_report(name.value, report, json=json)


def _show_report(notebook: str, report: dict[str, int], *, json: bool) -> None:
    if json:
        print_json({"notebook": notebook} | report)
    else:
        typer.echo(
            f"{notebook}: {report['created']:,} notes created, {report['updated']:,} updated,"
            f" {report['unchanged']:,} unchanged."
        )


def import_notes(client: Client, found: Sequence[ImportedNote], notebook: str) -> dict[str, int]:
    """Sends notes in requests of bearable size; the sum of what became of them."""
    total = {"created": 0, "updated": 0, "unchanged": 0}
    for batch in _batches(found):
        report = client.post("/notes/import", {"notebook": notebook, "notes": batch})
        for name in total:
            total[name] += report[name]
    return total


def _batches(found: Sequence[ImportedNote]) -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    room = _BATCH_BYTES
    for note in found:
        body = {
            "title": note.title,
            "content": note.content_text,
            "source_key": note.source_key,
            "tags": note.tags,
            "category": note.category,
            "subcategory": note.subcategory,
        }
        size = len(json_.dumps(body, ensure_ascii=False).encode())
        if batch and (size > room or len(batch) == _BATCH_NOTES):
            yield batch
            batch, room = [], _BATCH_BYTES
        batch.append(body)
        room -= size
    yield batch


@notes.command("list")
def list_(
    notebook: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only the notes of this notebook.")
    ] = None,
    json: AsJson = False,
) -> None:
    """List notes, oldest first.

    Examples:

    searchqa notes list --notebook Lab

    searchqa notes list --json | jq length
    """
    with connect() as client:
        within = notebook_id(client, notebook) if notebook else None
        found = list(_all(client, within))
    if json:
        print_json(found)
        return
    shown = table("id", "changed at", "lang", "title")
    for note in found:
        changed = local_time(note["updated_at"])
        shown.add_row(note["id"], changed, note["lang"], one_line(note["title"]))
    console().print(shown)


def _all(client: Client, within: str | None) -> Iterator[dict[str, Any]]:
    after: str | None = None
    while True:
        page = client.get("/notes", notebook_id=within, limit=_PAGE, after=after)
        yield from page["items"]
        after = page["next"]
        if after is None:
            return


@notes.command()
def embed(
    start: Annotated[
        bool, typer.Option(help="Make the vectors that lack; else only count them.")
    ] = True,
    json: AsJson = False,
) -> None:
    """Show how many passages of the notes have a vector, and make those that lack.

    A background job makes them; imports start it by themselves. Needs SEARCHQA_EMBEDDING_MODEL
    on the server.

    Examples:

    searchqa notes embed

    searchqa notes embed --no-start
    """
    with connect() as client:
        found = client.get("/embeddings")
        if start and found["model"]:
            found = client.post("/embeddings")
    if json:
        print_json(found)
    elif found["model"] is None:
        typer.echo(
            f"No embedding model: {found['chunks']:,} passages are found by their words alone."
            " Set SEARCHQA_EMBEDDING_MODEL and start the server again."
        )
    else:
        typer.echo(_coverage(found))


def _coverage(found: dict[str, Any]) -> str:
    refused = f", {found['refused']:,} refused" if found["refused"] else ""
    told = f"{found['embedded']:,} of {found['chunks']:,} passages have a vector{refused}"
    job = f" Job {found['job_id']} makes the others." if found.get("job_id") else ""
    return f"{found['model']}: {told}.{job}"
