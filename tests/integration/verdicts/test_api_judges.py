"""Who may name a judge, who may resume one, and what is shown of a paused one."""

import datetime as dt
from collections.abc import AsyncIterator
from urllib.parse import quote

import pytest

from api_client import Api, open_api
from app.ai_router.limits.model_limit import Ask
from app.ai_router.limits.shared import SharedLimits
from app.operations.system.diagnosis import Observation, diagnose
from app.platform.setting_types import ModelLimit
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from verdict_world import World, set_policy, settings, store_answers, verdict

MODEL, FALLBACK, OTHER = "openai:gpt-4o-mini", "openai:gpt-4o", "openai:gpt-4.1"
KEY = {"openai_api_key": "sk-test"}
RESUME = f"/judges/{quote(MODEL, safe='')}/resume"
WRITER = ["read", "write"]
ADMIN = [*WRITER, "admin"]
BENCH = {"items": [{"passages": ["a"], "answer": "b", "hallucinated": True}]}


@pytest.fixture
async def api(world: World, redis_url: str) -> AsyncIterator[Api]:
    await set_policy(world, settings(**KEY), judge_model=MODEL, fallback_models=[FALLBACK])
    async with open_api(world, redis_url, **KEY) as api:
        yield api


async def judged(world: World) -> str:
    (new,) = await store_answers(world)
    (claim,) = await world.lifecycle.claim([new.evaluation_id])
    await world.lifecycle.record([(claim, verdict())])
    return str(new.evaluation_id)


class TestAWriter:
    async def test_names_judges_of_the_policy_only(self, api):
        one = f"/qa-evaluations/{await judged(api.world)}/rejudge"
        writer = await api.as_token(scopes=WRITER)
        for path, body in (
            (one, {"judge_model": OTHER}),
            (one, {"judge_model": "offline:rules"}),
            ("/evaluation/rejudge", {"judge_model": OTHER, "everything": True}),
            ("/evaluation/judge-benches", BENCH | {"judges": ["offline", OTHER]}),
        ):
            refused = await writer.post(path, json=body)
            assert refused.status_code == 403, path
            problem = refused.json()
            assert problem["type"].endswith("judge-not-in-policy")
            assert f"{MODEL}, {FALLBACK}" in problem["detail"]
            korean = await writer.post(path, json=body, headers={"Accept-Language": "ko"})
            assert "정책" in korean.json()["detail"]
        assert await api.world.rows("SELECT id FROM jobs") == []

        assert (await writer.post(one, json={"judge_model": FALLBACK})).status_code == 202
        measured = BENCH | {"judges": ["offline", MODEL]}
        bench = await writer.post("/evaluation/judge-benches", json=measured)
        assert bench.status_code == 202

    async def test_gets_the_policys_judge_where_it_names_none(self, api):
        one = f"/qa-evaluations/{await judged(api.world)}/rejudge"
        writer = await api.as_token(scopes=WRITER)

        asked = await writer.post(one, json={"prompt": "search-qa-eval-6"})
        new = asked.raise_for_status().json()

        (row,) = await api.world.rows(
            "SELECT judge_model FROM qa_evaluations WHERE id = %s", new["id"]
        )
        assert row["judge_model"] == MODEL

    async def test_what_an_admin_may_is_more(self, api):
        one = f"/qa-evaluations/{await judged(api.world)}/rejudge"
        admin = await api.as_token(scopes=ADMIN)

        assert (await admin.post(one, json={"judge_model": OTHER})).status_code == 202


class TestABudget:
    async def test_takes_no_judge_without_a_price(self, api):
        one = f"/qa-evaluations/{await judged(api.world)}/rejudge"
        unpriced = {"judge_model": "openai:unheard-of"}
        admin = await api.as_token(scopes=ADMIN)
        again = {"everything": True, **unpriced}
        budget = {"judge_model": MODEL, "daily_budget_usd": 1}
        (await admin.put("/settings/evaluation", json=budget)).raise_for_status()

        for path, body in ((one, unpriced), ("/evaluation/rejudge", again)):
            refused = await admin.post(path, json=body)
            assert refused.status_code == 422
            assert refused.json()["type"].endswith("unpriced-model")
            assert "SEARCHQA_MODEL_PRICES" in refused.json()["detail"]
        refused = await admin.put("/settings/evaluation", json=budget | unpriced)
        assert refused.json()["type"].endswith("unpriced-model")

        (await admin.put("/settings/evaluation", json={"judge_model": MODEL})).raise_for_status()
        assert (await admin.post(one, json=unpriced)).status_code == 202

    async def test_takes_one_whose_price_the_operator_has_set(self, world, redis_url):
        prices = {**KEY, "model_prices": "openai:unheard-of=1/2"}
        budget = {"judge_model": "openai:unheard-of", "daily_budget_usd": 1}
        async with open_api(world, redis_url, **prices) as api:
            admin = await api.as_token(scopes=ADMIN)
            (await admin.put("/settings/evaluation", json=budget)).raise_for_status()


class TestAPausedJudge:
    @pytest.fixture
    async def paused(self, api: Api) -> Api:
        await api.world.rows(
            "INSERT INTO judge_pauses VALUES (%s, 'invalid_api_key', now(), now())", MODEL
        )
        return api

    async def test_says_why_in_the_readers_language(self, paused):
        pauses = {}
        for lang in ("ko", "en"):
            headers = {"Accept-Language": lang}
            (pauses[lang],) = (await paused.client.get("/judges/paused", headers=headers)).json()
        assert {each["code"] for each in pauses.values()} == {"invalid_api_key"}
        assert "API 키" in pauses["ko"]["reason"]
        assert "key" in pauses["en"]["reason"]

    async def test_that_the_policy_names_no_more_gives_its_answers_to_todays(self, paused):
        world, writer = paused.world, await paused.as_token(scopes=WRITER)
        policy = EvaluationPolicy.from_settings(settings(**KEY, judge_model=MODEL))
        waiting = [
            *await store_answers(world, 2, policy=policy),
            *await store_answers(world, policy=policy, workspace="another"),
        ]
        assert (await writer.post("/evaluation/rejudge/stranded")).json()["answers"] == 0
        await set_policy(world, settings(**KEY), judge_model=FALLBACK, fallback_models=[])
        late = Observation((), (), redis=False)
        health = paused.app.state.services.health
        health._found, health._until = diagnose(late, settings()), float("inf")
        reader = await paused.as_token(scopes=["read"])
        counted = (await reader.get("/system/health")).json()
        assert (counted["waiting"], counted["stranded"]) == (2, 2)
        assert (await reader.post("/evaluation/rejudge/stranded")).status_code == 403

        moved = (await writer.post("/evaluation/rejudge/stranded")).json()

        assert moved == {"judge_model": FALLBACK, "answers": 2}
        rows = [await world.row(new.evaluation_id) for new in waiting]
        assert [row["judge_model"] for row in rows] == [FALLBACK, FALLBACK, MODEL]
        assert {row["reason"] for row in rows[:2]} == {None}
        assert f"/{FALLBACK}/" in rows[0]["judge_key"]
        counted = (await reader.get("/system/health")).json()
        assert (counted["waiting"], counted["stranded"]) == (2, 0)
        (claim, _) = await world.lifecycle.claim([new.evaluation_id for new in waiting[:2]])
        assert claim.judge_model == FALLBACK

    async def test_shows_nothing_that_a_vendor_wrote(self, paused):
        await paused.world.rows("UPDATE judge_pauses SET reason = 'bad key sk-live-1234'")

        (pauses,) = (await paused.client.get("/judges/paused")).json()

        assert pauses["code"] == "unknown"
        assert "sk-live" not in str(pauses)

    async def test_is_resumed_by_an_operator_only(self, paused):
        admin = await paused.as_token(scopes=ADMIN)
        refused = await admin.post(RESUME)
        assert refused.status_code == 403
        assert "--scope operator" in refused.json()["detail"]
        korean = await admin.post(RESUME, headers={"Accept-Language": "ko"})
        assert "운영자" in korean.json()["detail"]
        assert len(await paused.world.rows("SELECT judge_model FROM judge_pauses")) == 1

        operator = await paused.as_token(scopes=["operator"])
        assert [(await operator.post(RESUME)).status_code for _ in range(2)] == [204, 404]
        assert await paused.world.rows("SELECT judge_model FROM judge_pauses") == []

    async def test_an_admin_cannot_make_an_operators_token(self, paused):
        admin = await paused.as_token(scopes=ADMIN)
        for scopes in (["operator"], ["read", "operator"]):
            refused = await admin.post("/tokens", json={"name": "me", "scopes": scopes})
            assert refused.status_code == 422


LIMITED = {**KEY, "judge_limits": f"{MODEL}=600/-/8"}


class TestLimits:
    async def test_are_listed_with_what_is_used_of_them(self, world, redis_url):
        limits = SharedLimits({MODEL: ModelLimit(600, None, 8)}, redis_url, call_seconds=90)
        await limits.take(MODEL, [Ask("a", 2, 100), Ask("b", 1, 100)])
        assert (await limits.take(MODEL, [Ask("c", 9, 1)], waiting=7)).number == 0
        settlement = limits.unsettled(MODEL)
        settlement.refused, settlement.rest = True, 6
        limits.learn(OTHER, ModelLimit(50, 30_000))
        await limits.aclose()
        async with open_api(world, redis_url, **LIMITED) as api:
            other, this = (await api.client.get("/judges/limits")).json()
            metrics = (await api.client.get("/metrics")).text.splitlines()

        held = this.pop("held_until")
        assert dt.datetime.fromisoformat(held) > dt.datetime.now(dt.UTC)
        assert this.pop("allowance") == pytest.approx(0.85, abs=0.01)
        requests = {"requests_per_minute": 600, "tokens_per_minute": None}
        calls = {"max_in_flight": 8, "in_flight": 3, "workers": 1, "waiting": 7}
        assert this == {"judge_model": MODEL, "configured": True} | requests | calls
        assert (other["judge_model"], other["configured"]) == (OTHER, False)
        assert (other["requests_per_minute"], other["tokens_per_minute"]) == (50, 30_000)
        assert (other["allowance"], other["held_until"], other["in_flight"]) == (1, None, None)

        of_this = f'{{judge_model="{MODEL}"}}'
        assert f"searchqa_judge_requests_per_minute_limit{of_this} 600.0" in metrics
        assert f"searchqa_judge_in_flight_limit{of_this} 8.0" in metrics
        assert f"searchqa_judge_in_flight{of_this} 3.0" in metrics
        assert f"searchqa_judge_waiting{of_this} 7.0" in metrics
        assert f'searchqa_judge_tokens_per_minute_limit{{judge_model="{OTHER}"}} 30000.0' in metrics
        assert not [
            line
            for line in metrics
            if line.startswith(f"searchqa_judge_tokens_per_minute_limit{of_this}")
        ]

    async def test_without_redis_those_that_are_set_are_listed(self, world):
        async with open_api(world, "redis://127.0.0.1:1/0", **LIMITED) as api:
            (limit,) = (await api.client.get("/judges/limits")).json()
            metrics = (await api.client.get("/metrics")).text

        assert limit["requests_per_minute"] == 600
        assert (limit["allowance"], limit["in_flight"], limit["workers"]) == (None, None, None)
        assert "searchqa_judge_requests_per_minute_limit{" in metrics
        assert "searchqa_judge_limit_allowance_ratio{" not in metrics
