"""`/ai/chat` and `/ai/stream` against real PostgreSQL and Redis."""

import asyncio
import uuid

import pytest

from api_client import QUESTION, import_notes, open_api, parse_events
from app.verdicts.lifecycle.outcome import Pause
from verdict_world import verdict
from workers import TableLock


class TestChat:
    async def test_answers_at_once_and_says_where_the_verdict_will_be(self, api):
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

    @pytest.mark.parametrize("feature", ["writing", "insight"])
    async def test_rules_tick_the_checklist_of_other_features(self, api, feature):
        response = await api.client.post(
            "/ai/chat", json={"feature": feature, "content": "감사 편지를 써 줘"}
        )

        quality = response.json()["quality"]
        row = await api.world.row(uuid.UUID(quality["evaluation_id"]))
        assert (quality["status"], quality["reason"]) == ("queued", None)
        assert (row["evaluators"], row["judge_model"]) == (["quality_gate"], "offline:rules")

    async def test_no_notes_found_is_skipped_with_its_reason(self, api):
        response = await api.client.post("/ai/chat", json=QUESTION)

        quality = response.json()["quality"]
        assert (quality["status"], quality["reason"]) == ("skipped", "no_context")

    async def test_the_callers_own_notes_are_used_as_they_are(self, api):
        body = QUESTION | {
            "options": {"context_notes": ["변성은 94도이다."], "note_titles": ["새 조건"]}
        }

        response = await api.client.post("/ai/chat", json=body)

        assert response.json()["matched_notes"][0]["title"] == "새 조건"
        assert "94도" in response.json()["content"]

    async def test_insight_searches_only_in_search_mode(self, api):
        await import_notes(api)
        plain = {"feature": "insight", "content": QUESTION["content"]}

        searching = await api.client.post("/ai/chat", json=plain | {"options": {"mode": "search"}})
        explaining = await api.client.post("/ai/chat", json=plain)

        assert searching.json()["quality"]["status"] == "queued"
        assert searching.json()["matched_notes"]
        assert explaining.json()["matched_notes"] == []

    async def test_one_note_can_be_asked_about(self, api):
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
    async def test_events_come_in_the_order_of_the_contract(self, api):
        await import_notes(api)

        response, _ = await asyncio.gather(
            api.client.post("/ai/stream", json=QUESTION), api.judge_next(verdict())
        )

        events = parse_events(response.text)
        names = [event.name for event in events]
        assert names[0] == "metadata"
        note = events[0].data["matched_notes"][0]
        assert (note["note_index"], note["title"]) == (1, "PCR 조건")
        assert note["note_id"]
        assert note["score"] > 0
        chunks = names[1:-4]
        assert chunks
        assert set(chunks) == {"message"}
        assert events[-4].data == "[DONE]"
        assert names[-3:] == ["evaluation", "quality", "qa_evaluation"]
        text = "".join(event.data["chunk"] for event in events[1:-4])
        assert "95도" in text
        assert events[-1].data["correctness"] == 0.9
        assert events[-1].data["source_coverage"][0]["cited"] is True

    async def test_a_skipped_answer_ends_with_its_reason(self, api):
        response = await api.client.post("/ai/stream", json=QUESTION)

        last = parse_events(response.text)[-1]
        assert (last.name, last.data["status"], last.data["reason"]) == (
            "evaluation",
            "skipped",
            "no_context",
        )

    async def test_after_the_stated_wait_the_client_goes_on_by_itself(self, world, redis_url):
        async with open_api(world, redis_url, stream_wait=0.05) as api:
            await import_notes(api)
            response = await api.client.post("/ai/stream", json=QUESTION)

            last = parse_events(response.text)[-1]
            assert (last.name, last.data["status"]) == ("evaluation", "queued")
            assert (await api.client.get(last.data["poll"])).json()["status"] == "queued"

    async def test_the_server_ends_when_the_answer_is_stored_whose_reader_has_left(self, api):
        async with TableLock(api.world, "qa_evaluations") as absence:
            reader = asyncio.create_task(api.client.post("/ai/stream", json=QUESTION))
            await absence.wait_until_blocked()
            reader.cancel()
            with pytest.raises(asyncio.CancelledError):
                await reader
            closing = asyncio.create_task(api.app.state.services.chat.aclose())
            ended, _ = await asyncio.wait({closing}, timeout=0.05)
            assert not ended
        await closing

        assert await api.world.rows("SELECT id FROM qa_evaluations")

    async def test_an_answer_is_not_touched_by_a_dead_redis(self, world):
        async with open_api(world, "redis://127.0.0.1:1/0", stream_wait=0.05) as api:
            await import_notes(api)
            response = await api.client.post("/ai/stream", json=QUESTION)

            events = parse_events(response.text)
            assert any(event.data == "[DONE]" for event in events)
            assert events[-1].data["status"] == "queued"

    async def test_a_model_that_fails_ends_the_stream_with_a_problem(self, world, redis_url):
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

    @pytest.mark.parametrize("known", [True, False], ids=["known before", "found out now"])
    async def test_a_paused_judge_is_told_at_once(self, api, known):
        await import_notes(api)
        if known:
            await api.world.rows(
                "INSERT INTO judge_pauses (judge_model, reason, probe_at) "
                "VALUES ('offline:rules', 'the key is wrong', now() + interval '1 hour')"
            )
            response = await api.client.post("/ai/stream", json=QUESTION)
        else:
            response, _ = await asyncio.gather(
                api.client.post("/ai/stream", json=QUESTION),
                api.judge_next(Pause("the key is wrong")),
            )

        last = parse_events(response.text)[-1]
        assert (last.name, last.data["status"], last.data["reason"]) == (
            "evaluation",
            "queued",
            "judge_paused",
        )
