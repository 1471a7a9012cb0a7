"""`searchqa notes …`: import, list, delete and embed notes."""

import uuid
from pathlib import Path
from typing import Annotated, Literal

import typer

from app.cli.language import _
from app.cli.note_import import import_notes
from app.cli.options import AsJson, NotebookName, Yes, command_group
from app.cli.output import View, print_json, printable
from app.cli.server import connect, notebook_id
from app.cli.tables import print_rows
from app.notes.importers import NoteSource, read_jsonl, read_markdown_folder
from app.notes.samples import sample_notes
from app.notes.upload import read_file
from app.platform.errors import SetupError

notes = command_group("notes")

_FILES = (".md", ".jsonl", ".nsx")


@notes.command("import")
def import_(
    path: Annotated[
        Path, typer.Argument(exists=True, help="A folder of Markdown, or a .md, .jsonl, .nsx file.")
    ],
    notebook: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The notebook; named after PATH by default."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Import notes. Importing again updates only the notes that have changed, and goes on with an
    import that was stopped.

    Examples:

    searchqa notes import ~/Documents/notes --notebook Lab

    searchqa notes import backup.nsx
    """
    name = notebook or path.resolve().stem or "notes"
    with connect() as client:
        report = import_notes(client, _source(path), name, hidden=json)
    _show_report(name, report, json=json)


def _source(path: Path) -> NoteSource:
    """What is wrong in it is found before anything is sent."""
    if path.is_dir():
        return read_markdown_folder(path, _print_blank)
    match path.suffix.lower():
        case ".jsonl":
            return read_jsonl(path)
        case ".md" | ".nsx":
            # Of an archive, notes of one notebook come together.
            found = read_file(path.name, str(path))
            return NoteSource(len(found), sorted(found, key=lambda note: note.notebook or ""))
        case _:
            endings = ", ".join(_FILES)
            raise SetupError(
                _(
                    "{path} is not a folder and does not end in {endings}.",
                    path=path,
                    endings=endings,
                )
            )


def _print_blank(name: str) -> None:
    shown = printable(name)
    told = _("{shown} is empty and was left out.", shown=shown)
    typer.echo(told, err=True)


@notes.command()
def samples(
    name: Annotated[Literal["laboratory", "waste_sorting"], typer.Argument()] = "laboratory",
    json: AsJson = False,
) -> None:
    """Import sample notes: of a laboratory, or of the domain pack `waste_sorting`.

    Example:

    searchqa notes samples waste_sorting
    """
    with connect() as client:
        found = sample_notes(name)
        report = import_notes(client, NoteSource(len(found), found), name)
    _show_report(name, report, json=json)


def _show_report(notebook: str, report: dict[str, int], *, json: bool) -> None:
    if json:
        print_json({"notebook": notebook} | report)
    else:
        created, updated = f"{report['created']:,}", f"{report['updated']:,}"
        unchanged = f"{report['unchanged']:,}"
        typer.echo(
            _(
                "{notebook}: {created} notes created, {updated} updated, {unchanged} unchanged.",
                notebook=notebook,
                created=created,
                updated=updated,
                unchanged=unchanged,
            )
        )


@notes.command("list")
def list_(
    notebook: NotebookName = None,
    json: AsJson = False,
) -> None:
    """List notes, oldest first.

    Examples:

    searchqa notes list --notebook Lab

    searchqa notes list --json | jq length
    """
    with connect() as client:
        within = notebook_id(client, notebook) if notebook else None
        found = client.items("/notes", notebook_id=within)
    print_rows(found, "id", "updated_at", "lang", "title", as_json=json)


@notes.command()
def delete(
    note_id: Annotated[uuid.UUID, typer.Argument(help="An id from `searchqa notes list`.")],
    yes: Yes = False,
) -> None:
    """Delete a note. Answers that were given from it keep the text they were given.

    Example:

    searchqa notes delete 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11
    """
    with connect() as client:
        title = printable(client.get(f"/notes/{note_id}")["title"])
        if not yes:
            question = _("Delete the note {title!r}?", title=title)
            typer.confirm(question, abort=True, err=True)
        client.delete(f"/notes/{note_id}")
    typer.echo(_("Deleted: {title}", title=title))


@notes.command()
def embed(
    start: Annotated[
        bool, typer.Option(help="Embed the missing passages, or only count them.")
    ] = True,
    json: AsJson = False,
) -> None:
    """Show how many passages have a vector, and embed the others.

    A background job embeds them; imports start it automatically. Needs SEARCHQA_EMBEDDING_MODEL
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
            _(
                "No embedding model: {chunks:,} passages are found by full-text search only. Set"
                " SEARCHQA_EMBEDDING_MODEL and restart the server.",
                chunks=found["chunks"],
            )
        )
    else:
        typer.echo(_coverage(found))


def _coverage(found: View) -> str:
    embedded, chunks = f"{found['embedded']:,}", f"{found['chunks']:,}"
    count = _("{embedded} of {chunks} passages have a vector", embedded=embedded, chunks=chunks)
    if found["refused"]:
        count += _(", {refused:,} refused", refused=found["refused"])
    job = ""
    if found.get("job_id"):
        id_ = found["job_id"]
        job = _(" Job {id} embeds the others.", id=id_)
    return f"{found['model']}: {count}.{job}"
