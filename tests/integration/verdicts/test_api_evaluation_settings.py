"""The policy of a workspace over HTTP: read, replaced, refused."""

import uuid
from collections.abc import AsyncIterator

import pytest

from api_client import QUESTION, Api, import_notes, json_of, open_api
from cases import for_each
from verdict_world import World

PATH = "/settings/evaluation"
MODEL = "openai:gpt-4o-mini"


@pytest.fixture
async def api(world: World, redis_url: str) -> AsyncIterator[Api]:
    """A server that has the key of one vendor and not of the other."""
    async with open_api(world, redis_url, openai_api_key="sk-test", sample_rate=0.5) as api:
        yield api


async def put(api: Api, **policy: object) -> dict[str, object]:
    return await json_of(api.client.put(PATH, json=policy))


async def test_without_a_policy_the_servers_settings_hold(api):
    response = await api.client.get(PATH)

    found = response.json()
    assert response.headers["ETag"] == '"0"'
    assert (found["version"], found["updated_at"], found["budget"]) == (0, None, None)
    assert set(found["policy"].values()) == {None}
    assert found["effective"]["sample_rate"] == 0.5
    assert found["effective"]["judge_model"] == "offline:rules"
    assert found["server"] == found["effective"]
    assert set(found["sources"].values()) == {"server"}
    assert found["problems"] == []


async def test_what_is_put_is_read_again_over_the_servers_settings(api):
    await import_notes(api)
    (notebook,) = (await api.client.get("/notebooks")).json()
    policy = {
        "enabled": True,
        "sample_rate": 1,
        "features": ["search_qa"],
        "languages": ["ko"],
        "notebook_ids": [notebook["id"]],
        "min_answer_chars": 10,
        "max_answer_chars": 5000.0,
        "quality_gate": False,
        "quality_gate_features": [],
        "phases": ["citation", "groundedness:model"],
        "judge_model": MODEL,
        "judge_prompt": "search-qa-eval-6",
        "fallback_models": ["openai:gpt-4o"],
        "judge_fallback": "failed",
        "reuse_replies": False,
        "cascade": ["offline:rules", MODEL],
        "cascade_check": 0.1,
        "jury": [],
        "bulk_by": "calls",
        "batch_hours": 12,
        "daily_budget_usd": 0.25,
        "time_zone": "Asia/Seoul",
        "auto_refine": True,
        "auto_refine_features": ["insight"],
        "refine_threshold": 0.6,
        "refine_iterations": 3,
        "keep_answers_days": 365,
        "keep_judge_bodies_days": 7,
        "keep_events_days": 14,
        "user_refs": "plain",
        "redact": True,
        "redact_pattern": r"EMP-\d{6}",
    }

    written = await put(api, **policy)

    assert written["policy"] == policy
    assert written["effective"] == policy
    assert set(written["sources"].values()) == {"workspace"}
    read = await api.client.get(PATH)
    assert read.json() == written
    assert read.headers["ETag"] == '"1"'
    budget = written["budget"]
    assert (budget["spent_usd"], budget["held_usd"], budget["deferred"]) == (0, 0, 0)
    assert budget["day_start"].endswith("15:00:00Z"), "midnight in Seoul"


async def test_putting_replaces_everything(api):
    await put(api, sample_rate=0.1, judge_model=MODEL)

    found = await put(api)

    assert found["version"] == 2
    assert set(found["policy"].values()) == {None}
    assert found["effective"]["sample_rate"] == 0.5


REFUSED = {
    "a budget of zero": ({"daily_budget_usd": 0}, "set `enabled` to false"),
    "a negative budget": ({"daily_budget_usd": -1}, "at least 0.0001 US dollars"),
    "a rate of 1.5": ({"sample_rate": 1.5}, "less than or equal to 1"),
    "a rate in words": ({"sample_rate": "0.5"}, "must be a number"),
    "a switch in words": ({"enabled": "yes"}, "valid boolean"),
    "a pattern that looks back": ({"redact_pattern": r"(?<=a)b"}, "without look-around"),
    "a pattern of everything": ({"redact_pattern": ".*"}, "make it narrower"),
    "a pattern that is too large": ({"redact_pattern": r"(\w{1,500}){2}"}, "too large to be fast"),
    "no feature at all": ({"features": []}, "at least 1 item"),
    "an unknown feature": ({"features": ["poetry"]}, "'search_qa', 'insight' or 'writing'"),
    "an unknown language": ({"languages": ["fr"]}, "'ko' or 'en'"),
    "lengths the wrong way round": (
        {"min_answer_chars": 9, "max_answer_chars": 3},
        "must not be less",
    ),
    "no provider": ({"judge_model": "gpt-4o"}, "write provider:model"),
    "an unknown provider": ({"judge_model": "acme:large"}, "with one of the providers"),
    "no key": ({"judge_model": "anthropic:claude-sonnet-4-5"}, "set ANTHROPIC_API_KEY"),
    "no key for a fallback": (
        {"judge_model": MODEL, "fallback_models": ["anthropic:claude-sonnet-4-5"]},
        "fallback_models: anthropic models need a key; set ANTHROPIC_API_KEY",
    ),
    "a model that answers": ({"judge_model": "offline:extractive"}, "it does not judge"),
    "rules as a fallback": (
        {"judge_model": MODEL, "fallback_models": ["offline:rules"]},
        "set judge_fallback to rules",
    ),
    "a fallback to itself": ({"judge_model": MODEL, "fallback_models": [MODEL]}, "name each one"),
    "a budget without a price": (
        {"judge_model": "openai:house-model", "daily_budget_usd": 1},
        "has no known price",
    ),
    "an unknown prompt": (
        {"judge_prompt": "search-qa-eval-9"},
        "there are search-qa-eval-5, search-qa-eval-6",
    ),
    "an unknown zone": ({"time_zone": "Mars/Olympus"}, "Asia/Seoul"),
    "a zone that is a rule": ({"time_zone": "XXX+3"}, "Asia/Seoul"),
    "an unknown notebook": ({"notebook_ids": [str(uuid.UUID(int=7))]}, "GET /notebooks"),
    "a jury of two": (
        {"judge_model": MODEL, "jury": ["openai:a", MODEL]},
        "jury: it takes three judges or more",
    ),
    "rules in a jury": (
        {"judge_model": MODEL, "jury": ["offline:rules", "openai:a", MODEL]},
        "jury: offline:rules has no vote",
    ),
    "a jury whose last is another": (
        {"judge_model": MODEL, "jury": [MODEL, "openai:a", "openai:b"]},
        "of whom the last is judge_model",
    ),
    "a jury and a cascade": (
        {
            "judge_model": MODEL,
            "jury": ["openai:a", "openai:b", MODEL],
            "cascade": ["offline:rules", MODEL],
        },
        "a cascade or a jury",
    ),
    "an unknown field": ({"sampel_rate": 1}, "Extra inputs are not permitted"),
}


@for_each(("policy", "says"), REFUSED.values(), ids=REFUSED)
async def test_unusable_values_are_refused_with_the_reason(api, policy, says):
    response = await api.client.put(PATH, json=policy)

    assert response.status_code == 422
    assert response.headers["Content-Type"] == "application/problem+json"
    assert says in response.json()["detail"]
    assert (await api.client.get(PATH)).json()["version"] == 0


async def test_a_refusal_is_told_in_korean_to_those_who_read_it(api):
    headers = {"Accept-Language": "ko"}
    refused = await api.client.put(PATH, json={"time_zone": "Mars/Olympus"}, headers=headers)

    assert "없는 시간대입니다" in refused.json()["detail"]


async def test_a_model_of_ones_own_machine_may_have_a_budget(api):
    found = await put(api, judge_model="ollama:llama3.2", daily_budget_usd=1)

    assert found["problems"] == []


async def test_a_later_failure_is_a_reported_problem(world, redis_url, api):
    await put(api, judge_model=MODEL)

    async with open_api(world, redis_url) as without_key:
        (problem,) = (await without_key.client.get(PATH)).json()["problems"]
        korean = {"Accept-Language": "ko"}
        (korean_problem,) = (await without_key.client.get(PATH, headers=korean)).json()["problems"]

    assert "이 서버에서 쓸 수 없는 모델입니다" in korean_problem
    assert problem.startswith("judge_model: openai models need a key; set OPENAI_API_KEY")


class TestTwoAtOnce:
    async def test_the_second_is_told_that_it_has_changed(self, api):
        first = {"If-Match": (await api.client.get(PATH)).headers["ETag"]}

        taken = await api.client.put(PATH, json={"sample_rate": 0.1}, headers=first)
        refused = await api.client.put(PATH, json={"sample_rate": 0.9}, headers=first)

        assert (taken.status_code, refused.status_code) == (200, 412)
        assert "read it again" in refused.json()["detail"]
        assert (await api.client.get(PATH)).json()["policy"]["sample_rate"] == 0.1
        again = {"If-Match": taken.headers["ETag"]}
        assert (await api.client.put(PATH, json={}, headers=again)).status_code == 200

    @for_each("if_match", ['W/"0"', "0", '"x"', '"3"'])
    async def test_no_other_tag_is_taken(self, api, if_match):
        refused = await api.client.put(PATH, json={}, headers={"If-Match": if_match})

        assert refused.status_code == 412
        assert (await api.client.get(PATH)).json()["version"] == 0


async def test_a_draft_is_forecast_by_the_answers_of_the_last_week(api):
    async def forecast(**draft: object) -> dict[str, float | None]:
        return await json_of(api.client.post(f"{PATH}/forecast", json=draft))

    assert await forecast() == {"answers": 0, "judged": 0, "cost_usd": 0, "at_most": False}
    await put(api, enabled=False)
    finish = [
        {"question": "?", "answer": "변성은 95도입니다.", "sources": [{"content": "변성은 95도"}]},
        {"question": "?", "answer": "It is 95.", "sources": [{"content": "95"}], "lang": "en"},
        {"question": "?", "answer": "모릅니다."},
    ]
    for body in finish:
        (await api.client.post("/qa-evaluations", json=body)).raise_for_status()
    old = "UPDATE qa_evaluations SET answered_at = now() - interval '8 days' WHERE answer_id = ("
    (await api.client.post("/qa-evaluations", json=finish[0])).raise_for_status()
    await api.world.rows(old + "SELECT id FROM qa_answers ORDER BY created_at DESC LIMIT 1)")

    rules = await forecast(sample_rate=1)
    assert rules == {"answers": 3, "judged": 2, "cost_usd": 0, "at_most": False}
    priced = await forecast(sample_rate=1, judge_model=MODEL)
    half = await forecast(judge_model=MODEL)
    assert 0 < priced["cost_usd"] < 0.01
    assert half == priced | {"judged": 1, "cost_usd": pytest.approx(priced["cost_usd"] / 2)}
    english = await forecast(sample_rate=1, judge_model=MODEL, languages=["en"])
    assert (english["judged"], english["cost_usd"] < priced["cost_usd"]) == (1, True)
    assert (await forecast(judge_model="openai:unknown"))["cost_usd"] is None
    jury = ["openai:gpt-4.1", "openai:gpt-4o", MODEL]
    voted = await forecast(sample_rate=1, judge_model=MODEL, jury=jury)
    assert voted["at_most"]
    assert voted["cost_usd"] > 2 * priced["cost_usd"]
    assert (await forecast(enabled=False))["judged"] == 0
    refused = await api.client.post(f"{PATH}/forecast", json={"judge_model": "anthropic:x"})
    assert refused.status_code == 422
    assert (await api.client.get(PATH)).json()["version"] == 1


async def test_the_next_answer_of_any_process_is_under_the_new_policy(world, redis_url, api):
    await import_notes(api)
    await put(api, enabled=False)

    async with open_api(world, redis_url, openai_api_key="sk-test") as other:
        off = (await other.client.post("/ai/chat", json=QUESTION)).json()["quality"]
        await put(api, enabled=True, sample_rate=1)
        on = (await other.client.post("/ai/chat", json=QUESTION)).json()["quality"]

    assert (off["status"], off["reason"]) == ("skipped", "disabled")
    assert on["status"] == "queued"
    versions = [
        (await api.client.get(f"/qa-evaluations/{each['evaluation_id']}")).json()["policy_version"]
        for each in (off, on)
    ]
    assert versions == [1, 2]
