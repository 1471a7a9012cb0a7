"""Named queries against rows put in by hand, over HTTP as everybody reads them."""

import csv
import datetime as dt
import io
import json
import uuid
from collections.abc import Mapping
from typing import Any

import psycopg
import pyarrow.parquet as pq
import pytest

from analytics_rows import JUDGE, NOON, put, put_answer, put_label, put_note, put_verdict
from api_client import Api
from app.verdicts.status import SkipReason
from cases import for_each

pytestmark = pytest.mark.asyncio(loop_scope="module")

MARCH = {"since": "2026-03-01", "until": "2026-03-31"}
DAY = dt.timedelta(days=1)


async def rows(api: Api, name: str, **query: Any) -> list[dict[str, Any]]:
    response = await api.client.get(f"/analytics/{name}", params=MARCH | query)
    assert response.status_code == 200, response.text
    found: list[dict[str, Any]] = response.json()["rows"]
    return found


def part(row: Mapping[str, Any], *names: str) -> tuple[Any, ...]:
    return tuple(row[name] for name in names)


COVERAGE = ("answers", "judged", "scored", "degraded", "skipped", "failed", "pending")


class TestFigures:
    async def test_of_a_day_carry_their_coverage(self, api, here):
        world = api.world
        await put_verdict(world, here, correctness=1, utility=0.5)
        await put_verdict(world, here, correctness=0.5, utility=0.6, confidence="medium")
        await put_verdict(world, here, correctness=0.3, utility=0.3, confidence="low")
        # Rules stood in: counted, but in no mean.
        await put_verdict(world, here, correctness=0, utility=0, degraded=True)
        # A checklist alone has no correctness.
        await put_verdict(world, here, correctness=None, utility=None, confidence=None)
        await put_verdict(world, here, status="skipped", reason="no_context")
        await put_verdict(world, here, status="skipped", reason="sampled_out")
        await put_verdict(world, here, status="failed", error="permanent: no")
        await put_verdict(world, here, status="retrying", reason="transient_failure")
        await put_verdict(world, here, at=NOON + DAY, correctness=0.7)

        first, second = await rows(api, "daily-quality")
        assert part(first, "day", "correctness", "utility") == ("2026-03-02", 0.6, 0.4667)
        assert part(first, *COVERAGE) == (9, 5, 3, 1, 2, 1, 1)
        skipped = part(first, "no_context", "sampled_out", "disabled", "not_search_qa")
        assert skipped == (1, 1, 0, 0)
        assert part(second, "day", "correctness", *COVERAGE) == (
            *("2026-03-03", 0.7),
            *(1, 1, 1, 0, 0, 0, 0),
        )
        mix = (await rows(api, "confidence-mix"))[0]
        assert part(mix, "high", "medium", "low", *COVERAGE) == (1, 1, 1, 9, 5, 3, 1, 2, 1, 1)
        assert part(mix, "rules_high", "rules_low", "local_medium") == (0, 0, 0)
        assert await rows(api, "skip-reasons") == [
            {"reason": "no_context", "skipped": 1, "share": 0.1, "answers": 10},
            {"reason": "sampled_out", "skipped": 1, "share": 0.1, "answers": 10},
        ]
        (waiting,) = await rows(api, "waiting")
        assert part(waiting, "status", "reason", "waiting") == ("retrying", "transient_failure", 1)
        (failed,) = await rows(api, "failures")
        assert part(failed, "error", "failed") == ("permanent: no", 1)
        (degraded,) = await rows(api, "degraded-verdicts")
        assert part(degraded, "judge_model", "verdicts") == (JUDGE, 1)

    async def test_of_a_day_say_of_each_answer_why_it_was_not_judged(self, api, here):
        for reason in SkipReason:
            await put_verdict(api.world, here, status="skipped", reason=reason)

        (row,) = await rows(api, "daily-quality")
        assert row["skipped"] == len(SkipReason)
        assert part(row, *SkipReason) == (1,) * len(SkipReason)
        (of_view,) = await api.world.rows("SELECT * FROM analytics.daily_quality")
        assert part(of_view, *SkipReason) == (1,) * len(SkipReason)

    async def test_of_an_answer_judged_again_are_those_of_its_day_and_current_verdict(
        self, api, here
    ):
        answer_id = await put_answer(api.world, here)
        await put_verdict(api.world, here, answer_id=answer_id, correctness=0.2, is_current=False)
        again = {"judge_key": "search_qa/x/2", "correctness": 0.8, "at": NOON + 5 * DAY}
        await put_verdict(api.world, here, answer_id=answer_id, **again)

        (row,) = await rows(api, "daily-quality")
        assert part(row, "day", "correctness", "answers") == ("2026-03-02", 0.8, 1)

    async def test_of_days_are_those_of_the_time_zone(self, api, here):
        # 23:30 in London, 08:30 of the next day in Seoul, 15:30 in Los Angeles.
        await put_verdict(api.world, here, at=NOON + dt.timedelta(hours=11.5))

        for tz, day in (
            ("UTC", "2026-03-02"),
            ("Asia/Seoul", "2026-03-03"),
            ("America/Los_Angeles", "2026-03-02"),
        ):
            (row,) = await rows(api, "daily-quality", since=day, until=day, tz=tz)
            assert row["day"] == day, tz
        assert await rows(api, "daily-quality", until="2026-03-02", tz="Asia/Seoul") == []
        (hour,) = await rows(api, "hourly-volume", tz="Asia/Seoul")
        assert part(hour, "hour", "answers") == ("2026-03-03T08:00:00+09:00", 1)

    async def test_of_a_day_of_25_hours(self, api, here):
        for hour in (0, 12, 24):
            await put_verdict(
                api.world, here, at=dt.datetime(2025, 11, 2, 4, tzinfo=dt.UTC) + hour * DAY / 24
            )
        asked = {"since": "2025-11-02", "until": "2025-11-02", "tz": "America/New_York"}
        (row,) = await rows(api, "daily-quality", **asked)
        assert row["answers"] == 3

    async def test_of_cost(self, api, here):
        priced = {"prompt_tokens": 100, "completion_tokens": 10, "cost_usd": "0.0001"}
        lost = {"error": "transient: HTTP 500"}
        await put_verdict(api.world, here, calls=[priced | {"cached_tokens": 60}])
        await put_verdict(api.world, here, calls=[priced, priced, lost])
        await put_verdict(api.world, here, calls=[priced], status="failed", error="permanent: no")
        rules = {"judge_model": "offline:rules", "provider": "offline", "model": "rules"}
        await put_verdict(api.world, here, **rules)

        ours, offline = sorted(await rows(api, "judge-cost"), key=lambda row: -row["calls"])
        assert part(ours, "verdicts", "calls", "prompt_tokens", "completion_tokens") == (
            *(2, 5),
            *(400, 40),
        )
        money = part(ours, "cost_usd", "cost_per_verdict_usd", "unpriced_calls")
        assert money == (0.0004, 0.0002, 1)
        assert part(ours, "cached_tokens", "cached_share") == (60, 0.15)
        assert part(offline, "judge_model", "verdicts", "calls", "cost_usd") == (
            *("offline:rules", 1, 0),
            None,
        )

    async def test_of_cost_hold_what_a_cancelled_verdict_had_cost(self, api, here):
        cancelled = {"status": "skipped", "reason": "cancelled"}
        await put_verdict(api.world, here, calls=[{"cost_usd": "0.0001"}], **cancelled)
        await put_verdict(api.world, here, at=NOON + DAY, status="skipped", reason="disabled")

        (row,) = await rows(api, "judge-cost")
        assert part(row, "day", "verdicts", "calls", "cost_usd") == ("2026-03-02", 0, 1, 0.0001)
        assert part(row, "cost_per_verdict_usd", "from_cache") == (None, 0)

    async def test_by_day_with_a_limit_are_of_the_newest(self, api, here):
        for n in range(3):
            await put_verdict(api.world, here, at=NOON + n * DAY)

        found = await rows(api, "daily-quality", limit=2)
        assert [row["day"] for row in found] == ["2026-03-04", "2026-03-03"]

    async def test_of_time(self, api, here):
        for n in range(1, 102):
            took = {"finished_at": NOON + dt.timedelta(milliseconds=10 * n)}
            await put_verdict(api.world, here, queue_ms=n, judge_ms=2 * n, **took)

        (row,) = await rows(api, "verdict-latency")
        assert row["verdicts"] == 101
        assert part(row, "queue_p50", "queue_p95", "queue_p99") == (51, 96, 100)
        assert part(row, "judge_p50", "verdict_p50", "verdict_p99") == (102, 510, 1000)
        slowest = await rows(api, "slowest-verdicts", limit=2)
        assert [row["verdict_ms"] for row in slowest] == [1010, 1000]

    async def test_of_notes(self, api, here):
        good = {"note_index": 1, "title": "좋은 노트", "cited": True, "quote_found": True}
        bad = {"note_index": 2, "title": "나쁜 노트", "cited": True, "quote_found": False}
        unused = {"note_index": 2, "title": "나쁜 노트", "cited": False}
        await put_verdict(api.world, here, correctness=1, sources=[good, unused])
        await put_verdict(api.world, here, correctness=0.4, sources=[good, bad])
        await put_verdict(api.world, here, correctness=0, degraded=True, sources=[good])

        usage = ("title", "given", "cited", "ignored", "misquoted", "cited_share")
        assert [part(row, *usage) for row in await rows(api, "note-usage")] == [
            ("좋은 노트", 3, 3, 0, 0, 1.0),
            ("나쁜 노트", 2, 1, 1, 1, 0.5),
        ]
        worst = ("title", "correctness", "scored", "cited", "ungrounded", "misquoted")
        assert [part(row, *worst) for row in await rows(api, "worst-notes")] == [
            ("나쁜 노트", 0.4, 1, 1, 1, 1),
            ("좋은 노트", 0.7, 2, 3, 1, 0),
        ]

    async def test_of_copies_of_a_note(self, api, here):
        text = "재택근무는 주 2일까지 할 수 있고, 신청은 Team Lead의 승인을 받아 3일 전까지 합니다."
        written = (
            ("재택근무 규정", text, 0.4),
            ("재택근무 규정 (사본)", f"\n{text.upper()}\r\n", 0.3),
            ("출장 규정", text.replace("주 2일", "주 3일"), 0.1),
            # Too short to be copies of each other.
            ("서울 회의실", "10명", 0.6),
            ("부산 회의실", "10명", 0.7),
        )
        ids = []
        for title, content, correctness in written:
            ids.append(await put_note(api.world, here, title=title, content_text=content))
            source = {"note_index": 1, "title": title, "note_id": ids[-1], "cited": True}
            await put_verdict(api.world, here, correctness=correctness, sources=[source])
        found = await rows(api, "worst-notes")

        worst = ("title", "copies", "correctness", "scored", "cited", "ungrounded")
        assert [part(row, *worst) for row in found] == [
            ("재택근무 규정 (사본)", 2, 0.35, 2, 2, 2),
            ("출장 규정", 1, 0.1, 1, 1, 1),
            ("서울 회의실", 1, 0.6, 1, 1, 0),
            ("부산 회의실", 1, 0.7, 1, 1, 0),
        ]
        first, second = str(ids[0]), str(ids[1])
        assert part(found[0], "note_id", "note_ids") == (second, f"{second} {first}")

    async def test_of_issues_and_claims(self, api, here):
        claims = ["supported", "unsupported/contradicted", "partly/not_in_notes"]
        issues = [("grounding", "72도"), ("grounding", "95도"), ("quote_not_found", "")]
        await put_verdict(api.world, here, claims=claims, issues=issues)
        await put_verdict(api.world, here, claims=["supported"], issues=issues[:1])
        await put_verdict(api.world, here)

        assert [tuple(row.values()) for row in await rows(api, "frequent-issues")] == [
            ("grounding", 3, 2, 3, 0.6667, "95도"),
            ("quote_not_found", 1, 1, 3, 0.3333, None),
        ]
        assert [tuple(row.values()) for row in await rows(api, "claim-support")] == [
            ("2026-03-02", 2, 4, 2, 1, 1, 0.5, 1, 1, 0, 0)
        ]
        (claim,) = await rows(api, "unsupported-claims")
        assert part(claim, "claim", "fault", "source") == ("주장 2", "contradicted", "rules")

    async def test_of_refusals(self, api, here):
        await put_verdict(api.world, here, correctness=0.4, utility=0.4, confidence="low")
        right = {"correctness": 1, "utility": 0, "confidence": "medium"}
        await put_verdict(api.world, here, outcome="rightly_refused", **right)
        false = {"correctness": 0, "utility": 0, "confidence": "low"}
        await put_verdict(api.world, here, outcome="falsely_refused", **false)

        (day,) = await rows(api, "daily-quality")
        assert part(day, "judged", "scored", "rightly_refused") == (3, 2, 1)
        assert part(day, "correctness", "utility") == (0.2, 0.2)
        (mix,) = await rows(api, "confidence-mix")
        assert part(mix, "medium", "low", "rightly_refused", "falsely_refused") == (0, 2, 1, 1)
        (row,) = [one for one in await rows(api, "verdicts") if one["outcome"] == "rightly_refused"]
        assert part(row, "correctness", "utility") == (None, None)

    async def test_of_prompts_that_judged_the_same_answers(self, api, here):
        first, second = "search_qa/m/1", "search_qa/m/2"
        for before, after in ((0.2, 0.6), (0.4, 0.6), (0.6, 0.9)):
            answer_id = await put_answer(api.world, here)
            old = {"judge_key": first, "correctness": before, "is_current": False}
            await put_verdict(api.world, here, answer_id=answer_id, **old)
            new = {"judge_key": second, "correctness": after, "at": NOON + DAY}
            await put_verdict(api.world, here, answer_id=answer_id, **new)
        await put_verdict(api.world, here, judge_key=first, correctness=1)

        (pair,) = await rows(api, "paired-comparison")
        assert part(pair, "earlier", "later", "pairs") == (first, second, 3)
        assert part(pair, "earlier_scored", "later_scored") == (4, 3)
        means = part(pair, "earlier_correctness", "later_correctness", "difference")
        assert means == (0.4, 0.7, 0.3)
        # Differences 0.4, 0.2, 0.3: deviation 0.1, standard error 0.1 / sqrt(3) = 0.0577.
        assert part(pair, "difference_low", "difference_high") == (0.1868, 0.4132)
        one, two = await rows(api, "model-comparison")
        # 0.2, 0.4, 0.6, 1: deviation 0.3416, standard error 0.1708.
        interval = part(one, "correctness", "correctness_low", "correctness_high")
        assert interval == (0.55, 0.2153, 0.8847)
        assert part(two, "judge_key", "scored", "answers") == (second, 3, 3)

    async def test_of_one_verdict_have_no_interval(self, api, here):
        await put_verdict(api.world, here)
        (row,) = await rows(api, "model-comparison")
        interval = part(row, "correctness", "correctness_low", "correctness_high")
        assert interval == (0.9, None, None)

    async def test_of_reliability(self, api, here):
        unread, lost = {"error": "malformed: two objects"}, {"error": "transient: HTTP 503"}
        # What an answer has failed on is discarded when it is judged again, errors and all.
        lost |= {"discarded": True}
        await put_verdict(api.world, here, calls=[{"discarded": True}, unread, lost, {}], attempt=3)
        await put_verdict(api.world, here, degraded=True, tries=5, attempt=6, crashes=1)
        await put_verdict(api.world, here, status="failed", error="permanent: no", attempt=1)

        (row,) = await rows(api, "judge-reliability")
        assert tuple(row.values()) == (JUDGE, 3, 1, 1, 1, 0, 10, 5, 1, 4, 1, 2, 0.5)

    async def test_of_agreement_with_people(self, api, here):
        """Judge in rows, people in columns: right 4 2 0, partly 1 1 1, wrong 0 1 2 (right, partly,
        wrong). Distance seen 5 of 12. By chance (6*4 + 3*5 + 3*4 + 3*3 + 2 * (6*3 + 3*5)) / 12."""
        table = {
            (0.9, "right"): 4,
            (0.8, "partly"): 2,
            (0.79, "right"): 1,
            (0.6, "partly"): 1,
            (0.5, "wrong"): 1,
            (0.4, "partly"): 1,
            (0.0, "wrong"): 2,
        }
        for (correctness, label), times in table.items():
            for _ in range(times):
                id_ = await put_verdict(api.world, here, correctness=correctness)
                await put_label(api.world, here, id_, label)
        await put_verdict(api.world, here)

        (row,) = await rows(api, "judge-agreement")
        expected = (6 * 4 + 3 * 5 + 3 * 3 + 3 * 4 + 2 * (6 * 3 + 3 * 5)) / 12
        assert part(row, "pairs", "same", "neighbours", "opposite") == (12, 7, 5, 0)
        assert part(row, "agreement", "verdicts") == (0.5833, 13)
        assert row["kappa"] == round(1 - 5 / expected, 4)
        assert len(await rows(api, "judge-disagreements")) == 5

    async def test_of_agreement_hold_each_verdict_against_the_label_of_its_answer(self, api, here):
        answer_id = await put_answer(api.world, here)
        old = {"correctness": 0.9, "is_current": False}
        await put_verdict(api.world, here, answer_id=answer_id, **old)
        new = {"correctness": 0.1, "judge_key": "search_qa/x/2", "prompt_version": "2"}
        second = await put_verdict(api.world, here, answer_id=answer_id, **new)
        await put_label(api.world, here, second, "wrong", comment="아니요")

        one, two = await rows(api, "judge-agreement")
        assert part(one, "prompt_version", "pairs", "opposite") == ("1", 1, 1)
        assert part(two, "prompt_version", "pairs", "same") == ("2", 1, 1)
        (row,) = await rows(api, "judge-disagreements")
        assert part(row, "judge_label", "human_label", "distance", "comment") == (
            *("right", "wrong", 2),
            "아니요",
        )

    async def test_of_improvement(self, api, here):
        found = {
            "relevance": "words",
            "targeted_retrieval": 0.5,
            "first_precision": 0.2,
            "first_recall": 0.25,
            "last_precision": 0.6,
            "last_recall": 1.0,
            "correctness_lift": 0.4,
            "utility_lift": -0.1,
        }
        searched_once = {"relevance": "words", "first_precision": 1.0, "first_recall": 1.0}
        for lift, best, more in (
            (0.3, 1, found),
            (0.1, 2, found | {"relevance": "ground_truth", "correctness_lift": 0.2}),
            (0.2, 1, searched_once),
            (None, None, {}),
        ):
            id_ = await put_verdict(api.world, here, correctness=0.2)
            refinement_id = uuid.uuid4()
            await put(
                api.world,
                "refinements",
                id=refinement_id,
                workspace_id=here,
                evaluation_id=id_,
                threshold=0.5,
                max_iterations=2,
                automatic=True,
                lift=lift,
                best_iteration=best,
                finished_at=NOON if lift else None,
                **more,
            )
            await put(
                api.world,
                "refinement_iterations",
                workspace_id=here,
                refinement_id=refinement_id,
                position=0,
                query="?",
                heuristic=best == 2,
            )

        (row,) = await rows(api, "refine-lift")
        # Deviation 0.1, standard error 0.0577; for the two of correctness 0.1414 and 0.1.
        assert tuple(row.values()) == (
            *(True, 4, 3, 1, 3, 3, 0.2, 0.0868, 0.3132),
            *(2, 0.3, 0.104, 0.496, -0.1),
            *(2, 0.5, 0.2, 0.6, 0.25, 1.0, 1),
        )

    async def test_by_feature_model_and_search(self, api, here):
        english = {"lang": "en", "provider": "openai", "model": "gpt-4o", "search_method": "tags"}
        await put_verdict(api.world, here, correctness=0.5, answer=english)
        await put_verdict(api.world, here, correctness=0.8)
        await put_verdict(api.world, here, correctness=0.9)

        def keyed(found: list[dict[str, Any]], *keys: str) -> list[tuple[Any, ...]]:
            return [part(row, *keys, "correctness", "answers") for row in found]

        by_feature = keyed(await rows(api, "by-feature"), "feature", "lang")
        assert by_feature == [("search_qa", "ko", 0.85, 2), ("search_qa", "en", 0.5, 1)]
        by_model = keyed(await rows(api, "by-answer-model"), "answer_model")
        assert by_model == [(None, 0.85, 2), ("openai:gpt-4o", 0.5, 1)]
        by_search = keyed(await rows(api, "by-search-method"), "search_method")
        assert by_search == [(None, 0.85, 2), ("tags", 0.5, 1)]

    async def test_of_one_judge_or_notebook_alone(self, api, here):
        notebook = (await api.client.post("/notebooks", json={"name": "실험실"})).json()["id"]
        await put_verdict(api.world, here, answer={"notebook_id": notebook}, correctness=0.1)
        await put_verdict(api.world, here, judge_model="ollama:qwen", correctness=0.3)

        async def correctness(**query: str) -> list[float]:
            return [row["correctness"] for row in await rows(api, "daily-quality", **query)]

        assert await correctness(notebook_id=notebook) == [0.1]
        assert await correctness(model="ollama:qwen") == [0.3]
        assert await correctness() == [0.2]


class TestEveryQuery:
    async def test_gives_the_columns_it_names_of_the_types_it_names(self, api, here):
        await put_verdict(api.world, here)
        catalog = (await api.client.get("/analytics")).json()["queries"]
        assert len(catalog) >= 20
        # Type names of PostgreSQL by those of the catalog.
        known = {"date": 1082, "timestamp": 1184, "integer": 20, "number": 701, "text": 25}
        known |= {"boolean": 16, "uuid": 2950}
        integers, texts = {20, 23}, {25, 1043}
        async with await psycopg.AsyncConnection.connect(api.world.url) as connection:
            for query in catalog:
                response = await api.client.get(f"/analytics/{query['name']}", params=MARCH)
                assert response.status_code == 200, response.text
                body = response.json()
                assert body["columns"] == query["columns"]
                cursor = await connection.execute(body["sql"])
                assert cursor.description is not None
                names = [column["name"] for column in body["columns"]]
                assert [column.name for column in cursor.description] == names, query["name"]
                for column, real in zip(body["columns"], cursor.description, strict=True):
                    same = {"integer": integers, "text": texts}.get(column["type"])
                    where = f"{query['name']}.{column['name']}"
                    assert real.type_code in (same or {known[column["type"]]}), where

    async def test_gives_the_rows_that_its_sql_gives_an_analyst(self, api, here):
        await put_verdict(api.world, here, claims=["unsupported"], issues=[("grounding", "x")])
        async with await psycopg.AsyncConnection.connect(api.world.url) as connection:
            await connection.execute("SET ROLE searchqa_analyst")
            await connection.execute("SET TimeZone = 'Asia/Seoul'")
            for query in (await api.client.get("/analytics")).json()["queries"]:
                asked = MARCH | {"tz": "Asia/Seoul", "model": JUDGE}
                body = (await api.client.get(f"/analytics/{query['name']}", params=asked)).json()
                cursor = await connection.execute(body["sql"])
                there = [
                    dict(zip(body["rows"][0] if body["rows"] else (), row, strict=True))
                    for row in await cursor.fetchall()
                ]
                assert json.loads(json.dumps(there, default=_plain)) == body["rows"]

    async def test_of_an_empty_month_gives_nothing(self, api, here):
        await put_verdict(api.world, here)
        for query in (await api.client.get("/analytics")).json()["queries"]:
            assert await rows(api, query["name"], since="2024-02-01", until="2024-02-29") == []


def _plain(value: Any) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


class TestExport:
    async def test_as_csv(self, api, here):
        await put_verdict(api.world, here, answer={"question": '＝1+1, "말"'}, queue_ms=1.25)
        response = await api.client.get("/analytics/verdicts", params=MARCH | {"format": "csv"})
        assert response.headers["content-type"] == "text/csv; charset=utf-8"
        assert response.headers["content-disposition"] == 'attachment; filename="verdicts.csv"'
        (row,) = csv.DictReader(io.StringIO(response.text, newline=""))
        assert part(row, "question", "queue_ms", "correctness", "error", "is_current") == (
            *('\'＝1+1, "말"', "1.25", "0.9", ""),
            "true",
        )

    async def test_as_json_lines(self, api, here):
        id_ = await put_verdict(api.world, here)
        response = await api.client.get(
            "/analytics/verdicts", params=MARCH, headers={"Accept": "application/jsonl"}
        )
        (line,) = response.text.splitlines()
        row = json.loads(line)
        assert part(row, "evaluation_id", "correctness", "error") == (str(id_), 0.9, None)
        assert row["answered_at"] == "2026-03-02T12:00:00+00:00"

    async def test_as_parquet(self, api, here):
        id_ = await put_verdict(api.world, here, cost_usd="0.00012")
        asked = MARCH | {"format": "parquet", "tz": "Asia/Seoul"}
        response = await api.client.get("/analytics/verdicts", params=asked)
        (row,) = pq.read_table(io.BytesIO(response.content)).to_pylist()
        assert part(row, "evaluation_id", "answered_at", "cost_usd", "is_current") == (
            *(str(id_), NOON),
            *(0.00012, True),
        )

    async def test_of_more_rows_than_are_held_at_once(self, api, here):
        await api.world.rows(
            "INSERT INTO qa_answers (id, workspace_id, question, answer, lang, feature, origin,"
            " created_at) SELECT gen_random_uuid(), %s, 'q', 'a', 'en', 'search_qa', 'chat', %s"
            " FROM generate_series(1, 12001)",
            *(here, NOON),
        )
        await api.world.rows(
            "INSERT INTO qa_evaluations (id, workspace_id, answer_id, judge_key, evaluators,"
            " judge_model, status, reason, answered_at) SELECT gen_random_uuid(), workspace_id, id,"
            " 'none', '{}', 'm', 'skipped', 'disabled', created_at FROM qa_answers"
        )
        await api.world.rows("ANALYZE qa_answers, qa_evaluations")
        response = await api.client.get("/analytics/verdicts", params=MARCH | {"format": "parquet"})
        file = pq.ParquetFile(io.BytesIO(response.content))
        assert (file.metadata.num_rows, file.metadata.num_row_groups) == (12001, 3)
        body = (await api.client.get("/analytics/verdicts", params=MARCH)).json()
        assert (len(body["rows"]), body["truncated"]) == (10_000, True)

    async def test_of_nothing_is_a_valid_file(self, api, here):
        for query in (await api.client.get("/analytics")).json()["queries"]:
            names = [column["name"] for column in query["columns"]]
            path = f"/analytics/{query['name']}"
            files = {
                format_: await api.client.get(path, params=MARCH | {"format": format_})
                for format_ in ("csv", "jsonl", "parquet")
            }
            assert files["csv"].text == ",".join(names) + "\r\n"
            assert files["jsonl"].content == b""
            table = pq.read_table(io.BytesIO(files["parquet"].content))
            assert (table.column_names, table.num_rows) == (names, 0)


class TestBadInput:
    @for_each(
        ("query", "status", "message"),
        [
            ({"since": "2026-03-02", "until": "2026-03-01"}, 422, "swap them"),
            ({"tz": "Mars/Olympus"}, 422, "Asia/Seoul"),
            ({"tz": "Seoul9"}, 422, "Asia/Seoul"),
            ({"model": "nobody:knows"}, 422, JUDGE),
            ({"model": "nobody:knows", "format": "parquet"}, 422, JUDGE),
            ({"model": "'; DROP TABLE qa_answers; --"}, 422, JUDGE),
            ({"notebook_id": str(uuid.UUID(int=7))}, 404, "GET /notebooks"),
            ({"since": "yesterday"}, 422, "since"),
            ({"limit": "0"}, 422, "limit"),
            ({"format": "xlsx"}, 422, "parquet"),
        ],
    )
    async def test_says_what_to_change(self, api, here, query, status, message):
        await put_verdict(api.world, here)
        response = await api.client.get("/analytics/daily-quality", params=query)
        assert response.status_code == status, response.text
        assert message in response.json()["detail"]
        assert await rows(api, "daily-quality") != []

    async def test_an_unknown_name_leads_to_the_list(self, api):
        for query in ({}, {"format": "csv"}):
            response = await api.client.get("/analytics/best-jokes", params=query)
            assert response.status_code == 404
            assert "GET /analytics" in response.json()["detail"]

    async def test_days_are_the_last_thirty_where_none_are_named(self, api):
        today = dt.datetime.now(dt.UTC).date()
        body = (await api.client.get("/analytics/daily-quality")).json()["parameters"]
        # Midnight may pass between the two clocks.
        assert body["until"] in {str(today), str(today + DAY)}
        since, until = (dt.date.fromisoformat(body[key]) for key in ("since", "until"))
        assert until - since == 29 * DAY
        early = await api.client.get("/analytics/daily-quality", params={"until": "0001-01-01"})
        assert early.json()["parameters"]["since"] == "0001-01-01"


# Versions of PostgreSQL choose differently among those that cost the same. Until the rollback.
_THIS_INDEX_ALONE = """
UPDATE pg_index SET indisvalid = false WHERE indrelid = 'qa_evaluations'::regclass
AND indexrelid <> 'ix_qa_evaluations_workspace_id_answered_at'::regclass
"""


@for_each(
    "name", ["daily-quality", "confidence-mix", "hourly-volume", "skip-reasons", "claim-support"]
)
async def test_figures_of_many_verdicts_are_read_from_an_index_alone(api, here, name):
    response = await api.client.get(f"/analytics/{name}", params=MARCH)
    async with await psycopg.AsyncConnection.connect(api.world.url) as connection:
        # Without the pages of rows that tests before this one deleted.
        await connection.execute("TRUNCATE qa_evaluations CASCADE")
        # Of an empty table the planner would read the rows.
        await connection.execute("SET enable_seqscan = off")
        await connection.execute("SET enable_bitmapscan = off")
        await connection.execute(_THIS_INDEX_ALONE)
        await connection.execute("SET ROLE searchqa_app")
        await connection.execute("SELECT set_config('app.workspace_id', %s, false)", [str(here)])
        explained = await connection.execute(f"EXPLAIN {response.json()['sql']}".encode())
        plan = "\n".join(line for (line,) in await explained.fetchall())
    assert "Index Only Scan using ix_qa_evaluations_workspace_id_answered_at" in plan, plan
