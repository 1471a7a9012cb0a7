"""The HTTP API against real PostgreSQL and Redis. A worker in the test's own loop judges."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from api_client import Api, open_api
from app.verdicts.outcome import Retry
from verdicts import World, verdict

NOTES = {
    "notebook": "실험실",
    "notes": [
        {"title": "PCR 조건", "content": "PCR 변성은 95도에서 30초 동안 한다."},
        {"title": "배양기", "content": "배양기는 37도, 이산화탄소 5퍼센트로 맞춘다."},
    ],
}
QUESTION = {"feature": "search_qa", "content": "PCR 변성은 몇 도에서 하나요?"}


@pytest.fixture
async def api(world: World, redis_url: str) -> AsyncIterator[Api]:
    async with open_api(world, redis_url) as api:
        yield api


@dataclass
class Event:
    name: str
    data: Any
    id: str | None


def parse_events(body: str) -> list[Event]:
    events = []
    for block in body.split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith(":")]
        fields = dict(line.split(": ", 1) for line in lines)
        if "data" in fields:
            data = fields["data"]
            events.append(
                Event(
                    fields.get("event", "message"),
                    data if data == "[DONE]" else json.loads(data),
                    fields.get("id"),
                )
            )
    return events


async def import_notes(api: Api) -> None:
    response = await api.client.post("/notes/import", json=NOTES)
    assert response.status_code == 200, response.text


class TestChat:
    async def test_answers_at_once_and_says_where_the_verdict_will_be(self, api: Api) -> None:
        await import_notes(api)

        response = await api.client.post("/ai/chat", json=QUESTION)

        body = response.json()
        assert response.status_code == 200, body
        assert "95도" in body["content"]
        assert "[노트 1]" in body["content"]
        assert body["matched_notes"][0]["title"] == "PCR 조건"
        assert body["quality"]["status"] == "queued"
        row = await api.world.row(uuid.UUID(body["quality"]["evaluation_id"]))
        assert row["correctness"] is None

    async def test_writing_is_skipped_with_its_reason(self, api: Api) -> None:
        response = await api.client.post(
            "/ai/chat", json={"feature": "writing", "content": "감사 편지를 써 줘"}
        )

        quality = response.json()["quality"]
        assert (quality["status"], quality["reason"]) == ("skipped", "not_search_qa")

    async def test_no_notes_found_is_skipped_with_its_reason(self, api: Api) -> None:
        response = await api.client.post("/ai/chat", json=QUESTION)

        quality = response.json()["quality"]
        assert (quality["status"], quality["reason"]) == ("skipped", "no_context")

    async def test_the_callers_own_notes_are_used_as_they_are(self, api: Api) -> None:
        body = QUESTION | {
            "options": {"context_notes": ["변성은 94도이다."], "note_titles": ["새 조건"]}
        }

        response = await api.client.post("/ai/chat", json=body)

        assert response.json()["matched_notes"][0]["title"] == "새 조건"
        assert "94도" in response.json()["content"]

    async def test_insight_searches_only_in_search_mode(self, api: Api) -> None:
        await import_notes(api)
        plain = {"feature": "insight", "content": QUESTION["content"]}

        searching = await api.client.post("/ai/chat", json=plain | {"options": {"mode": "search"}})
        explaining = await api.client.post("/ai/chat", json=plain)

        assert searching.json()["quality"]["status"] == "queued"
        assert searching.json()["matched_notes"]
        assert explaining.json()["quality"]["reason"] == "not_search_qa"

    async def test_one_note_can_be_asked_about(self, api: Api) -> None:
        await import_notes(api)
        notes = (await api.client.get("/notes")).json()["items"]
        incubator = next(note for note in notes if note["title"] == "배양기")

        response = await api.client.post(
            "/ai/chat",
            json=QUESTION
            | {"content": "몇 도로 맞추나요?", "options": {"note_id": incubator["id"]}},
        )

        assert [note["title"] for note in response.json()["matched_notes"]] == ["배양기"]
        assert "37도" in response.json()["content"]


class TestStream:
    async def test_events_come_in_the_order_of_the_contract(self, api: Api) -> None:
        await import_notes(api)

        response, _ = await asyncio.gather(
            api.client.post("/ai/stream", json=QUESTION), api.judge_next(verdict())
        )

        events = parse_events(response.text)
        names = [event.name for event in events]
        assert names[0] == "metadata"
        chunks = names[1:-4]
        assert chunks
        assert set(chunks) == {"message"}
        assert events[-4].data == "[DONE]"
        assert names[-3:] == ["evaluation", "quality", "qa_evaluation"]
        text = "".join(event.data["chunk"] for event in events[1:-4])
        assert "95도" in text
        assert events[-1].data["correctness"] == 0.9
        assert events[-1].data["source_coverage"][0]["cited"] is True

    async def test_a_skipped_answer_ends_with_its_reason(self, api: Api) -> None:
        response = await api.client.post("/ai/stream", json=QUESTION)

        last = parse_events(response.text)[-1]
        assert (last.name, last.data["status"], last.data["reason"]) == (
            "evaluation",
            "skipped",
            "no_context",
        )

    async def test_after_the_stated_wait_the_client_goes_on_by_itself(
        self, world: World, redis_url: str
    ) -> None:
        async with open_api(world, redis_url, stream_wait=0.05) as api:
            await import_notes(api)
            response = await api.client.post("/ai/stream", json=QUESTION)

            last = parse_events(response.text)[-1]
            assert (last.name, last.data["status"]) == ("evaluation", "queued")
            assert (await api.client.get(last.data["poll"])).json()["status"] == "queued"

    async def test_an_answer_is_not_touched_by_a_dead_redis(self, world: World) -> None:
        async with open_api(world, "redis://127.0.0.1:1/0", stream_wait=0.05) as api:
            await import_notes(api)
            response = await api.client.post("/ai/stream", json=QUESTION)

            events = parse_events(response.text)
            assert any(event.data == "[DONE]" for event in events)
            assert events[-1].data["status"] == "queued"

    async def test_a_model_that_fails_ends_the_stream_with_a_problem(
        self, world: World, redis_url: str
    ) -> None:
        async with open_api(
            world,
            redis_url,
            answer_model="openai:gpt-4o-mini",
            openai_api_key="sk-secret",
            openai_base_url="http://127.0.0.1:1/v1",
        ) as api:
            response = await api.client.post("/ai/stream", json=QUESTION)

            last = parse_events(response.text)[-1]
            assert last.name == "error"
            assert last.data["status"] == 503
            assert await api.world.rows("SELECT 1 FROM qa_answers") == []


class TestReadingVerdicts:
    async def test_poll_until_the_verdict_is_there(self, api: Api) -> None:
        await import_notes(api)
        quality = (await api.client.post("/ai/chat", json=QUESTION)).json()["quality"]
        path = f"/qa-evaluations/{quality['evaluation_id']}"

        pending = await api.client.get(path)
        await api.judge_next(verdict())
        done = await api.client.get(path)

        assert pending.json()["status"] == "queued"
        assert pending.json()["qa_evaluation"] is None
        assert pending.headers["Retry-After"] == "1"
        assert done.json()["status"] == "succeeded"
        assert done.json()["quality"]["passed"] is True
        assert "Retry-After" not in done.headers
        unchanged = await api.client.get(path, headers={"If-None-Match": done.headers["ETag"]})
        assert unchanged.status_code == 304

    async def test_subscribe_and_come_back_with_the_last_event_id(self, api: Api) -> None:
        await import_notes(api)
        quality = (await api.client.post("/ai/chat", json=QUESTION)).json()["quality"]
        path = f"/qa-evaluations/{quality['evaluation_id']}/events"

        response, _ = await asyncio.gather(api.client.get(path), api.judge_next(verdict()))

        events = parse_events(response.text)
        assert [event.name for event in events][-3:] == ["evaluation", "quality", "qa_evaluation"]
        again = await api.client.get(path, headers={"Last-Event-ID": "0-0"})
        replayed = parse_events(again.text)
        assert [event.data["status"] for event in replayed if event.name == "evaluation"] == [
            "queued",
            "running",
            "succeeded",
        ]
        assert replayed[-1].data == events[-1].data
        nothing = await api.client.get(path, headers={"Last-Event-ID": replayed[-1].id or ""})
        assert parse_events(nothing.text) == []

    async def test_a_retry_says_when_and_why(self, api: Api) -> None:
        await import_notes(api)
        quality = (await api.client.post("/ai/chat", json=QUESTION)).json()["quality"]
        await api.judge_next(Retry("TransientProviderError (HTTP 429): busy", 60))

        view = (await api.client.get(f"/qa-evaluations/{quality['evaluation_id']}")).json()

        assert (view["status"], view["reason"]) == ("retrying", "transient_failure")
        assert "429" in view["error"]
        assert view["next_attempt_at"] is not None
        assert view["qa_evaluation"] is None

    async def test_pages_hold_each_evaluation_once(self, api: Api) -> None:
        for _ in range(5):
            await api.client.post("/ai/chat", json=QUESTION)

        seen: list[str] = []
        after: str | None = None
        while True:
            params = {"limit": "2"} | ({"after": after} if after else {})
            page = (await api.client.get("/qa-evaluations", params=params)).json()
            seen += [item["id"] for item in page["items"]]
            after = page["next"]
            if after is None:
                break

        assert len(seen) == len(set(seen)) == 5
        skipped = await api.client.get("/qa-evaluations", params={"status": "skipped"})
        assert len(skipped.json()["items"]) == 5
        assert (await api.client.get("/qa-evaluations?status=failed")).json()["items"] == []


class TestAnswersFromElsewhere:
    BODY = {  # noqa: RUF012  read only
        "question": "변성 온도는?",
        "answer": "95도입니다. [노트 1]",
        "sources": [{"title": "PCR", "content": "변성은 95도"}],
    }

    async def test_are_queued_and_can_be_read(self, api: Api) -> None:
        response = await api.client.post("/qa-evaluations", json=self.BODY)

        assert response.status_code == 202
        view = (await api.client.get(response.headers["Location"])).json()
        assert (view["status"], view["lang"]) == ("queued", "ko")

    async def test_the_same_key_gives_the_same_evaluation(self, api: Api) -> None:
        headers = {"Idempotency-Key": "k-1"}

        responses = await asyncio.gather(
            *(api.client.post("/qa-evaluations", json=self.BODY, headers=headers) for _ in range(5))
        )

        assert {response.status_code for response in responses} == {202}
        assert len({response.json()["id"] for response in responses}) == 1
        assert len(await api.world.rows("SELECT 1 FROM qa_answers")) == 1

    async def test_the_same_key_with_another_body_is_a_conflict(self, api: Api) -> None:
        headers = {"Idempotency-Key": "k-1"}
        await api.client.post("/qa-evaluations", json=self.BODY, headers=headers)

        response = await api.client.post(
            "/qa-evaluations", json=self.BODY | {"answer": "다른 답"}, headers=headers
        )

        assert response.status_code == 409
        assert response.json()["type"] == "urn:searchqa:problem:idempotency-key-reused"
        assert len(await api.world.rows("SELECT 1 FROM qa_answers")) == 1

    async def test_an_answer_without_sources_is_skipped(self, api: Api) -> None:
        response = await api.client.post("/qa-evaluations", json=self.BODY | {"sources": []})

        assert response.json()["reason"] == "no_context"


BAD_QUESTIONS: list[tuple[Any, str]] = [
    ({"content": ""}, "content"),
    ({"content": "   "}, "content"),
    ({"content": "가" * 4001}, "content"),
    ({"content": "nul \x00"}, "content"),
    ({"content": 5}, "content"),
    ({"content": "질문", "feature": "poetry"}, "feature"),
    ({"content": "질문", "lang": "fr"}, "lang"),
    ({"content": "질문", "options": {"context_notes": "not a list"}}, "context_notes"),
    ({"content": "질문", "options": {"context_notes": [1, 2]}}, "context_notes"),
    ({"content": "질문", "options": {"context_notes": ["a"] * 201}}, "context_notes"),
    ({"content": "질문", "options": {"context_notes": ["가" * 50_001]}}, "context_notes"),
    ({"content": "질문", "options": {"context_notes": ["가" * 50_000] * 5}}, "context_notes"),
    ({"content": "질문", "options": {"note_titles": ["a"]}}, "note_titles"),
    ({"content": "질문", "options": {"mode": "dream"}}, "mode"),
    ({"content": "질문", "colour": "red"}, "colour"),
    ("not an object", "body"),
]


class TestBadInput:
    @pytest.mark.parametrize("path", ["/ai/chat", "/ai/stream"])
    @pytest.mark.parametrize(("body", "named"), BAD_QUESTIONS)
    async def test_is_named_and_stores_nothing(
        self, api: Api, path: str, body: Any, named: str
    ) -> None:
        response = await api.client.post(path, json=body)

        problem = response.json()
        assert response.status_code == 422, problem
        assert response.headers["content-type"] == "application/problem+json"
        assert named in json.dumps(problem["errors"])
        assert await api.world.rows("SELECT 1 FROM qa_answers") == []

    async def test_ten_megabytes_are_too_much(self, api: Api) -> None:
        body = {"content": "질문", "options": {"context_notes": ["x" * 10_000_000]}}

        async def unannounced() -> AsyncIterator[bytes]:
            yield json.dumps(body).encode()

        for sent in ({"json": body}, {"content": unannounced()}):
            response = await api.client.post("/ai/chat", **sent)

            assert response.status_code == 413
            assert response.headers["content-type"] == "application/problem+json"

    async def test_broken_json_is_named(self, api: Api) -> None:
        response = await api.client.post(
            "/ai/chat", content=b'{"content": ', headers={"Content-Type": "application/json"}
        )

        assert response.status_code == 422
        assert response.headers["content-type"] == "application/problem+json"

    async def test_details_are_in_the_callers_language(self, api: Api) -> None:
        path = f"/qa-evaluations/{uuid.uuid4()}"

        korean = await api.client.get(path, headers={"Accept-Language": "ko-KR,en;q=0.5"})
        english = await api.client.get(path, headers={"Accept-Language": "en"})

        assert "평가가 없습니다" in korean.json()["detail"]
        assert "no such evaluation" in english.json()["detail"]

    @pytest.mark.parametrize("after", ["x", "x|y", "MjAyNg==", "é"])
    async def test_a_bad_page_is_named(self, api: Api, after: str) -> None:
        response = await api.client.get("/qa-evaluations", params={"after": after})

        assert response.status_code == 422

    async def test_a_bad_last_event_id_is_named(self, api: Api) -> None:
        response = await api.client.get(
            "/qa-evaluations/events", headers={"Last-Event-ID": "yesterday"}
        )

        assert response.status_code == 422


class TestWhoMayAsk:
    async def test_without_a_token_nothing_but_health_is_open(self, api: Api) -> None:
        paths = api.app.openapi()["paths"]
        closed = [
            (method, path.replace("{", "").replace("}", ""))
            for path, methods in paths.items()
            for method in methods
        ]
        assert len(closed) > 10

        for method, path in [*closed, ("get", "/docs"), ("get", "/openapi.json")]:
            response = await api.anonymous.request(method, path)
            if path in {"/healthz", "/readyz"}:
                assert response.status_code == 200
            else:
                assert response.status_code == 401, f"{method} {path}"
                assert response.headers["WWW-Authenticate"] == "Bearer"

    @pytest.mark.parametrize("header", ["Bearer nope", "Bearer ", "Basic abc", "Bearer"])
    async def test_a_wrong_token_opens_nothing(self, api: Api, header: str) -> None:
        response = await api.anonymous.get("/qa-evaluations", headers={"Authorization": header})

        assert response.status_code == 401

    async def test_a_revoked_or_expired_token_opens_nothing(self, api: Api) -> None:
        assert (await api.client.get("/qa-evaluations")).status_code == 200
        await api.world.rows("UPDATE api_tokens SET expires_at = now()")
        assert (await api.client.get("/qa-evaluations")).status_code == 401
        await api.world.rows("UPDATE api_tokens SET expires_at = NULL, revoked_at = now()")
        assert (await api.client.get("/qa-evaluations")).status_code == 401

    async def test_scopes_are_kept(self, api: Api) -> None:
        reader = await api.as_token(scopes=["read"])

        assert (await reader.get("/qa-evaluations")).status_code == 200
        assert (await reader.post("/ai/chat", json=QUESTION)).status_code == 403

    async def test_another_workspace_sees_nothing(self, api: Api) -> None:
        await import_notes(api)
        quality = (await api.client.post("/ai/chat", json=QUESTION)).json()["quality"]
        note = (await api.client.get("/notes")).json()["items"][0]
        stranger = await api.as_token(workspace="other")

        for path in (
            f"/qa-evaluations/{quality['evaluation_id']}",
            f"/qa-evaluations/{quality['evaluation_id']}/events",
            f"/notes/{note['id']}",
        ):
            assert (await stranger.get(path)).status_code == 404
        assert (await stranger.get("/qa-evaluations")).json()["items"] == []
        assert (await stranger.get("/notes")).json()["items"] == []
        asked = await stranger.post("/ai/chat", json=QUESTION)
        assert asked.json()["quality"]["reason"] == "no_context"
        about = QUESTION | {"options": {"note_id": note["id"]}}
        assert (await stranger.post("/ai/chat", json=about)).status_code == 404

    async def test_a_login_link_opens_one_browser_session(self, api: Api) -> None:
        code = await api.login_code()

        first = await api.anonymous.get("/login", params={"code": code})
        second = await api.anonymous.get("/login", params={"code": code})

        assert first.status_code == 303
        cookie = first.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        assert second.status_code == 401
        session = httpx.Cookies({"searchqa_session": first.cookies["searchqa_session"]})
        async with api.browser(session) as browser:
            assert (await browser.get("/qa-evaluations")).status_code == 200
            assert (await browser.post("/logout")).status_code == 204
            assert (await browser.get("/qa-evaluations")).status_code == 401

    async def test_without_authentication_only_this_machine_is_served(
        self, world: World, redis_url: str
    ) -> None:
        async with open_api(world, redis_url, auth=False) as api:
            assert (await api.anonymous.get("/qa-evaluations")).status_code == 200
            far = httpx.ASGITransport(api.app, client=("192.0.2.1", 1))
            async with httpx.AsyncClient(transport=far, base_url="http://test") as stranger:
                assert (await stranger.get("/qa-evaluations")).status_code == 401

    async def test_a_login_code_is_no_bearer_token(self, api: Api) -> None:
        code = await api.login_code()

        response = await api.anonymous.get(
            "/qa-evaluations", headers={"Authorization": f"Bearer {code}"}
        )

        assert response.status_code == 401


class TestImport:
    async def upload(self, api: Api, name: str, data: bytes) -> httpx.Response:
        return await api.client.post(
            "/notes/import/file", files={"file": (name, data)}, data={"notebook": "업로드"}
        )

    async def test_files_are_read_by_their_ending(self, api: Api) -> None:
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

    async def test_importing_again_changes_only_what_is_new(self, api: Api) -> None:
        await self.upload(api, "n.md", "# 배양기\n\n37도".encode())

        same = await self.upload(api, "n.md", "# 배양기\n\n37도".encode())
        changed = await self.upload(api, "n.md", "# 배양기\n\n38도".encode())

        assert (same.json()["unchanged"], changed.json()["updated"]) == (1, 1)

    @pytest.mark.parametrize(
        ("name", "data"),
        [
            ("notes.nsx", b"this is no zip"),
            ("notes.nsx", b"PK\x03\x04broken"),
            ("notes.jsonl", b'{"title": "a", "content": "b"}\n{broken'),
            ("notes.docx", b"x"),
            ("notes.md", b"\xff\xfe\x00\x81"),
        ],
    )
    async def test_a_broken_file_stores_nothing(self, api: Api, name: str, data: bytes) -> None:
        response = await self.upload(api, name, data)

        assert response.status_code == 422, response.text
        assert response.headers["content-type"] == "application/problem+json"
        assert (await api.client.get("/notes")).json()["items"] == []

    async def test_a_notebook_is_made_once(self, api: Api) -> None:
        first = await api.client.post("/notebooks", json={"name": "실험실"})
        second = await api.client.post("/notebooks", json={"name": "실험실"})

        assert (first.status_code, second.status_code) == (201, 201)
        assert first.json()["id"] == second.json()["id"]

    async def test_notes_come_in_pages(self, api: Api) -> None:
        await import_notes(api)

        first = (await api.client.get("/notes", params={"limit": 1})).json()
        second = (
            await api.client.get("/notes", params={"limit": 1, "after": first["next"]})
        ).json()

        assert first["items"][0]["id"] != second["items"][0]["id"]
        assert second["next"] is None


class TestOperation:
    async def test_metrics_count_the_workspaces_verdicts(self, api: Api) -> None:
        await api.client.post("/ai/chat", json=QUESTION)

        text = (await api.client.get("/metrics")).text

        assert 'searchqa_evaluations{status="skipped"} 1.0' in text

    async def test_a_paused_judge_is_shown_and_resumed(self, api: Api) -> None:
        await api.world.rows(
            "INSERT INTO judge_pauses (judge_model, reason, probe_at) "
            "VALUES ('openai:gpt-4o-mini', 'HTTP 401', now())"
        )

        (paused,) = (await api.client.get("/judges/paused")).json()
        resumed = await api.client.post("/judges/openai:gpt-4o-mini/resume")
        again = await api.client.post("/judges/openai:gpt-4o-mini/resume")

        assert (paused["judge_model"], paused["reason"]) == ("openai:gpt-4o-mini", "HTTP 401")
        assert (resumed.status_code, again.status_code) == (204, 404)
