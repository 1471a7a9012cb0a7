"""Notebooks and notes over HTTP."""

import uuid
from unittest.mock import patch

import httpx
import pytest

from api_client import QUESTION, Api, import_notes
from app.notes.samples import SAMPLE_QUESTIONS
from app.platform.processes.pool import BoundedProcesses, ChildrenBusy
from app.platform.processes.turns import Waiting
from cases import for_each

pytestmark = pytest.mark.asyncio(loop_scope="module")


class TestImport:
    async def upload(self, api: Api, name: str, data: bytes) -> httpx.Response:
        return await api.client.post(
            "/notes/import/file", files={"file": (name, data)}, data={"notebook": "업로드"}
        )

    async def test_files_are_read_by_their_ending(self, api):
        markdown = await self.upload(api, "배양.md", "# 배양기\n\n37도로 맞춘다.".encode())
        lines = await self.upload(
            api, "a.jsonl", '{"title": "PCR", "content": "변성은 95도"}\n'.encode()
        )

        assert markdown.json() == lines.json() == {"created": 1, "updated": 0, "unchanged": 0}
        notes = (await api.client.get("/notes")).json()["items"]
        assert {note["title"] for note in notes} == {"배양기", "PCR"}
        (notebook,) = (await api.client.get("/notebooks")).json()
        assert (notebook["name"], notebook["notes"]) == ("업로드", 2)
        read = (await api.client.get(f"/notes/{notes[0]['id']}")).json()
        assert "37도" in read["content"]

    async def test_sample_notes_answer_a_question(self, api):
        stored = await api.client.post("/sample-notes")
        again = await api.client.post("/sample-notes")

        (notebook,) = (await api.client.get("/notebooks")).json()
        assert notebook["name"] == "laboratory"
        assert stored.json()["created"] == again.json()["unchanged"] == notebook["notes"] > 0
        asked = {"feature": "search_qa", "content": SAMPLE_QUESTIONS[0][1]}
        answered = (await api.client.post("/ai/chat", json=asked)).json()
        assert answered["matched_notes"] != []

    async def test_importing_again_changes_only_what_is_new(self, api):
        await self.upload(api, "n.md", "# 배양기\n\n37도".encode())

        same = await self.upload(api, "n.md", "# 배양기\n\n37도".encode())
        changed = await self.upload(api, "n.md", "# 배양기\n\n38도".encode())

        assert (same.json()["unchanged"], changed.json()["updated"]) == (1, 1)

    @for_each(
        ("name", "data"),
        [
            ("notes.nsx", b"this is no zip"),
            ("notes.nsx", b"PK\x03\x04broken"),
            ("notes.jsonl", b'{"title": "a", "content": "b"}\n{broken'),
            ("notes.docx", b"x"),
            ("notes.md", b"\xff\xfe\x00\x81"),
            ("notes.md", b""),
            ("notes.md", b"\xef\xbb\xbf---\ntitle: a\n---\n \n"),
        ],
    )
    async def test_a_broken_file_stores_nothing(self, api, name, data):
        response = await self.upload(api, name, data)

        assert response.status_code == 422, response.text
        assert response.headers["content-type"] == "application/problem+json"
        assert (await api.client.get("/notes")).json()["items"] == []

    async def test_an_empty_file_is_refused_in_words(self, api):
        response = await self.upload(api, "빈.md", b" \n")

        assert "'빈.md' is empty" in response.json()["detail"]
        korean = await api.client.post(
            "/notes/import/file", files={"file": ("빈.md", b"")}, headers={"Accept-Language": "ko"}
        )
        assert "내용이 없습니다" in korean.json()["detail"]

    async def test_notes_come_in_pages(self, api):
        await import_notes(api)

        first = (await api.client.get("/notes", params={"limit": 1})).json()
        second = (
            await api.client.get("/notes", params={"limit": 1, "after": first["next"]})
        ).json()

        assert first["items"][0]["id"] != second["items"][0]["id"]
        assert second["next"] is None

    async def test_notes_are_found_by_a_part_of_their_title(self, api):
        await import_notes(api)

        async def titles(title: str) -> list[str]:
            page = (await api.client.get("/notes", params={"title": title})).json()
            return [note["title"] for note in page["items"]]

        assert await titles("pcr") == ["PCR 조건"]
        assert await titles("양") == ["배양기"]
        assert await titles("%") == []
        assert len(await titles("")) == 2


class TestDelete:
    async def test_search_no_longer_finds_the_note_but_its_answer_stays(self, api):
        await import_notes(api)
        quality = (await api.client.post("/ai/chat", json=QUESTION)).json()["quality"]
        sources = f"/qa-evaluations/{quality['evaluation_id']}/sources"
        before = (await api.client.get(sources)).json()
        (note,) = (await api.client.get("/notes", params={"title": "PCR"})).json()["items"]

        deleted = await api.client.delete(f"/notes/{note['id']}")

        assert deleted.status_code == 204
        assert (await api.client.get(f"/notes/{note['id']}")).status_code == 404
        again = (await api.client.post("/ai/chat", json=QUESTION)).json()
        assert note["id"] not in {found["note_id"] for found in again["matched_notes"]}
        # The text stays; there is no note left to link to.
        first = {**before[0], "note_id": None}
        assert (await api.client.get(sources)).json() == [first, *before[1:]]

    async def test_a_note_that_is_not_there_is_a_404(self, api):
        await import_notes(api)
        (note, *_) = (await api.client.get("/notes")).json()["items"]
        stranger = await api.as_token(workspace="other")

        assert (await stranger.delete(f"/notes/{note['id']}")).status_code == 404
        assert (await api.client.delete(f"/notes/{note['id']}")).status_code == 204
        assert (await api.client.delete(f"/notes/{note['id']}")).status_code == 404


async def test_a_note_names_those_that_say_otherwise_or_the_same(api):
    text = "재택근무는 주 2일까지 할 수 있다. 신청은 팀장에게 하고, 기록은 인사팀이 보관한다."
    notes = {
        "재택근무 규정": text,
        "재택근무 규정 사본": text,
        "신입사원 안내서": "노트북은 첫날 받는다. 재택근무는 주 3일까지 할 수 있다.",
        "환불 정책": "환불은 구매 후 7일 이내에 가능하다.",
    }
    written = [{"title": title, "content": content} for title, content in notes.items()]
    stored = await api.client.post("/notes/import", json={"notebook": "업무", "notes": written})
    assert stored.status_code == 200, stored.text
    ids = {note["title"]: note["id"] for note in (await api.client.get("/notes")).json()["items"]}

    response = await api.client.get(f"/notes/{ids['재택근무 규정']}/conflicts")

    found = response.json()
    (conflict,) = found["conflicts"]
    other = {"id": ids["신입사원 안내서"], "title": "신입사원 안내서"}
    assert conflict == {
        "note": other,
        "kind": "value",
        "ours": "재택근무는 주 2일까지 할 수 있다.",
        "theirs": "재택근무는 주 3일까지 할 수 있다.",
        "differs": "2일 ↔ 3일",
    }
    assert [copy["title"] for copy in found["copies"]] == ["재택근무 규정 사본"]
    assert found["compared"] >= 2
    shares = []

    def refuse(*_: object, **__: object) -> None:
        shares.append(Waiting(lambda: None).share)
        raise ChildrenBusy

    with patch.object(BoundedProcesses, "run", side_effect=refuse):
        cut_off = await api.client.get(f"/notes/{ids['재택근무 규정']}/conflicts")
    assert cut_off.json() == {"compared": None, "conflicts": [], "copies": []}
    assert [(share.owner is not None, share.long) for share in shares] == [(True, True)]
    assert (await api.client.get(f"/notes/{uuid.uuid4()}/conflicts")).status_code == 404
