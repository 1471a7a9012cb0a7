"""Releases beside the one before, over HTTP, as a view and as a named query."""

import datetime as dt
import uuid
from typing import Any

import pytest
from sqlalchemy import text

from analytics_rows import NOON, put, put_label, put_verdict
from api_client import Api

pytestmark = pytest.mark.asyncio(loop_scope="module")

MARCH = {"since": "2026-03-01", "until": "2026-03-31"}
DAY = dt.timedelta(days=1)


async def put_answers(
    api: Api, here: uuid.UUID, version: str, count: int, score: float, **about: Any
) -> None:
    """Whose scores are a little apart."""
    at = about.pop("at", NOON)
    for n in range(count):
        answer = {"app_version": version, **about}
        await put_verdict(api.world, here, at=at, answer=answer, correctness=score + n % 2 / 50)


async def releases(api: Api, **query: Any) -> list[dict[str, Any]]:
    response = await api.client.get("/analytics/releases", params=MARCH | query)
    assert response.status_code == 200, response.text
    return response.json()["rows"]


def category(name: str) -> dict[str, str]:
    return {"attributes": f'{{"category": "{name}"}}'}


async def test_a_release_that_is_worse_says_for_whom(api, here):
    later = NOON + DAY
    await put_answers(api, here, "1.4.1", 12, 0.9, **category("규정"))
    await put_answers(api, here, "1.4.1", 20, 0.9, lang="en", **category("hours"))
    await put_answers(api, here, "1.4.2", 12, 0.3, at=later, **category("규정"))
    await put_answers(api, here, "1.4.2", 20, 0.9, at=later, lang="en", **category("hours"))
    await put_answers(api, here, "1.4.2", 2, 0.1, at=later, lang="en", **category("few"))

    now, before = await releases(api)

    assert (now["app_version"], now["previous_version"], now["outcome"]) == (
        *("1.4.2", "1.4.1"),
        "worse",
    )
    assert now["worse_for"] == {
        "lang": "ko",
        "topic": "규정",
        "answers": 12,
        "before": pytest.approx(0.91),
        "after": pytest.approx(0.31),
    }
    change = now["correctness_change"]
    assert change["low"] < change["change"] < change["high"] < 0
    assert (before["outcome"], before["worse_for"]) == (None, None)
    assert (now["answers"], now["scored"], now["corrected"]) == (34, 34, None)


async def test_the_topic_is_else_that_of_the_first_note_or_the_notebook(api, here):
    notebook, note = uuid.uuid4(), uuid.uuid4()
    await put(api.world, "notebooks", id=notebook, workspace_id=here, name="업무")
    written = {"source_key": "휴가", "title": "휴가", "content_text": "…", "lang": "ko"}
    written |= {"content_hash": "0" * 64, "tags": []}
    await put(
        *(api.world, "notes"),
        id=note,
        workspace_id=here,
        notebook_id=notebook,
        category="규정",
        **written,
    )
    source = {"note_index": 1, "note_id": note, "cited": True}
    for version, score, at in (("1", 0.9, NOON), ("2", 0.2, NOON + DAY)):
        for n in range(10):
            answer = {"app_version": version}
            given = {"correctness": score + n / 100, "at": at, "answer": answer}
            await put_verdict(api.world, here, sources=[source], **given)
        await put_answers(api, here, version, 10, 0.9, at=at, notebook_id=notebook)

    now, _ = await releases(api)

    assert (now["worse_for"]["topic"], now["worse_for"]["answers"]) == ("규정", 10)


async def test_too_few_are_said_to_be_and_the_order_is_that_of_first_answers(api, here):
    await put_answers(api, here, "2.0", 9, 0.9, at=NOON)
    await put_answers(api, here, "10.0", 30, 0.2, at=NOON + DAY)
    # Before the period, which orders it first.
    await put_answers(api, here, "hotfix", 1, 0.9, at=NOON - 40 * DAY)
    await put_answers(api, here, "hotfix", 30, 0.9, at=NOON + 2 * DAY)
    await put_answers(api, here, "dev", 30, 0.9, at=NOON + DAY, environment="dev")

    found = [(row["app_version"], row["outcome"]) for row in await releases(api)]

    assert [version for version, _ in found] == ["dev", "10.0", "2.0", "hotfix"]
    assert found[1] == ("10.0", "too_few")
    (only,) = await releases(api, environment="dev")
    assert (only["app_version"], only["previous_version"]) == ("dev", None)


async def test_ten_thousand_releases_are_cut_to_the_newest(api, here):
    for n in range(30):
        await put_answers(api, here, f"1.{n}", 1, 0.9, at=NOON + n * dt.timedelta(hours=1))

    found = await releases(api)

    assert (len(found), found[-1]["previous_version"]) == (20, "1.9")


async def test_view_and_named_query_say_the_same(api, here):
    await put_answers(api, here, "1", 12, 0.9)
    await put_answers(api, here, "2", 12, 0.5, at=NOON + DAY)
    (row, _) = (await api.client.get("/analytics/by-release", params=MARCH)).json()["rows"]
    async with api.world.sessions() as session:
        statement = "SELECT * FROM analytics.releases WHERE previous_version IS NOT NULL"
        (viewed,) = (await session.execute(text(statement))).mappings()

    for found in (row, viewed):
        assert (found["app_version"], found["previous_version"]) == ("2", "1")
        assert found["correctness_change"] == pytest.approx(-0.4)
        assert found["correctness_change_error"] == pytest.approx(0.0084, abs=1e-3)


@pytest.mark.parametrize("query", [{"app_version": "2"}, {"environment": "e"}, {"tag": "t"}])
async def test_figures_are_of_what_is_asked_for(api, here, query):
    await put_answers(api, here, "1", 3, 0.9)
    await put_answers(api, here, "2", 2, 0.5, environment="e", tags=["t"])

    for name in ("daily-quality", "verdicts", "judge-cost", "worst-notes"):
        response = await api.client.get(f"/analytics/{name}", params=MARCH | query)
        assert response.status_code == 200, response.text
        if name == "daily-quality":
            assert [row["answers"] for row in response.json()["rows"]] == [2]


async def test_true_quality_by_release(api, here):
    await put_answers(api, here, "1", 40, 0.9)
    await put_answers(api, here, "2", 40, 0.5)
    params = MARCH | {"by": "app_version"}
    response = await api.client.get("/analytics/true-quality", params=params)

    rows = [row for row in response.json()["rows"] if row["measure"] == "correctness"]
    groups = {row["group"]: row["raw"] for row in rows}
    assert groups == {"1": pytest.approx(0.91), "2": pytest.approx(0.51)}


async def test_labels_correct_a_judge_that_sees_no_difference(api, here):
    await put_answers(api, here, "1.9", 60, 0.9)
    await put_answers(api, here, "1.10", 60, 0.9, at=NOON + DAY)
    period = {"since": "2026-03-01T00:00:00Z", "until": "2026-04-01T00:00:00Z"}
    drawn = await api.client.post("/review/samples", json=period | {"size": 120})
    assert drawn.status_code == 201, drawn.text
    for row in await api.world.rows(
        "SELECT e.id, a.app_version FROM review_items i JOIN qa_answers a ON a.id = i.answer_id"
        " JOIN qa_evaluations e ON e.answer_id = a.id"
    ):
        said = "right" if row["app_version"] == "1.9" else "wrong"
        await put_label(api.world, here, row["id"], said)

    now, _ = await releases(api)

    assert (now["app_version"], now["outcome"]) == ("1.10", "worse")
    assert now["correctness_change"]["change"] == pytest.approx(0)
    assert now["corrected_change"]["since"] == "1.9"
    assert now["corrected"]["high"] < 0.1
