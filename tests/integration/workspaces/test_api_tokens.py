"""Tokens over HTTP: made, listed and revoked by those who may."""

import asyncio
import hashlib
import uuid
from typing import Any

from api_client import Api, json_of, open_api
from cases import for_each

READER = {"name": "보고서", "scopes": ["read"]}
ADMIN = {"name": "관리", "scopes": ["admin", "read"], "expires_in_days": 30}


async def make(api: Api, body: dict[str, Any]) -> dict[str, Any]:
    return await json_of(api.client.post("/tokens", json=body), 201)


async def listed(api: Api) -> list[dict[str, Any]]:
    return (await api.client.get("/tokens")).json()["items"]


class TestTokens:
    async def test_a_token_is_told_once_and_opens_what_it_may(self, api):
        made = await make(api, READER)

        bearer = {"Authorization": f"Bearer {made['token']}"}
        assert (await api.anonymous.get("/notes", headers=bearer)).status_code == 200
        refused = await api.anonymous.post("/tokens", json=READER, headers=bearer)
        assert refused.status_code == 403
        assert (await api.anonymous.get("/tokens", headers=bearer)).status_code == 403
        text = (await api.client.get("/tokens")).text
        assert made["token"] not in text
        rows = await api.world.rows("SELECT * FROM api_tokens WHERE id = %s", made["id"])
        assert bytes(rows[0]["token_hash"]) == hashlib.sha256(made["token"].encode()).digest()
        assert made["token"] not in str(rows)

    async def test_the_list_says_who_asks_and_how_each_token_is(self, api):
        made = await make(api, ADMIN)
        await make(api, READER)
        await api.client.delete(f"/tokens/{made['id']}")
        await api.world.rows(
            "UPDATE api_tokens SET expires_at = now() - interval '1 day' WHERE name = %s", "보고서"
        )
        await api.login_code()

        by_name = {token["name"]: token for token in await listed(api)}

        states = {name: (token["state"], token["current"]) for name, token in by_name.items()}
        assert states == {
            "보고서": ("expired", False),
            "관리": ("revoked", False),
            "test": ("valid", True),
        }
        assert by_name["관리"]["scopes"] == ["admin", "read"]
        assert by_name["test"]["last_used_at"]

    async def test_a_lifetime_is_kept(self, api):
        made = await make(api, ADMIN)

        (row,) = await api.world.rows(
            "SELECT expires_at - created_at AS lifetime FROM api_tokens WHERE id = %s", made["id"]
        )
        assert round(row["lifetime"].total_seconds() / 86_400) == 30
        assert (await make(api, READER))["expires_at"] is None

    @for_each(
        "change",
        [
            {"name": "  "},
            {"name": "a" * 101},
            {"scopes": []},
            {"scopes": ["root"]},
            {"expires_in_days": 0},
            {"expires_in_days": 4000},
            {"token": "mine"},
        ],
    )
    async def test_contradictory_input_is_refused(self, api, change):
        response = await api.client.post("/tokens", json=READER | change)

        assert response.status_code == 422
        assert "<Scope" not in response.text, "words of ours"
        assert len(await listed(api)) == 1


class TestRotating:
    async def test_the_new_one_is_like_the_old_one_which_ends_after_a_while(self, api):
        old = await make(api, ADMIN)

        rotated = await api.client.post(f"/tokens/{old['id']}/rotate", json={"overlap_hours": 2})

        assert rotated.status_code == 201
        new = rotated.json()
        assert (new["name"], new["scopes"]) == (old["name"], old["scopes"])
        for token in (old, new):
            bearer = {"Authorization": f"Bearer {token['token']}"}
            assert (await api.anonymous.get("/tokens", headers=bearer)).status_code == 200
        ends = {
            str(row["id"]): round(row["hours"])
            for row in await api.world.rows(
                """SELECT id, extract(epoch FROM expires_at - now()) / 3600 AS hours
                   FROM api_tokens WHERE name = %s""",
                ADMIN["name"],
            )
        }
        assert ends == {old["id"]: 2, new["id"]: 30 * 24}

    async def test_a_token_is_rotated_once_however_many_ask(self, api):
        old = await make(api, READER)
        path = f"/tokens/{old['id']}/rotate"

        replies = await asyncio.gather(*(api.client.post(path) for _ in range(12)))

        assert sorted(reply.status_code for reply in replies) == [201, *[409] * 11]
        assert sum(token["name"] == READER["name"] for token in await listed(api)) == 2

    @for_each("hours", [0, 721, 1.5])
    async def test_an_overlap_that_is_none_is_refused(self, api, hours):
        old = await make(api, READER)
        path = f"/tokens/{old['id']}/rotate"
        assert (await api.client.post(path, json={"overlap_hours": hours})).status_code == 422

    async def test_the_scope_operator_is_not_given_to_whoever_lacks_it(self, api):
        await api.as_token(scopes=["operator", "read"], name="operator")
        admin = await api.as_token(scopes=["admin"], name="admin")
        (old,) = [token for token in await listed(api) if token["name"] == "operator"]
        path = f"/tokens/{old['id']}/rotate"

        refused = await admin.post(path)
        rotated = await api.client.post(path)

        assert (refused.status_code, rotated.status_code) == (403, 201)
        assert "searchqa token rotate" in refused.json()["detail"]

    async def test_a_revoked_one_is_gone(self, api):
        old = await make(api, READER)
        await api.client.delete(f"/tokens/{old['id']}")
        assert (await api.client.post(f"/tokens/{old['id']}/rotate")).status_code == 404


class TestRevoking:
    async def test_a_revoked_token_opens_nothing_and_is_not_revoked_twice(self, api):
        made = await make(api, READER)

        first = await api.client.delete(f"/tokens/{made['id']}")
        again = await api.client.delete(f"/tokens/{made['id']}")

        assert (first.status_code, again.status_code) == (204, 404)
        bearer = {"Authorization": f"Bearer {made['token']}"}
        assert (await api.anonymous.get("/notes", headers=bearer)).status_code == 401

    async def test_the_last_admin_goes_only_when_it_is_meant(self, api):
        await make(api, READER)
        (mine,) = [token for token in await listed(api) if token["current"]]

        kept = await api.client.delete(f"/tokens/{mine['id']}")
        assert (kept.status_code, kept.json()["type"]) == (
            409,
            "urn:searchqa:problem:last-admin-token",
        )
        assert (await api.client.get("/whoami")).status_code == 200

        meant = await api.client.delete(f"/tokens/{mine['id']}", params={"even_last_admin": True})
        assert meant.status_code == 204
        assert (await api.client.get("/whoami")).status_code == 401

    async def test_an_expired_admin_does_not_count(self, api):
        other = await make(api, ADMIN)
        await api.world.rows(
            "UPDATE api_tokens SET expires_at = now() - interval '1 s' WHERE id = %s", other["id"]
        )
        (mine,) = [token for token in await listed(api) if token["current"]]

        assert (await api.client.delete(f"/tokens/{mine['id']}")).status_code == 409
        assert (await api.client.delete(f"/tokens/{other['id']}")).status_code == 204

    async def test_two_who_revoke_each_other_leave_one(self, api):
        other = await make(api, ADMIN)
        (mine,) = [token for token in await listed(api) if token["current"]]
        bearer = {"Authorization": f"Bearer {other['token']}"}

        answers = await asyncio.gather(
            api.client.delete(f"/tokens/{other['id']}"),
            api.anonymous.delete(f"/tokens/{mine['id']}", headers=bearer),
        )

        assert min(answer.status_code for answer in answers) == 204
        left = await api.world.rows("SELECT 1 FROM api_tokens WHERE revoked_at IS NULL")
        assert len(left) == 1

    async def test_a_browser_session_is_no_api_token(self, api):
        code = await api.login_code()
        await api.anonymous.get("/login", params={"code": code})
        (session,) = await api.world.rows("SELECT id FROM api_tokens WHERE kind = 'session'")

        tokens = (await api.client.get("/tokens")).json()["items"]
        assert str(session["id"]) not in {token["id"] for token in tokens}
        assert (await api.client.post(f"/tokens/{session['id']}/rotate")).status_code == 404
        assert (await api.client.delete(f"/tokens/{session['id']}")).status_code == 204
        assert (await api.client.delete(f"/tokens/{uuid.uuid4()}")).status_code == 404


class TestWhoAmI:
    async def test_it_names_the_workspace_and_the_scopes(self, api):
        stranger = await api.as_token(workspace="other", scopes=["read"])

        assert (await stranger.get("/whoami")).json() == {
            "workspace": "other",
            "token": "test",
            "scopes": ["read"],
        }

    async def test_without_authentication_it_is_local(self, world, redis_url):
        async with open_api(world, redis_url, auth=False) as api:
            here = {"Host": "localhost:8765"}
            who = (await api.anonymous.get("/whoami", headers=here)).json()

        assert who == {
            "workspace": "default",
            "token": "local",
            "scopes": ["admin", "operator", "read", "write"],
        }
