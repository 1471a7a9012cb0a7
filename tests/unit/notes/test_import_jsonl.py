import pytest

from app.notes.importers import ImportedNote
from app.notes.importers.jsonl import parse_jsonl
from app.platform.errors import InvalidRequest
from cases import for_each


def test_lines_become_notes():
    data = (
        '\ufeff{"title": "가", "content": "나", "id": 7, "tags": ["t"], "category": "c",'
        ' "subcategory": "s", "else": 1}\r\n\n{"title": "다", "content": ""}'
    )
    assert parse_jsonl(data.encode()) == [
        ImportedNote("7", "가", "나", category="c", subcategory="s", tags=["t"]),
        ImportedNote("다", "다", ""),
    ]


@for_each(
    ("second", "problem"),
    [
        (b"{", "is not a JSON object"),
        (b"\xff\xfe", "is not a JSON object"),
        (b"[" * 100_000, "is not a JSON object"),
        (b"[]", "is not a JSON object"),
        (b'{"title": "x"}', "content"),
        (b'{"title": " ", "content": "x"}', "title"),
        (b'{"title": 1, "content": "x"}', "title"),
        (b'{"title": "x", "content": "x", "tags": "x"}', "tags"),
        (b'{"title": "x", "content": "x", "id": "1"}', "id '1' of line 1"),
    ],
)
def test_the_line_that_is_wrong_is_named(second, problem):
    with pytest.raises(InvalidRequest) as caught:
        parse_jsonl(b'{"title": "x", "content": "x", "id": "1"}\n' + second)
    assert caught.value.detail["en"].startswith("Line 2 ")
    assert problem in caught.value.detail["en"]
    assert caught.value.detail["ko"].startswith("2번째 줄: ")


def test_an_empty_file_is_refused():
    with pytest.raises(InvalidRequest, match="holds no notes"):
        parse_jsonl(b"\n \n")
