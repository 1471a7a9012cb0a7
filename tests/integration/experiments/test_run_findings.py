"""What a run means, over HTTP."""

import uuid

import pytest

from run_rows import chunk_ids, detail, started, stored, stored_cases, work

pytestmark = pytest.mark.asyncio(loop_scope="module")

GOOD = '{"reasoning": "근거가 있음", "score": 0.9}'
BAD = '{"reasoning": "근거가 없음", "score": 0.1}'


async def test_bands_patterns_and_where_to_begin_in_the_readers_language(api):
    dataset = await stored_cases(api, 2)
    run_id = await started(api, dataset["id"], evaluation_type="full_rag")
    await work(api, "95도입니다.", GOOD, GOOD, "37도입니다.", BAD, GOOD)

    korean = {"Accept-Language": "ko"}
    found = (await api.client.get(f"/evaluation/runs/{run_id}/findings", headers=korean)).json()

    assert [(each["metric"], each["band"], each["grade"]) for each in found["bands"]] == [
        ("faithfulness", "fair", "보통"),
        ("answer_relevancy", "excellent", "우수"),
    ]
    of_means, *others = found["patterns"]
    assert (of_means["pattern"], of_means["of_means"]) == ("hallucination_risk", True)
    assert len(others) == 3
    assert {each["pattern"]: each["cases"] for each in found["patterns"]} == {
        "hallucination_risk": 1,
        "unsuitable_context": 0,
        "ideal": 1,
        "overall_problem": 0,
    }
    assert found["diagnosis"]["diagnosis"] == "generation_problem"
    assert found["diagnosis"]["actions"]
    assert [case["pattern"] for case in found["cases"]] == ["hallucination_risk", "ideal"]


async def test_the_passages_of_a_case_are_ranked_and_marked(api):
    pcr, *_ = await chunk_ids(api)
    dataset = await stored(api, [pcr])
    run_id = await started(api, dataset["id"], k=1)
    await work(api)
    (result,) = (await detail(api, run_id))["results"]
    path = f"/evaluation/runs/{run_id}/cases"

    found = (await api.client.get(f"{path}/{result['test_case_id']}/passages")).json()

    assert [(each["id"], each["rank"], each["answers"]) for each in found] == [(pcr, 1, True)]
    assert found[0]["content"]
    assert (await api.client.get(f"{path}/{uuid.uuid4()}/passages")).status_code == 404


async def test_what_the_search_missed_comes_last(api):
    _, incubator, _ = await chunk_ids(api)
    dataset = await stored(api, [incubator])
    await api.world.rows("UPDATE eval_test_cases SET question = 'PCR'")
    run_id = await started(api, dataset["id"], k=1)
    await work(api)
    (result,) = (await detail(api, run_id))["results"]

    url = f"/evaluation/runs/{run_id}/cases/{result['test_case_id']}/passages"
    found = (await api.client.get(url)).json()

    assert [each["rank"] for each in found] == [1, None]
    assert [each["answers"] for each in found] == [False, True]
