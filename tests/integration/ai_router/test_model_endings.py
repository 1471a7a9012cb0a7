"""Models that end: by their server's list or ours, shown with what uses them."""

import datetime as dt
import random
from collections.abc import AsyncIterator

import pytest

from api_client import import_notes, open_api
from app.ai_router.router import Providers
from app.cli import checks, postgres_checks
from app.integrations.webhooks.outbox import raise_alerts
from app.operations.system.diagnosis import Condition, Observation, diagnose
from app.operations.system.endings import ask_servers, listed_endings, read_endings
from stub_server import StubServer
from verdict_world import World, settings
from webhook_world import add_hook, deliveries
from worker.periodic import warn_of_endings

LARGE, SMALL, OTHER = "house:large", "house:small", "house:other"
# Too long for an index, and too unlike to be compressed.
UNLIKE = random.Random(1).randbytes(8000).hex()
USES = """
    WITH w AS (SELECT id FROM workspaces LIMIT 1), policy AS (
        UPDATE evaluation_policies SET cascade = '{house:other,house:small}', fallback_models = NULL
    ), guarantee AS (
        INSERT INTO judge_calibrations (workspace_id, judge_model, prompt_version, precision,
            confidence, threshold, labels, labels_right, stays_high, scores, chances,
            policy_version)
        SELECT id, 'house:small', '4', .9, .9, .9, 60, 60, 1, '{1}', '{1}', 1 FROM w
    ), dataset AS (
        INSERT INTO eval_datasets (id, workspace_id, name, version, origin)
        SELECT gen_random_uuid(), id, 'smoke', 1, '{}' FROM w RETURNING id, workspace_id
    )
    INSERT INTO eval_runs (id, workspace_id, name, dataset_id, dataset_name, dataset_version, k,
        evaluation_type, answer_model, judge_model, cases, status)
    SELECT gen_random_uuid(), workspace_id, 'r', id, 'smoke', 1, 5, 'full_rag', 'house:small',
        'offline:rules', 1, 'completed' FROM dataset
"""

ELSEWHERE = """
    WITH w AS (
        INSERT INTO workspaces (id, name) VALUES (gen_random_uuid(), 'elsewhere') RETURNING id
    )
    INSERT INTO evaluation_policies (workspace_id, version, jury)
    SELECT id, 1, '{house:small,house:other,house:large}' FROM w
"""

ELSEWHERE_USES = "policy jury of elsewhere"


def in_days(days: int) -> str:
    return str(dt.datetime.now(dt.UTC).date() + dt.timedelta(days=days))


@pytest.fixture
async def house() -> AsyncIterator[StubServer]:
    async with StubServer() as stub:
        stub.models = [
            {"id": "large", "shutdown_date": in_days(20)},
            {"id": "small", "shutdown_date": in_days(0)},
            {"id": "other", "shutdown_date": in_days(61)},
            {"id": "lasting", "shutdown_date": None},
            *({"id": "odd", "shutdown_date": odd} for odd in (7, "soon", "2026-13-01")),
            {"id": "week", "shutdown_date": "2026-W43-5"},
            # Not all that a server may send is a name, or can be stored.
            *({"id": id_, "shutdown_date": in_days(20)} for id_ in ("a\0", UNLIKE)),
        ]
        yield stub


async def served(world: World) -> dict[str, str]:
    rows = await world.rows("SELECT model, ends_on FROM model_endings WHERE source = 'server'")
    return {row["model"]: str(row["ends_on"]) for row in rows}


async def test_a_model_that_ends_is_shown_with_what_uses_it(world: World, redis_url, house):
    given = {"servers": f"house={house.base_url}", "judge_model": LARGE}
    now = settings(**given)
    async with Providers(now) as providers, open_api(world, redis_url, **given) as api:
        await import_notes(api)
        await api.client.put("/settings/evaluation", json={"fallback_models": [SMALL, OTHER]})
        await world.rows(ELSEWHERE)
        await ask_servers(providers, world.pool, now)
        assert await served(world) == {LARGE: in_days(20), SMALL: in_days(0), OTHER: in_days(61)}
        await add_hook(world, "https://a.example/", events=["model.ending"])
        await add_hook(world, "https://b.example/", events=["model.ending"], judges=[OTHER])
        await warn_of_endings(world.pool, now)
        small, large = (await api.client.get("/judges/endings")).json()
        found = await read_endings(world.pool, now)
        findings = await postgres_checks._endings(world.url, now)
        await world.rows(USES)
        used, _ = (await api.client.get("/judges/endings")).json()

    uses = [{"kind": "policy", "name": "fallback_models"}]
    assert small == {"model": SMALL, "ends_on": in_days(0), "days": 0, "uses": uses}
    assert large["uses"] == [{"kind": "server", "name": "SEARCHQA_JUDGE_MODEL"}]
    assert [tuple(use.values()) for use in used["uses"]] == [
        ("cascade", "house:other, house:small"),
        ("dataset", "smoke"),
        ("guarantee", "4"),
    ]
    sent = {row["data"]["model"]: row["data"] for row in await deliveries(world)}
    assert {model: data["days"] for model, data in sent.items()} == {LARGE: 20, SMALL: 0}
    assert sent[SMALL]["uses"] == uses
    assert [(each.model, each.workspaces) for each in found] == [(SMALL, 2), (LARGE, 1)]
    health = diagnose(Observation((), (), endings=found), now)
    shown = [each for each in health.problems if each.condition is Condition.MODEL_ENDING]
    assert [(str(each.ends_on), health.delayed) for each in shown] == [
        (in_days(0), False),
        (in_days(20), False),
    ]
    assert [each.detail for each in findings] == [
        f"{SMALL} ends today: policy fallback_models of default, {ELSEWHERE_USES}",
        f"{LARGE} ends on {in_days(20)}, in 20 days: SEARCHQA_JUDGE_MODEL, {ELSEWHERE_USES}",
    ]


async def test_models_are_offered_with_price_and_state(world: World, redis_url, house):
    given = {"servers": f"house={house.base_url},away=http://127.0.0.1:9", "local_judges": "tiny"}
    given["model_prices"] = "house:large=1/4"
    house.models += [{"id": "text-embedding"}]
    async with open_api(world, redis_url, judge_model=LARGE, **given) as api:
        await world.rows(
            "INSERT INTO judge_pauses (judge_model, reason, paused_at, probe_at)"
            " VALUES ('house:small', 'r', now(), now())"
        )
        found = (await api.client.get("/judges/models")).json()
    models = {each.pop("model"): each for each in found["models"]}
    free = {"prompt_usd": 0, "completion_usd": 0, "paused": False, "ends_on": None}
    assert models["offline:rules"] == models["local:tiny"] == free
    priced = {"prompt_usd": 1, "completion_usd": 4, "paused": False, "ends_on": in_days(20)}
    assert models[LARGE] == priced
    assert models[SMALL]["paused"]
    assert models[SMALL]["prompt_usd"] is None
    assert models["house:lasting"]["ends_on"] is None
    assert not {"house:text-embedding", "house:a\0"} & models.keys()
    assert found["unreachable"] == ["away"]


async def test_webhooks_are_notified_60_30_and_7_days_before(world, house):
    now = settings(servers=f"house={house.base_url}", judge_model=LARGE)
    await add_hook(world, "https://a.example/", events=["model.ending"])
    counts = []
    async with Providers(now) as providers:
        for days in (61, 60, 60, 30, 7, 7):
            house.models = [{"id": "large", "shutdown_date": in_days(days)}]
            await ask_servers(providers, world.pool, now)
            await warn_of_endings(world.pool, now)
            counts.append(len(await deliveries(world)))
        await world.rows(
            "UPDATE webhook_alerts SET created_at = now() - CASE WHEN right(key, 2) = ' 7'"
            " THEN interval '399 days' ELSE interval '401 days' END"
        )
        await raise_alerts(world.pool)
        house.models = []
        await ask_servers(providers, world.pool, now)
    assert counts == [0, 1, 1, 2, 3, 3]
    assert len(await world.rows("SELECT key FROM webhook_alerts")) == 1
    assert await served(world) == {}


def test_doctor_knows_our_own_list():
    assert all(dt.date.fromisoformat(day) for day in listed_endings().values())
    (found,) = checks.endings(settings(judge_model="openai:gpt-4", answer_model="openai:x"))
    assert found.detail == "openai:gpt-4 ended on 2026-10-23: SEARCHQA_JUDGE_MODEL"
