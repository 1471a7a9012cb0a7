"""An answer that went wrong becomes a test case, and runs over it tell since when it is mended."""

import asyncio
import uuid
from typing import Any

import pytest

from api_client import Api
from run_rows import detail, started, work
from verdict_world import verdict

pytestmark = pytest.mark.asyncio(loop_scope="module")

QUESTION = "시약은 며칠 안에 써야 하나요?"
NOTES = [
    {"title": "시약", "content": "개봉한 시약은 30일 안에 쓴다."},
    {"title": "냉동고", "content": "냉동고는 영하 80도로 유지한다."},
]
ADD = "/evaluation/datasets/from-answer"
FAITHFUL = '{"reasoning": "근거가 있음", "score": 0.9}'


async def answered(api: Api, *, judge: bool = True, **changes: Any) -> str:
    """The id of the verdict on an answer of an application; without a judge it is not finished."""
    body = {
        "question": QUESTION,
        "answer": "14일 안에 씁니다. [노트 1]",
        "sources": NOTES,
        "app_version": "1.4.1",
        **changes,
    }
    response = await api.client.post("/qa-evaluations", json=body)
    assert response.status_code == 202, response.text
    if judge:
        await api.judge_next(verdict(0.2))
    return str(response.json()["id"])


async def added(api: Api, evaluation_id: str, expected: int = 201, **body: Any) -> dict[str, Any]:
    response = await api.client.post(ADD, json={"evaluation_id": evaluation_id, **body})
    assert response.status_code == expected, response.text
    return response.json()


async def dataset(api: Api, added: dict[str, Any]) -> dict[str, Any]:
    return (await api.client.get(f"/evaluation/datasets/{added['dataset_id']}")).json()


async def test_an_answer_becomes_a_case_with_its_notes_and_where_it_is_from(api):
    id_ = await answered(api)
    await api.client.post(
        f"/qa-evaluations/{id_}/feedback", json={"label": "wrong", "comment": "30일 안에 씁니다."}
    )

    case = (await added(api, id_, name="회귀"))["test_case"]

    assert (case["question"], case["reference_answer"], case["state"]) == (
        QUESTION,
        "30일 안에 씁니다.",
        None,
    )
    assert [note["content"] for note in case["notes"]] == [note["content"] for note in NOTES]
    source = case["source"]
    assert (source["evaluation_id"], source["app_version"], source["was_bad"]) == (
        id_,
        "1.4.1",
        True,
    )
    assert (source["added_by"], source["deleted"]) == ("test", False)


async def test_a_follow_up_becomes_a_question_that_stands_alone(api):
    turn = {"question": "여름에 매장은 몇 시에 열어요?", "answer": "오전 9시에 엽니다."}
    id_ = await answered(api, question="그럼 겨울에는?", history=[turn])

    case = (await added(api, id_, name="회귀"))["test_case"]

    assert case["question"] == "겨울에 매장은 몇 시에 열어요?"


async def test_the_same_question_with_the_same_notes_is_not_added_twice(api):
    first = await added(api, await answered(api), name="회귀")
    again = await answered(api, question=f" {QUESTION.rstrip('?')}  ?")
    other = await answered(api, sources=NOTES[:1])

    found = await added(api, again, expected=200)

    assert (found["added"], found["test_case"]["id"]) == (False, first["test_case"]["id"])
    assert (await added(api, other))["dataset_version"] == 1, "no run has used it"
    assert (await dataset(api, first))["cases"] == 2


async def test_twice_at_once_adds_one_case(api):
    id_ = await answered(api)

    both = await asyncio.gather(
        *(api.client.post(ADD, json={"evaluation_id": id_, "name": "회귀"}) for _ in range(4))
    )

    assert sorted(each.status_code for each in both) == [200, 200, 200, 201]
    assert len({each.json()["test_case"]["id"] for each in both}) == 1


async def test_runs_tell_since_which_release_a_case_is_mended(api):
    first = await added(api, await answered(api), name="회귀", reference_answer="30일 안에 씁니다.")
    refusing = await answered(api, question="냉동고는 누가 청소하나요?", answer="민수가 합니다.")
    await added(api, refusing, expects_refusal=True)

    async def run(app_version: str, *answers: str) -> dict[str, Any]:
        given = {"evaluation_type": "full_rag", "app_version": app_version}
        id_ = await started(api, first["dataset_id"], **given)
        replies = [reply for answer in answers for reply in (answer, FAITHFUL, FAITHFUL)]
        assert await work(api, *replies) == 0
        return await detail(api, id_)

    # The judge is content with both; the reference and the expected refusal are not.
    before = await run("1.4.1", "14일 안에 씁니다. [노트 1]", "민수가 청소합니다.")
    after = await run("1.4.2", "30일 안에 씁니다. [노트 1]", "노트에서 찾을 수 없습니다.")
    later = await run("1.4.3", "30일 안에 씁니다. [노트 1]", "민수가 청소합니다.")

    assert [each["passed"] for each in before["results"]] == [False, False]
    assert before["results"][0]["recall"] is None, "there was no search"
    assert [each["mended_in"] for each in after["results"]] == ["1.4.2", "1.4.2"]
    assert [each["mended_in"] for each in later["results"]] == ["1.4.2", None]
    states = [case["state"] for case in (await dataset(api, first))["test_cases"]]
    assert [(each["state"], each["release"]) for each in states] == [
        ("mended", "1.4.2"),
        ("failing", None),
    ]
    assert (await detail(api, after["id"]))["results"][1]["mended_in"] == "1.4.2", "as it was then"


async def test_after_a_run_the_next_version_begins_with_what_is_known_of_its_cases(api):
    id_ = await answered(api)
    await api.client.post(f"/qa-evaluations/{id_}/feedback", json={"label": "partly"})
    first = await added(api, id_, name="회귀")
    run_id = await started(api, first["dataset_id"], evaluation_type="full_rag", name="main")
    await work(api, "30일 안에 씁니다. [노트 1]", FAITHFUL, FAITHFUL)

    second = await added(api, await answered(api, question="냉동고는 몇 도?"))

    assert (second["dataset_version"], second["dataset_id"] != first["dataset_id"]) == (2, True)
    assert (await dataset(api, first))["cases"] == 1
    known, unknown = (await dataset(api, second))["test_cases"]
    assert known["state"] == {"state": "mended", "release": "main", "run_id": run_id}
    assert unknown["state"] is None


async def test_cases_that_a_review_makes_the_same_become_one(api):
    await added(api, await answered(api), name="회귀")
    other = await added(api, await answered(api, question="시약은 언제 버리나요?"))
    edit = {"id": other["test_case"]["id"], "question": QUESTION, "reference_answer": "30일"}
    response = await api.client.post(
        f"/evaluation/datasets/{other['dataset_id']}/review", json={"edit": [edit]}
    )
    assert response.status_code == 201, response.text
    (case,) = response.json()["test_cases"]
    assert (case["question"], case["reference_answer"]) == (QUESTION, "30일")


async def test_a_case_outlives_its_answer_and_its_notes(api):
    notes = [{"title": "시약", "content": NOTES[0]["content"]}]
    await api.client.post("/notes/import", json={"notebook": "실험실", "notes": notes})
    asked = await api.client.post("/ai/chat", json={"content": QUESTION, "feature": "search_qa"})
    assert asked.status_code == 200, asked.text
    await api.judge_next(verdict(0.2))
    (row,) = await api.world.rows("SELECT id, answer_id FROM qa_evaluations")
    first = await added(api, str(row["id"]), name="회귀")

    await api.world.rows("DELETE FROM notes")
    await api.client.delete(f"/answers/{row['answer_id']}")

    (case,) = (await dataset(api, first))["test_cases"]
    assert case["source"]["deleted"]
    assert [(note["content"], note["deleted"]) for note in case["notes"]] == [
        (NOTES[0]["content"], True)
    ]
    run_id = await started(api, first["dataset_id"], evaluation_type="full_rag")
    await work(api, "30일 안에 씁니다. [노트 1]", FAITHFUL, FAITHFUL)
    (result,) = (await detail(api, run_id))["results"]
    assert result["passed"]
    path = f"/evaluation/runs/{run_id}/cases/{result['test_case_id']}/passages"
    given = (await api.client.get(path)).json()
    assert [(each["rank"], each["content"]) for each in given] == [(1, NOTES[0]["content"])]


async def test_a_file_carries_the_notes(api):
    first = await added(api, await answered(api), name="회귀", reference_answer="")
    for format_ in ("jsonl", "csv"):
        path = f"/evaluation/datasets/{first['dataset_id']}/export?format={format_}"
        file = {"file": ("cases", (await api.client.get(path)).content)}
        given = {"name": format_, "format": format_}
        back = await api.client.post("/evaluation/datasets/import", data=given, files=file)

        assert back.status_code == 201, back.text
        (case,) = back.json()["test_cases"]
        assert [note["content"] for note in case["notes"]] == [note["content"] for note in NOTES]


async def refused(api: Api, status: int, **body: Any) -> str:
    answer = await api.client.post(ADD, json=body, headers={"Accept-Language": "en"})
    assert answer.status_code == status, answer.text
    return str(answer.json()["detail"])


async def test_an_unusable_case_is_refused_in_a_sentence(api):
    unfinished = await answered(api, judge=False)
    assert "still queued" in await refused(api, 409, evaluation_id=unfinished, name="회귀")
    await api.judge_next(verdict(0.2))
    assert "name the dataset" in await refused(api, 422, evaluation_id=unfinished)

    bare = await answered(api, judge=False, sources=[])
    assert "no notes" in await refused(api, 422, evaluation_id=bare, name="회귀")

    other = await api.as_token(workspace="other")
    body = {"name": "theirs", "test_cases": [{"question": "?", "ground_truth_chunk_ids": ["a"]}]}
    theirs = (await other.post("/evaluation/datasets", json=body)).json()["id"]
    assert "no such dataset" in await refused(api, 404, evaluation_id=unfinished, dataset_id=theirs)
    stranger = await other.post(ADD, json={"evaluation_id": unfinished, "name": "theirs"})
    assert stranger.status_code == 404
    assert "not by both" in await refused(
        api, 422, evaluation_id=unfinished, dataset_id=theirs, name="회귀"
    )
    assert "no such evaluation" in await refused(
        api, 404, evaluation_id=str(uuid.uuid4()), name="회귀"
    )

    first = await added(api, unfinished, name="회귀")
    run = await api.client.post(f"/evaluation/datasets/{first['dataset_id']}/runs", json={})
    assert (run.status_code, "full_rag" in run.json()["detail"]) == (422, True)
