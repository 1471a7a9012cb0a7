"""The list of verdicts, its export, the review queue, and all that is kept of one verdict."""

import csv
import io
import json
from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pytest
import pytest_asyncio
from sqlalchemy import text

from api_client import Api, all_pages, open_api
from app.judges.checklists import QualityItem, QualityResult
from app.platform.db.pool import CONNECT_ARGS
from app.quality.review import explorer
from app.quality.review.explorer import EvaluationRecord, record_pages
from app.quality.review.saved_views import RecordFormat, exported
from app.verdicts.lifecycle.service import NewEvaluation
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.workspaces.service import ensure_workspace
from cases import for_each
from verdict_world import claims, judged, open_world, settings, store_answers

pytestmark = pytest.mark.asyncio(loop_scope="module")


CONTRADICTORY = {"flags": ["score_contradicts_issues"], "degraded": "busy"}


async def listed(api: Api, **query: object) -> list[dict[str, Any]]:
    return await all_pages(api.client, "/qa-evaluations", **query)


def ids(found: list[dict[str, Any]]) -> list[str]:
    return [item["id"] for item in found]


async def label(api: Api, new: NewEvaluation, label: str = "wrong", **more: object) -> None:
    body = {"label": label, **more}
    path = f"/qa-evaluations/{new.evaluation_id}/feedback"
    assert (await api.client.post(path, json=body)).status_code == 200


class TestList:
    async def test_a_row_is_short(self, api):
        new = await judged(api.world, 0.42, issues=["a", "b"], answer="긴 답변 " * 1_000)
        await label(api, new)
        await store_answers(api.world)

        waiting, row = await listed(api)

        assert len(row["answer_snippet"]) == 200
        assert (row["cited_title"], waiting["cited_title"]) == ("PCR 조건", None)
        assert (row["correctness"], row["issues"], row["judge_model"]) == (
            0.42,
            2,
            "openai:gpt-4o-mini",
        )
        assert row["human"] == {"right": 0, "partly": 0, "wrong": 1, "claims": 0}
        assert "answer" not in row

    @pytest.mark.parametrize(
        ("part", "state"),
        [
            ({"feedback": claims("supported")}, "confirmed"),
            ({"feedback": claims("supported", "unsupported")}, "partly"),
            ({"correctness": 0.7, "flags": ["sentence_not_judged:2"]}, "partly"),
            ({"correctness": 0.2, "issues": ["a"]}, "not_in_notes"),
        ],
    )
    async def test_a_row_says_the_same_word_as_the_verdict(self, api, part, state):
        new = await judged(api.world, **part)

        (row,) = await listed(api)
        view = (await api.client.get(f"/qa-evaluations/{new.evaluation_id}")).json()

        assert (row["state"], view["qa_evaluation"]["state"]) == (state, state)

    @pytest.mark.parametrize(
        ("provider", "by_rules", "kind", "source"),
        [
            ("openai", False, "model", "judge"),
            ("openai", True, "model", "rules"),
            ("local", True, "local", "rules"),
            ("offline", False, "rules", "rules"),
        ],
    )
    async def test_a_row_says_who_judged_and_who_ticked(
        self, api, provider, by_rules, kind, source
    ):
        items = [QualityItem(item=str(at), passed=at > 0, reason="") for at in range(4)]
        quality = QualityResult(passed=True, pass_ratio=0.75, items=items)
        who = {"provider": provider, "quality_by_rules": by_rules, "quality": quality}
        new = await judged(api.world, 0.9, by=who)

        (row,) = await listed(api)
        view = (await api.client.get(f"/qa-evaluations/{new.evaluation_id}")).json()

        assert row["quality"] == {"passed": True, "met": 3, "items": 4, "source": source}
        assert (row["judged_by"], view["judged_by"]) == (kind, kind)
        assert view["quality"]["source"] == source

    @pytest_asyncio.fixture(loop_scope="module")
    async def wanted(self, api: Api) -> str:
        """The id of an answer that differs in everything from another, which waits."""
        await store_answers(api.world, policy=EvaluationPolicy.from_settings(settings()))
        about = {"question": "Are you 100%_\\ sure?", "model": "gpt-5", "lang": "en"}
        judging = {"issues": ["x"], "degraded": "busy", "feature": "insight"}
        new = await judged(api.world, 0.4, **about, **judging)
        await label(api, new)
        return str(new.evaluation_id)

    @pytest_asyncio.fixture(loop_scope="module")
    async def other(self, api: Api) -> str:
        return str((await judged(api.world)).evaluation_id)

    @for_each(
        "query",
        [
            {"status": "succeeded"},
            # Stored as high with an issue it would contradict itself.
            {"confidence": "medium"},
            {"judged_by": "model"},
            {"min_correctness": 0.4, "max_correctness": 0.4},
            {"max_utility": 0.8, "max_correctness": 0.5},
            {"judge_model": "openai:gpt-4o-mini"},
            {"answer_model": "gpt-5"},
            {"lang": "en"},
            {"feature": "insight"},
            {"degraded": "true"},
            {"has_issues": "true"},
            {"labelled": "true"},
            {"question": "100%_\\ Sure"},
        ],
    )
    async def test_each_filter_leaves_what_it_says(self, api, wanted, query):
        assert ids(await listed(api, **query)) == [wanted]

    @for_each(
        "query",
        [
            {"reason": "no_context"},
            {"status": "failed"},
            {"min_utility": 0.81},
            {"degraded": "true"},
            {"has_issues": "true"},
            {"labelled": "true"},
            {"current": "false"},
            {"question": "%"},
            {"question": "_"},
            {"since": "2999-01-01T00:00:00Z"},
            {"until": "2000-01-01T00:00:00+09:00"},
            {"notebook_id": "019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11"},
        ],
    )
    async def test_and_leaves_out_what_it_does_not(self, api, other, query):
        assert await listed(api, **query) == []
        assert ids(await listed(api)) == [other]

    @for_each(
        "query",
        [
            {"min_correctness": 2},
            {"min_correctness": "nan"},
            {"since": "2026"},
            {"since": "2026-01-01T00:00:00"},
            {"question": ""},
            {"question": "\x00"},
            {"order": "best"},
            {"status": "done"},
            {"first_day": "20260302"},
            {"last_day": "2026-02-30"},
            {"tz": "Seoul"},
            {"outcome": "good"},
            {"correctness_below": 2},
            {"cited_note": ""},
            {"misquoted_note": "\x00"},
        ],
    )
    async def test_a_filter_that_makes_no_sense_is_named(self, api, query):
        response = await api.client.get("/qa-evaluations", params=query)

        assert response.status_code == 422
        assert next(iter(query)) in response.json()["detail"]

    async def test_worst_first_ends_with_those_that_have_no_score(self, api):
        scores = [0.9, 0.1, 0.5, 0.5, 0.3]
        for correctness in scores:
            await judged(api.world, correctness)
        await store_answers(api.world, 3)

        found = await listed(api, order="worst", limit=2)

        assert [row["correctness"] for row in found] == [*sorted(scores), None, None, None]
        assert len(set(ids(found))) == 8

    @pytest.mark.parametrize("path", ["/qa-evaluations", "/qa-evaluations/export"])
    async def test_slow_queries_suggest_a_narrower_filter(
        self, clean_database_url, redis_url, monkeypatch, path
    ):
        monkeypatch.setitem(CONNECT_ARGS, "options", "-c statement_timeout=300ms")
        async with (
            open_world(clean_database_url) as world,
            open_api(world, redis_url) as api,
            await psycopg.AsyncConnection.connect(world.url) as other,
        ):
            await other.execute("LOCK qa_answers")
            response = await api.client.get(path, params={"question": "x"})

        assert response.status_code == 422
        assert response.json()["type"] == "urn:searchqa:problem:too-many-verdicts"
        assert "`since`" in response.json()["detail"]

    async def test_a_page_of_one_order_does_not_go_on_in_the_other(self, api):
        for _ in range(2):
            await judged(api.world)
        page = (await api.client.get("/qa-evaluations", params={"limit": 1})).json()

        response = await api.client.get(
            "/qa-evaluations", params={"order": "worst", "after": page["next"]}
        )

        assert response.status_code == 422


class TestExport:
    async def read(self, api: Api, **query: object) -> str:
        response = await api.client.get("/qa-evaluations/export", params=query)
        assert response.status_code == 200
        return response.content.decode()

    async def test_json_lines_hold_whole_records(self, api):
        await judged(api.world, 0.4, issues=["72도", "30분"], answer="긴 답변\n" * 1_000)
        await store_answers(api.world)

        lines = (await self.read(api, format="jsonl")).splitlines()

        queued, succeeded = map(json.loads, lines)
        assert (queued["status"], queued["correctness"], queued["issues"]) == ("queued", None, [])
        assert succeeded["answer"] == "긴 답변\n" * 1_000
        assert (succeeded["correctness"], succeeded["issues"]) == (0.4, ["72도", "30분"])

    async def test_csv_is_read_by_spreadsheets(self, api):
        new = await judged(api.world, issues=["72도", "30분"], question='온도는 "몇", 도?')
        await label(api, new, "partly")

        written = await self.read(api)

        assert written.startswith("\ufeffid,answer_id,")
        (row,) = csv.DictReader(io.StringIO(written.removeprefix("\ufeff")))
        assert (row["judged_by"], row["quality_source"]) == ("model", "judge")
        assert row["question"] == '온도는 "몇", 도?'
        assert (row["human_partly"], row["human_wrong"]) == ("1", "0")
        assert row["issues"] == "72도\n30분"
        assert row["notebook_id"] == ""

    @pytest.mark.parametrize("start", ["=", "@", "\n=", "＝", "＠"])
    async def test_csv_runs_no_formula(self, api, start):
        evil = f'{start}HYPERLINK("http://x")'
        await judged(api.world, answer=evil, question=evil, issues=[evil])

        (row,) = csv.DictReader(io.StringIO((await self.read(api)).removeprefix("\ufeff")))

        for name in ("answer", "question", "issues"):
            assert row[name] == f"'{evil}"
        assert row["correctness"] == "0.95"

    async def test_filters_are_those_of_the_list(self, api):
        await judged(api.world, 0.9)
        wanted = await judged(api.world, 0.2)

        lines = (await self.read(api, format="jsonl", max_correctness=0.5)).splitlines()

        assert [json.loads(line)["id"] for line in lines] == [str(wanted.evaluation_id)]

    async def test_pages_meet_without_gap_or_double(self, api, monkeypatch):
        monkeypatch.setattr(explorer, "EXPORT_PAGE", 2)
        for _ in range(6):
            await judged(api.world)
        # Made in one transaction, rows may share their time.
        await api.world.rows("UPDATE qa_evaluations SET created_at = '2026-01-01'")

        lines = (await self.read(api, format="jsonl")).splitlines()

        assert len({json.loads(line)["id"] for line in lines}) == len(lines) == 6

    async def test_ten_thousand_rows_come_a_page_at_a_time(self, api):
        world = api.world
        await judged(world)
        async with world.sessions.begin() as session:
            workspace_id = await ensure_workspace(session)
            # Copies of the one verdict; the hot path would take seconds for as many.
            await session.execute(text("SET LOCAL statement_timeout = '60s'"))
            await session.execute(text(_COPY_ANSWERS))
            await session.execute(text(_COPY_EVALUATIONS))
        fetched = 0

        async def counted() -> AsyncIterator[list[EvaluationRecord]]:
            nonlocal fetched
            async for page in record_pages(world.sessions, workspace_id, {}):
                fetched += 1
                yield page

        lines = chunks = 0
        async for chunk in exported(counted(), RecordFormat.JSONL):
            chunks += 1
            lines += chunk.count(b"\n")
            # Rows are read on demand and not buffered.
            assert fetched == chunks
            assert len(chunk) < 1_000_000

        assert (lines, chunks) == (10_001, 21)


_COPY_ANSWERS = """
INSERT INTO qa_answers (id, workspace_id, question, answer, lang, feature, origin)
SELECT gen_random_uuid(), workspace_id, question, answer, lang, feature, origin
FROM qa_answers, generate_series(1, 10000)
"""
_COPY_EVALUATIONS = """
INSERT INTO qa_evaluations (id, workspace_id, answer_id, judge_key, evaluators, judge_model, status,
    correctness, utility, confidence, created_at)
SELECT gen_random_uuid(), a.workspace_id, a.id, e.judge_key, e.evaluators, e.judge_model,
    e.status, e.correctness, e.utility, e.confidence, now() - random() * interval '90 days'
FROM qa_evaluations e JOIN qa_answers a ON a.id <> e.answer_id
"""


class TestReviewQueue:
    async def queue(self, api: Api, **query: object) -> list[dict[str, Any]]:
        response = await api.client.get("/qa-evaluations/review-queue", params=query)
        assert response.status_code == 200, response.text
        return response.json()["items"]

    async def reasons(self, api: Api, **query: object) -> dict[str, float]:
        (item,) = await self.queue(api, **query)
        assert item["score"] == pytest.approx(sum(r["weight"] for r in item["reasons"]))
        return {reason["reason"]: reason["weight"] for reason in item["reasons"]}

    async def test_is_empty_where_nothing_is_doubtful(self, api):
        await judged(api.world, 0.95, feedback=claims("supported"))
        await store_answers(api.world)

        assert await self.queue(api) == []

    @pytest.mark.parametrize(
        ("correctness", "given", "reasons"),
        [
            (0.8, {}, {"near_threshold": 1}),
            (0.5, {}, {"near_threshold": 1}),
            (0.84, {}, {"near_threshold": 0.6}),
            (0.45, {}, {"near_threshold": 0.5}),
            (0.95, CONTRADICTORY, {"contradicts_issues": 1, "degraded": 0.5}),
            (0.95, {"feedback": claims("supported", "unsupported")}, {"phases_disagree": 0.45}),
        ],
    )
    async def test_holds_what_is_near_a_threshold_or_contradicts_itself(
        self, api, correctness, given, reasons
    ):
        await judged(api.world, correctness, **given)

        assert await self.reasons(api) == reasons

    async def test_holds_what_judges_see_differently(self, api):
        new = await judged(api.world, 0.95)
        await api.world.rows(
            "INSERT INTO qa_evaluations (id, workspace_id, answer_id, judge_key, evaluators,"
            " judge_model, status, correctness, is_current) SELECT gen_random_uuid(), workspace_id,"
            " answer_id, 'other', evaluators, 'other', 'succeeded', 0.2, false FROM qa_evaluations"
        )

        assert await self.reasons(api) == {"judges_disagree": 1.5}
        (item,) = await self.queue(api)
        assert item["evaluation"]["id"] == str(new.evaluation_id)

    async def test_holds_what_others_see_differently_but_not_what_you_have_said(self, api):
        new = await judged(api.world, 0.95)
        await label(api, new, "wrong", author="mina")

        assert await self.reasons(api) == {"people_disagree": 2}
        assert await self.queue(api, author="mina") == []

    async def test_a_labelled_claim_does_not_take_the_answer_out(self, api):
        new = await judged(api.world, 0.8, feedback=claims("supported"))
        await label(api, new, "right", claim_position=1)

        assert len(await self.queue(api)) == 1
        await label(api, new, "right")
        assert await self.queue(api) == []

    async def test_begins_with_the_most_doubtful_and_pages_hold_each_once(self, api):
        for correctness in (0.47, 0.5, 0.78, 0.8, 0.8, 0.84):
            await judged(api.world, correctness)

        seen = await all_pages(api.client, "/qa-evaluations/review-queue", limit=2)

        assert [item["score"] for item in seen] == [1, 1, 1, 0.8, 0.7, 0.6]
        assert len({item["evaluation"]["id"] for item in seen}) == 6

    async def test_says_why_in_the_callers_language(self, api):
        await judged(api.world, 0.8)
        path = "/qa-evaluations/review-queue"

        korean = await api.client.get(path, headers={"Accept-Language": "ko"})
        english = await api.client.get(path, headers={"Accept-Language": "en"})

        assert korean.json()["items"][0]["reasons"][0]["text"] == "점수가 기준값에 가깝습니다"
        assert "threshold" in english.json()["items"][0]["reasons"][0]["text"]

    @for_each("after", ["x", "cmV2aWV3fG5hbnx4"])
    async def test_a_bad_page_is_named(self, api, after):
        response = await api.client.get("/qa-evaluations/review-queue", params={"after": after})

        assert response.status_code == 422


class TestOfOne:
    async def test_sources_hold_the_notes_and_their_use(self, api):
        new = await judged(api.world)

        found = (await api.client.get(f"/qa-evaluations/{new.evaluation_id}/sources")).json()

        assert [(note["note_index"], note["cited"]) for note in found] == [(1, True), (2, False)]
        assert found[0]["content"] == "변성은 95도에서 30초 동안 한다."
        assert found[0]["quote_found"] is True

    async def test_sources_are_there_before_the_verdict(self, api):
        (new,) = await store_answers(api.world)

        found = (await api.client.get(f"/qa-evaluations/{new.evaluation_id}/sources")).json()

        assert [note["cited"] for note in found] == [False, False]

    async def test_history_has_every_step(self, api):
        new = await judged(api.world)

        found = (await api.client.get(f"/qa-evaluations/{new.evaluation_id}/history")).json()

        assert [step["status"] for step in found] == ["queued", "running", "succeeded"]

    async def test_bodies_of_calls_are_for_administrators(self, api):
        new = await judged(api.world)
        await api.world.rows(
            "INSERT INTO judge_calls (id, workspace_id, evaluation_id, attempt, request_hash,"
            " provider, model, content, body, cost_usd)"
            " SELECT gen_random_uuid(), workspace_id, id, 1, 'abc', 'openai', 'gpt', '{}',"
            " '{\"secret\": 1}', 0.0001 FROM qa_evaluations"
        )
        path = f"/qa-evaluations/{new.evaluation_id}/calls"
        writer = await api.as_token(scopes=["read", "write"])

        (call,) = (await writer.get(path)).json()
        refused = await writer.get(path, params={"bodies": "true"})
        (whole,) = (await api.client.get(path, params={"bodies": "true"})).json()

        assert (call["request_hash"], call["cost_usd"], call["kept"]) == ("abc", 0.0001, True)
        assert (call["content"], call["body"]) == (None, None)
        assert refused.status_code == 403
        assert "secret" not in refused.text
        assert (whole["content"], whole["body"]) == ("{}", '{"secret": 1}')

    @for_each("part", ["sources", "calls", "history", "timeline"])
    async def test_of_nobodys_is_a_problem(self, api, part):
        response = await api.client.get(
            f"/qa-evaluations/019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11/{part}"
        )

        assert response.status_code == 404
