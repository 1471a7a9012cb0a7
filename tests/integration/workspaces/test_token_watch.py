"""What a token opened ends with the token."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx
import pytest

from api_client import QUESTION, Api, import_notes, parse_events, watched
from app.workspaces import service
from cases import TIMEOUT_SECONDS

REVOKE = "UPDATE api_tokens SET revoked_at = now()"
EXPIRE = "UPDATE api_tokens SET expires_at = now() - interval '1 second'"
DELETE = "DELETE FROM api_tokens"

Open = Callable[[httpx.AsyncClient, str], Awaitable[httpx.Response]]
OPEN: dict[str, Open] = {
    "one verdict's events": lambda client, id_: client.get(f"/qa-evaluations/{id_}/events"),
    "the workspace's events": lambda client, _: client.get("/qa-evaluations/events"),
    "an answer's stream": lambda client, _: client.post("/ai/stream", json=QUESTION),
}


@pytest.fixture(autouse=True)
def notified(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams end by a notification, not by a look at their tokens."""
    monkeypatch.setattr(service, "LOOK_SECONDS", 3600)


@pytest.fixture
async def evaluation_id(api: Api) -> str:
    await import_notes(api)
    quality: dict[str, Any] = (await api.client.post("/ai/chat", json=QUESTION)).json()["quality"]
    return str(quality["evaluation_id"])


@pytest.fixture
async def stranger(api: Api, evaluation_id: str) -> AsyncIterator[asyncio.Task[httpx.Response]]:
    """A stream of another workspace, which stays open."""
    client = await api.as_token(workspace="other")
    task = asyncio.create_task(client.get("/qa-evaluations/events"))
    await watched(api, 1)
    yield task
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


@pytest.mark.parametrize("how", OPEN)
@pytest.mark.parametrize("end", [REVOKE, DELETE])
async def test_a_revoked_token_ends_its_streams(api, evaluation_id, stranger, how, end):
    reading = asyncio.create_task(OPEN[how](api.client, evaluation_id))
    await watched(api, 2)

    await api.world.rows(f"{end} WHERE workspace_id <> (SELECT id FROM workspaces"
                         " WHERE name = 'other')")  # fmt: skip
    async with asyncio.timeout(TIMEOUT_SECONDS):
        response = await reading

    states = [event.data for event in parse_events(response.text) if event.name == "evaluation"]
    assert {data["status"] for data in states} <= {"queued"}
    assert not stranger.done()


async def test_a_notification_that_names_no_token_is_passed_over(api, evaluation_id):
    reading = asyncio.create_task(OPEN["one verdict's events"](api.client, evaluation_id))
    await watched(api, 1)

    await api.world.rows("SELECT pg_notify('searchqa_tokens', 'nobody')")
    await api.world.rows(REVOKE)

    async with asyncio.timeout(TIMEOUT_SECONDS):
        assert (await reading).status_code == 200


async def test_an_expired_token_ends_its_streams(api, evaluation_id, monkeypatch):
    monkeypatch.setattr(service, "LOOK_SECONDS", 0.05)
    await api.app.state.services.tokens.stop()
    api.app.state.services.tokens.start()
    reading = asyncio.create_task(OPEN["one verdict's events"](api.client, evaluation_id))
    await watched(api, 1)

    await api.world.rows(EXPIRE)

    async with asyncio.timeout(TIMEOUT_SECONDS):
        assert (await reading).status_code == 200
    await watched(api, 0)


async def test_a_notification_that_was_lost_is_made_up_for(api, evaluation_id):
    reading = asyncio.create_task(OPEN["one verdict's events"](api.client, evaluation_id))
    await watched(api, 1)
    await api.world.rows("ALTER TABLE api_tokens DISABLE TRIGGER tell_of_revoked")
    await api.world.rows(REVOKE)

    await api.world.rows(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
        " AND pid <> pg_backend_pid() AND query LIKE 'LISTEN%%searchqa_tokens%%'"
    )

    async with asyncio.timeout(TIMEOUT_SECONDS):
        assert (await reading).status_code == 200


async def test_where_no_token_is_asked_for_nothing_is_watched(api):
    tokens = api.app.state.services.tokens
    with tokens.watching(None, lambda: pytest.fail("ended")):
        assert tokens._on_end == {}
    with tokens.watching(uuid.uuid4(), lambda: None):
        assert len(tokens._on_end) == 1
    assert tokens._on_end == {}
