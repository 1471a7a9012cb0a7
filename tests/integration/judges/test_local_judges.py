"""Models in a folder that judge readers' answers, with a real database."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from test_judge_benches import run_bench, start_bench

from api_client import Api, open_api
from app.judges.local.judge import LOCAL_VERSION
from tiny_models import pair_classifier, token_classifier, vocabulary
from verdict_world import World, settings
from workers import judge_once

NOTE = "The incubator is kept at 37 degrees. The lid is cleaned every Monday."
RIGHT, WRONG = "The incubator is kept at 37 degrees.", "The incubator is kept at 72 degrees."
QUESTION = "At which temperature is the incubator kept?"
PROMPT = "Briefly answer the following question Bear in mind that your response should be strictly"
WORDS = vocabulary(NOTE, RIGHT, WRONG, QUESTION, PROMPT)


@pytest.fixture(params=[pair_classifier, token_classifier])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return request.param(tmp_path / "model", WORDS)


@pytest.fixture
async def api(world: World, redis_url: str, folder: Path) -> AsyncIterator[Api]:
    async with open_api(world, redis_url, **judge(folder)) as api:
        yield api


def judge(folder: Path) -> dict[str, object]:
    return {"judge_model": f"local:{folder}"}


async def judged(api: Api, answer: str, **changes: object) -> dict[str, Any]:
    """The answer's evaluation after a worker has had it."""
    body = {"question": QUESTION, "answer": answer, "lang": "en"}
    body |= {"sources": [{"title": "", "content": NOTE}]}
    created = await api.client.post("/qa-evaluations", json=body)
    assert created.status_code == 202, created.text
    id_ = created.json()["id"]
    await judge_once(api.world, id_, settings(**changes))
    return (await api.client.get(f"/qa-evaluations/{id_}")).json()


def item(number: int, *, wrong: bool) -> dict[str, Any]:
    """A labelled answer of a bench."""
    return {
        "id": number,
        "question": QUESTION,
        "passages": [NOTE],
        "answer": WRONG if wrong else RIGHT,
        "hallucinated": wrong,
        "lang": "en",
        "spans": [[0, len(WRONG)]] if wrong else [],
    }


async def test_a_verdict_is_stored_with_its_claims(api, folder):
    answer = f"{RIGHT} {WRONG}"
    view = await judged(api, answer, **judge(folder))

    assert view["status"] == "succeeded", view["error"]
    assert (view["provider"], view["model"]) == ("local", str(folder))
    assert not view["degraded"]
    evaluation = view["qa_evaluation"]
    assert evaluation["confidence"] != "high"
    assert any("72" in issue for issue in evaluation["grounding_issues"])
    claims = view["feedback"]["groundedness"]["claims"]
    wrong = [claim for claim in claims if claim["verdict"] == "unsupported"]
    assert len(wrong) == 1
    assert "72" in answer[wrong[0]["start"] : wrong[0]["end"]]
    sources = await api.world.rows("SELECT source FROM qa_scores WHERE name = 'groundedness'")
    assert sources == [{"source": "judge"}]

    right = await judged(api, f"{RIGHT} [Note 1]", **judge(folder))
    assert right["qa_evaluation"]["confidence"] == "high"
    calls = await api.world.rows("SELECT * FROM judge_calls")
    assert calls == []


async def test_an_unusable_folder_pauses_the_judge_with_its_reason(api, folder):
    (folder / "onnx" / "model.onnx").unlink()
    view = await judged(api, RIGHT, **judge(folder))
    assert (view["status"], view["reason"]) == ("queued", "judge_paused")
    (paused,) = (await api.client.get("/judges/paused")).json()
    assert (paused["judge_model"], paused["code"]) == (f"local:{folder}", "unusable_folder")


async def test_a_bench_measures_it_with_its_places(api, folder):
    items = [item(number, wrong=number % 2 == 0) for number in range(6)]
    bench = await run_bench(api, await start_bench(api, items, f"local:{folder}"), **judge(folder))
    assert bench["status"] == "completed"
    (figures,) = bench["summary"]["judges"]
    assert (figures["auroc"]["value"], figures["cost_usd"]) == (1.0, 0.0)
    assert figures["spans"]["f1"] > 0


class TestAFolderThatTheServerDoesNotName:
    """A policy, and a request of somebody with every right, name no path of the server."""

    async def test_is_refused_everywhere(self, api, tmp_path):
        foreign = f"local:{pair_classifier(tmp_path / 'foreign', WORDS)}"
        bench = {"items": [item(1, wrong=True)], "judges": [foreign]}
        requests: tuple[tuple[str, str, dict[str, Any]], ...] = (
            ("PUT", "/settings/evaluation", {"judge_model": foreign}),
            ("PUT", "/settings/evaluation", {"fallback_models": [foreign]}),
            ("POST", "/evaluation/rejudge", {"judge_model": foreign, "everything": True}),
            ("POST", "/evaluation/judge-benches", bench),
        )
        replies = [
            await api.client.request(method, path, json=body) for method, path, body in requests
        ]
        path = "/evaluation/judge-benches/estimate"
        lines = json.dumps(item(1, wrong=True)).encode()
        replies.append(
            await api.client.post(path, data={"judges": [foreign]}, files={"file": lines})
        )
        for refused in replies:
            path = refused.request.url.path
            assert refused.status_code == 422, path
            assert "is not a judge of this server" in refused.json()["detail"], path

    async def test_says_the_same_whether_it_is_there_or_not(self, api):
        for name in ("/etc", "/nowhere"):
            body = {"judge_model": f"local:{name}"}
            refused = await api.client.put("/settings/evaluation", json=body)
            assert refused.json()["detail"].startswith(
                f"judge_model: local:{name} is not a judge of this server;"
            )

    async def test_one_that_it_names_may_be_chosen(self, world, redis_url, folder):
        async with open_api(world, redis_url, local_judges=(str(folder),)) as api:
            body = {"judge_model": f"local:{folder}", "daily_budget_usd": 1}
            chosen = await api.client.put("/settings/evaluation", json=body)
            assert chosen.status_code == 200, chosen.text


async def test_it_is_named_by_its_version_when_judging_again(api, folder):
    path = f"/qa-evaluations/{(await judged(api, RIGHT, **judge(folder)))['id']}/rejudge"
    body = {"judge_model": f"local:{folder}"}
    refused = await api.client.post(path, json=body | {"prompt": "search-qa-eval-6"})
    assert "judges by a detector, not by prompts" in refused.json()["detail"]
    already = await api.client.post(path, json=body | {"prompt": LOCAL_VERSION})
    assert already.status_code == 409
    assert f"local:{folder} ({LOCAL_VERSION}) has judged" in already.json()["detail"]
    rules = await api.client.post(path, json={"judge_model": "offline:rules"})
    assert rules.status_code == 202, rules.text
