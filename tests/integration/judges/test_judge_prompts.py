"""A workspace's own prompts over HTTP, and the verdicts that are asked by them."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from api_client import (
    JUDGE_MODEL,
    STRICTER,
    Api,
    judged,
    keep_prompt,
    model_settings,
    open_api,
    queue_answer,
    stricter,
)
from app.judges.verdict_prompts import DEFAULT_PROMPT, ONE_CALL_PROMPTS
from stub_server import StubServer
from verdict_world import World, set_policy, settings


@pytest.fixture
async def api(world: World, redis_url: str, judge: StubServer) -> AsyncIterator[Api]:
    async with open_api(world, redis_url, **model_settings(judge)) as api:
        yield api


class TestVersions:
    async def test_are_numbered_by_name_and_never_change(self, api):
        first = await keep_prompt(api)
        changed = stricter(added="이름도 대조하세요.")
        second = await keep_prompt(api, parent=first["reference"], texts={"en": _english()})
        third = await keep_prompt(api, texts={"ko": changed})
        other = await keep_prompt(api, "other", parent="search-qa-eval-6", texts={})

        named = [one["reference"] for one in (first, second, third, other)]
        assert named == [
            *("workspace:strict@1", "workspace:strict@2", "workspace:strict@3"),
            "workspace:other@1",
        ]
        assert (second["parent"], second["base"]) == ("workspace:strict@1", DEFAULT_PROMPT)
        assert second["texts"] == {"ko": stricter(), "en": _english()}
        assert other["texts"] == dict(ONE_CALL_PROMPTS["search-qa-eval-6"].system)
        listed = (await api.client.get("/judge-prompts")).json()["items"]
        assert [one["reference"] for one in listed] == named[::-1]
        assert (await api.client.get(f"/judge-prompts/{first['id']}")).json() == first

    async def test_of_one_name_that_are_kept_at_once_get_numbers_of_their_own(self, api):
        kept = await asyncio.gather(
            *(keep_prompt(api, texts={"ko": stricter(added=f"규칙 {n}.")}) for n in range(4))
        )
        assert sorted(one["version"] for one in kept) == [1, 2, 3, 4]

    @pytest.mark.parametrize(
        ("changes", "status", "code"),
        [
            ({"texts": {"ko": "{about} {sections}"}}, 422, "broken-instructions"),
            ({"parent": "search-qa-eval-1"}, 422, "no-such-prompt"),
            ({"parent": "workspace:none@1"}, 422, "no-such-prompt"),
            ({"name": "Search QA"}, 422, "invalid-request"),
            ({}, 409, "same-instructions"),
        ],
    )
    async def test_that_cannot_be_kept_are_refused(self, api, changes, status, code):
        await keep_prompt(api)
        body = {"name": "strict", "parent": DEFAULT_PROMPT, "texts": {"ko": stricter()}}
        response = await api.client.post("/judge-prompts", json=body | changes)

        refusal = response.status_code, response.json()["type"].rpartition(":")[2]
        assert refusal == (status, code)
        assert len((await api.client.get("/judge-prompts")).json()["items"]) == 1

    async def test_a_retired_one_is_chosen_no_more(self, api, judge):
        kept = await keep_prompt(api)
        version = kept["reference"]
        server = settings(**model_settings(judge))
        await set_policy(api.world, server, judge_model=JUDGE_MODEL, judge_prompt=version)
        path = f"/judge-prompts/{kept['id']}/retire"
        refused = await api.client.post(path)
        assert (refused.status_code, refused.json()["type"].rpartition(":")[2]) == (
            409,
            "prompt-in-policy",
        )
        assert (await api.client.get(f"/judge-prompts/{kept['id']}")).json()["in_policy"]

        await set_policy(api.world, server, judge_model=JUDGE_MODEL)
        assert (await api.client.post(path)).json()["retired_at"]
        chosen = {"judge_model": JUDGE_MODEL, "judge_prompt": version}
        again = {"judge_model": JUDGE_MODEL, "prompt": version, "everything": True}
        bench = {"judges": [f"{JUDGE_MODEL}@{version}"], "items": [_LABELLED]}
        for route, method, body in (
            ("/settings/evaluation", "PUT", chosen),
            ("/evaluation/rejudge/estimate", "POST", again),
            ("/evaluation/judge-benches", "POST", bench),
        ):
            response = await api.client.request(method, route, json=body)
            assert response.status_code == 422, route
            assert response.json()["type"].endswith(":prompt-retired"), route


_LABELLED = {"passages": ["변성은 95도"], "answer": "95도입니다.", "hallucinated": False}


def _english() -> str:
    return ONE_CALL_PROMPTS[DEFAULT_PROMPT].system["en"] + "\nCompare units."


class TestVerdicts:
    async def test_are_asked_by_the_prompt_that_the_policy_chose(self, api, judge):
        version = (await keep_prompt(api))["reference"]
        await queue_answer(api, judge, judge_prompt=version)
        found = await judged(api, judge)

        assert STRICTER in judge.requests[-1].json["messages"][0]["content"]
        assert found["prompt_version"] == version
        (row,) = await api.world.rows("SELECT judge_prompt, judge_key FROM qa_evaluations")
        assert row["judge_prompt"] == version
        assert row["judge_key"].endswith(f"/{JUDGE_MODEL}/{version}")

    async def test_are_not_high_before_labels_have_shown_what_high_is_worth(self, api, judge):
        version = (await keep_prompt(api))["reference"]
        await queue_answer(api, judge, judge_prompt=version)
        found = await judged(api, judge)

        assert found["qa_evaluation"]["correctness"] == 1
        assert found["qa_evaluation"]["confidence"] == "medium"
        assert "confidence_lowered:prompt_unproven" in found["qa_evaluation"]["flags"]

    async def test_a_version_that_is_gone_ends_in_a_sentence(self, api, judge):
        version = (await keep_prompt(api))["reference"]
        await queue_answer(api, judge, judge_prompt=version, judge_fallback="failed")
        # As by hand, or by a release that ships the base no more.
        await api.world.rows("UPDATE judge_prompts SET base = 'search-qa-eval-0'")
        found = await judged(api, judge)

        assert found["status"] == "failed"
        assert f"The prompt {version} is not there" in found["error"]
        assert not judge.count


async def test_judging_again_by_one_is_estimated_by_its_own_length(api, judge):
    short = await keep_prompt(api, texts={"ko": "{about}\n{sections}\n{form}"})
    await queue_answer(api, judge)
    await judged(api, judge)
    path = "/evaluation/rejudge/estimate"
    tokens = [
        (await api.client.post(path, json={"prompt": version})).json()["prompt_tokens"]
        for version in (short["reference"], "search-qa-eval-6")
    ]
    assert 0 < tokens[0] < tokens[1]


async def test_a_bench_measures_one_beside_another(api, judge):
    version = (await keep_prompt(api))["reference"]
    judges = [f"{JUDGE_MODEL}@{version}", JUDGE_MODEL]
    fields = {"judges": judges}
    lines = {"file": ("a.jsonl", json.dumps(_LABELLED).encode())}
    estimate = await api.client.post("/evaluation/judge-benches/estimate", data=fields, files=lines)
    assert estimate.json()["calls"] == 2, estimate.text
    body = {"judges": judges, "items": [_LABELLED]}
    bench = (await api.client.post("/evaluation/judge-benches", json=body)).json()
    assert bench["judges"] == judges
