"""`POST /ai/gate`: what it decides, and that nothing keeps it from answering in time."""

import asyncio
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import psycopg
import pytest

from api_client import Api, json_of, load_korean_model, open_api
from app.verdicts.judging.gate import MAX_OF_WORKSPACE
from cases import eventually
from verdict_world import World
from workers import TableLock, judged

NOTES = [
    {"title": "PCR 조건", "content": "PCR 변성은 95도에서 30초 동안 한다."},
    {"title": "배양기", "content": "배양기는 37도로 맞춘다."},
]
ASKED = {"question": "PCR 변성은 몇 도에서 하나요?", "sources": NOTES, "within": 20}
RIGHT = ASKED | {"answer": "PCR 변성은 95도에서 30초 동안 합니다. [노트 1]"}
WRONG = ASKED | {"answer": "PCR 변성은 72도에서 30초 동안 합니다. [노트 1]"}
LONG = ASKED | {"answer": "PCR 변성은 95도에서 30초 동안 하고 배양기는 37도로 맞춘다. " * 1_200}


@pytest.fixture
async def api(world: World, redis_url: str) -> AsyncIterator[Api]:
    await load_korean_model()
    async with open_api(world, redis_url) as api:
        yield api


async def checked(api: Api, body: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    return await json_of(api.client.post("/ai/gate", json={**body, **changes}))


async def test_what_is_decided(api):
    refused = "노트에는 PCR 변성 온도에 대한 내용이 없습니다."
    other = "시약은 누가 주문했나요?"
    cases = [
        (RIGHT, {}, "allow", "matches"),
        (WRONG, {}, "hold", "mismatch"),
        (ASKED, {"answer": "열을 95도까지 올려 두 가닥을 분리합니다."}, "unknown", "undecided"),
        (ASKED, {"question": other, "answer": "노트에 없습니다."}, "allow", "rightly_refused"),
        (ASKED, {"answer": refused}, "hold", "falsely_refused"),
        (ASKED, {"answer": ""}, "hold", "mismatch"),
        (RIGHT, {"sources": []}, "unknown", "no_notes"),
        (RIGHT, {"sources": [{"content": " "}]}, "unknown", "no_notes"),
    ]
    for body, changes, decision, outcome in cases:
        found = await checked(api, body, **changes)
        assert (found["decision"], found["outcome"]) == (decision, outcome), (changes, found)
        assert found["reason"].strip()
        assert "\n" not in found["reason"]
    wrong = await checked(api, WRONG)
    assert "95" in wrong["reason"]
    assert wrong["claims"][0]["verdict"] != "supported"
    assert "72도" in wrong["claims"][0]["claim"]


async def test_the_whole_verdict_comes_behind_it(api, world):
    key = {"Idempotency-Key": "answer-1"}
    response = await api.client.post("/ai/gate", json=RIGHT | {"tags": ["gate"]}, headers=key)
    stored = response.json()["quality"]
    async with judged(world):
        path = f"/qa-evaluations/{stored['evaluation_id']}"
        await eventually(lambda: api.client.get(path), when=lambda r: r.json()["qa_evaluation"])
    body = {name: value for name, value in RIGHT.items() if name != "within"} | {"tags": ["gate"]}
    again = await api.client.post("/qa-evaluations", json=body, headers=key)
    assert again.json()["id"] == stored["evaluation_id"], "one answer, whichever way it came"
    conflict = await api.client.post("/ai/gate", json=WRONG, headers=key)
    assert conflict.json()["decision"] == "hold"
    assert conflict.json()["quality"]["reason"] == "idempotency-key-reused"


async def test_invalid_input_is_refused_with_a_sentence(api):
    for changes, word in (
        ({"answer": "NUL\x00"}, "NUL"),
        ({"answer": "가" * 50_001}, "50000"),
        ({"within": 0}, "within"),
        ({"within": 31}, "within"),
        ({"within": "2"}, "within"),
        ({"conversation_id": str(uuid.uuid4())}, "send history"),
    ):
        response = await api.client.post("/ai/gate", json=RIGHT | changes)
        assert response.status_code == 422
        assert word in str(response.json())
    assert (await api.anonymous.post("/ai/gate", json=RIGHT)).status_code == 401


async def test_its_time_is_bounded_and_a_long_answer_delays_no_other(api):
    assert len(LONG["answer"]) > 40_000
    long = asyncio.create_task(checked(api, LONG, within=0.05))
    short = await checked(api, RIGHT)
    found = await long
    assert (found["decision"], found["outcome"]) == ("unknown", "over_budget")
    assert found["quality"]["status"] in {"queued", "not_stored"}
    assert short["decision"] == "allow"


async def test_a_flood_of_one_workspace_takes_no_turn_of_another(api):
    other = await api.as_token(workspace="other")
    flood = [asyncio.create_task(checked(api, LONG)) for _ in range(3 * MAX_OF_WORKSPACE)]
    await asyncio.sleep(0)
    found = (await other.post("/ai/gate", json=RIGHT)).json()
    assert found["decision"] == "allow"
    assert any(not task.done() for task in flood), "the other did not wait for its end"
    outcomes = Counter(each["outcome"] for each in await asyncio.gather(*flood))
    assert outcomes["overloaded"] > MAX_OF_WORKSPACE, "refused at once, while others are judged"
    assert outcomes.total() - outcomes["overloaded"] >= MAX_OF_WORKSPACE
    assert not api.app.state.services.gate._in_flight


async def test_it_needs_no_database(api, world):
    stranger = await api.as_token(workspace="other")
    assert (await checked(api, RIGHT))["quality"]["status"] == "queued"
    async with without_database(world):
        found = await checked(api, RIGHT)
        refused = await stranger.post("/ai/gate", json=RIGHT)
    assert found["decision"] == "allow"
    assert found["quality"] == {
        "answer_id": None,
        "evaluation_id": None,
        "status": "not_stored",
        "reason": None,
    }
    assert refused.status_code == 503, "nobody knows its token"
    await eventually(lambda: checked(api, RIGHT), when=lambda one: one["quality"]["evaluation_id"])


async def test_it_does_not_wait_for_a_database_that_hangs(api):
    await checked(api, RIGHT)
    async with TableLock(api.world, "api_tokens, qa_answers"):
        found = [await checked(api, RIGHT, within=2) for _ in range(3)]
        assert len(api.app.state.services.chat._storing) == 3, "none was waited for"
    assert [each["decision"] for each in found] == ["allow"] * 3
    assert {each["quality"]["status"] for each in found} == {"not_stored"}


@asynccontextmanager
async def without_database(world: World) -> AsyncIterator[None]:
    """Nobody may connect, and those who have are gone."""
    about = psycopg.conninfo.conninfo_to_dict(world.url)
    name = str(about["dbname"])
    admin = psycopg.conninfo.make_conninfo(world.url, dbname="postgres")
    async with await psycopg.AsyncConnection.connect(admin, autocommit=True) as connection:
        await connection.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        try:
            await connection.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s",
                (name,),
            )
            yield
        finally:
            await connection.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
