"""Security headers for browsers, and requests from pages of other sites."""

import asyncio
import base64
import hashlib
import re
import uuid

import httpx

from api_client import QUESTION, Api, import_notes, open_api, openapi_paths
from cases import for_each
from verdict_world import verdict

LOCKED = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
JUDGE = "/judges/openai:gpt-4o-mini/resume"


def directives(policy: str) -> dict[str, list[str]]:
    parts = (part.split() for part in policy.split(";"))
    return {name: values for name, *values in parts}


class TestHeaders:
    async def test_every_response_has_them(self, api):
        await api.world.rows("ALTER TABLE notebooks RENAME TO gone")
        responses = {
            200: await api.client.get("/qa-evaluations"),
            204: await api.client.post("/logout"),
            307: await api.anonymous.get("/"),
            401: await api.anonymous.get("/qa-evaluations"),
            404: await api.client.get("/no-such-page"),
            405: await api.client.put("/qa-evaluations"),
            413: await api.client.post("/ai/chat", content=b" " * 3_000_000),
            422: await api.client.post("/ai/chat", json={}),
            500: await api.client.get("/notebooks"),
        }

        for status, response in responses.items():
            assert response.status_code == status
            headers = response.headers
            assert headers["X-Content-Type-Options"] == "nosniff", status
            assert headers["X-Frame-Options"] == "DENY", status
            assert headers["Referrer-Policy"] == "same-origin", status
            assert headers["Cross-Origin-Resource-Policy"] == "same-origin", status
            assert headers["Content-Security-Policy"] == LOCKED, status
            assert headers["Cache-Control"] == "no-store", status

    async def test_a_verdict_may_be_kept_by_the_browser_that_asks_again(self, api):
        path = (await api.client.post("/qa-evaluations", json=ANSWER)).headers["Location"]

        first = await api.client.get(path)
        again = await api.client.get(path, headers={"If-None-Match": first.headers["ETag"]})

        assert (first.status_code, again.status_code) == (200, 304)
        for response in (first, again):
            assert response.headers.get_list("Cache-Control") == ["private, no-cache"]
            assert response.headers["X-Content-Type-Options"] == "nosniff"

    async def test_streams_stay_streams(self, api):
        await import_notes(api)

        response, _ = await asyncio.gather(
            api.client.post("/ai/stream", json=QUESTION), api.judge_next(verdict())
        )

        assert response.headers["Content-Type"].startswith("text/event-stream")
        assert response.headers.get_list("Cache-Control") == ["no-cache"]
        assert response.headers["Content-Security-Policy"] == LOCKED

    async def test_a_login_sends_its_code_nowhere(self, api):
        response = await api.anonymous.get("/login", params={"code": await api.login_code()})

        assert response.headers["Referrer-Policy"] == "no-referrer"
        assert response.headers["Cache-Control"] == "no-store"

    async def test_the_documentation_may_load_what_it_names_and_no_more(self, api):
        response = await api.client.get("/docs")

        allowed = directives(response.headers["Content-Security-Policy"])
        named = re.findall(r'(?:src|href)="(https://[^"]+)"', response.text)
        (script,) = re.findall(r"<script>(.*?)</script>", response.text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        style, icon, program = named
        assert allowed == {
            "default-src": ["'none'"],
            "script-src": [program, f"'sha256-{digest}'"],
            "style-src": [style, "'unsafe-inline'"],
            "img-src": [icon, "data:"],
            "connect-src": ["'self'"],
            "base-uri": ["'none'"],
            "form-action": ["'none'"],
            "frame-ancestors": ["'none'"],
        }
        assert response.headers["X-Frame-Options"] == "DENY"

    async def test_no_other_site_may_read(self, api):
        elsewhere = {"Origin": "https://evil.example"}
        asking = {"Access-Control-Request-Method": "POST"}

        answers = [
            await api.client.get("/qa-evaluations", headers=elsewhere),
            await api.client.options("/ai/chat", headers=elsewhere | asking),
        ]

        for response in answers:
            assert not [name for name in response.headers if name.startswith("access-control")]


ANSWER = {
    "question": "변성 온도는?",
    "answer": "95도입니다. [노트 1]",
    "sources": [{"title": "PCR", "content": "변성은 95도"}],
}

OWN = [
    {"Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "none"},
    {"Sec-Fetch-Site": "same-origin", "Origin": "http://test"},
    {"Origin": "http://test"},
    {"Origin": "HTTP://TEST"},
    {"Referer": "http://test/docs?x=1"},
]
FOREIGN = [
    {"Accept": "*/*"},
    {"Origin": ""},
    {"Origin": "null"},
    {"Origin": "https://evil.example"},
    {"Origin": "http://test:8080"},
    {"Origin": "http://test.evil.example"},
    {"Origin": "http://user@test"},
    {"Origin": "http://[test"},
    {"Origin": "null", "Referer": "http://test/"},
    {"Referer": "https://evil.example/http://test/"},
    {"Referer": "http://test@evil.example/"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "http://test"},
    {"Sec-Fetch-Site": ""},
]


async def session_of(api: Api) -> httpx.Cookies:
    response = await api.anonymous.get("/login", params={"code": await api.login_code()})
    return httpx.Cookies({"searchqa_session": response.cookies["searchqa_session"]})


class TestOtherSites:
    async def test_a_page_of_ours_may_act(self, api):
        cookies = await session_of(api)

        for headers in OWN:
            async with api.browser(cookies, **headers) as browser:
                response = await browser.post("/notebooks", json={"name": "실험실"})
                assert response.status_code == 201, headers

    async def test_another_page_may_not(self, api):
        cookies = await session_of(api)
        calls = [
            ("POST", "/notebooks", {"json": {"name": "실험실"}}),
            ("POST", "/ai/chat", {"json": QUESTION}),
            ("POST", "/notes/import/file", {"files": {"file": ("a.md", b"text")}}),
            ("POST", JUDGE, {}),
            ("POST", "/logout", {}),
        ]

        for headers in FOREIGN:
            async with api.browser(cookies, **headers) as browser:
                for method, path, body in calls:
                    response = await browser.request(method, path, **body)
                    assert response.status_code == 403, (headers, path)
                    assert response.json()["type"] == "urn:searchqa:problem:cross-origin"
        assert await api.world.rows("SELECT 1 FROM notebooks") == []
        async with api.browser(cookies) as browser:
            assert (await browser.get("/notebooks")).status_code == 200, "still logged in"

    async def test_no_unsafe_call_is_forgotten(self, api):
        cookies = await session_of(api)
        unsafe = [
            (method, re.sub(r"\{.*?\}", str(uuid.uuid4()), path))
            for path, methods in openapi_paths().items()
            for method in set(methods) - {"get", "head", "options"}
        ]
        assert len(unsafe) >= 7

        async with api.browser(cookies, Origin="https://evil.example") as browser:
            for method, path in unsafe:
                response = await browser.request(method, path)
                assert response.status_code == 403, f"{method} {path}"

    async def test_reading_needs_no_origin(self, api):
        async with api.browser(await session_of(api), Accept="*/*") as browser:
            assert (await browser.get("/qa-evaluations")).status_code == 200

    @for_each("headers", FOREIGN)
    async def test_a_bearer_token_is_proof_enough(self, api, headers):
        response = await api.client.post("/notebooks", json={"name": "a"}, headers=headers)

        assert response.status_code == 201

    async def test_the_public_name_is_a_name_of_ours(self, world, redis_url):
        async with open_api(world, redis_url, public_url="https://notes.example/") as api:
            cookies = await session_of(api)
            for origin, status in (("https://notes.example", 204), ("https://other.example", 403)):
                async with api.browser(cookies, Origin=origin) as browser:
                    assert (await browser.post("/logout")).status_code == status
                    cookies = await session_of(api)

    async def test_without_authentication_programs_may_and_other_pages_may_not(
        self, world, redis_url
    ):
        async with open_api(world, redis_url, auth=False) as api:
            here = {"Host": "localhost:8765"}
            expected = [
                ({}, 201),
                ({"Origin": "http://localhost:8765"}, 201),
                ({"Origin": "http://localhost:3000"}, 403),
                ({"Origin": "null"}, 403),
                ({"Sec-Fetch-Site": "cross-site"}, 403),
            ]
            for headers, status in expected:
                response = await api.anonymous.post(
                    "/notebooks", json={"name": "a"}, headers=here | headers
                )
                assert response.status_code == status, headers
