"""Runs compared over HTTP: case by case, several with a baseline, and refused."""

import pytest

from api_client import Api
from app.quality.metrics.retrieval import MEANS
from run_rows import QUESTIONS, detail, started, stored_cases, work

pytestmark = pytest.mark.asyncio(loop_scope="module")

POOR, GOOD = (f'{{"reasoning": "이유", "score": {score}}}' for score in (0.2, 0.9))


async def full_runs(api: Api, *replies: tuple[str, ...]) -> list[str]:
    """One run over two questions for each of the replies: answer, faithfulness and relevancy of
    either question."""
    dataset = await stored_cases(api, 2)
    ids = []
    for each in replies:
        ids.append(await started(api, dataset["id"], k=1, evaluation_type="full_rag"))
        assert await work(api, *each) == 0
    return ids


BEFORE = ("95도입니다.", GOOD, GOOD, "37도입니다.", GOOD, GOOD)
AFTER = ("95도입니다.", GOOD, GOOD, "55도입니다.", POOR, GOOD)


async def test_both_answers_to_a_question_stand_side_by_side(api):
    first, second = await full_runs(api, BEFORE, AFTER)

    path = f"/evaluation/runs/{first}/compare/{second}"
    cases = (await api.client.get(f"{path}/cases")).json()
    compared = (await api.client.get(path)).json()

    flipped, same = cases["items"]
    assert (flipped["question"], flipped["change"]) == (QUESTIONS[1], "now_fails")
    answers = [flipped[side]["answer"] for side in ("first", "second")]
    assert answers == ["37도입니다.", "55도입니다."]
    (change,) = flipped["changes"]
    assert (change["name"], change["first"], change["second"]) == ("mean_faithfulness", 0.9, 0.2)
    assert (change["first_band"], change["second_band"]) == ("excellent", "poor")
    assert (same["change"], same["changes"]) == ("same", [])
    assert cases["counts"]["now_fails"] == cases["counts"]["same"] == 1
    (listed,) = compared["flipped"]
    of_second = [each["test_case_id"] for each in (await detail(api, second))["results"]]
    assert listed["second_case_id"] == flipped["second"]["test_case_id"] == of_second[1]


async def test_cases_come_in_pages_of_one_side(api):
    first, second = await full_runs(api, BEFORE, AFTER)
    path = f"/evaluation/runs/{first}/compare/{second}/cases"

    pages = [
        (await api.client.get(path, params={"after": after, "limit": 1})).json() for after in (0, 1)
    ]
    worse = (await api.client.get(path, params={"show": "worse"})).json()
    better = (await api.client.get(path, params={"show": "better"})).json()

    questions = [page["items"][0]["question"] for page in pages]
    assert (questions, [page["next"] for page in pages]) == (QUESTIONS[::-1], [1, None])
    assert [each["question"] for each in worse["items"]] == [QUESTIONS[1]]
    assert (better["items"], better["counts"]) == ([], worse["counts"])


async def test_several_runs_stand_beside_their_baseline(api):
    baseline, same, worse = await full_runs(api, BEFORE, BEFORE, AFTER)

    given = {"other_id": [same, worse, same]}
    response = await api.client.get(f"/evaluation/runs/{baseline}/comparison", params=given)

    compared = response.json()
    assert [run["id"] for run in compared["runs"]] == [same, worse]
    rows = {row["name"]: row for row in compared["metrics"]}
    assert set(rows) == {*MEANS, "mean_faithfulness", "mean_answer_relevancy"}
    faithfulness = rows["mean_faithfulness"]
    assert (faithfulness["cases"], faithfulness["baseline_mark"]) == (2, "highest")
    differences = [each["difference"] for each in faithfulness["runs"]]
    assert differences == [0, pytest.approx(-0.35)]
    low = faithfulness["runs"][1]
    assert (low["mark"], low["low"], low["high"]) == ("lowest", pytest.approx(-0.7), 0)


async def test_runs_of_other_judges_are_compared_in_their_search_alone(api):
    """Or refused, where they have not measured the same search either."""
    first, second, third = await full_runs(api, BEFORE, BEFORE, BEFORE)
    await api.world.rows(
        "UPDATE eval_runs SET judge_model = 'openai:another' WHERE id = ANY(%s)", [second, third]
    )
    await api.world.rows("UPDATE eval_runs SET k = 2, name = 'deep' WHERE id = %s", third)

    compared = (await api.client.get(f"/evaluation/runs/{first}/compare/{second}")).json()
    refused = [
        await api.client.get(f"/evaluation/runs/{first}/{path}", params=params)
        for path, params in (
            (f"compare/{third}", {}),
            (f"compare/{third}/cases", {}),
            ("comparison", {"other_id": [second, third]}),
        )
    ]

    assert [each["because"] for each in compared["not_compared"]] == ["judge"]
    assert {each["name"] for each in compared["differences"]} == set(MEANS)
    for response in refused:
        problem = response.json()
        assert (response.status_code, problem["type"].rsplit(":", 1)[-1]) == (
            409,
            "runs-differ-in-k",
        )
        assert "“deep”" in problem["detail"]
        assert "with k 1, with the judge offline:rules" in problem["detail"]


async def test_no_more_than_six_beside_the_baseline_and_only_completed_ones(api):
    dataset = await stored_cases(api, 1)
    run = await started(api, dataset["id"])
    ids = [run, *(f"019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c1{at}" for at in range(6))]
    path = f"/evaluation/runs/{run}/comparison"

    too_many = await api.client.get(path, params={"other_id": ids})
    unknown = await api.client.get(path, params={"other_id": ids[1:]})
    running = await api.client.get(path)

    assert (too_many.status_code, unknown.status_code) == (422, 404)
    assert running.json()["type"].endswith("run-not-completed")
