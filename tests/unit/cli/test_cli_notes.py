import contextlib
import dataclasses
import json
from collections.abc import Iterator
from email import message_from_bytes
from unicodedata import normalize

import httpx
import pytest
import typer.testing
from searchqa_client import Api
from searchqa_client.errors import Problem

from app.cli import notes
from app.cli.notes import import_notes
from app.cli.server import notebook_id
from app.notes.importers import ImportedNote, NoteSource, parse_jsonl
from scripted_http import api_of


class Server:
    """Takes imports and remembers them; refuses those that hold the note `refused`."""

    def __init__(self) -> None:
        self.imports: list[tuple[str, list[ImportedNote]]] = []
        self.refused: str | None = None
        self.embeddings: dict[str, dict[str, object]] = {}

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.url.path == "/embeddings":
            return httpx.Response(200, json=self.embeddings[request.method])
        assert request.url.path == "/notes/import/file"
        form = message_from_bytes(
            b"Content-Type: " + request.headers["Content-Type"].encode() + b"\n\n" + request.read()
        )
        parts = (part.get_payload(decode=True) for part in form.walk() if not part.is_multipart())
        notebook, file = (part for part in parts if isinstance(part, bytes))
        assert len(file) < 2_000_000
        found = parse_jsonl(file)
        if self.refused in [note.source_key for note in found]:
            return httpx.Response(413, json={"detail": "It is too long."})
        self.imports.append((notebook.decode(), found))
        return httpx.Response(200, json={"created": len(found), "updated": 1, "unchanged": 2})

    @property
    def keys(self) -> list[list[str]]:
        """Of each request; they may arrive in another order than they were sent."""
        return sorted([note.source_key for note in found] for _, found in self.imports)


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def client(server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    with api_of(server) as client:
        monkeypatch.setattr(notes, "connect", lambda: contextlib.nullcontext(client))
        yield client


def note(name: str, content: str = "내용") -> ImportedNote:
    return ImportedNote(source_key=name, title=name, content_text=content, tags=["a"])


def test_many_notes_go_in_several_requests_and_none_is_lost(client, server):
    names = [f"{n:04}.md" for n in range(501)]
    report = import_notes(client, NoteSource(501, map(note, names)), "Lab")
    assert server.keys == [names[:200], names[200:400], names[400:]]
    assert report == {"created": 501, "updated": 3, "unchanged": 6}


@pytest.mark.parametrize("stored", ["NFC", "NFD"])
def test_a_notebook_is_found_however_its_name_is_composed(stored):
    names = [{"id": "n1", "name": normalize(stored, "업무")}]
    with api_of(lambda _: httpx.Response(200, json=names)) as client:
        assert [notebook_id(client, normalize(form, "업무")) for form in ("NFC", "NFD")] == [
            "n1"
        ] * 2


def test_large_notes_go_in_smaller_requests(client, server):
    # 600,000 bytes in UTF-8 each, and one that fills more than a request's share alone.
    found = [note("a", "가" * 200_000), note("b", "가" * 200_000), note("c", "가" * 400_000)]
    import_notes(client, NoteSource(3, found), "Lab")
    assert server.keys == [["a"], ["b"], ["c"]]


def test_notes_go_into_their_own_notebooks(client, server):
    found = [note("a"), dataclasses.replace(note("b"), notebook="실험")]
    import_notes(client, NoteSource(2, found), "Lab")
    assert sorted((name, [each.source_key for each in sent]) for name, sent in server.imports) == [
        ("Lab", ["a"]),
        ("실험", ["b"]),
    ]


def test_an_import_that_is_refused_says_how_far_it_got(client, server, capsys):
    server.refused = "2000.md"
    found = map(note, (f"{n}.md" for n in range(10_000)))
    with pytest.raises(Problem, match="too long"):
        import_notes(client, NoteSource(10_000, found), "Lab")
    message = capsys.readouterr().err
    # The stub reports three notes a request besides those it creates.
    assert message.startswith("At least 2,030 of 10,000 notes are stored.")
    assert len(server.imports) <= 13
    assert next(found).source_key != "9999.md"


@pytest.mark.parametrize("named", ["실험 노트", "회의 2026.11"])
def test_a_folder_is_named_after_itself(client, server, tmp_path, named):
    folder = tmp_path / named
    folder.mkdir()
    (folder / "pcr.md").write_text("# PCR\n변성은 95도")
    ended = typer.testing.CliRunner().invoke(notes.notes, ["import", str(folder), "--json"])
    assert ended.exit_code == 0
    assert json.loads(ended.stdout)["notebook"] == named
    [(name, [sent])] = server.imports
    assert (name, sent.title) == (named, "PCR")


@pytest.mark.parametrize(
    ("name", "content", "key"),
    [
        ("a.md", "글".encode("cp949"), "a.md"),
        ("n.JSONL", b'{"title": "t", "content": "c", "id": 7}', "7"),
    ],
)
def test_a_file_is_read_here(client, server, tmp_path, name, content, key):
    (tmp_path / name).write_bytes(content)
    runner = typer.testing.CliRunner()
    ended = runner.invoke(notes.notes, ["import", str(tmp_path / name), "--notebook", "Lab"])
    assert ended.stdout == "Lab: 1 notes created, 1 updated, 2 unchanged.\n"
    assert server.keys == [[key]]


def test_a_mistake_far_behind_is_named_before_anything_is_sent(client, server, tmp_path):
    lines = [f'{{"title": "{n}", "content": "x"}}' for n in range(1_000)]
    (tmp_path / "a.jsonl").write_text("\n".join([*lines, "{", *lines]))
    ended = typer.testing.CliRunner().invoke(notes.notes, ["import", str(tmp_path / "a.jsonl")])
    assert str(ended.exception).startswith("Line 1001 is not a JSON object")
    assert server.imports == []


def test_unusable_files_are_refused_before_sending(client, server, tmp_path):
    (tmp_path / "a.docx").write_bytes(b"PK")
    ended = typer.testing.CliRunner().invoke(notes.notes, ["import", str(tmp_path / "a.docx")])
    assert "does not end in .md, .jsonl, .nsx" in str(ended.exception)
    assert server.imports == []


COVERAGE = {"model": "ollama:bge-m3", "chunks": 1200, "embedded": 700, "refused": 2}


@pytest.mark.parametrize(
    ("options", "message"),
    [([], "2 refused. Job 7 embeds the others."), (["--no-start"], "2 refused.")],
)
def test_embed_shows_the_coverage_and_starts_the_job(client, server, options, message):
    server.embeddings = {"GET": COVERAGE, "POST": COVERAGE | {"job_id": "7"}}
    ended = typer.testing.CliRunner().invoke(notes.notes, ["embed", *options])
    counted = "ollama:bge-m3: 700 of 1,200 passages have a vector, "
    assert ended.stdout.strip() == counted + message


def test_embed_without_a_model_says_what_to_set(client, server):
    server.embeddings = {"GET": COVERAGE | {"model": None, "embedded": 0}}
    ended = typer.testing.CliRunner().invoke(notes.notes, ["embed"])
    assert "SEARCHQA_EMBEDDING_MODEL" in ended.stdout
