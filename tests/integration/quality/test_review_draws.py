"""Answers drawn at random for people to label, and which of the labels count."""

import asyncio
import datetime as dt
import uuid
from typing import Any

import pytest

from analytics_rows import NOON, put_verdict
from api_client import Api, json_of
from cases import for_each

pytestmark = pytest.mark.asyncio(loop_scope="module")

AT = {"since": "2026-03-01T00:00:00Z", "until": "2026-03-04T00:00:00Z"}


async def put_answers(api: Api, count: int, **values: Any) -> list[uuid.UUID]:
    """Ids of verdicts."""
    workspace_id = await api.world.workspace()
    return [await put_verdict(api.world, workspace_id, **values) for _ in range(count)]


async def draw(api: Api, **body: object) -> dict[str, Any]:
    return await json_of(api.client.post("/review/samples", json=AT | body), 201)


async def refused(api: Api, **body: object) -> dict[str, Any]:
    response = await api.client.post("/review/samples", json=AT | body)
    assert response.status_code == 422, response.text
    return response.json()


async def queue(api: Api, **about: object) -> dict[str, Any]:
    return await json_of(api.client.get("/review/sampled", params=about))


async def give_feedback(
    api: Api, evaluation_id: object, label: str = "right", **more: object
) -> None:
    body = {"label": label, **more}
    response = await api.client.post(f"/qa-evaluations/{evaluation_id}/feedback", json=body)
    assert response.status_code == 200, response.text


async def counting(api: Api) -> list[tuple[int, bool]]:
    """Place of each labelled drawn answer, and whether its label counts."""
    rows = await api.world.rows(
        "SELECT position, correctness_counts FROM analytics.sampled_labels"
        " WHERE human_correctness IS NOT NULL ORDER BY position"
    )
    return [(row["position"], row["correctness_counts"]) for row in rows]


class TestDrawing:
    async def test_stores_the_chance_of_each_answer(self, api):
        await put_answers(api, 16, answer={"lang": "ko"})
        await put_answers(api, 4, answer={"lang": "en"})

        made = await draw(api, size=6, stratify=["lang"], seed=7)

        assert (made["seed"], made["answers"], made["drawn"], made["labelled"]) == (7, 20, 6, 0)
        strata = [
            (one["name"], one["answers"], one["drawn"], one["inclusion_probability"])
            for one in made["strata"]
        ]
        assert strata == [("en", 4, 2, 0.5), ("ko", 16, 4, 0.25)]
        assert (await api.client.get("/review/samples")).json() == [made]
        items = (await queue(api))["queue"]
        assert [item["position"] for item in items] == [1, 2, 3, 4, 5, 6]
        assert {(item["evaluation"]["lang"], item["inclusion_probability"]) for item in items} == {
            ("en", 0.5),
            ("ko", 0.25),
        }

    async def test_is_of_verdicts_that_count_in_averages(self, api):
        (counts,) = await put_answers(api, 1)
        await put_answers(api, 1, degraded=True)
        await put_answers(api, 1, status="queued")
        await put_answers(api, 1, at=NOON - dt.timedelta(days=5))

        made = await draw(api)

        assert (made["answers"], made["drawn"]) == (1, 1)
        (item,) = (await queue(api))["queue"]
        assert item["evaluation"]["id"] == str(counts)

    async def test_again_leaves_out_what_was_drawn(self, api):
        await put_answers(api, 10)

        first, second = await draw(api, size=6), await draw(api, size=6)

        assert (first["drawn"], second["drawn"]) == (6, 4)
        assert second["answers"] == 10, "those drawn before are of its frame"
        assert second["strata"][0]["inclusion_probability"] == 1
        items = (await queue(api))["queue"]
        assert len({item["evaluation"]["id"] for item in items}) == 10
        assert [item["draw_id"] for item in items] == [first["id"]] * 6 + [second["id"]] * 4

    async def test_at_the_same_moment_draws_nothing_twice(self, api):
        await put_answers(api, 12)

        made = await asyncio.gather(*(draw(api, size=4) for _ in range(3)))

        assert [one["drawn"] for one in made] == [4, 4, 4]

    async def test_by_the_same_seed_draws_the_same(self, api):
        await put_answers(api, 12)
        await draw(api, size=4, seed=1)
        first = [item["evaluation"]["id"] for item in (await queue(api))["queue"]]
        await api.world.rows("DELETE FROM review_draws")

        await draw(api, size=4, seed=1)

        assert [item["evaluation"]["id"] for item in (await queue(api))["queue"]] == first

    async def test_of_nothing_says_why(self, api):
        empty = await refused(api)
        assert empty["type"].endswith("nothing-to-draw")
        await put_answers(api, 2)
        await draw(api)
        again = await refused(api)
        assert again["detail"].startswith("There is no judged answer to draw in this period. All 2")

    async def test_by_more_strata_than_it_has_answers_is_refused(self, api):
        for lang in ("ko", "en"):
            for confidence in ("high", "low"):
                await put_answers(api, 2, answer={"lang": lang}, confidence=confidence)

        problem = await refused(api, size=7, stratify=["lang", "confidence"])

        assert problem["type"].endswith("too-many-strata")
        assert "at least 8" in problem["detail"]
        assert (await api.client.get("/review/samples")).json() == []

    @for_each(
        "body",
        [
            {"size": 0},
            {"stratify": ["colour"]},
            {"stratify": ["lang", "lang"]},
            {"since": "2026-03-04T00:00:00Z", "until": "2026-03-04T00:00:00Z"},
        ],
    )
    async def test_refuses_what_makes_no_sense(self, api, body):
        assert (await refused(api, **body))["type"].endswith("invalid-request")

    async def test_goes_with_the_answer(self, api):
        await put_answers(api, 3)
        await draw(api)
        answer_id = (await queue(api))["queue"][0]["evaluation"]["answer_id"]

        await api.client.delete(f"/answers/{answer_id}")

        assert (await queue(api))["drawn"] == 2


class TestLabelling:
    async def test_goes_on_with_unlabelled_answers(self, api):
        await put_answers(api, 3)
        await draw(api)
        ids = [item["evaluation"]["id"] for item in (await queue(api))["queue"]]
        await give_feedback(api, ids[0], author="mina")

        left = await queue(api)

        assert (left["labelled"], left["drawn"]) == (1, 3)
        assert [item["evaluation"]["id"] for item in left["queue"]] == ids[1:]
        assert left["remaining"] == 2
        twice = await queue(api, again=True)
        assert [item["evaluation"]["id"] for item in twice["queue"]] == ids[:1]
        again = await queue(api, again=True, author="mina")
        assert (again["queue"], again["remaining"]) == ([], 0)

    async def test_shows_nothing_of_the_verdict(self, api):
        await put_answers(api, 1)
        await draw(api)
        (item,) = (await queue(api))["queue"]
        assert item["evaluation"].keys() == {"id", "answer_id", "question", "lang"}

    async def test_counts_from_the_front(self, api):
        await put_answers(api, 20)
        await draw(api)
        ids = [item["evaluation"]["id"] for item in (await queue(api))["queue"]]

        for id_ in ids[15:18]:  # as somebody who goes through doubtful verdicts might
            await give_feedback(api, id_)
        assert await counting(api) == [(16, False), (17, False), (18, False)]

        for id_ in [*ids[:3], *ids[4:12]]:  # the fourth is skipped
            await give_feedback(api, id_)
        expected = [(n, True) for n in (1, 2, 3, *range(5, 13))]
        assert await counting(api) == [*expected, *((n, False) for n in (16, 17, 18))]

    async def test_outside_of_a_draw_counts_nowhere(self, api):
        (one,) = await put_answers(api, 1)
        await give_feedback(api, one)
        assert await counting(api) == []

    async def test_by_several_is_the_middle_and_of_two_the_worse(self, api):
        await put_answers(api, 1)
        await draw(api)
        (item,) = (await queue(api))["queue"]
        id_ = item["evaluation"]["id"]
        await give_feedback(api, id_, "right", utility_label="useful", author="mina")
        await give_feedback(api, id_, "partly", author="jun")
        about = (
            "SELECT human_correctness, human_utility, utility_counts FROM analytics.sampled_labels"
        )
        (row,) = await api.world.rows(about)
        assert row == {"human_correctness": 0.5, "human_utility": 1.0, "utility_counts": True}
        await give_feedback(api, id_, "right", author="lee")
        (row,) = await api.world.rows(about)
        assert row["human_correctness"] == 1.0
