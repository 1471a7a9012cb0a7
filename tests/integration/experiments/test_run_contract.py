"""What scripts and pages rely on: fields, types, defaults, ranges and status codes of runs."""

import uuid
from typing import Any

import pytest

from cases import for_each
from run_rows import QUESTIONS, detail, started, stored, stored_cases, work

pytestmark = pytest.mark.asyncio(loop_scope="module")

JUDGED = '{"reasoning": "근거가 있음", "score": 0.9}'

# A run as it is read, and the types of what is in it. Fields of our own may come on top.
RUN: dict[str, Any] = {
    "id": str,
    "dataset_id": str,
    "status": "completed",
    "k": 5,
    "evaluation_type": "full_rag",
    "metrics": {
        "precision_at_k": float,
        "recall_at_k": float,
        "hit_rate_at_k": float,
        "mrr": float,
        "k": 5,
    },
    "mean_faithfulness": float,
    "mean_answer_relevancy": float,
    "error_message": None,
    "results": [
        {
            "id": str,
            "test_case_id": str,
            "retrieved_chunk_ids": [str],
            "precision": float,
            "recall": float,
            "hit": bool,
            "reciprocal_rank": float,
            "generated_answer": str,
            "faithfulness": float,
            "answer_relevancy": float,
        }
    ],
    "created_at": str,
    "updated_at": str,
}


def assert_like(found: Any, wanted: Any, where: str = "run") -> None:
    if isinstance(wanted, dict):
        for name, value in wanted.items():
            assert name in found, f"{where}.{name}"
            assert_like(found[name], value, f"{where}.{name}")
    elif isinstance(wanted, list):
        assert found, where
        for one in found:
            assert_like(one, wanted[0], where)
    elif isinstance(wanted, type):
        assert type(found) is wanted, (where, found)
    else:
        assert found == wanted, where


async def test_a_run_has_these_fields(api):
    dataset = await stored_cases(api, 1)
    run_id = await started(api, dataset["id"], k=5, evaluation_type="full_rag")
    await work(api, "95도입니다. [노트 1]", JUDGED, JUDGED)

    run = await detail(api, run_id)

    assert_like(run, RUN)
    assert run["dataset_id"] == dataset["id"]
    assert run["results"][0]["test_case_id"] == dataset["test_cases"][0]["id"]


async def test_the_search_alone_has_no_means_of_answers(api):
    dataset = await stored_cases(api, 1)
    run_id = await started(api, dataset["id"])
    await work(api)

    run = await detail(api, run_id)

    assert (run["k"], run["evaluation_type"], run["retrieval"]) == (5, "retrieval_only", "text")
    assert_like(run["metrics"], RUN["metrics"])
    unjudged = ("generated_answer", "faithfulness", "answer_relevancy")
    assert (run["mean_faithfulness"], run["mean_answer_relevancy"]) == (None, None)
    assert [run["results"][0][name] for name in unjudged] == [None] * 3


@pytest.mark.parametrize("k", [1, 50])
async def test_the_ends_of_the_range_are_taken(api, k):
    dataset = await stored_cases(api, 1)
    run_id = await started(api, dataset["id"], k=k)
    await work(api)

    run = await detail(api, run_id)

    assert run["metrics"]["k"] == k
    assert run["results"][0]["precision"] == pytest.approx(1 / k)


@for_each(
    "body",
    [
        {"k": 0},
        {"k": 51},
        {"k": "many"},
        {"evaluation_type": "all"},
        {"retrieval": "guess"},
        {"more": 1},
    ],
)
async def test_what_is_out_of_range_is_refused(api, body):
    dataset = await stored(api, ["a"])

    response = await api.client.post(f"/evaluation/datasets/{dataset['id']}/runs", json=body)

    assert response.status_code == 422
    assert not await api.world.rows("SELECT id FROM eval_runs")


async def test_it_is_202_while_it_is_under_way(api):
    dataset = await stored(api, ["a"])

    response = await api.client.post(
        f"/evaluation/datasets/{dataset['id']}/runs", params={"wait": 0.3}, json={}
    )

    assert (response.status_code, response.json()["status"]) == (202, "pending")
    assert response.headers["Location"] == f"/evaluation/runs/{response.json()['id']}"
    assert response.json()["results"] == []


async def test_unknown_runs_and_datasets_are_404(api):
    nobody = uuid.uuid4()

    run = await api.client.get(f"/evaluation/runs/{nobody}")
    dataset = await api.client.post(f"/evaluation/datasets/{nobody}/runs", json={})

    assert (run.status_code, dataset.status_code) == (404, 404)


async def test_a_judged_case_is_three_calls(api):
    """One for the answer, one for each of its two scores."""
    dataset = await stored_cases(api, 2)
    await started(api, dataset["id"], evaluation_type="full_rag")

    left = await work(api, *["95도입니다.", JUDGED, JUDGED] * len(QUESTIONS))

    assert left == 0
