"""Which pages of other origins may call the API: none, unless the operator names them."""

from collections.abc import AsyncIterator, Mapping

import httpx
import pytest
from pydantic import ValidationError

from api_client import QUESTION, Api, open_api
from app.platform.settings import Settings
from cases import for_each
from verdict_world import World, settings

APP = "https://notes.example"
STRANGERS = [
    "https://evil.example",
    "http://notes.example",
    "https://notes.example:8443",
    "https://notes.example.evil.example",
    "https://sub.notes.example",
    "null",
]
PREFLIGHT = {
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization, content-type",
}


def cors_headers(response: httpx.Response) -> Mapping[str, str]:
    """The headers of CORS that the response has."""
    return {
        name.removeprefix("access-control-"): value
        for name, value in response.headers.items()
        if name.startswith("access-control-")
    }


@pytest.fixture
async def shared(world: World, redis_url: str) -> AsyncIterator[Api]:
    async with open_api(world, redis_url, cors_origins=f"{APP}, http://localhost:3000") as api:
        yield api


class TestByDefault:
    @for_each("origin", [APP, "http://localhost:3000", "null"])
    async def test_no_page_of_another_origin_may_call(self, api, origin):
        asking = {"Origin": origin}

        responses = [
            await api.anonymous.options("/ai/chat", headers=asking | PREFLIGHT),
            await api.client.get("/notes", headers=asking),
            await api.client.post("/ai/chat", json=QUESTION, headers=asking),
            await api.anonymous.get("/healthz", headers=asking),
            await api.anonymous.get("/notes", headers=asking),
        ]

        codes = [response.status_code for response in responses]
        assert codes == [405, 200, 200, 200, 401]
        assert [cors_headers(response) for response in responses] == [{}] * 5


class TestNamedOrigins:
    async def test_may_ask_with_a_token(self, shared):
        for origin in (APP, "http://localhost:3000"):
            asking = {"Origin": origin}
            preflight = await shared.anonymous.options("/ai/chat", headers=asking | PREFLIGHT)
            answer = await shared.client.post("/ai/chat", json=QUESTION, headers=asking)

            assert (preflight.status_code, answer.status_code) == (200, 200)
            assert (
                cors_headers(preflight)["allow-origin"]
                == cors_headers(answer)["allow-origin"]
                == origin
            )
            assert "Authorization" in cors_headers(preflight)["allow-headers"]
            assert "Origin" in answer.headers["Vary"]
            assert answer.headers["X-Content-Type-Options"] == "nosniff"

    async def test_may_read_the_headers_they_need(self, shared):
        response = await shared.client.get("/notes", headers={"Origin": APP})

        exposed = "ETag, Location, Retry-After, Server-Timing, X-Data-Age"
        assert cors_headers(response)["expose-headers"] == exposed

    async def test_may_read_why_they_were_refused(self, shared):
        asking = {"Origin": APP}
        refused = {
            401: await shared.anonymous.get("/notes", headers=asking),
            413: await shared.client.post("/ai/chat", content=b" " * 3_000_000, headers=asking),
            422: await shared.client.post("/ai/chat", json={}, headers=asking),
        }

        for status, response in refused.items():
            assert response.status_code == status
            assert cors_headers(response)["allow-origin"] == APP

    @for_each("origin", STRANGERS)
    async def test_are_the_only_ones(self, shared, origin):
        asking = {"Origin": origin}

        preflight = await shared.anonymous.options("/ai/chat", headers=asking | PREFLIGHT)
        answer = await shared.client.get("/notes", headers=asking)

        assert preflight.status_code == 400
        assert "allow-origin" not in cors_headers(preflight) | cors_headers(answer)

    async def test_bring_no_cookie(self, shared):
        login = await shared.anonymous.get("/login", params={"code": await shared.login_code()})
        session = httpx.Cookies({"searchqa_session": login.cookies["searchqa_session"]})

        async with shared.browser(session, Origin=APP) as page:
            changed = await page.post("/notebooks", json={"name": "실험실"})
            read = await page.get("/notes")

        assert changed.status_code == 403
        assert "allow-credentials" not in cors_headers(changed) | cors_headers(read)


class TestSetting:
    def test_is_a_list_of_origins_as_browsers_write_them(self, monkeypatch):
        monkeypatch.setenv("SEARCHQA_CORS_ORIGINS", "https://Notes.example/, http://[::1]:3000")

        assert Settings(_env_file=None).api.cors_origins == {APP, "http://[::1]:3000"}

    @for_each(
        "origins",
        ["*", "https://*.example", "null", "notes.example", f"{APP}/app", f"{APP}, *", "file:///"],
    )
    def test_takes_nothing_else(self, origins):
        with pytest.raises(ValidationError, match="write each origin as"):
            settings(cors_origins=origins)
