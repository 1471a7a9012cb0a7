"""Reading verdicts, and asking for one on an answer from elsewhere."""

import asyncio
import uuid

import psycopg
import pytest

from api_client import QUESTION, import_notes, parse_events
from app.ai_router.types import ChatResponse
from app.verdicts.lifecycle.lifecycle import StoredCall
from app.verdicts.lifecycle.outcome import Retry
from verdict_world import verdict

pytestmark = pytest.mark.asyncio(loop_scope="module")


class TestReadingVerdicts:
    async def test_poll_until_the_verdict_is_there(self, api):
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

    async def test_undecided_verdicts_of_rules_look_alike_everywhere(self, api):
        await import_notes(api)
        quality = (await api.client.post("/ai/chat", json=QUESTION)).json()["quality"]
        path = f"/qa-evaluations/{quality['evaluation_id']}"
        given = verdict()
        assert given.evaluation
        open_ = {"confidence": "medium", "outcome": "undecided", "grounding_issues": []}
        ruled = given.evaluation.model_copy(update=open_)
        await api.judge_next(given._replace(evaluation=ruled, provider="offline", model="rules"))

        view = (await api.client.get(path)).json()["qa_evaluation"]
        streamed = parse_events((await api.client.get(f"{path}/events")).text)[-1].data
        listed = (await api.client.get("/qa-evaluations?outcome=undecided")).json()["items"]
        exported = (await api.client.get("/qa-evaluations/export?format=jsonl")).json()
        for shown in (view, streamed, *listed, exported):
            assert (shown["outcome"], shown["decided"]) == ("undecided", False)
        assert len(listed) == 1
        daily = (await api.client.get("/analytics/daily-quality")).json()["rows"]
        assert [(row["scored"], row["decided"]) for row in daily] == [(1, 0)]
        [row] = await api.world.rows("SELECT outcome, decided FROM analytics.verdicts")
        assert row == {"outcome": "undecided", "decided": False}

        # As an earlier release stored it.
        await api.world.rows("UPDATE qa_evaluations SET outcome = NULL, confidence = 'low'")
        view = (await api.client.get(path)).json()["qa_evaluation"]
        assert (view["outcome"], view["decided"]) == ("mismatch", True)

    async def test_subscribe_and_come_back_with_the_last_event_id(self, api):
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
        assert nothing.status_code == 204, "an EventSource must not come back for ever"

    async def test_who_comes_back_after_a_restore_misses_nothing(self, api):
        """The restored database counts its transactions anew."""
        await import_notes(api)
        quality = (await api.client.post("/ai/chat", json=QUESTION)).json()["quality"]
        path = f"/qa-evaluations/{quality['evaluation_id']}/events"

        def had(id_: int) -> dict[str, str]:
            return {"Last-Event-ID": f"{10**12}-{id_}"}

        [queued] = await api.world.rows("SELECT id FROM verdict_events")
        async with asyncio.timeout(60):
            waiting, _ = await asyncio.gather(
                api.client.get(path, headers=had(queued["id"])), api.judge_next(verdict())
            )
        *_, last = await api.world.rows("SELECT id FROM verdict_events ORDER BY id")
        later = await api.client.get(path, headers=had(queued["id"]))
        nothing = await api.client.get(path, headers=had(last["id"]))

        for response in (waiting, later):
            events = parse_events(response.text)
            changes = [each.data["status"] for each in events if each.name == "evaluation"]
            assert changes == ["running", "succeeded"]
        assert nothing.status_code == 204

    async def test_a_retry_says_when_and_why(self, api):
        await import_notes(api)
        quality = (await api.client.post("/ai/chat", json=QUESTION)).json()["quality"]
        await api.judge_next(Retry("transient: busy (HTTP 429)", 60))

        view = (await api.client.get(f"/qa-evaluations/{quality['evaluation_id']}")).json()

        assert (view["status"], view["reason"]) == ("retrying", "transient_failure")
        assert "429" in view["error"]
        assert view["next_attempt_at"] is not None
        assert view["qa_evaluation"] is None

    async def test_polling_is_as_slow_as_the_wait_is_long(self, api):
        await import_notes(api)
        quality = (await api.client.post("/ai/chat", json=QUESTION)).json()["quality"]
        path = f"/qa-evaluations/{quality['evaluation_id']}"

        await api.judge_next(Retry("transient: busy", 20))
        retrying = await api.client.get(path)
        await api.world.rows("UPDATE qa_evaluations SET status = 'queued', reason = 'judge_paused'")
        paused = await api.client.get(path)

        assert 15 <= int(retrying.headers["Retry-After"]) <= 20
        assert paused.headers["Retry-After"] == "30"

    async def test_the_end_is_heard_even_if_the_hub_has_not_come_to_it(self, api):
        """A transaction elsewhere holds the hub back while the row is final already."""
        await import_notes(api)
        quality = (await api.client.post("/ai/chat", json=QUESTION)).json()["quality"]
        path = f"/qa-evaluations/{quality['evaluation_id']}/events"
        async with await psycopg.AsyncConnection.connect(api.world.url) as slow:
            await slow.execute("SELECT pg_current_xact_id()")
            await api.judge_next(verdict())
            response = await api.client.get(path, headers={"Last-Event-ID": "0-0"})

        assert parse_events(response.text)[-1].name == "qa_evaluation"

    async def test_pages_hold_each_evaluation_once(self, api):
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

    async def test_one_key_gives_one_evaluation_and_takes_no_other_body(self, api):
        headers = {"Idempotency-Key": "k-1"}

        responses = await asyncio.gather(
            *(api.client.post("/qa-evaluations", json=self.BODY, headers=headers) for _ in range(5))
        )

        assert {response.status_code for response in responses} == {202}
        assert len({response.json()["id"] for response in responses}) == 1
        another = self.BODY | {"answer": "다른 답"}
        conflict = await api.client.post("/qa-evaluations", json=another, headers=headers)
        assert conflict.status_code == 409
        assert conflict.json()["type"] == "urn:searchqa:problem:idempotency-key-reused"
        assert len(await api.world.rows("SELECT 1 FROM qa_answers")) == 1

    async def test_an_insight_with_sources_is_judged_by_them(self, api):
        response = await api.client.post("/qa-evaluations", json=self.BODY | {"feature": "insight"})

        row = await api.world.row(uuid.UUID(response.json()["id"]))
        assert row["evaluators"][:2] == ["quality_gate", "search_qa"]


class TestForgetting:
    async def test_removes_every_trace(self, api):
        secret = "잊어야 할 내용 7f3a"
        body = {"question": secret, "answer": secret, "sources": [{"content": secret}]}
        created = (await api.client.post("/qa-evaluations", json=body)).json()
        (claim,) = await api.world.lifecycle.claim([uuid.UUID(created["id"])])
        reply = ChatResponse(secret, "openai", "m", raw_body=secret)
        await api.world.lifecycle.save_replies([StoredCall(claim, "h", "openai", "m", reply)])
        await api.world.lifecycle.record([(claim, verdict())])

        deleted = await api.client.delete(f"/answers/{created['answer_id']}")
        again = await api.client.delete(f"/answers/{created['answer_id']}")

        assert (deleted.status_code, again.status_code) == (204, 404)
        tables = await api.world.rows(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
        )
        for table in [row["table_name"] for row in tables]:
            rows = await api.world.rows(f'SELECT to_jsonb(t)::text AS row FROM "{table}" t')
            text = " ".join(row["row"] for row in rows)
            assert secret not in text, table
            assert created["id"] not in text, table
            # Who deleted which answer is kept on purpose.
            assert (created["answer_id"] in text) == (table == "audit_events"), table

    async def test_a_verdict_that_comes_too_late_goes_nowhere(self, api):
        body = {"question": "q", "answer": "a", "sources": [{"content": "c"}]}
        created = (await api.client.post("/qa-evaluations", json=body)).json()
        (claim,) = await api.world.lifecycle.claim([uuid.UUID(created["id"])])
        await api.client.delete(f"/answers/{created['answer_id']}")

        assert await api.world.lifecycle.record([(claim, verdict())]) == set()
