import io
import json
import zipfile
from typing import Any

import pytest

from app.notes.importers import ImportedNote, nsx
from app.notes.importers.html import html_to_markdown
from app.notes.importers.nsx import read_nsx
from app.platform.errors import InvalidRequest
from cases import for_each


def _note(**changes: Any) -> dict[str, Any]:
    return {
        "title": "배양기",
        "parent_id": "nb_1",
        "content": "<div>온도 37도</div>",
        "tag": ["장비"],
        "ctime": 1700000000,
        "mtime": 1700000001,
        **changes,
    }


def _archive(**changes: Any) -> dict[str, Any]:
    return {
        "config.json": {"note": ["note_1"], "notebook": ["nb_1"], "shortcut": {}},
        "nb_1": {"title": "실험실"},
        "note_1": _note(),
        **changes,
    }


def _file(members: dict[str, Any], compression: int = zipfile.ZIP_DEFLATED) -> io.BytesIO:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, value in members.items():
            data = value if isinstance(value, bytes) else json.dumps(value).encode()
            archive.writestr(name, data)
    file.seek(0)
    return file


def test_notes_are_read_with_their_notebooks_and_tags():
    assert read_nsx(_file(_archive(file_abc=b"\x89PNG"))) == [
        ImportedNote("note_1", "배양기", "온도 37도", tags=["장비"], notebook="실험실")
    ]


def test_fields_that_may_be_missing():
    bare = {"title": "제목", "parent_id": "nb_9"}
    assert read_nsx(_file(_archive(note_1=bare))) == [ImportedNote("note_1", "제목", "")]


def test_deleted_and_encrypted_notes_are_left_out():
    members = _archive(
        **{"config.json": {"note": ["note_1", "note_2", "note_3"], "notebook": ["nb_1"]}},
        note_2=_note(parent_id="1026_#00000000"),
        note_3=_note(encrypt=True, content="U2FsdGVk"),
    )
    assert [note.source_key for note in read_nsx(_file(members))] == ["note_1"]


@for_each(
    ("changes", "problem"),
    [
        ({"config.json": b"{"}, "config.json is not JSON"),
        ({"config.json": []}, "config.json is not a JSON object"),
        ({"config.json": {"note": {"a": 1}}}, "config.json has a note that is no list"),
        ({"config.json": {"note": []}}, "holds no notes"),
        ({"config.json": {"note": ["note_2"]}}, "note_2 is missing"),
        ({"note_1": b"\xff"}, "note_1 is not JSON"),
        ({"note_1": b"[" * 100_000}, "note_1 is not JSON"),
        ({"note_1": _note(content=5)}, "note_1 has a content that is no text"),
        ({"nb_1": {"title": 5}}, "nb_1 has a title that is no text"),
    ],
)
def test_damaged_archives_are_named(changes, problem):
    with pytest.raises(InvalidRequest) as caught:
        read_nsx(_file(_archive(**changes)))
    assert problem in caught.value.detail["en"]
    assert "Nothing was stored" in caught.value.detail["en"]
    assert "다시 내보내세요" in caught.value.detail["ko"]


def test_no_archive():
    with pytest.raises(InvalidRequest, match=r"not a \.nsx archive"):
        read_nsx(io.BytesIO(b"not a zip"))


def test_no_config():
    with pytest.raises(InvalidRequest, match=r"config\.json is missing"):
        read_nsx(_file({"readme.txt": b"x"}))


def test_a_cut_off_or_damaged_archive():
    data = _file(_archive(), zipfile.ZIP_STORED).getvalue()
    with pytest.raises(InvalidRequest):
        read_nsx(io.BytesIO(data[: len(data) // 2]))
    with pytest.raises(InvalidRequest, match="cannot be unpacked"):
        read_nsx(io.BytesIO(data.replace(b'"title"', b'"tItle"')))


def test_a_note_that_unpacks_to_too_much(monkeypatch):
    monkeypatch.setattr(nsx, "MAX_MEMBER_BYTES", 10_000)
    with pytest.raises(InvalidRequest, match="note_1 is too large"):
        read_nsx(_file(_archive(note_1=b" " * 1_000_000)))


def test_an_archive_that_unpacks_to_too_much(monkeypatch):
    monkeypatch.setattr(nsx, "MAX_TOTAL_BYTES", 10_000)
    config = {"note": [f"note_{n}" for n in range(9)], "notebook": []}
    notes = {f"note_{n}": _note(content="x" * 2_000) for n in range(9)}
    with pytest.raises(InvalidRequest, match="is too large"):
        read_nsx(_file({"config.json": config, **notes}))


def test_too_many_members_and_notes(monkeypatch):
    monkeypatch.setattr(nsx, "MAX_NOTES", 0)
    with pytest.raises(InvalidRequest, match="more than 0 notes"):
        read_nsx(_file(_archive()))
    monkeypatch.setattr(nsx, "MAX_MEMBERS", 2)
    with pytest.raises(InvalidRequest, match="more than 2 members"):
        read_nsx(_file(_archive()))


def test_html_becomes_markdown_without_scripts_and_styles():
    html = (
        "<style>p{}</style><h2>조건</h2><div>변성 <b>95도</b></div><script>alert(1)</script>"
        "<ul><li>하나</li><li>a_b*c</li></ul><div><br></div><div><br></div><div>끝<img src=x></div>"
    )
    assert html_to_markdown(html) == "## 조건\n\n변성 **95도**\n\n- 하나\n- a_b*c\n\n끝"


def test_tables_stay_readable():
    html = "<table><tr><td>온도</td><td>95</td></tr></table>"
    assert "| 온도 | 95 |" in html_to_markdown(html)


def test_deeply_nested_html_still_gives_its_text():
    assert html_to_markdown("<div>" * 5_000 + "글" + "</div>" * 5_000) == "글"
