"""Names and fields that are longer than anybody writes are stored all the same."""

import json
import random

import pytest

UPLOAD = "/notes/import/file"


def hangul(count: int) -> str:
    """Syllables by chance, so that PostgreSQL cannot make them smaller."""
    chance = random.Random(1)
    return "".join(chr(chance.randrange(0xAC00, 0xD7A3)) for _ in range(count))


async def test_a_note_with_every_field_at_its_limit(api):
    note = {
        "title": hangul(500),
        "content": "글",
        "source_key": hangul(1_000),
        "tags": [hangul(100)] * 50,
        "category": hangul(200),
        "subcategory": hangul(200),
    }
    body = {"notebook": hangul(200), "notes": [note]}

    first = await api.client.post("/notes/import", json=body)
    again = await api.client.post("/notes/import", json=body)

    assert first.json() == {"created": 1, "updated": 0, "unchanged": 0}
    assert again.json() == {"created": 0, "updated": 0, "unchanged": 1}


async def test_long_keys_with_a_common_prefix_stay_distinct(api):
    lines = [{"title": "글", "content": end, "id": hangul(5_000) + end} for end in "ab"]
    file = "\n".join(map(json.dumps, lines)).encode()

    response = await api.client.post(UPLOAD, files={"file": ("notes.jsonl", file)})

    assert response.json() == {"created": 2, "updated": 0, "unchanged": 0}


async def test_a_huge_front_matter(api):
    head = f"title: {hangul(5_000)}\ntags: [{'a,' * 5_000}b\0]\ncategory: {hangul(5_000)}\0"
    file = f"---\n{head}\n---\n글\0".encode()

    response = await api.client.post(UPLOAD, files={"file": ("note.md", file)})

    assert response.json() == {"created": 1, "updated": 0, "unchanged": 0}
    (note,) = (await api.client.get("/notes")).json()["items"]
    assert len(note["title"]) == 500
    assert "\0" not in note["category"]


@pytest.mark.parametrize("name", ["../../notes.md", "/etc/notes.md", "..\\notes.md", "a\0.md"])
async def test_the_name_of_a_file_is_only_a_name(api, name):
    response = await api.client.post(UPLOAD, files={"file": (name, "# 제목\n글".encode())})

    assert response.json() == {"created": 1, "updated": 0, "unchanged": 0}
    (row,) = await api.world.rows("SELECT source_key FROM notes")
    assert "/" not in row["source_key"]
