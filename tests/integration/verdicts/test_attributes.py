"""What applications say of their answers: stored, hashed, shown, filtered and refused."""

import csv
import io
import json

import pytest
import pytest_asyncio
from sqlalchemy import text

from api_client import Api, json_of
from cases import for_each

pytestmark = pytest.mark.asyncio(loop_scope="module")

GIVEN = {
    "app_version": "1.4.2",
    "environment": "production",
    "user_ref": "kim@example.com",
    "session_id": "s-1",
    "tags": ["beta", "모바일"],
    "attributes": {"tenant": "a=b", "retries": 2, "cached": True},
}
ANSWER = {
    "question": "변성 온도는?",
    "answer": "95도입니다. [노트 1]",
    "sources": [{"title": "PCR", "content": "변성은 95도에서 한다."}],
}


async def submit(api: Api, **given: object) -> str:
    return str((await json_of(api.client.post("/qa-evaluations", json=ANSWER | given), 202))["id"])


async def test_are_shown_as_they_were_given_but_for_the_user(api):
    id_ = await submit(api, **GIVEN)
    await submit(api)

    view = (await api.client.get(f"/qa-evaluations/{id_}")).json()
    shown = {name: view[name] for name in GIVEN}

    assert shown.pop("user_ref").startswith("hmac:")
    assert shown == {name: GIVEN[name] for name in shown}
    (raw,) = await api.world.rows("SELECT user_ref FROM qa_answers WHERE user_ref IS NOT NULL")
    assert "example" not in raw["user_ref"]
    plain = (await api.client.get("/qa-evaluations")).json()["items"][0]
    assert {name: plain[name] for name in GIVEN} == {
        **dict.fromkeys(GIVEN),
        "tags": [],
        "attributes": {},
    }


@pytest_asyncio.fixture(loop_scope="module")
async def wanted(api: Api) -> str:
    """The id of an answer with attributes, beside one with others and one with none."""
    id_ = await submit(api, **GIVEN)
    others = {"app_version": "1.4.1", "environment": "dev", "user_ref": "lee", "session_id": "s"}
    await submit(api, **others, tags=["b"], attributes={"tenant": "b", "retries": 3})
    await submit(api)
    return id_


@for_each(
    "query",
    [
        {"app_version": "1.4.2"},
        {"environment": "production"},
        {"user_ref": "kim@example.com"},
        {"session_id": "s-1"},
        {"tag": "모바일"},
        {"attribute": "tenant=a=b"},
        {"attribute": "retries=2"},
        {"attribute": "cached=true"},
    ],
)
async def test_each_filters_the_list(api, wanted, query):
    found = (await api.client.get("/qa-evaluations", params=query)).json()["items"]

    assert [row["id"] for row in found] == [wanted]
    if "user_ref" in query:
        by_hash = {"user_ref": found[0]["user_ref"]}
        found = (await api.client.get("/qa-evaluations", params=by_hash)).json()["items"]
        assert [row["id"] for row in found] == [wanted]


async def test_chat_takes_them_too(api):
    body = {"content": "변성 온도는?", "options": GIVEN}
    response = await api.client.post("/ai/chat", json=body)
    id_ = response.json()["quality"]["evaluation_id"]

    view = (await api.client.get(f"/qa-evaluations/{id_}")).json()

    assert (view["app_version"], view["tags"]) == ("1.4.2", ["beta", "모바일"])


async def test_the_policy_may_leave_users_plain_but_never_addresses(api):
    policy = await api.client.put("/settings/evaluation", json={"user_refs": "plain"})
    assert policy.status_code == 200, policy.text
    hashed = ("a@b.com", "Kim <a@b.com>", "kim＠b.com", "kim%40b.com", "hmac:x")
    ids = [await submit(api, user_ref=user) for user in ("u-17", *hashed)]

    views = [(await api.client.get(f"/qa-evaluations/{id_}")).json() for id_ in ids]

    assert views[0]["user_ref"] == "u-17"
    assert all(len(view["user_ref"]) == len("hmac:") + 32 for view in views[1:])


async def test_workspaces_hash_one_user_differently(api):
    other = await api.as_token(workspace="other")
    mine = await submit(api, user_ref="kim")
    theirs = (await other.post("/qa-evaluations", json=ANSWER | {"user_ref": "kim"})).json()["id"]

    refs = {
        (await client.get(f"/qa-evaluations/{id_}")).json()["user_ref"]
        for client, id_ in ((api.client, mine), (other, theirs))
    }

    assert len(refs) == 2


@for_each(
    ("given", "at"),
    [
        ({"tags": [f"t{n}" for n in range(10_000)]}, "body.tags"),
        ({"tags": ["x" * 101]}, "body.tags.0"),
        ({"attributes": {f"k{n}": n for n in range(21)}}, "body.attributes"),
        ({"attributes": {"k": "x" * 201}}, "body.attributes.k"),
        ({"attributes": {"k": "a\x00b"}}, "body.attributes.k"),
        ({"attributes": {"k": {"nested": 1}}}, "body.attributes.k"),
        ({"attributes": {"a b": 1}}, "body.attributes.a b"),
        ({"attributes": {"k": 1e300}}, "body.attributes.k"),
        ({"app_version": "x" * 201}, "body.app_version"),
        ({"session_id": "a\x00b"}, "body.session_id"),
        ({"user_ref": " "}, "body.user_ref"),
    ],
)
async def test_invalid_attributes_are_refused_by_name(api, given, at):
    response = await api.client.post("/qa-evaluations", json=ANSWER | given)

    assert response.status_code == 422
    assert response.headers["content-type"] == "application/problem+json"
    (mistake,) = response.json()["errors"]
    assert mistake["at"].startswith(at), response.text
    assert "pattern" not in mistake["message"]


async def test_a_filter_without_a_value_is_refused_with_its_form(api):
    response = await api.client.get(
        "/qa-evaluations", params={"attribute": "tenant"}, headers={"Accept-Language": "ko"}
    )

    assert (response.status_code, "키=값으로 쓰세요" in response.json()["detail"]) == (422, True)


async def test_a_key_used_before_this_release_gives_the_same_evaluation(api):
    headers = {"Idempotency-Key": "k"}
    first = await api.client.post("/qa-evaluations", json=ANSWER, headers=headers)
    again = await api.client.post("/qa-evaluations", json=ANSWER | {"tags": []}, headers=headers)
    other = await api.client.post("/qa-evaluations", json=ANSWER | {"tags": ["x"]}, headers=headers)

    assert first.json()["id"] == again.json()["id"]
    assert other.status_code == 409


async def test_exports_and_the_view_have_them(api):
    await submit(api, **GIVEN)

    written = (await api.client.get("/qa-evaluations/export", params={"tag": "beta"})).text
    (row,) = csv.DictReader(io.StringIO(written.removeprefix("﻿")))

    assert (row["app_version"], row["tags"]) == ("1.4.2", "beta\n모바일")
    assert json.loads(row["attributes"]) == GIVEN["attributes"]
    async with api.world.sessions() as session:
        view = await session.execute(text("SELECT app_version, tags FROM analytics.verdicts"))
    assert [tuple(found) for found in view] == [("1.4.2", ["beta", "모바일"])]


async def test_rare_values_are_found_by_an_index(api):
    """Row security lets the database read these indexes for a workspace's own session."""
    await submit(api, **GIVEN)
    for name in ("app_version", "user_ref", "session_id"):
        async with api.world.sessions() as session:
            await session.execute(text("SET enable_seqscan = off"))
            await session.execute(text("SET ROLE searchqa_app"))
            statement = (
                "EXPLAIN SELECT FROM qa_answers a"
                f" WHERE a.workspace_id = gen_random_uuid() AND a.{name} = 'x'"
            )
            plan = "\n".join(row[0] for row in await session.execute(text(statement)))
        assert f"ix_qa_answers_workspace_id_{name}" in plan


async def test_baggage_says_what_the_body_does_not(api):
    headers = {"baggage": "session.id=s-2,user.id=lee,service.version=1.4.1"}
    body = ANSWER | {"app_version": "1.4.2"}
    created = await api.client.post("/qa-evaluations", json=body, headers=headers)

    view = (await api.client.get(f"/qa-evaluations/{created.json()['id']}")).json()

    assert (view["app_version"], view["session_id"]) == ("1.4.2", "s-2")
    assert view["user_ref"].startswith("hmac:")
