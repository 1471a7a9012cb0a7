"""Tokens, scopes, workspaces and browser sessions; what the operator sees."""

import re
import uuid

import httpx

from api_client import QUESTION, open_api, openapi_paths
from app.operations.retention import retention_for
from cases import for_each
from verdict_world import settings

OPEN = {"GET /healthz", "GET /readyz", "POST /logout"}
OF_OPERATORS = r"^POST /judges/[^/]+/resume$|^GET /system$"
OF_ADMINS = (
    r"^\w+ /(tokens|audit-events|webhooks|user-deletions)\b|^GET /judges/models$"
    r"|^(POST|PUT|DELETE) /(criteria|judge-prompts|judges/successions|settings/evaluation)"
    r"(?!.*/(estimate|forecast)$)"
)
OF_READERS = r"/(estimate|forecast|export|reader-token)$"


class TestWhoMayAsk:
    async def test_without_a_token_nothing_but_health_is_open(self, api):
        closed = [
            (method, re.sub(r"{[^}]+}", str(uuid.uuid4()), path))
            for path, methods in openapi_paths().items()
            for method in methods
        ]
        assert len(closed) > 10

        for method, path in [*closed, ("get", "/docs"), ("get", "/openapi.json")]:
            response = await api.anonymous.request(method, path)
            if path in {"/healthz", "/readyz"}:
                assert response.status_code == 200
            else:
                assert response.status_code == 401, f"{method} {path}"
                assert response.headers["WWW-Authenticate"] == "Bearer"

    @for_each("header", ["Bearer nope", "Bearer ", "Basic abc", "Bearer"])
    async def test_a_wrong_token_opens_nothing(self, api, header):
        response = await api.anonymous.get("/qa-evaluations", headers={"Authorization": header})

        assert response.status_code == 401

    async def test_a_revoked_or_expired_token_opens_nothing(self, api):
        assert (await api.client.get("/qa-evaluations")).status_code == 200
        await api.world.rows("UPDATE api_tokens SET expires_at = now()")
        assert (await api.client.get("/qa-evaluations")).status_code == 401
        await api.world.rows("UPDATE api_tokens SET expires_at = NULL, revoked_at = now()")
        assert (await api.client.get("/qa-evaluations")).status_code == 401

    async def test_each_route_wants_its_scope(self, api):
        """Reading routes `read`, all others `write`, but for these tables."""
        nobody = await api.as_token(scopes=[])
        scopes = {}
        for path, methods in openapi_paths().items():
            for method in methods:
                route = f"{method.upper()} {path}"
                filled = re.sub(r"{[^}]+}", str(uuid.uuid4()), path)
                refused = (await nobody.request(method, filled)).text
                lacking = re.search(r"scope '?(\w+)", refused)
                scopes[route] = lacking[1] if lacking else None

        def usual(route: str) -> str | None:
            if route in OPEN:
                return None
            if re.search(OF_OPERATORS, route):
                return "operator"
            if re.search(OF_ADMINS, route):
                return "admin"
            reads = route.startswith("GET") or re.search(OF_READERS, route)
            return "read" if reads else "write"

        assert scopes == {route: usual(route) for route in scopes}

    async def test_a_login_link_opens_one_browser_session(self, api):
        code = await api.login_code()

        first = await api.anonymous.get("/login", params={"code": code})
        second = await api.anonymous.get("/login", params={"code": code})

        assert first.status_code == 303
        cookie = first.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        assert second.status_code == 401
        session = httpx.Cookies({"searchqa_session": first.cookies["searchqa_session"]})
        async with api.browser(session) as browser:
            assert (await browser.get("/qa-evaluations")).status_code == 200
            assert (await browser.post("/logout")).status_code == 204
            assert (await browser.get("/qa-evaluations")).status_code == 401

    async def test_without_authentication_only_this_machine_is_served(self, world, redis_url):
        async with open_api(world, redis_url, auth=False) as api:
            here = {"Host": "localhost:8765"}
            assert (await api.anonymous.get("/qa-evaluations", headers=here)).status_code == 200
            rebound = {"Host": "evil.example"}
            assert (await api.anonymous.get("/qa-evaluations", headers=rebound)).status_code == 401
            far = httpx.ASGITransport(api.app, client=("192.0.2.1", 1))
            async with httpx.AsyncClient(transport=far, base_url="http://test") as stranger:
                assert (await stranger.get("/qa-evaluations", headers=here)).status_code == 401

    async def test_long_expired_rows_are_deleted(self, api):
        await api.login_code()
        await api.world.rows(
            "UPDATE api_tokens SET expires_at = now() - interval '2 days' WHERE kind = 'login'"
        )
        await api.login_code()

        await retention_for("tokens", api.world.pool, settings()).delete_all()

        kinds = [row["kind"] for row in await api.world.rows("SELECT kind FROM api_tokens")]
        assert sorted(kinds) == ["api", "login"]

    @for_each(
        ("lang", "words"), [("ko", "이미 쓰였거나 만료된"), ("en", "was used or has expired")]
    )
    async def test_a_used_login_link_shows_browsers_a_page(self, api, lang, words):
        headers = {"Accept": "text/html,*/*;q=0.8", "Accept-Language": lang}

        used = await api.anonymous.get("/login", params={"code": "used"}, headers=headers)

        assert used.status_code == 401
        assert used.headers["content-type"].startswith("text/html")
        assert words in used.text
        assert "searchqa login" in used.text

    async def test_a_login_code_is_no_bearer_token(self, api):
        code = await api.login_code()

        response = await api.anonymous.get(
            "/qa-evaluations", headers={"Authorization": f"Bearer {code}"}
        )

        assert response.status_code == 401


class TestOperation:
    async def test_metrics_count_the_workspaces_verdicts(self, api):
        await api.client.post("/ai/chat", json=QUESTION)

        text = (await api.client.get("/metrics")).text

        assert 'searchqa_evaluations{status="skipped"} 1.0' in text
