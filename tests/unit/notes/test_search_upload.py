import io

import pytest

from app.notes.importers import read_upload
from app.platform.errors import InvalidRequest
from app.platform.processes.pool import IMPORT_LIMITS as LIMITS
from cases import for_each


@for_each(
    ("name", "data", "title"),
    [
        ("기록.MD", "# 배양기\n온도".encode(), "배양기"),
        ("기록.markdown", "온도".encode("cp949"), "기록"),
        ("n.jsonl", b'{"title": "x", "content": "y"}', "x"),
    ],
)
async def test_the_ending_decides(name, data, title):
    [note] = await read_upload(name, io.BytesIO(data), LIMITS)
    assert note.title == title


@for_each(
    ("name", "problem"),
    [
        ("a.nsx", r"not a \.nsx archive"),
        ("a.exe", r"'a\.exe' is not a file of notes"),
        ("", "is not a file of notes"),
        ("a.md", r"a\.md is neither UTF-8"),
    ],
)
async def test_unreadable_input_is_named(name, problem):
    with pytest.raises(InvalidRequest, match=problem):
        await read_upload(name, io.BytesIO(b"\xff\xfe\x00\x81"), LIMITS)
