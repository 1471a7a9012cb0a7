"""`searchqa notes …`: import, list, delete and embed notes."""

import uuid
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from searchqa_client import Api

from app.cli import output
from app.cli.language import _
from app.cli.server import connect, notebook_id
from app.cli.tables import print_rows
from app.notes.importers import (
    ImportedNote,
    NoteSource,
    read_file,
    read_jsonl,
    read_markdown_folder,
    to_jsonl,
)
from app.notes.samples import sample_notes
from app.platform.errors import SetupError

# Of a request. The server stores as many in one transaction.
_BATCH_NOTES = 200
_BATCH_BYTES = 1_000_000
# The API analyses the notes of two requests at once; the third is read and checked meanwhile.
_AT_ONCE = 3

Report = dict[str, int]


def import_notes(client: Api, source: NoteSource, notebook: str, *, hidden: bool = True) -> Report:
    """Sends all notes, each into its own notebook or else `notebook`; returns the sum of the
    server's reports. hidden: show no progress.

    One that is stopped or refused stays stored as far as it got, and says so.
    """
    stored: Counter[str] = Counter(created=0, updated=0, unchanged=0)
    hidden = hidden or not output.console().is_terminal
    try:
        with output.progress_bar(_("Importing notes"), source.total, hidden=hidden) as advance:
            for report in _reports(client, source.notes, notebook):
                stored.update(report)
                advance(stored.total())
    except KeyboardInterrupt:
        _report_progress(stored.total(), source.total)
        raise typer.Exit(130) from None
    except Exception:
        if stored.total():
            _report_progress(stored.total(), source.total)
        raise
    return dict(stored)


def _reports(client: Api, notes: Iterable[ImportedNote], notebook: str) -> Iterator[Report]:
    """The server's report on each request, in order. Those under way are waited for, however
    this ends."""

    def send(name: str, lines: bytes) -> Any:
        file = ("notes.jsonl", lines)
        return client.post_form("/notes/import/file", {"notebook": name}, file)

    under_way: deque[Future[Report]] = deque()
    with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="import") as sending:
        try:
            for name, lines in _requests(notes, notebook):
                under_way.append(sending.submit(send, name, lines))
                if len(under_way) == _AT_ONCE:
                    yield under_way.popleft().result()
            while under_way:
                yield under_way.popleft().result()
        finally:
            for request in under_way:
                request.cancel()


def _requests(notes: Iterable[ImportedNote], notebook: str) -> Iterator[tuple[str, bytes]]:
    for name, members in groupby(notes, lambda note: note.notebook or notebook):
        lines: list[bytes] = []
        size = 0
        for line in map(to_jsonl, members):
            if lines and (size + len(line) > _BATCH_BYTES or len(lines) == _BATCH_NOTES):
                yield name, b"".join(lines)
                lines, size = [], 0
            lines.append(line)
            size += len(line)
        yield name, b"".join(lines)


def _report_progress(done: int, total: int) -> None:
    """Requests that were under way were stored too, but what they stored was not read."""
    typer.echo(
        _(
            "At least {done:,} of {total:,} notes are stored. The same command goes on from there.",
            done=done,
            total=total,
        ),
        err=True,
    )


notes = output.command_group("notes")

_FILES = (".md", ".jsonl", ".nsx")


@notes.command("import")
def import_(
    path: Annotated[
        Path, typer.Argument(exists=True, help="A folder of Markdown, or a .md, .jsonl, .nsx file.")
    ],
    notebook: Annotated[
        str | None, typer.Option(metavar="NAME", help="The notebook; named after PATH by default.")
    ] = None,
    json: output.AsJson = False,
) -> None:
    """Import notes. Importing again updates only the notes that have changed, and goes on with an
    import that was stopped.

    Examples:

    searchqa notes import ~/Documents/notes --notebook Lab

    searchqa notes import backup.nsx
    """
    named = path.resolve()
    # Folders have no suffix: of 2026.11 and 2026.12 each is a notebook.
    name = notebook or (named.name if named.is_dir() else named.stem) or "notes"
    with connect() as client:
        report = import_notes(client, _source(path), name, hidden=json)
    _show_report(name, report, json=json)


def _source(path: Path) -> NoteSource:
    """The notes at the path; errors are raised before anything is sent."""
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
    shown = output.printable(name)
    sentence = _("{shown} is empty and was left out.", shown=shown)
    typer.echo(sentence, err=True)


@notes.command()
def samples(
    name: Annotated[Literal["laboratory", "waste_sorting"], typer.Argument()] = "laboratory",
    json: output.AsJson = False,
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
        output.print_json({"notebook": notebook} | report)
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
def list_(notebook: output.NotebookName = None, json: output.AsJson = False) -> None:
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
    yes: output.Yes = False,
) -> None:
    """Delete a note. Answers that were given from it keep the text they were given.

    Example:

    searchqa notes delete 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11
    """
    with connect() as client:
        title = output.printable(client.get(f"/notes/{note_id}")["title"])
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
    json: output.AsJson = False,
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
        output.print_json(found)
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


def _coverage(found: output.View) -> str:
    embedded, chunks = f"{found['embedded']:,}", f"{found['chunks']:,}"
    count = _("{embedded} of {chunks} passages have a vector", embedded=embedded, chunks=chunks)
    if found["refused"]:
        count += _(", {refused:,} refused", refused=found["refused"])
    job = ""
    if found.get("job_id"):
        id_ = found["job_id"]
        job = _(" Job {id} embeds the others.", id=id_)
    return f"{found['model']}: {count}.{job}"
