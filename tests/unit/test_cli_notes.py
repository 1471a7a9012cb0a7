import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import typer.testing

from app.cli import notes
from app.cli.client import Client
from app.cli.notes import import_notes
from app.search.importers import ImportedNote


class Server:
    """Takes imports and remembers them."""

    def __init__(self) -> None:
        self.imports: list[dict[str, object]] = []
        self.uploads: list[bytes] = []
        self.embeddings: dict[str, dict[str, object]] = {}

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.url.path == "/embeddings":
            return httpx.Response(200, json=self.embeddings[request.method])
        if request.url.path == "/notes/import/file":
            self.uploads.append(request.read())
            return httpx.Response(200, json={"created": 1, "updated": 0, "unchanged": 0})
        assert request.url.path == "/notes/import"
        body = json.loads(request.content)
        self.imports.append(body)
        assert len(request.content) < 2 * 1024 * 1024
        report = {"created": len(body["notes"]), "updated": 1, "unchanged": 2}
        return httpx.Response(200, json=report)


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def client(server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    with Client("http://127.0.0.1:1", transport=httpx.MockTransport(server)) as client:
        monkeypatch.setattr(notes, "connect", lambda: client)
        yield client


def note(name: str, content: str = "내용") -> ImportedNote:
    return ImportedNote(source_key=name, title=name, content_text=content, tags=["a"])


def test_many_notes_go_in_several_requests_and_none_is_lost(client: Client, server: Server) -> None:
    report = import_notes(client, [note(f"{n}.md") for n in range(1_201)], "Lab")
    assert [len(sent["notes"]) for sent in server.imports] == [500, 500, 201]  # type: ignore[arg-type]
    assert report == {"created": 1_201, "updated": 3, "unchanged": 6}


def test_large_notes_go_in_smaller_requests(client: Client, server: Server) -> None:
    # 600,000 bytes in UTF-8 each, and one that fills more than a request's share alone.
    found = [note("a", "가" * 200_000), note("b", "가" * 200_000), note("c", "가" * 400_000)]
    import_notes(client, found, "Lab")
    keys = [[sent["source_key"] for sent in body["notes"]] for body in server.imports]  # type: ignore[attr-defined]
    assert keys == [["a"], ["b"], ["c"]]


def test_a_folder_is_named_after_itself(client: Client, server: Server, tmp_path: Path) -> None:
    folder = tmp_path / "실험 노트"
    folder.mkdir()
    (folder / "pcr.md").write_text("# PCR\n변성은 95도")
    ended = typer.testing.CliRunner().invoke(notes.notes, ["import", str(folder), "--json"])
    assert ended.exit_code == 0
    assert json.loads(ended.stdout)["notebook"] == "실험 노트"
    (sent,) = server.imports
    assert sent["notes"][0]["title"] == "PCR"  # type: ignore[index]


@pytest.mark.parametrize("name", ["a.md", "backup.NSX", "notes.jsonl"])
def test_a_file_is_uploaded_as_it_is(
    client: Client, server: Server, tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_bytes(b"\x00raw\xff")
    runner = typer.testing.CliRunner()
    ended = runner.invoke(notes.notes, ["import", str(tmp_path / name), "--notebook", "Lab"])
    assert ended.stdout == "Lab: 1 notes created, 0 updated, 0 unchanged.\n"
    (upload,) = server.uploads
    assert b"\x00raw\xff" in upload
    assert f'filename="{name}"'.encode() in upload


def test_what_cannot_be_imported_is_refused_before_it_is_sent(
    client: Client, server: Server, tmp_path: Path
) -> None:
    (tmp_path / "a.docx").write_bytes(b"PK")
    ended = typer.testing.CliRunner().invoke(notes.notes, ["import", str(tmp_path / "a.docx")])
    assert "does not end in .md, .jsonl, .nsx" in str(ended.exception)
    assert server.uploads == []


COVERAGE = {"model": "ollama:bge-m3", "chunks": 1200, "embedded": 700, "refused": 2}


@pytest.mark.parametrize(
    ("options", "told"),
    [([], "2 refused. Job 7 embeds the others."), (["--no-start"], "2 refused.")],
)
def test_embed_shows_the_coverage_and_starts_the_job(
    client: Client, server: Server, options: list[str], told: str
) -> None:
    server.embeddings = {"GET": COVERAGE, "POST": COVERAGE | {"job_id": "7"}}
    ended = typer.testing.CliRunner().invoke(notes.notes, ["embed", *options])
    counted = "ollama:bge-m3: 700 of 1,200 passages have a vector, "
    assert ended.stdout.strip() == counted + told


def test_embed_without_a_model_says_what_to_set(client: Client, server: Server) -> None:
    server.embeddings = {"GET": COVERAGE | {"model": None, "embedded": 0}}
    ended = typer.testing.CliRunner().invoke(notes.notes, ["embed"])
    assert "SEARCHQA_EMBEDDING_MODEL" in ended.stdout
