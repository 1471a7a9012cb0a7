"""Who answers and judges in a run, for what money, and under which name."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from api_client import Api, open_api
from app.ai_router.router import Providers
from app.judges.estimate import TWO_PROMPTS
from app.judges.rules.judge import RULES_VERSION
from app.judges.verdict_prompts import DEFAULT_PROMPT
from cases import for_each
from judge_replies import VERDICT as ONE_CALL
from run_rows import Models, chunk_ids, detail, started, stored, work
from scripted_router import PAID, ScriptedRouter
from verdict_world import World, open_world, set_policy, settings
from workers import Clock

MODEL, OTHER = "openai:gpt-4o-mini", "openai:gpt-4o"
KEY: dict[str, Any] = {"openai_api_key": "sk-test"}
FULL = {"evaluation_type": "full_rag"}
JUDGED = '{"reasoning": "근거가 있음", "score": 0.9}'
# The first case of a day is measured all the same.
LESS_THAN_A_CASE = 0.001
ANSWER = "95도입니다. [노트 1]"
VERDICT = json.dumps(
    {
        "claims": [
            {"sentence": 1, "note": 0, "quote": "", "gap": "없음", "verdict": "unsupported"}
        ],
        "issues": [],
        "used": [],
        "nuggets": [],
        "checklist": [],
        "next_steps": {"queries": [], "actions": [], "urgency": "low"},
        "summary": "근거가 없음",
        "utility": 0.6,
    }
)


@pytest.fixture
async def api(clock: Clock, clean_database_url: str, redis_url: str) -> AsyncIterator[Api]:
    """Of a server with a key, whose own settings judge by rules."""
    async with open_world(clean_database_url) as world, open_api(world, redis_url, **KEY) as api:
        yield api


async def dataset_of(api: Api, cases: int = 1) -> str:
    pcr, *_ = await chunk_ids(api)
    return str((await stored(api, *[[pcr]] * cases))["id"])


async def refused(api: Api, dataset_id: str, *, admin: bool = True, **body: object) -> Any:
    client = api.client if admin else await api.as_token()
    path = f"/evaluation/datasets/{dataset_id}/runs"
    response = await client.post(path, json=body)
    assert not await api.world.rows("SELECT id FROM eval_runs")
    return response.status_code, response.json()


class TestWhoJudges:
    async def test_by_default_the_judge_of_the_workspaces_policy(self, api):
        await set_policy(api.world, settings(**KEY), judge_model=MODEL)
        run = await detail(api, await started(api, await dataset_of(api), **FULL))

        models = run["answer_model"], run["judge_model"], run["prompt_version"]
        assert models == ("offline:extractive", MODEL, TWO_PROMPTS)

    async def test_what_the_request_names(self, api):
        dataset_id = await dataset_of(api)
        named = {"answer_model": OTHER, "judge_model": MODEL, "prompt": DEFAULT_PROMPT}
        asked = FULL | named | {"retrieval": "evidence", "name": "네 번째"}
        run = await detail(api, await started(api, dataset_id, **asked))

        assert (run["answer_model"], run["judge_model"]) == (OTHER, MODEL)
        assert (run["prompt_version"], run["retrieval"]) == (DEFAULT_PROMPT, "evidence")
        assert run["name"] == "네 번째"
        other = await detail(api, await started(api, dataset_id, **FULL))
        chosen = ("answer_model", "judge_model", "prompt_version", "retrieval")
        assert not [name for name in chosen if other[name] == run[name]]
        path = f"/evaluation/datasets/{dataset_id}/estimate"
        assert (await api.client.post(path, json=FULL | named)).json()["calls"] == 2

    async def test_the_prompt_that_the_policy_chose(self, api):
        await set_policy(
            api.world, settings(**KEY), judge_model=MODEL, judge_prompt="search-qa-eval-6"
        )
        run_id = await started(api, await dataset_of(api), **FULL)
        router = ScriptedRouter(ANSWER, VERDICT)
        await work(api, providers=Models(router), **KEY)

        (result,) = (await detail(api, run_id))["results"]
        assert (result["faithfulness"], result["answer_relevancy"]) == (0, 0.6)
        assert result["faithfulness_reasoning"] == "근거가 없음 95도입니다. (없음)"
        assert router.tasks == [ONE_CALL]

    async def test_rules_have_one_version(self, api):
        dataset_id = await dataset_of(api)
        status, problem = await refused(api, dataset_id, **FULL, prompt=DEFAULT_PROMPT)
        assert (status, problem["type"].rpartition(":")[2]) == (422, "no-such-prompt")

        run = await detail(api, await started(api, dataset_id, **FULL))
        assert (run["judge_model"], run["prompt_version"]) == ("offline:rules", RULES_VERSION)

    @for_each(
        ("body", "code"),
        [
            (FULL | {"judge_model": OTHER}, "judge-not-in-policy"),
            (FULL | {"answer_model": OTHER}, "answer-model-not-in-policy"),
        ],
    )
    async def test_a_policy_that_forbids_a_model_says_so(self, api, body, code):
        await set_policy(api.world, settings(**KEY), judge_model=MODEL)

        status, problem = await refused(api, await dataset_of(api), admin=False, **body)

        assert (status, problem["type"].rpartition(":")[2]) == (403, code)
        assert OTHER in problem["detail"]
        assert MODEL in problem["detail"]

    async def test_models_of_the_policy_may_be_named_by_anybody(self, api):
        await set_policy(api.world, settings(**KEY), judge_model=MODEL, fallback_models=[OTHER])
        path = f"/evaluation/datasets/{await dataset_of(api)}/runs"
        body = FULL | {"judge_model": OTHER, "answer_model": MODEL}

        response = await (await api.as_token()).post(path, json=body)

        assert response.status_code == 202, response.text

    @for_each(
        ("body", "code"),
        [
            (FULL | {"judge_model": "anthropic:claude"}, "no-such-judge"),
            (FULL | {"judge_model": "offline:extractive"}, "no-such-judge"),
            (FULL | {"judge_model": "local:somewhere"}, "no-such-judge"),
            (FULL | {"answer_model": "anthropic:claude"}, "no-such-answer-model"),
            (FULL | {"answer_model": "offline:rules"}, "no-such-answer-model"),
            (FULL | {"judge_model": MODEL, "prompt": "nobody-1"}, "no-such-prompt"),
            ({"judge_model": MODEL}, "invalid-request"),
            ({"retrieval": "vector"}, "invalid-request"),
            ({"name": " "}, "invalid-request"),
        ],
    )
    async def test_what_this_server_cannot_do_is_refused(self, api, body, code):
        status, problem = await refused(api, await dataset_of(api), **body)

        assert (status, problem["type"].rpartition(":")[2]) == (422, code)

    async def test_without_a_name_runs_are_counted(self, api):
        dataset_id = await dataset_of(api)
        names = [(await detail(api, await started(api, dataset_id)))["name"] for _ in range(2)]

        assert names == ["baseline v1 #1", "baseline v1 #2"]


async def spent(world: World) -> float:
    rows = await world.rows("SELECT sum(cost_usd)::float8 AS usd FROM judge_spending")
    return float(rows[0]["usd"] or 0)


def paid(*replies: str) -> Models:
    """A tenth of a cent each."""
    return Models(ScriptedRouter(*replies, like=PAID))


class TestBudget:
    async def test_an_unpriced_model_is_refused(self, api):
        await set_policy(api.world, settings(**KEY), judge_model=MODEL, daily_budget_usd=1)

        status, problem = await refused(
            api, await dataset_of(api), **FULL, answer_model="openai:nobody-knows-it"
        )

        assert (status, problem["type"].rpartition(":")[2]) == (422, "unpriced-model")
        assert "answer_model" in problem["detail"]

    async def test_its_calls_count_and_what_is_over_waits_for_the_next_day(self, api, clock):
        clock.set("2031-05-10T23:00:00+09:00")
        budget = {"daily_budget_usd": LESS_THAN_A_CASE, "time_zone": "Asia/Seoul"}
        await set_policy(api.world, settings(**KEY), judge_model=MODEL, **budget)
        run_id = await started(api, await dataset_of(api, 2), **FULL, answer_model=MODEL)

        await work(api, providers=paid(ANSWER, JUDGED, JUDGED), **KEY)

        run = await detail(api, run_id)
        assert (run["status"], run["done"]) == ("running", 1)
        assert run["waits_for"] == "budget_spent"
        assert run["waits_until"].startswith("2031-05-10T15:00:00")
        assert await spent(api.world) == pytest.approx(0.003)
        assert await api.world.rows("SELECT * FROM budget_holds") == []
        (job,) = await api.world.rows("SELECT tries, status FROM jobs")
        assert (job["tries"], job["status"]) == (0, "retrying")

        clock.set("2031-05-11T00:00:01+09:00")
        await work(api, providers=paid(ANSWER, JUDGED, JUDGED), **KEY)

        run = await detail(api, run_id)
        assert (run["status"], run["done"], run["waits_for"]) == ("completed", 2, None)
        assert run["summary"]["cost_usd"] == pytest.approx(0.006)

    async def test_a_larger_budget_lets_it_go_on_at_once(self, api, clock):
        clock.set("2031-05-10T12:00:00Z")
        budget = {"daily_budget_usd": LESS_THAN_A_CASE}
        await set_policy(api.world, settings(**KEY), judge_model=MODEL, **budget)
        run_id = await started(api, await dataset_of(api, 2), **FULL, answer_model=MODEL)
        await work(api, providers=paid(ANSWER, JUDGED, JUDGED), **KEY)
        assert (await detail(api, run_id))["done"] == 1

        await set_policy(api.world, settings(**KEY), judge_model=MODEL, daily_budget_usd=1)
        await work(api, providers=paid(ANSWER, JUDGED, JUDGED), **KEY)

        assert (await detail(api, run_id))["status"] == "completed"

    async def test_calls_of_a_try_that_failed_count_too(self, api):
        await set_policy(api.world, settings(**KEY), judge_model=MODEL, daily_budget_usd=1)
        run_id = await started(api, await dataset_of(api), **FULL, answer_model=MODEL)
        replies = [ANSWER, *["no JSON"] * 4]

        await work(api, providers=paid(*replies), **KEY)

        assert (await detail(api, run_id))["status"] == "completed"
        assert await spent(api.world) == pytest.approx(0.005)

    async def test_calls_of_a_dead_worker_count_as_spent(self, api):
        await set_policy(api.world, settings(**KEY), judge_model=MODEL, daily_budget_usd=1)
        run_id = await started(api, await dataset_of(api), **FULL, answer_model=MODEL)
        held = "SELECT * FROM hold_budget((SELECT workspace_id FROM eval_runs), %s, 0, 0.25, 60)"
        await api.world.rows(held, run_id)

        await work(api, providers=paid(ANSWER, JUDGED, JUDGED), **KEY)

        assert await spent(api.world) == pytest.approx(0.253)

    async def test_offline_models_take_nothing(self, api):
        await set_policy(api.world, settings(**KEY), daily_budget_usd=0.0001)
        run_id = await started(api, await dataset_of(api, 2), **FULL)

        async with Providers(settings()) as providers:
            await work(api, providers=providers)

        assert (await detail(api, run_id))["status"] == "completed"
        assert await spent(api.world) == 0
