"""Quality corrected by the labels of answers drawn at random, over HTTP."""

import datetime as dt
import uuid
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest

from analytics_rows import JUDGE, NOON, put_label, put_verdict
from api_client import Api
from cases import for_each

pytestmark = pytest.mark.asyncio(loop_scope="module")

MARCH = {"since": "2026-03-01", "until": "2026-03-31"}
PERIOD = {"since": "2026-03-01T00:00:00Z", "until": "2026-04-01T00:00:00Z"}
WEEK = dt.timedelta(days=7)


async def put_answers(
    api: Api, workspace_id: uuid.UUID, count: int, right: int, **values: Any
) -> None:
    """Judged answers, of which people would find the first `right` ones right; who labels an
    answer reads that from its question."""
    answer = values.pop("answer", {})
    before = len(await api.world.rows("SELECT id FROM qa_answers"))
    for n in range(count):
        # Draws sort by id: with a seed, the same answers are drawn in each run.
        id_ = uuid.UUID(int=before + n + 1)
        about = {"id": id_, "question": "right" if n < right else "wrong", **answer}
        await put_verdict(api.world, workspace_id, answer=about, **values)


@pytest.fixture(autouse=True)
def _same_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interval of 95 % leaves out the truth of one draw in twenty."""
    monkeypatch.setattr("app.quality.review.draws.secrets", SimpleNamespace(randbelow=lambda _: 7))


async def draw(api: Api, **body: object) -> None:
    response = await api.client.post("/review/samples", json=PERIOD | body)
    assert response.status_code == 201, response.text


async def label(api: Api, workspace_id: uuid.UUID, count: int | None = None) -> None:
    """Labels the first drawn answers that have no label."""
    rows = await api.world.rows(
        "SELECT i.answer_id, e.id, a.question FROM review_items i"
        " JOIN qa_evaluations e ON e.answer_id = i.answer_id AND e.is_current"
        " JOIN qa_answers a ON a.id = i.answer_id"
        " WHERE NOT EXISTS (SELECT FROM qa_feedback f WHERE f.answer_id = i.answer_id)"
        " ORDER BY i.draw_id, i.position LIMIT %s",
        count,
    )
    for row in rows:
        await put_label(api.world, workspace_id, row["id"], row["question"])


async def draw_and_label(api: Api, workspace_id: uuid.UUID, **body: object) -> None:
    await draw(api, **body)
    await label(api, workspace_id)


async def quality(api: Api, **query: object) -> dict[tuple[str | None, str], dict[str, Any]]:
    """Rows by group and measure."""
    response = await api.client.get("/analytics/true-quality", params=MARCH | query)
    assert response.status_code == 200, response.text
    return {(row["group"], row["measure"]): row for row in response.json()["rows"]}


async def test_a_judge_that_flatters_is_corrected(api, here):
    await put_answers(api, here, 60, 60, correctness=0.9)
    await put_answers(api, here, 60, 30, correctness=0.9)  # people do not agree with half of these
    await put_answers(api, here, 40, 0, correctness=0.2)
    await draw_and_label(api, here, size=80)

    row = (await quality(api))[None, "grounded"]

    assert (row["answers"], row["covered"], row["drawn"], row["labels"]) == (160, 160, 80, 80)
    assert row["raw"] == 0.75
    corrected, plain = row["corrected"], row["labels_only"]
    assert corrected["low"] < 90 / 160 < corrected["high"] < row["raw"]
    assert corrected["high"] - corrected["low"] < plain["high"] - plain["low"]
    assert 0 < row["power"] < 2
    assert row["note"] is None


async def test_with_every_answer_labelled_it_is_exact(api, here):
    await put_answers(api, here, 40, 30, correctness=0.9)
    await draw_and_label(api, here)

    found = await quality(api)

    for measure in ("grounded", "correctness"):
        corrected = found[None, measure]["corrected"]
        assert [corrected[name] for name in ("value", "low", "high")] == pytest.approx([0.75] * 3)
        assert found[None, measure]["more_labels"] == 0
    assert found[None, "utility"]["note"] == "too_few_labels", "nobody was asked for it"


class TestWithoutEnoughLabels:
    async def test_no_draw_at_all(self, api, here):
        await put_answers(api, here, 50, 40)
        row = (await quality(api))[None, "grounded"]
        assert (row["note"], row["corrected"], row["covered"]) == ("not_drawn", None, 0)
        assert row["more_labels"] == 45, "384.1 / (1 + 384.1 / 50)"
        assert row["raw"] == 1

    async def test_a_draw_that_is_not_labelled(self, api, here):
        await put_answers(api, here, 50, 40)
        await draw(api, size=35)
        await label(api, here, 12)
        row = (await quality(api, width=0.5))[None, "grounded"]
        assert (row["note"], row["corrected"]) == ("too_few_labels", None)
        assert (row["drawn"], row["labels"], row["more_labels"]) == (35, 12, 18)

    async def test_answers_that_are_too_few_for_any_labels(self, api, here):
        await put_answers(api, here, 12, 9)
        await draw_and_label(api, here, size=12)
        row = (await quality(api))[None, "grounded"]
        assert (row["note"], row["corrected"], row["more_labels"]) == ("too_few_answers", None, 0)

    async def test_labels_of_the_queue_are_none(self, api, here):
        await put_answers(api, here, 60, 40)
        for row in await api.world.rows("SELECT id FROM qa_evaluations"):
            await put_label(api.world, here, row["id"], "wrong")
        row = (await quality(api))[None, "grounded"]
        assert (row["labels"], row["note"]) == (0, "not_drawn")

    async def test_an_empty_month_has_no_rows(self, api, here):
        assert await quality(api, since="2024-02-01", until="2024-02-29") == {}


class TestGroups:
    async def test_weeks_are_compared(self, api, here):
        await put_answers(api, here, 60, 57, correctness=0.9)
        await put_answers(api, here, 60, 20, correctness=0.9, at=NOON + WEEK)
        await draw_and_label(api, here, size=100)

        found = await quality(api, by="week")

        first, second = (found[week, "grounded"] for week in ("2026-03-02", "2026-03-09"))
        assert first["change"] is None
        change = second["change"]
        assert change["since"] == "2026-03-02"
        assert change["low"] < (20 - 57) / 60 < change["high"] < 0
        assert change["p_value"] < 1e-6
        assert second["raw"] == first["raw"] == 1, "the judge has not noticed"

    async def test_another_judge_is_no_change_of_quality(self, api, here):
        """Last week a kind judge, this week one that has no good word for anything."""
        await put_answers(api, here, 60, 48, correctness=0.95)
        strict = {"judge_key": "b", "judge_model": "anthropic:b", "provider": "anthropic"}
        await put_answers(api, here, 60, 48, correctness=0.2, at=NOON + WEEK, **strict)
        await draw_and_label(api, here, size=100)

        found = await quality(api, by="week")

        first, second = (found[week, "grounded"] for week in ("2026-03-02", "2026-03-09"))
        assert (first["raw"], second["raw"]) == (1, 0)
        for row in (first, second):
            assert row["corrected"]["low"] < 0.8 < row["corrected"]["high"]
        assert second["change"]["low"] < 0 < second["change"]["high"]
        assert second["change"]["p_value"] > 0.1

    @for_each(
        ("by", "groups"),
        [
            ("all", {None}),
            ("day", {"2026-03-02"}),
            ("judge", {"openai:gpt-4o-mini"}),
            ("model", {None}),
            ("lang", {"ko"}),
            ("notebook", {None}),
        ],
    )
    async def test_are_named(self, api, here, by, groups):
        await put_answers(api, here, 3, 3)
        assert {group for group, _ in await quality(api, by=by)} == groups

    async def test_a_small_group_has_its_estimate_by_strata(self, api, here):
        await put_answers(api, here, 300, 240, answer={"lang": "ko"})
        await put_answers(api, here, 60, 30, answer={"lang": "en"})
        await draw_and_label(api, here, size=120, stratify=["lang"])

        found = await quality(api, by="lang")

        for lang, share in (("ko", 0.8), ("en", 0.5)):
            corrected = found[lang, "grounded"]["corrected"]
            assert corrected["low"] <= share <= corrected["high"]
        whole = (await quality(api))[None, "grounded"]["corrected"]
        assert whole["low"] < 0.75 < whole["high"]


class TestWhatDrawsCover:
    async def test_answers_after_the_draw_are_not(self, api, here):
        await put_answers(api, here, 60, 45)
        await draw_and_label(api, here, size=50)
        await put_answers(api, here, 20, 0, at=NOON + WEEK)

        row = (await quality(api))[None, "grounded"]

        assert (row["answers"], row["covered"], row["note"]) == (80, 60, "partly_covered")
        assert row["corrected"]["low"] < 0.75 < row["corrected"]["high"]
        await draw_and_label(api, here, size=20)
        again = (await quality(api))[None, "grounded"]
        assert (again["covered"], again["note"]) == (80, None)
        assert again["corrected"]["low"] < 45 / 80 < again["corrected"]["high"]

    async def test_a_stratum_without_labels_is_named(self, api, here):
        await put_answers(api, here, 60, 45, answer={"lang": "ko"})
        await put_answers(api, here, 9, 9, answer={"lang": "en"})
        await draw_and_label(api, here, size=60, stratify=["lang"])
        await api.world.rows(
            "DELETE FROM qa_feedback WHERE answer_id IN"
            " (SELECT id FROM qa_answers WHERE lang = 'en')"
        )
        # Or the front of the draw would end where the first of them stands.
        await api.world.rows(
            "UPDATE review_items SET position = position + 1000 WHERE answer_id IN"
            " (SELECT id FROM qa_answers WHERE lang = 'en')"
        )

        row = (await quality(api))[None, "grounded"]

        assert (row["strata"], row["covered"], row["note"]) == (["en"], 60, "partly_covered")

    async def test_verdicts_of_another_judge_keep_the_labels(self, api, here):
        await put_answers(api, here, 60, 45)
        await draw_and_label(api, here, size=60)
        await api.world.rows("UPDATE qa_evaluations SET is_current = false")
        for row in await api.world.rows("SELECT id FROM qa_answers"):
            about = {"judge_key": "b", "judge_model": "anthropic:b", "provider": "anthropic"}
            await put_verdict(api.world, here, answer_id=row["id"], model="b", **about)

        found = await quality(api, by="judge")

        assert found["anthropic:b", "grounded"]["labels"] == 60
        assert found["anthropic:b", "grounded"]["corrected"]["value"] == pytest.approx(0.75)

    async def test_labels_all_alike_are_said_to_be(self, api, here):
        await put_answers(api, here, 100, 100)
        await draw_and_label(api, here, size=40)
        row = (await quality(api))[None, "grounded"]
        assert row["note"] == "labels_alike"
        assert row["corrected"]["low"] < row["corrected"]["high"] == 1
        await put_answers(api, here, 5, 5, at=NOON + WEEK)
        partly = (await quality(api))[None, "grounded"]
        assert (partly["note"], partly["covered"], partly["answers"]) == ("labels_alike", 100, 105)

    async def test_labels_outlive_a_judge_that_is_asked_no_more(self, api, here):
        """Its verdicts stay those that count; of verdicts by rules in its place nothing does."""
        gone = {"judge_model": "gone:judge", "provider": "gone", "model": "judge"}
        await put_answers(api, here, 60, 45, **gone)
        await draw_and_label(api, here, size=60)
        found = await quality(api, by="judge", model="gone:judge")
        assert found["gone:judge", "grounded"]["corrected"]["value"] == pytest.approx(0.75)

        await api.world.rows(
            "UPDATE qa_evaluations SET degraded = true WHERE id IN"
            " (SELECT id FROM qa_evaluations ORDER BY answer_id LIMIT 20)"
        )
        left = (await quality(api))[None, "grounded"]
        assert (left["answers"], left["labels"], left["drawn"]) == (40, 40, 40)
        assert left["corrected"]["value"] == pytest.approx(25 / 40)


class TestTheSql:
    async def test_gives_an_analyst_the_same_sums(self, api, here):
        await put_answers(api, here, 8, 6)
        await draw_and_label(api, here, size=5)
        response = await api.client.get("/analytics/true-quality", params=MARCH)
        async with await psycopg.AsyncConnection.connect(api.world.url) as connection:
            await connection.execute("SET ROLE searchqa_analyst")
            cursor = await connection.execute(response.json()["sql"])
            found = [(row[1], row[4], row[8]) for row in await cursor.fetchall()]
        assert ("grounded", 5, 5) in found


@for_each(
    ("query", "message"),
    [
        ({"by": "colour"}, "by"),
        ({"width": "0"}, "width"),
        ({"until": "0"}, "2026-01-31"),
        ({"since": "2026-03-02", "until": "2026-03-01"}, "swap them"),
        ({"tz": "Mars/Olympus"}, "Asia/Seoul"),
        ({"model": "nobody:knows"}, JUDGE),
    ],
)
async def test_says_what_to_change(api, here, query, message):
    await put_answers(api, here, 1, 1)
    response = await api.client.get("/analytics/true-quality", params=query)
    assert response.status_code == 422, response.text
    assert message in response.json()["detail"]
