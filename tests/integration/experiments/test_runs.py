"""Datasets and runs over HTTP; the test itself is the worker."""

import asyncio
import uuid
from typing import Any

import pytest

from api_client import Api
from app.platform.errors import TransientProviderError
from app.platform.jobs.job import ITEMS_PER_JOB
from app.quality.metrics.retrieval import MEANS
from cases import eventually
from run_rows import QUESTIONS, Models, chunk_ids, detail, started, stored, stored_cases, work
from scripted_router import ScriptedRouter

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def started_with_one_case(api: Api, **body: object) -> tuple[dict[str, Any], str]:
    """The dataset, and the id of its run."""
    dataset = await stored_cases(api, 1)
    return dataset, await started(api, dataset["id"], **body)


class TestRetrieval:
    async def test_measures_what_the_search_finds(self, api):
        pcr, incubator, _ = await chunk_ids(api)
        dataset = await stored(api, [pcr], [incubator])
        run_id = await started(api, dataset["id"])

        await work(api)

        run = await detail(api, run_id)
        assert (run["status"], run["done"], run["evaluation_type"], run["k"]) == (
            "completed",
            2,
            "retrieval_only",
            5,
        )
        assert run["metrics"]["hit_rate_at_k"] == 1.0
        assert run["metrics"]["precision_at_k"] == pytest.approx(0.2)
        assert run["mean_faithfulness"] is None
        assert run["results"][0]["retrieved_chunk_ids"][0] == pcr
        assert run["results"][0]["reciprocal_rank"] == 1.0

    async def test_chunks_that_are_gone_count_as_missed(self, api):
        pcr, *_ = await chunk_ids(api)
        gone = str(uuid.uuid4())
        dataset = await stored(api, [pcr, gone], [gone])
        run_id = await started(api, dataset["id"])

        await work(api)

        run = await detail(api, run_id)
        assert [result["recall"] for result in run["results"]] == [0.5, 0.0]
        assert [result["missing_chunk_ids"] for result in run["results"]] == [[gone], [gone]]
        assert (run["metrics"]["recall_at_k"], run["metrics"]["missing_chunks"]) == (0.25, 2)


JUDGED = '{"reasoning": "근거가 있음", "score": 0.9}'


class TestFullRag:
    async def test_answers_and_judges(self, api):
        _, run_id = await started_with_one_case(api, evaluation_type="full_rag")

        await work(api, "95도입니다. [노트 1]", JUDGED, JUDGED)

        run = await detail(api, run_id)
        assert (run["mean_faithfulness"], run["mean_answer_relevancy"]) == (0.9, 0.9)
        assert run["results"][0]["generated_answer"] == "95도입니다. [노트 1]"
        assert run["results"][0]["faithfulness_reasoning"] == "근거가 있음"

    async def test_a_reply_that_cannot_be_read_counts_zero_and_is_counted(self, api):
        _, run_id = await started_with_one_case(api, evaluation_type="full_rag")

        await work(api, "95도입니다.", "?", "?", "?", "?")

        run = await detail(api, run_id)
        assert run["status"] == "completed"
        faithfulness = run["summary"]["generation"]["faithfulness"]
        assert (faithfulness["mean"], faithfulness["parsed"], faithfulness["mean_of_parsed"]) == (
            0.0,
            0,
            None,
        )
        found = (await api.client.get(f"/evaluation/runs/{run_id}/findings")).json()
        assert (found["bands"], found["patterns"], found["diagnosis"]) == ([], [], None)
        assert found["cases"][0]["faithfulness"] is None

    async def test_a_judge_that_is_down_ends_in_cases_that_say_so(self, api):
        _, run_id = await started_with_one_case(api, evaluation_type="full_rag")

        await work(api, TransientProviderError("busy"), max_attempts=2)
        assert (await detail(api, run_id))["status"] == "running"
        await work(api, TransientProviderError("busy"), max_attempts=2)

        run = await detail(api, run_id)
        assert (run["status"], run["summary"]["failed"], run["mean_faithfulness"]) == (
            "completed",
            1,
            None,
        )
        assert run["error_message"] == run["results"][0]["error"]
        assert "busy" in run["results"][0]["error"]
        assert run["metrics"]["recall_at_k"] == 1.0


class TestTheLifeOfARun:
    async def test_a_part_that_was_measured_is_not_measured_again(self, api):
        dataset = await stored_cases(api, 2)
        run_id = await started(api, dataset["id"])
        await work(api)
        before = await detail(api, run_id)
        await api.world.rows("UPDATE jobs SET status = 'queued'")

        await work(api)

        assert await detail(api, run_id) == before

    async def test_cancelled_it_keeps_what_it_has(self, api):
        _, run_id = await started_with_one_case(api)

        cancelled = await api.client.post(f"/evaluation/runs/{run_id}/cancel")
        again = await api.client.post(f"/evaluation/runs/{run_id}/cancel")

        assert (cancelled.status_code, cancelled.json()["status"]) == (200, "cancelled")
        assert again.status_code == 409
        (job,) = await api.world.rows("SELECT status FROM jobs")
        assert job["status"] == "cancelled"

    async def test_a_part_given_up_for_good_fails_the_run(self, api):
        _, run_id = await started_with_one_case(api)

        await api.world.rows("UPDATE jobs SET status = 'failed', error = 'died 4 times'")

        run = await detail(api, run_id)
        assert (run["status"], run["error_message"]) == ("failed", "died 4 times")

    async def test_a_deleted_dataset_leaves_its_runs(self, api):
        dataset, run_id = await started_with_one_case(api)
        await work(api)

        deleted = await api.client.delete(f"/evaluation/datasets/{dataset['id']}")
        anew = await api.client.post(f"/evaluation/datasets/{dataset['id']}/runs", json={})

        assert (deleted.status_code, anew.status_code) == (204, 404)
        assert (await detail(api, run_id))["metrics"]["recall_at_k"] == 1.0

    async def test_a_cancelled_part_ends_it_and_the_other_parts(self, api):
        pcr, *_ = await chunk_ids(api)
        dataset = await stored(api, *[[pcr]] * (ITEMS_PER_JOB + 1))
        run_id = await started(api, dataset["id"])
        part, _ = await api.world.rows("SELECT id FROM jobs ORDER BY id")

        await api.client.post(f"/jobs/{part['id']}/cancel")

        run = await detail(api, run_id)
        assert run["status"] == "cancelled"
        jobs = await api.world.rows("SELECT status FROM jobs")
        assert [job["status"] for job in jobs] == ["cancelled"] * 2

    async def test_a_dataset_deleted_under_a_run_cancels_it(self, api):
        dataset, run_id = await started_with_one_case(api)

        await api.client.delete(f"/evaluation/datasets/{dataset['id']}")
        await work(api)

        run = await detail(api, run_id)
        assert (run["status"], run["dataset_id"], run["results"]) == ("cancelled", None, [])
        assert "deleted" in run["error_message"]

    async def test_a_case_is_paid_for_once_though_its_job_is_done_again(self, api):
        dataset = await stored_cases(api, 2)
        run_id = await started(api, dataset["id"], evaluation_type="full_rag")
        left = await work(api, "95도", JUDGED, JUDGED, TransientProviderError("killed"), JUDGED)
        assert left == 1
        assert (await detail(api, run_id))["done"] == 1

        left = await work(api, "37도", JUDGED, JUDGED, "paid twice")

        run = await detail(api, run_id)
        assert (run["status"], run["done"], left) == ("completed", 2, 1)
        assert {result["generated_answer"] for result in run["results"]} == {"95도", "37도"}

    async def test_with_wait_it_is_answered_when_it_is_done(self, api):
        dataset = await stored_cases(api, 1)
        path = f"/evaluation/datasets/{dataset['id']}/runs?wait=30"

        async def soon() -> None:
            await eventually(lambda: api.world.rows("SELECT id FROM jobs"))
            await work(api)

        response, _ = await asyncio.gather(api.client.post(path, json={}), soon())

        assert (response.status_code, response.json()["status"]) == (201, "completed")


class TestDatasets:
    async def test_a_change_makes_a_new_version(self, api):
        first = await stored(api, ["a"])
        second = await stored(api, ["a"], ["b"])

        assert (first["version"], second["version"]) == (1, 2)
        unchanged = await api.client.get(f"/evaluation/datasets/{first['id']}")
        assert unchanged.json() == first

    @pytest.mark.parametrize("format_", ["jsonl", "csv"])
    async def test_an_export_can_be_imported(self, api, format_):
        dataset = await stored(api, ["a"], ["b", "c"])
        exported = await api.client.get(
            f"/evaluation/datasets/{dataset['id']}/export", params={"format": format_}
        )

        imported = await api.client.post(
            "/evaluation/datasets/import",
            data={"name": "again", "format": format_},
            files={"file": ("cases", exported.content)},
        )

        assert imported.status_code == 201, imported.text
        cases = [
            (case["question"], case["ground_truth_chunk_ids"])
            for case in imported.json()["test_cases"]
        ]
        assert cases == [(QUESTIONS[0], ["a"]), (QUESTIONS[1], ["b", "c"])]

    async def test_an_empty_one_is_refused(self, api):
        path, empty = "/evaluation/datasets", {"name": "empty"}
        file = {"file": ("cases.jsonl", b"")}
        assert (await api.client.post(path, json=empty | {"test_cases": []})).status_code == 422
        imported = await api.client.post(f"{path}/import", data=empty, files=file)
        assert imported.status_code == 422, imported.text

    async def test_the_price_is_told_before(self, api):
        dataset = await stored(api, ["a"], ["b"])
        path = f"/evaluation/datasets/{dataset['id']}/estimate"

        cheap = (await api.client.post(path, json={})).json()
        full = (await api.client.post(path, json={"evaluation_type": "full_rag"})).json()

        assert (cheap["calls"], full["calls"]) == (0, 6)


class TestComparing:
    async def test_two_runs_case_by_case(self, api):
        pcr, incubator, _ = await chunk_ids(api)
        dataset = await stored(api, [pcr], [incubator])
        first = await started(api, dataset["id"], k=1, name="before")
        await work(api)
        await api.world.rows("DELETE FROM note_chunks WHERE id = %s", incubator)
        second = await started(api, dataset["id"], k=1)
        await work(api)

        compared = (await api.client.get(f"/evaluation/runs/{first}/compare/{second}")).json()

        recall = next(d for d in compared["differences"] if d["name"] == "recall_at_k")
        assert (recall["first"], recall["second"], recall["difference"]) == (1.0, 0.5, -0.5)
        assert [flip["question"] for flip in compared["flipped"]] == [QUESTIONS[1]]
        assert (compared["first_name"], compared["second_name"]) == ("before", "baseline v1 #2")
        assert compared["not_compared"] == []

    @pytest.mark.parametrize("unequal", ["k", "dataset"])
    async def test_what_depends_on_k_or_dataset_is_refused(self, api, unequal):
        pcr, incubator, freezer = await chunk_ids(api)
        one = await stored(api, [pcr], [incubator])
        other = one if unequal == "k" else await stored(api, [pcr], [freezer])
        given = [(one["id"], 1), (other["id"], 2 if unequal == "k" else 1)]
        alone = [await started(api, id_, k=k) for id_, k in given]
        full = [await started(api, id_, k=k, evaluation_type="full_rag") for id_, k in given]
        model = ScriptedRouter(respond=lambda asked: JUDGED if asked.output else "95도입니다.")
        await work(api, providers=Models(model))

        refused = await api.client.get(f"/evaluation/runs/{alone[0]}/compare/{alone[1]}")
        answers = (await api.client.get(f"/evaluation/runs/{full[0]}/compare/{full[1]}")).json()

        assert refused.status_code == 409
        assert refused.json()["type"].endswith(f"runs-differ-in-{unequal}")
        assert [each["because"] for each in answers["not_compared"]] == [unequal]
        assert set(answers["not_compared"][0]["names"]) == set(MEANS)
        compared = [each["name"] for each in answers["differences"]]
        assert compared == ["mean_faithfulness", "mean_answer_relevancy"]
        assert {flip["name"] for flip in answers["flipped"]} <= set(compared)

    async def test_a_version_with_the_same_cases_is_compared(self, api):
        pcr, *_ = await chunk_ids(api)
        ids = [await started(api, (await stored(api, [pcr]))["id"]) for _ in range(2)]
        await work(api)

        compared = (await api.client.get(f"/evaluation/runs/{ids[0]}/compare/{ids[1]}")).json()

        assert (compared["not_compared"], len(compared["differences"])) == ([], len(MEANS))
