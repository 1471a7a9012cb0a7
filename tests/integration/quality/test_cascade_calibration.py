"""Thresholds of a cascade over HTTP: from a bench of its judges to the answers that they judge."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from api_client import Api, json_of, open_api
from cases import for_each
from verdict_world import World, settings, store_answers

SETTINGS = "/settings/evaluation"
PATH = f"{SETTINGS}/cascade"
SMALL, LARGE = "openai:gpt-4o-mini", "openai:gpt-4o"
# As the bench stores them, by whether people call the answer right.
COSTS = {"offline:rules": None, SMALL: "0.0002", LARGE: "0.004"}


@pytest.fixture
async def api(world: World, redis_url: str) -> AsyncIterator[Api]:
    async with open_api(world, redis_url, openai_api_key="sk-test") as opened:
        response = await opened.client.put(SETTINGS, json={"judge_model": LARGE})
        assert response.status_code == 200, response.text
        yield opened


@dataclass
class Bench:
    """A bench whose judges have said what a test writes down."""

    api: Api
    id: str

    @classmethod
    async def create(cls, api: Api, answers: int, *judges: str) -> "Bench":
        """Every other answer is right."""
        items = [
            {
                "id": n,
                "question": "몇 도?",
                "passages": ["95도"],
                "answer": "95도입니다.",
                "hallucinated": n % 2 == 1,
            }
            for n in range(answers)
        ]
        body = {"items": items, "judges": [*judges]}
        response = await api.client.post("/evaluation/judge-benches", json=body)
        assert response.status_code == 202, response.text
        return cls(api, response.json()["id"])

    async def store_results(self, judge: str, *, doubtful: int = 0, wrong: int = 0) -> None:
        """A judge that is right but for the first `doubtful` and the last `wrong` answers."""
        await self.api.world.rows(
            """
            INSERT INTO judge_bench_results (bench_id, workspace_id, position, judge, hallucinated,
                score, predicted, confidence, cost_usd)
            SELECT bench_id, workspace_id, position, %s, hallucinated, s.score, s.score < .5,
                CASE WHEN s.score >= .8 THEN 'high' WHEN s.score < .5 THEN 'low' ELSE 'medium' END,
                %s::numeric
            FROM judge_bench_items i, LATERAL (SELECT CASE
                WHEN position < %s THEN .6
                WHEN position >= (SELECT items FROM judge_benches b WHERE b.id = i.bench_id) - %s
                    THEN CASE WHEN hallucinated THEN .9 ELSE .1 END
                ELSE CASE WHEN hallucinated THEN .1 ELSE .9 END END AS score) s
            WHERE bench_id = %s
            """,
            *(judge, COSTS[judge], doubtful, wrong, self.id),
        )

    async def complete(self) -> None:
        await self.api.world.rows(
            "UPDATE judge_benches SET status = 'completed', finished_at = now() WHERE id = %s",
            self.id,
        )

    async def calibrate(self, **body: Any) -> dict[str, Any]:
        return await json_of(self.api.client.post(PATH, json={"bench_id": self.id, **body}))

    async def refused(self, **body: Any) -> tuple[int, str, str]:
        response = await self.api.client.post(PATH, json={"bench_id": self.id, **body})
        found = response.json()
        return response.status_code, found["type"].rpartition(":")[2], found["detail"]


async def measured(api: Api, answers: int = 360, *, wrong: int = 0) -> Bench:
    bench = await Bench.create(api, answers, SMALL, LARGE)
    await bench.store_results(SMALL, doubtful=answers // 10, wrong=wrong)
    await bench.store_results(LARGE)
    await bench.complete()
    return bench


async def policy(api: Api) -> dict[str, Any]:
    return (await api.client.get(SETTINGS)).json()


async def test_thresholds_are_stored_and_answers_begin_with_the_first_judge(api):
    bench = await measured(api)
    judges = [SMALL, LARGE]

    tried = await bench.calibrate(judges=judges, dry_run=True)
    assert (tried["outcome"], tried["stored"]) == ("calibrated", False)
    assert (await policy(api))["cascade_calibration"] is None
    found = await bench.calibrate(judges=judges)

    assert found == tried | {"stored": True}
    assert (found["labels"], found["learned_on"], found["tested_on"]) == (360, 120, 240)
    chosen, alone = found["chosen"], found["alone"]
    assert chosen["steps"] == {SMALL: {"low": 0.1, "high": 0.9}}
    assert (chosen["worse"], chosen["loss"], chosen["false_highs"]) == (0, 0, 0)
    assert chosen["loss_bound"] == pytest.approx(1 - 0.1 ** (1 / 240))
    assert chosen["decided"][SMALL] == pytest.approx(0.9, abs=0.05)
    assert alone["cost_per_1000_usd"] == pytest.approx(4)
    # Each answer is asked of the small one; the doubtful, and a check of one in twenty, of both.
    doubtful = 1 - chosen["decided"][SMALL]
    asked = doubtful + 0.05 * chosen["decided"][SMALL]
    assert chosen["cost_per_1000_usd"] == pytest.approx(0.2 + 4 * asked)
    holds = await policy(api)
    assert holds["policy"]["cascade"] == judges
    assert holds["cascade_calibration"]["steps"] == chosen["steps"]
    assert holds["cascade_calibration"]["lapsed"] is False
    assert holds["problems"] == []
    (new,) = await store_answers(api.world)
    row = await api.world.row(new.evaluation_id)
    assert (row["judge_model"], row["cascade"]) == (SMALL, judges)
    assert row["cascade_costs"][0] < row["cascade_costs"][1]


async def test_what_is_stored_lapses_with_another_judge_and_can_be_removed(api):
    bench = await measured(api)
    await bench.calibrate(judges=[SMALL, LARGE])
    before = await policy(api)

    cascade = {"cascade": ["offline:rules", SMALL, LARGE]}
    await api.client.put(SETTINGS, json=before["policy"] | cascade)
    changed = await policy(api)
    assert changed["cascade_calibration"]["lapsed"] is True
    (problem,) = changed["problems"]
    assert "LARGE judges alone".replace("LARGE", LARGE) in problem or LARGE in problem
    (new,) = await store_answers(api.world)
    assert (await api.world.row(new.evaluation_id))["judge_model"] == LARGE

    jury = [SMALL, "openai:middle", LARGE]
    await api.client.put(SETTINGS, json=before["policy"] | {"cascade": [], "jury": jury})
    await api.world.rows(
        "INSERT INTO judge_pauses (judge_model, reason, probe_at) VALUES (%s, 'x', now())", SMALL
    )
    changed = await policy(api)
    assert changed["cascade_calibration"]["lapsed"] is True
    assert [each.partition(" and")[0] for each in changed["problems"]] == [
        f"jury: {SMALL} is paused"
    ]
    status, code, _ = await bench.refused(judges=[SMALL, LARGE])
    assert (status, code) == (422, "unusable-cascade")

    assert (await api.client.delete(PATH)).status_code == 204
    assert (await policy(api))["cascade_calibration"] is None


@pytest.mark.parametrize(
    ("answers", "wrong", "outcome"), [(300, 0, "too_few_labels"), (360, 60, "not_reached")]
)
async def test_nothing_is_stored_of_what_the_labels_do_not_show(api, answers, wrong, outcome):
    bench = await measured(api, answers, wrong=wrong)

    found = await bench.calibrate(judges=[SMALL, LARGE])

    assert (found["outcome"], found["stored"], found["chosen"]) == (outcome, False, None)
    assert found["needed"] == 345
    assert (await policy(api))["policy"]["cascade"] is None


async def test_a_dear_step_is_nothing_to_gain(api):
    bench = await measured(api)
    await api.world.rows("UPDATE judge_bench_results SET cost_usd = 1 WHERE judge = %s", SMALL)

    assert (await bench.calibrate(judges=[SMALL, LARGE]))["outcome"] == "no_saving"


async def test_labels_that_stand_for_more_answers_are_thinned_to_one_chance(api):
    bench = await measured(api)
    await api.world.rows(
        'UPDATE judge_benches SET source = \'feedback\', frame = \'{"answers": 900, "cells":'
        ' [{"answers": 300, "labels": 180}, {"answers": 600, "labels": 180}], "strata": []}\''
    )
    await api.world.rows("UPDATE judge_bench_items SET cell = position %% 2")

    found = await bench.calibrate(judges=[SMALL, LARGE], max_loss=0.02)

    assert 240 < found["labels"] < 300, "about half of the first cell are left out"


class TestIsRefused:
    @for_each(
        ("given", "code", "said"),
        [
            ({}, "no-cascade", LARGE),
            ({"judges": [LARGE, SMALL]}, "unusable-cascade", "cascade: "),
            ({"judges": [SMALL, SMALL, LARGE]}, "unusable-cascade", "cascade: "),
            ({"judges": [SMALL, "x:y"]}, "unusable-model", "cascade: "),
            ({"judges": ["offline:rules", SMALL, LARGE]}, "judge-not-measured", "offline:rules"),
            (
                {"judges": [f"{SMALL}@search-qa-eval-6", LARGE]},
                "unusable-cascade",
                "search-qa-eval-6",
            ),
        ],
    )
    async def test_for_judges_that_make_none_or_were_not_measured(self, api, given, code, said):
        status, found, detail = await (await measured(api, 4)).refused(**given)
        assert (status, found) == (422, code)
        assert said in detail

    async def test_while_the_bench_is_under_way(self, api):
        bench = await Bench.create(api, 4, SMALL, LARGE)
        assert (await bench.refused(judges=[SMALL, LARGE]))[:2] == (409, "bench-under-way")

    async def test_without_the_price_of_a_judge(self, api):
        bench = await measured(api, 4)
        await api.world.rows("UPDATE judge_bench_results SET cost_usd = NULL")
        assert (await bench.refused(judges=[SMALL, LARGE]))[:2] == (422, "unpriced-model")

    async def test_in_a_policy_whose_judge_is_another(self, api):
        response = await api.client.put(SETTINGS, json={"cascade": [SMALL, LARGE]})
        assert response.status_code == 422
        assert "judge_model (offline:rules)" in response.json()["detail"]


async def test_the_policy_says_which_judge_of_its_cascade_is_paused(api):
    body = {"judge_model": LARGE, "cascade": [SMALL, LARGE]}
    await api.world.rows(
        "INSERT INTO judge_pauses (judge_model, reason, probe_at) VALUES (%s, 'unknown', now())",
        SMALL,
    )

    found = (await api.client.put(SETTINGS, json=body)).json()

    assert any(f"{SMALL} is paused" in problem for problem in found["problems"])
    assert settings().judge.model == "offline:rules"
