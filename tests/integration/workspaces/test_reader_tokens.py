"""A reader token shows one verdict to somebody else's page, less of it, for a while, and does
nothing else."""

import asyncio
import re
import uuid
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from api_client import Api, json_of, open_api, openapi_paths, parse_events, watched
from app.operations.retention import retention_for
from app.workspaces import service
from cases import TIMEOUT_SECONDS, eventually, for_each
from verdict_world import World, settings, verdict

NOTE, SECRET = "변성은 95도에서 30초 동안 한다.", "비밀표식 81c4"
ANSWERED = {
    "question": f"변성 온도는? {SECRET}",
    "answer": "95도입니다 [노트 1].",
    "sources": [{"title": SECRET, "content": f"{NOTE} {SECRET}"}, {"content": SECRET}],
    "model": SECRET,
}


WAITING = (
    "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
)


async def submitted(api: Api) -> str:
    return str((await json_of(api.client.post("/qa-evaluations", json=ANSWERED), 202))["id"])


async def made(api: Api, id_: str, **body: int) -> dict[str, Any]:
    return await json_of(api.client.post(f"/qa-evaluations/{id_}/reader-token", json=body), 201)


def bearer(token: dict[str, Any]) -> dict[str, str]:
    return {"Authorization": f"Bearer {token['token']}"}


@pytest.fixture(autouse=True)
def notified(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams end by a notification, not by a look at their tokens."""
    monkeypatch.setattr(service, "LOOK_SECONDS", 3600)


@pytest.fixture
async def evaluation_id(api: Api) -> str:
    return await submitted(api)


async def read(api: Api, path: str, token: dict[str, Any], **headers: str) -> httpx.Response:
    return await api.anonymous.get(path, headers=bearer(token) | headers)


class TestWhatItShows:
    async def test_the_verdict_without_what_is_not_the_readers(self, api, evaluation_id):
        await api.judge_next(verdict())
        token = await made(api, evaluation_id)

        shown = await read(api, f"/qa-evaluations/{evaluation_id}", token)

        own = (await api.client.get(f"/qa-evaluations/{evaluation_id}")).json()
        assert shown.status_code == 200
        assert shown.headers["Content-Type"] == "application/vnd.searchqa.reader+json"
        assert shown.json() == token["verdict"]
        assert shown.json().keys() < own.keys()
        assert shown.json()["qa_evaluation"]["confidence"] == own["qa_evaluation"]["confidence"]
        assert "source_coverage" in own["qa_evaluation"]
        assert "source_coverage" not in shown.json()["qa_evaluation"]
        for hidden in (SECRET, NOTE, "cost", "prompt", '"model":', "question", "quote", "error"):
            assert hidden not in shown.text, hidden

    async def test_events_of_the_same_shape_until_the_verdict_is_final(self, api, evaluation_id):
        token = await made(api, evaluation_id)
        path = f"/qa-evaluations/{evaluation_id}/events"
        reading = asyncio.create_task(read(api, path, token))
        await watched(api, 1)
        await api.judge_next(verdict())
        # A better answer is looked for: a reader token does not see it.
        await api.client.post(f"/qa-evaluations/{evaluation_id}/refine")

        async with asyncio.timeout(TIMEOUT_SECONDS):
            response = await reading

        events = parse_events(response.text)
        assert {event.name for event in events} == {"evaluation"}
        assert [event.data["status"] for event in events][-1] == "succeeded"
        last = (await read(api, f"/qa-evaluations/{evaluation_id}", token)).json()
        assert events[-1].data == last
        assert SECRET not in response.text
        again = await read(api, path, token, **{"Last-Event-ID": events[0].id or ""})
        assert parse_events(again.text)[-1].data["status"] == "succeeded"

    async def test_a_poll_that_finds_nothing_new_costs_nothing(self, api, evaluation_id):
        token = await made(api, evaluation_id)
        path = f"/qa-evaluations/{evaluation_id}"
        first = await read(api, path, token)

        again = await read(api, path, token, **{"If-None-Match": first.headers["ETag"]})
        own = await api.client.get(path, headers={"If-None-Match": first.headers["ETag"]})

        assert (again.status_code, again.content) == (304, b"")
        assert int(again.headers["Retry-After"]) >= 1
        assert own.status_code == 200


class TestWhatItOpens:
    async def test_nothing_but_its_evaluation_on_any_route(self, api, evaluation_id):
        other = await submitted(api)
        token = await made(api, evaluation_id)
        its_own = {"/qa-evaluations/{evaluation_id}", "/qa-evaluations/{evaluation_id}/events"}
        tried = 0

        for path, operations in openapi_paths().items():
            for method in operations:
                if path in {"/healthz", "/readyz", "/logout"} or (
                    path in its_own and method == "get"
                ):
                    continue
                filled = path.replace("{evaluation_id}", evaluation_id)
                filled = re.sub(r"{[^}]+}", str(uuid.uuid4()), filled)
                response = await api.anonymous.request(method, filled, headers=bearer(token))
                assert response.status_code == 403, f"{method} {path}"
                tried += 1
        assert tried > 60
        for path in ("/openapi.json", "/docs"):
            assert (await read(api, path, token)).status_code == 403
        for path in its_own:
            refused = await read(api, path.replace("{evaluation_id}", other), token)
            unknown = await read(api, path.replace("{evaluation_id}", str(uuid.uuid4())), token)
            assert refused.status_code == unknown.status_code == 404
            assert refused.json() == unknown.json()

    async def test_it_signs_nobody_in(self, api, evaluation_id):
        token = (await made(api, evaluation_id))["token"]

        login = await api.anonymous.get("/login", params={"code": token})

        assert login.status_code == 401

    async def test_cannot_be_made_for_another_workspace(self, api, evaluation_id):
        stranger = await api.as_token(workspace="other")
        unscoped = await api.as_token(scopes=["write"])
        path = f"/qa-evaluations/{evaluation_id}/reader-token"

        assert (await stranger.post(path)).status_code == 404
        assert (await unscoped.post(path)).status_code == 403
        assert await api.world.rows("SELECT 1 FROM api_tokens WHERE kind = 'reader'") == []

    async def test_the_list_of_tokens_is_of_those_that_people_made(self, api, evaluation_id):
        await made(api, evaluation_id)

        names = [token["name"] for token in (await api.client.get("/tokens")).json()["items"]]
        assert names == ["test"]

    async def test_it_counts_for_itself(self, world, redis_url):
        async with open_api(world, redis_url, rate_limit="2/hour") as api:
            token = await made(api, await submitted(api))
            path = f"/qa-evaluations/{token['evaluation_id']}"
            codes = [(await read(api, path, token)).status_code for _ in range(3)]
            own = await api.client.get(path)

        assert codes == [200, 200, 429]
        assert own.status_code == 200


class TestHowItEnds:
    @pytest.mark.parametrize(("asked", "minutes"), [({}, 15), ({"expires_in_minutes": 60}, 60)])
    async def test_after_minutes(self, api, evaluation_id, asked, minutes):
        token = await made(api, evaluation_id, **asked)

        (row,) = await api.world.rows(
            "SELECT extract(epoch FROM expires_at - created_at)::int AS lifetime,"
            " expires_at, token_hash FROM api_tokens WHERE kind = 'reader'"
        )
        assert row["lifetime"] == minutes * 60
        assert token["expires_at"] == row["expires_at"].isoformat().replace("+00:00", "Z")
        assert token["token"].encode() not in bytes(row["token_hash"])
        await api.world.rows("UPDATE api_tokens SET expires_at = now() WHERE kind = 'reader'")
        ended = await read(api, f"/qa-evaluations/{evaluation_id}", token)
        assert ended.status_code == 401

    @for_each("minutes", [0, 10, 61, -15, "15"])
    async def test_after_one_of_four_times_at_most_an_hour(self, api, evaluation_id, minutes):
        response = await api.client.post(
            f"/qa-evaluations/{evaluation_id}/reader-token", json={"expires_in_minutes": minutes}
        )
        assert response.status_code == 422

    async def test_not_after_the_token_it_was_made_with(self, api, evaluation_id):
        await api.world.rows("UPDATE api_tokens SET expires_at = now() + interval '1 minute'")
        await made(api, evaluation_id)

        lives = await api.world.rows("SELECT DISTINCT expires_at FROM api_tokens")
        assert len(lives) == 1

    @pytest.mark.parametrize("how", ["revoked", "deleted"])
    async def test_with_the_token_it_was_made_with_at_once_and_so_do_its_streams(
        self, api, evaluation_id, how
    ):
        other = await made(api, await submitted(api))
        (mine,) = [
            token for token in (await api.client.get("/tokens")).json()["items"] if token["current"]
        ]
        program = await api.client.post("/tokens", json={"name": "page", "scopes": ["read"]})
        as_program = {"Authorization": f"Bearer {program.json()['token']}"}
        asked = await api.anonymous.post(
            f"/qa-evaluations/{evaluation_id}/reader-token", headers=as_program
        )
        token = asked.json()
        reading = asyncio.create_task(read(api, f"/qa-evaluations/{evaluation_id}/events", token))
        await watched(api, 1)

        if how == "revoked":
            await api.client.delete(f"/tokens/{program.json()['id']}")
        else:
            await api.world.rows("DELETE FROM api_tokens WHERE id = %s", program.json()["id"])

        async with asyncio.timeout(TIMEOUT_SECONDS):
            assert (await reading).status_code == 200
        assert (await read(api, f"/qa-evaluations/{evaluation_id}", token)).status_code == 401
        its_own = await read(api, f"/qa-evaluations/{other['evaluation_id']}", other)
        assert its_own.status_code == 200, f"made with {mine['name']}, which is still good"

    async def test_with_the_session_of_a_browser(self, api, evaluation_id):
        login = await api.anonymous.get("/login", params={"code": await api.login_code()})
        session = httpx.Cookies({"searchqa_session": login.cookies["searchqa_session"]})
        async with api.browser(session) as browser:
            asked = await browser.post(f"/qa-evaluations/{evaluation_id}/reader-token")
            assert asked.status_code == 201
            await browser.post("/logout")

        gone = await read(api, f"/qa-evaluations/{evaluation_id}", asked.json())
        assert gone.status_code == 401

    async def test_its_stream_ends_when_it_expires(self, api, evaluation_id, monkeypatch):
        monkeypatch.setattr(service, "LOOK_SECONDS", 0.05)
        await api.app.state.services.tokens.stop()
        api.app.state.services.tokens.start()
        token = await made(api, evaluation_id)
        reading = asyncio.create_task(read(api, f"/qa-evaluations/{evaluation_id}/events", token))
        await watched(api, 1)

        await api.world.rows("UPDATE api_tokens SET expires_at = now() WHERE kind = 'reader'")

        async with asyncio.timeout(TIMEOUT_SECONDS):
            assert (await reading).status_code == 200

    async def test_with_the_answer(self, api, evaluation_id):
        token = await made(api, evaluation_id)
        (answer,) = await api.world.rows("SELECT id FROM qa_answers")
        await api.client.delete(f"/answers/{answer['id']}")

        assert (await read(api, f"/qa-evaluations/{evaluation_id}", token)).status_code == 404

    async def test_expired_ones_are_deleted_and_only_those(self, api, evaluation_id):
        for _ in range(3):
            await made(api, evaluation_id)
        kept = await made(api, evaluation_id)
        await api.world.rows(
            "UPDATE api_tokens SET expires_at = now() - interval '1 s'"
            " WHERE kind = 'reader' AND id <> (SELECT max(id::text)::uuid FROM api_tokens)"
        )

        retention = retention_for("tokens", api.app.state.services.pool, settings(), batch=2)
        deleted = [await retention.delete_batch() for _ in range(3)]
        assert [each["reader_tokens"] for each in deleted] == [2, 1, 0]

        assert (await read(api, f"/qa-evaluations/{evaluation_id}", kept)).status_code == 200
        assert (await api.client.get("/whoami")).status_code == 200

    async def test_one_is_not_made_with_a_token_that_is_being_revoked(self, api, evaluation_id):
        path = f"/qa-evaluations/{evaluation_id}/reader-token"
        async with api.world.sessions() as revoking:
            connection = await (await revoking.connection()).get_raw_connection()
            await connection.driver_connection.execute(  # type: ignore[union-attr]  # psycopg's
                "UPDATE api_tokens SET revoked_at = now()"
            )
            asking = asyncio.create_task(api.client.post(path))
            await eventually(lambda: api.world.rows(WAITING))
            await connection.driver_connection.commit()  # type: ignore[union-attr]  # psycopg's
            response = await asking

        assert response.status_code == 401
        assert await api.world.rows("SELECT 1 FROM api_tokens WHERE kind = 'reader'") == []


@pytest.fixture
async def shared(world: World, redis_url: str) -> AsyncIterator[Api]:
    async with open_api(world, redis_url, cors_origins="https://notes.example") as api:
        yield api


class TestFromAnotherOrigin:
    async def test_a_named_page_reads_with_it_and_sees_what_it_needs(self, shared):
        token = await made(shared, await submitted(shared))
        page = {"Origin": "https://notes.example"}
        path = f"/qa-evaluations/{token['evaluation_id']}"

        first = await read(shared, path, token, **page)
        again = await read(shared, path, token, **page, **{"If-None-Match": first.headers["ETag"]})
        refused = await shared.anonymous.get(path, headers=page | {"Authorization": "Bearer x"})

        for response, status in ((first, 200), (again, 304), (refused, 401)):
            assert response.status_code == status
            assert response.headers["Access-Control-Allow-Origin"] == "https://notes.example"
            assert "Retry-After" in response.headers["Access-Control-Expose-Headers"]

    async def test_a_preflight_allows_the_headers_of_a_resumed_stream(self, shared):
        asked = {
            "Origin": "https://notes.example",
            "Access-Control-Request-Method": "GET",
            "Access-Control-Request-Headers": "authorization,last-event-id,if-none-match",
        }

        response = await shared.anonymous.options(f"/qa-evaluations/{uuid.uuid4()}", headers=asked)

        assert response.status_code == 200
