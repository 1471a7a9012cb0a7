"""Which search a run measures."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from api_client import Api, open_api
from app.ai_router.router import Providers
from app.notes.embedding import embed_notes
from cases import for_each
from run_rows import detail, started, work
from stub_server import StubServer, embed, status
from verdict_world import World, settings

NOTES = [
    {"title": "세포", "content": "배양기는 37도로 맞춘다."},
    {"title": "총무", "content": "출장비 정산은 월말까지."},
    {"title": "재활용", "content": "페트병은 라벨을 떼고 버린다. " * 80 + "뚜껑은 따로 모은다."},
]
OTHER_WORDS = "인큐베이터?"


def meaning(text: str) -> list[float]:
    about = any(word in text for word in ("배양기", "인큐베이터"))
    return [float(about), float(not about)]


class Place:
    """An API and its worker with an embedding server."""

    def __init__(self, api: Api, stub: StubServer) -> None:
        self.api, self.stub = api, stub
        self.given: dict[str, Any] = {
            "embedding_model": "openai:stub",
            "openai_base_url": stub.base_url,
        }

    async def embed(self) -> None:
        rows = await self.api.world.rows("SELECT id FROM jobs WHERE kind = 'embed'")
        jobs = await self.api.world.jobs.claim([row["id"] for row in rows], ["embed"], 1)
        async with Providers(settings(**self.given)) as providers:
            for job in jobs:
                given = settings(**self.given)
                context = self.api.world.job_context(job, given, providers)
                await embed_notes(job, context)
                await self.api.world.jobs.finish(job)

    async def work(self, **changes: object) -> None:
        given = self.given | changes
        async with Providers(settings(**given)) as providers:
            await work(self.api, providers=providers, **given)


@pytest.fixture
async def place(pgvector: None, world: World, redis_url: str) -> AsyncIterator[Place]:
    async with StubServer(embed(meaning)) as stub:
        given = {"embedding_model": "openai:stub", "openai_base_url": stub.base_url}
        async with open_api(world, redis_url, **given) as api:
            yield Place(api, stub)


async def dataset(api: Api, question: str, title: str) -> str:
    """One case whose answer is the last chunk of the note of that title."""
    imported = await api.client.post("/notes/import", json={"notebook": "n", "notes": NOTES})
    assert imported.status_code == 200
    rows = await api.world.rows(
        "SELECT c.id::text FROM note_chunks c JOIN notes n ON n.id = c.note_id"
        " WHERE n.title = %s ORDER BY c.position DESC",
        title,
    )
    case = {"question": question, "ground_truth_chunk_ids": [rows[0]["id"]]}
    stored = await api.client.post("/evaluation/datasets", json={"name": "d", "test_cases": [case]})
    return str(stored.json()["id"])


async def test_hybrid_finds_what_text_does_not_and_both_can_be_compared(place):
    api = place.api
    dataset_id = await dataset(api, OTHER_WORDS, "세포")
    await place.embed()
    text = await started(api, dataset_id, retrieval="text")
    hybrid = await started(api, dataset_id)

    await place.work()

    runs = [await detail(api, id_) for id_ in (text, hybrid)]
    assert [run["retrieval"] for run in runs] == ["text", "hybrid"], "hybrid is the default"
    assert [run["embedding_model"] for run in runs] == [None, "openai:stub"]
    assert [run["metrics"]["recall_at_k"] for run in runs] == [0.0, 1.0]
    compared = (await api.client.get(f"/evaluation/runs/{text}/compare/{hybrid}")).json()
    assert (compared["first_retrieval"], compared["second_retrieval"]) == ("text", "hybrid")


async def test_vector_is_the_search_by_meaning_alone(place):
    """Of a question whose words stand in a note that means something else."""
    by_words = await dataset(place.api, "출장비 인큐베이터?", "총무")
    await place.embed()
    runs = [await started(place.api, by_words, retrieval=each) for each in ("vector", "hybrid")]

    await place.work()

    vector, hybrid = [await detail(place.api, run_id) for run_id in runs]
    assert (vector["retrieval"], vector["embedding_model"]) == ("vector", "openai:stub")
    recalls = vector["metrics"]["recall_at_k"], hybrid["metrics"]["recall_at_k"]
    assert recalls == (0.0, 1.0)
    assert vector["results"][0]["retrieved_chunk_ids"]


async def test_evidence_is_the_search_of_answers(place):
    dataset_id = await dataset(place.api, "배양기는 몇 도로 맞추나요?", "세포")
    await place.embed()
    run_id = await started(place.api, dataset_id, retrieval="evidence", evaluation_type="full_rag")

    await place.work()

    run = await detail(place.api, run_id)
    assert (run["retrieval"], run["metrics"]["recall_at_k"]) == ("evidence", 1.0)
    assert "37도" in run["results"][0]["generated_answer"]


async def test_of_a_note_found_as_a_whole_its_best_chunk_counts(place):
    """뚜껑 is a part of a word there, so only the search for single words finds it."""
    dataset_id = await dataset(place.api, "뚜껑은 따로?", "재활용")
    await place.api.world.rows("UPDATE note_chunks SET terms = '', length = 1")
    place.given["embedding_model"] = None
    await place.api.world.rows("DELETE FROM jobs")
    run_id = await started(place.api, dataset_id, retrieval="evidence")
    await place.api.world.rows("UPDATE eval_runs SET embedding_model = NULL")

    await place.work()

    run = await detail(place.api, run_id)
    assert run["results"][0]["error"] is None
    assert run["metrics"]["recall_at_k"] == 1.0


@for_each("retrieval", ["hybrid", "vector"])
async def test_without_a_model_vectors_are_refused(api, retrieval):
    dataset_id = await dataset(api, OTHER_WORDS, "세포")
    path = f"/evaluation/datasets/{dataset_id}/runs"

    refused = await api.client.post(path, json={"retrieval": retrieval})

    assert refused.status_code == 422
    assert "SEARCHQA_EMBEDDING_MODEL" in refused.json()["detail"]
    assert (await api.client.post(path, json={})).json()["retrieval"] == "text"


async def test_hybrid_waits_for_vectors(place):
    dataset_id = await dataset(place.api, OTHER_WORDS, "세포")

    refused = await place.api.client.post(f"/evaluation/datasets/{dataset_id}/runs", json={})

    assert refused.status_code == 409
    assert "searchqa api GET /jobs" in refused.json()["detail"]


async def test_a_model_that_is_away_is_no_miss(place):
    dataset_id = await dataset(place.api, OTHER_WORDS, "세포")
    await place.embed()
    run_id = await started(place.api, dataset_id)
    place.stub.default = status(503)

    await place.work(max_attempts=1)

    run = await detail(place.api, run_id)
    assert (run["status"], run["metrics"], run["summary"]["failed"]) == ("completed", None, 1)
    assert run["results"][0]["recall"] is None
    assert run["error_message"] == run["results"][0]["error"]
    assert run["error_message"].startswith("transient: ")


async def test_a_worker_with_another_model_ends_the_run(place):
    dataset_id = await dataset(place.api, OTHER_WORDS, "세포")
    await place.embed()
    await started(place.api, dataset_id)

    with pytest.raises(Exception, match="restart the worker with the same settings"):
        await place.work(embedding_model=None)
