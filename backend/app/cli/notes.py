"""`searchqa notes …`: import, list, delete and embed notes."""

import uuid
from pathlib import Path
from typing import Annotated, Literal

import typer

from app.cli.ask import notebook_id
from app.cli.client import connect
from app.cli.language import translated
from app.cli.note_import import import_notes
from app.cli.options import AsJson, NotebookName, Yes, command_group
from app.cli.output import View, print_json, printable
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
                translated(
                    f"{path} is not a folder and does not end in {endings}.",
                    f"{path}은(는) 폴더가 아니고 {endings} 파일도 아닙니다.",
                )
            )


def _print_blank(name: str) -> None:
    shown = printable(name)
    told = translated(f"{shown} is empty and was left out.", f"{shown}: 내용이 없어 제외했습니다.")
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
            translated(
                f"{notebook}: {created} notes created, {updated} updated, {unchanged} unchanged.",
                f"{notebook}: 새 노트 {created}개, 바뀐 노트 {updated}개, 그대로 {unchanged}개.",
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
        found = client.list_items("/notes", notebook_id=within)
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
            question = translated(f"Delete the note {title!r}?", f"{title!r} 노트를 삭제할까요?")
            typer.confirm(question, abort=True, err=True)
        client.delete(f"/notes/{note_id}")
    typer.echo(translated(f"Deleted: {title}", f"삭제했습니다: {title}"))


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
            translated(
                f"No embedding model: {found['chunks']:,} passages are found by full-text search"
                " only. Set SEARCHQA_EMBEDDING_MODEL and restart the server.",
                f"임베딩 모델이 없어 {found['chunks']:,}개 구절을 전문 검색으로만 찾습니다."
                " SEARCHQA_EMBEDDING_MODEL을 설정하고 서버를 다시 시작하세요.",
            )
        )
    else:
        typer.echo(_coverage(found))


def _coverage(found: View) -> str:
    embedded, chunks = f"{found['embedded']:,}", f"{found['chunks']:,}"
    count = translated(
        f"{embedded} of {chunks} passages have a vector",
        f"구절 {chunks}개 중 {embedded}개에 벡터가 있습니다",
    )
    if found["refused"]:
        count += translated(f", {found['refused']:,} refused", f" ({found['refused']:,}개 거부됨)")
    job = ""
    if found.get("job_id"):
        id_ = found["job_id"]
        job = translated(
            f" Job {id_} embeds the others.", f" 나머지는 작업 {id_}이(가) 처리합니다."
        )
    return f"{found['model']}: {count}.{job}"
