"""What a person leaves of a dataset is its next version."""

import uuid
from typing import Any

import pytest

from api_client import Api
from app.ai_router.types import ModelName
from app.experiments.datasets.generation import GENERATE_DATASET, generate_dataset
from run_rows import QUESTIONS, Models, chunk_ids, stored
from scripted_router import ScriptedRouter
from verdict_world import settings

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def reviewed(api: Api, dataset: dict[str, Any], **body: Any) -> Any:
    response = await api.client.post(f"/evaluation/datasets/{dataset['id']}/review", json=body)
    assert response.status_code == 201, response.text
    return response.json()


async def two_cases(api: Api) -> tuple[dict[str, Any], str, str]:
    dataset = await stored(api, ["a"], ["b"])
    first, second = [case["id"] for case in dataset["test_cases"]]
    return dataset, first, second


async def test_rejected_cases_are_left_out_of_the_next_version(api):
    dataset, first, _ = await two_cases(api)

    left = await reviewed(api, dataset, reject=[first])

    assert (left["name"], left["version"], left["cases"]) == ("baseline", 2, 1)
    assert [case["question"] for case in left["test_cases"]] == [QUESTIONS[1]]
    before = await api.client.get(f"/evaluation/datasets/{dataset['id']}")
    assert before.json() == dataset, "a version never changes"


async def test_what_is_edited_is_otherwise_as_it_was(api):
    dataset, first, second = await two_cases(api)

    left = await reviewed(
        api,
        dataset,
        edit=[
            {"id": first, "question": "What temperature?", "reference_answer": "95"},
            {"id": second, "ground_truth_chunk_ids": ["c", "d"]},
        ],
    )

    names = ("question", "ground_truth_chunk_ids", "reference_answer", "lang")
    assert [[case[name] for name in names] for case in left["test_cases"]] == [
        ["What temperature?", ["a"], "95", "en"],
        [QUESTIONS[1], ["c", "d"], None, "ko"],
    ]
    again = await reviewed(
        api, left, edit=[{"id": left["test_cases"][0]["id"], "reference_answer": ""}]
    )
    assert again["test_cases"][0]["reference_answer"] is None


async def test_generated_questions_are_proposed_until_they_are_reviewed(api):
    dataset, *_ = await two_cases(api)
    assert dataset["review"] is None
    await api.world.rows("""UPDATE eval_datasets SET origin = '{"kind": "generated"}'""")
    found = (await api.client.get(f"/evaluation/datasets/{dataset['id']}")).json()
    assert found["review"] == "proposed"

    accepted = await reviewed(api, dataset)

    assert (accepted["review"], accepted["cases"], accepted["version"]) == ("accepted", 2, 2)
    assert accepted["origin"]["from"] == {"kind": "generated"}
    assert accepted["origin"]["dataset_id"] == dataset["id"]


async def test_the_passages_that_answer_can_be_read(api):
    pcr, incubator, _ = await chunk_ids(api)
    dataset = await stored(api, [pcr], [incubator, "gone"])

    found = await api.client.get(f"/evaluation/datasets/{dataset['id']}/passages")

    assert {each["id"]: each["title"] for each in found.json()} == {
        pcr: "PCR 조건",
        incubator: "배양기",
    }
    assert "95도" in "".join(each["content"] for each in found.json())


@pytest.mark.parametrize(
    ("reject", "edit", "message"),
    [
        ([0], [0], "rejected and edited"),
        ([7], [], "has no case"),
        ([], [7], "has no case"),
        ([0, 1], [], "has 1 to 20,000 test cases; this one has 0"),
    ],
)
async def test_contradictory_input_stores_nothing(api, reject, edit, message):
    dataset, first, second = await two_cases(api)
    ids = {0: first, 1: second, 7: str(uuid.uuid4())}
    body = {
        "reject": [ids[number] for number in reject],
        "edit": [{"id": ids[number], "question": "?"} for number in edit],
    }

    response = await api.client.post(f"/evaluation/datasets/{dataset['id']}/review", json=body)

    assert response.status_code == 422
    assert message in response.json()["detail"]
    assert len(await api.world.rows("SELECT id FROM eval_datasets")) == 1


async def test_generated_questions_are_proposed(api):
    await chunk_ids(api)
    notebook, *_ = await api.world.rows("SELECT notebook_id AS id FROM note_chunks")
    body = {"name": "generated", "notebook_id": str(notebook["id"])}
    job = (await api.client.post("/evaluation/datasets/generate", json=body)).json()
    router = ScriptedRouter()
    router.model = ModelName("offline", "extractive")
    (claimed,) = await api.world.jobs.claim([uuid.UUID(job["id"])], [GENERATE_DATASET], 10)
    context = api.world.job_context(claimed, settings(), Models(router))

    await generate_dataset(claimed, context)

    newest = (await api.client.get("/evaluation/datasets")).json()["items"][0]
    dataset = (await api.client.get(f"/evaluation/datasets/{newest['id']}")).json()
    assert (dataset["name"], dataset["review"]) == ("generated", "proposed")
    assert dataset["cases"] == len(dataset["test_cases"]) > 0
