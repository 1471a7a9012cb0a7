"""From a figure to the answers behind it: the list that the quality page opens has as many verdicts
as the chart counts. Which filters a figure opens stands in one file, which the page reads too."""

import datetime as dt
import json
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from analytics_rows import JUDGE, NOON, put, put_answer, put_label, put_verdict
from api_client import Api, all_pages, json_of
from app.verdicts.status import SkipReason
from cases import for_each

QUALITY = Path(__file__).parents[3] / "frontend" / "src" / "features" / "quality"
LINKS: Mapping[str, Any] = json.loads((QUALITY / "drill.json").read_text("utf-8"))["charts"]
TZ = "Asia/Seoul"
MARCH = {"since": "2026-03-01", "until": "2026-03-31", "tz": TZ}
DAY = dt.timedelta(days=1)
# 23:30 in Seoul, and 00:30 of the next day.
LATE, EARLY = NOON + dt.timedelta(hours=2.5), NOON + dt.timedelta(hours=3.5)
RULES = {"judge_model": "offline:rules", "provider": "offline", "model": "rules"}
LOCAL = {"judge_model": "local:pairs", "provider": "local", "model": "pairs"}
GOOD = {"note_index": 1, "title": "좋은 노트", "cited": True, "quote_found": True}
BAD = {"note_index": 2, "title": "나쁜 노트", "cited": True, "quote_found": False}


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module")
async def notebook(api, here):
    """Answers of two days in Seoul with whatever may have become of them, some from a notebook."""
    world = api.world
    notebook_id, note_id = uuid.uuid4(), uuid.uuid4()
    await put(world, "notebooks", id=notebook_id, workspace_id=here, name="실험실")
    note = {"id": note_id, "workspace_id": here, "notebook_id": notebook_id, "title": "우리 노트"}
    text = {
        "content_text": "…",
        "content_hash": "0" * 64,
        "lang": "ko",
        "source_key": "x",
        "tags": [],
    }
    await put(world, "notes", **note, **text)
    ours = {"note_index": 1, "title": "우리 노트", "note_id": note_id, "cited": True}
    # Two parts of one note are one note.
    twice = [ours, ours | {"note_index": 2, "quote_found": False}, BAD | {"note_index": 3}]
    of_notebook = {"answer": {"notebook_id": notebook_id}}
    await put_verdict(world, here, at=LATE, sources=twice, correctness=0.5, **of_notebook)
    await put_verdict(world, here, at=EARLY, sources=[GOOD, BAD], correctness=0.2, confidence="low")
    await put_verdict(world, here, at=EARLY, sources=[GOOD], **RULES, **of_notebook)
    for by in ({}, RULES, LOCAL):
        for confidence in ("high", "medium", "low"):
            await put_verdict(world, here, at=LATE, confidence=confidence, **by)
    refused = {"correctness": 1, "confidence": "medium", "outcome": "rightly_refused"}
    await put_verdict(world, here, at=LATE, **refused)
    await put_verdict(world, here, at=LATE, **refused | RULES)
    claims = ["supported", "partly/stitched", "unsupported/contradicted"]
    claims += ["unsupported/not_in_notes", "partly/misattributed", "partly/not_in_notes"]
    false = {"correctness": 0, "confidence": "low", "outcome": "falsely_refused"}
    await put_verdict(world, here, at=LATE, claims=claims, **false)
    issues = [("grounding", "72도"), ("grounding", "95도"), ("quote_not_found", "")]
    await put_verdict(world, here, at=LATE, issues=issues, from_cache=True, cost_usd="0.002")
    stood_in = {"degraded": True, "provider": "offline", "model": "rules", "error": "transient: no"}
    await put_verdict(world, here, at=LATE, sources=[GOOD], correctness=0, **stood_in)
    unscored = {"correctness": None, "utility": None, "confidence": None}
    await put_verdict(world, here, at=EARLY, **unscored)
    for reason in SkipReason:
        await put_verdict(world, here, at=EARLY, status="skipped", reason=reason)
    await put_verdict(world, here, at=LATE, status="failed", error="permanent: no")
    await put_verdict(world, here, at=EARLY, status="retrying", reason="transient_failure")
    await put_verdict(world, here, at=LATE, status="queued", **of_notebook)
    # Judged again days later: of the day of its answer, and by its verdict that counts.
    answer_id = await put_answer(world, here, created_at=LATE)
    old = {"correctness": 0.1, "confidence": "low", "is_current": False}
    await put_verdict(world, here, answer_id=answer_id, **old)
    again = {"judge_key": "search_qa/x/2", "judge_model": "openai:x", "at": LATE + 5 * DAY}
    await put_verdict(world, here, answer_id=answer_id, **again)
    # Of another month.
    await put_verdict(world, here, at=NOON - 30 * DAY, sources=[GOOD, BAD], issues=issues)
    return notebook_id


async def rows(api: Api, name: str, **query: Any) -> list[dict[str, Any]]:
    return (await json_of(api.client.get(f"/analytics/{name}", params=MARCH | query)))["rows"]


async def listed(api: Api, address: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the page asks for by an address, page after page."""
    days = {"since": "first_day", "until": "last_day"}
    query = {days.get(name, name): value for name, value in address.items()} | {"tz": TZ}
    asked = {"order": "worst"} | query | {"limit": 4}
    found = await all_pages(api.client, "/qa-evaluations", **asked)
    assert len({row["id"] for row in found}) == len(found)
    return found


def address(name: str, count: str, row: Mapping[str, Any], more: Mapping[str, str]) -> Any:
    """What the page makes of drill.json for one figure of a row."""
    written = {
        "since": MARCH["since"],
        "until": MARCH["until"],
        **LINKS[name]["each"],
        **LINKS[name]["counts"][count],
        **more,
    }
    values = {**row, "note": row.get("note_ids") or row.get("title")}
    return {
        key: values[value[1:]] if value.startswith("$") else value for key, value in written.items()
    }


def counted(row: Mapping[str, Any], name: str) -> int:
    """The figure, where it is not a column: what a chart draws of its row."""
    if name.startswith("model_"):
        confidence = name.removeprefix("model_")
        return int(row[confidence] - row[f"rules_{confidence}"] - row[f"local_{confidence}"])
    if name == "unrated":
        rated = ("high", "medium", "low", "rightly_refused")
        return int(row["answers"] - sum(row[name] for name in rated))
    return int(row[name])


@for_each("narrowed", ["all", "judge", "notebook"])
async def test_a_figure_opens_as_many_verdicts_as_it_counts(api, notebook, narrowed):
    given, opened = {
        "all": ({}, {}),
        "judge": ({"model": JUDGE}, {"judge_model": JUDGE}),
        "notebook": ({"notebook_id": str(notebook)}, {"notebook_id": str(notebook)}),
    }[narrowed]
    seen = set()
    for name, links in LINKS.items():
        for row in await rows(api, name, **given):
            for count in links["counts"].keys() - {"cost_usd"}:
                found = await listed(api, address(name, count, row, opened))
                # Of claims the answers are listed that have any.
                many = counted(row, count)
                assert len(found) == (min(many, 1) if name == "claim-support" else many), (
                    *(name, count, row),
                )
                if found:
                    seen.add((name, count))
    if narrowed == "all":
        every = {(name, count) for name, links in LINKS.items() for count in links["counts"]}
        assert every - seen == {("judge-cost", "cost_usd")}, "a figure that is 0 proves nothing"


async def test_cost_opens_all_that_was_asked_the_costliest_first(api, notebook):
    costs = [
        [each["cost_usd"] for each in await listed(api, address("judge-cost", "cost_usd", row, {}))]
        for row in await rows(api, "judge-cost")
    ]
    asked = await api.world.rows(
        "SELECT count(*) AS n FROM qa_evaluations WHERE status <> 'skipped' AND answered_at > %s",
        NOON,
    )
    assert sum(map(len, costs)) == asked[0]["n"]
    assert max(costs, key=len)[:2] == [0.002, None]


async def test_the_slowest_come_first(api, here):
    for milliseconds in (30.001, 500, 30.002, 30.001):
        took = {"finished_at": NOON + dt.timedelta(milliseconds=milliseconds)}
        await put_verdict(api.world, here, **took)
    await put_verdict(api.world, here, status="queued")
    for limit in (1, 2):
        asked = {"order": "slowest", "limit": limit}
        found = await all_pages(api.client, "/qa-evaluations", **asked)
        assert [row["finished_at"] and row["finished_at"][17:] for row in found] == [
            *("00.500000Z", "00.030002Z", "00.030001Z", "00.030001Z"),
            None,
        ]


async def test_a_corrected_mean_opens_the_answers_it_is_of(api, notebook):
    for by in ("all", "day", "judge", "model", "lang", "notebook"):
        response = await api.client.get("/analytics/true-quality", params=MARCH | {"by": by})
        for row in response.json()["rows"]:
            group = row["group"]
            if by != "all" and group is None:
                continue
            narrowed = {
                "all": {},
                "day": {"since": group, "until": group},
                "judge": {"made_by": group},
                "model": {"answer_model": group},
                "lang": {"lang": group},
                "notebook": {"notebook_id": group},
            }[by]
            base = {"since": MARCH["since"], "until": MARCH["until"], "current": "true"}
            found = await listed(api, base | {"outcome": "scored"} | narrowed)
            assert len(found) == row["answers"], (by, row)


class TestOutcomes:
    @for_each(
        ("outcome", "count"), [("asked", 22), ("unscored", 5), ("unjudged", 10), ("pending", 2)]
    )
    async def test_are_those_of_the_monitor(self, api, notebook, outcome, count):
        base = {"since": MARCH["since"], "until": MARCH["until"], "current": "true"}
        assert len(await listed(api, base | {"outcome": outcome})) == count


class TestNarrowing:
    @pytest_asyncio.fixture(loop_scope="module")
    async def two_models(self, api, here):
        await put_verdict(api.world, here, answer={"model": "gpt-5"}, prompt_version="7")
        await put_verdict(api.world, here, answer={"model": "gpt-5", "provider": "acme"})

    @for_each(
        ("query", "count"),
        [
            ({"answer_model": "gpt-5"}, 2),
            ({"answer_model": "acme:gpt-5"}, 1),
            ({"answer_model": "acme:gpt-4"}, 0),
            ({"made_by": "openai:gpt-4o-mini"}, 2),
            ({"made_by": "openai"}, 0),
            ({"prompt_version": "7"}, 1),
            ({"first_day": "2026-03-02"}, 2),
            ({"last_day": "2026-03-01"}, 0),
            ({"first_day": "2026-03-03", "tz": "Asia/Seoul"}, 0),
            ({"first_day": "2026-03-03", "tz": "Pacific/Kiritimati"}, 2),
            ({"cited_note": str(uuid.UUID(int=0))}, 0),
            ({"cited_note": "우리 노트"}, 0),
        ],
    )
    async def test_by_what_a_chart_groups_by(self, api, two_models, query, count):
        response = await api.client.get("/qa-evaluations", params=query)
        exported = await api.client.get(
            "/qa-evaluations/export", params=query | {"format": "jsonl"}
        )

        assert len(response.json()["items"]) == count
        assert len(exported.text.splitlines()) == count


WEEK = {"since": "2026-03-01", "until": "2026-03-07"}


class TestPeriods:
    async def test_stand_side_by_side(self, api, here):
        for correctness in (0.4, 0.8):
            await put_verdict(api.world, here, correctness=correctness)
        for correctness in (0.9, 0.5, 0.4):
            await put_verdict(api.world, here, at=NOON - 7 * DAY, correctness=correctness)
        await put_verdict(api.world, here, at=NOON - 7 * DAY, status="skipped", reason="disabled")
        await put_verdict(api.world, here, at=NOON - 9 * DAY)

        now, before = await rows(api, "period-comparison", **WEEK, tz="UTC")

        assert [now["period"], now["first_day"], now["last_day"]] == ["now", *WEEK.values()]
        assert [before["first_day"], before["last_day"]] == ["2026-02-22", "2026-02-28"]
        assert [now["correctness"], now["scored"], now["answers"]] == [0.6, 2, 2]
        assert [before["correctness"], before["scored"], before["answers"]] == [0.6, 3, 4]
        # Deviation 0.2828, of two: 1.96 * 0.2828 / sqrt(2); of three 0.2646.
        assert [now["correctness_error"], before["correctness_error"]] == [0.392, 0.2994]

    async def test_without_answers_are_left_out(self, api, here):
        await put_verdict(api.world, here)

        (now,) = await rows(api, "period-comparison", **WEEK, model=JUDGE)

        assert [now["period"], now["answers"], now["correctness_error"]] == ["now", 1, None]

    async def test_are_of_the_days_of_the_time_zone(self, api, here):
        await put_verdict(api.world, here, at=EARLY)
        asked = {"since": "2026-03-03", "until": "2026-03-03"}

        (in_seoul,) = await rows(api, "period-comparison", **asked)
        (in_utc,) = await rows(api, "period-comparison", **asked, tz="UTC")
        assert [in_seoul["period"], in_utc["period"]] == ["now", "before"]


async def test_a_label_is_no_verdict(api, here):
    """Labelled twice, listed once."""
    evaluation_id = await put_verdict(api.world, here)
    for author in ("ann", "bob"):
        await put_label(api.world, here, evaluation_id, "right", author=author)

    assert len(await listed(api, {"labelled": "true", "outcome": "scored"})) == 1
