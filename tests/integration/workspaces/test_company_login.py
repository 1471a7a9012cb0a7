"""Login at a provider of OpenID Connect, by real redirects of a real one (Django OAuth Toolkit)."""

import asyncio
import base64
import json
import re
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from api_client import Api, open_api
from app.cli import checks
from app.workspaces import oidc
from cases import for_each
from oidc_provider import CLIENT, HOME, SECRET, LoginProvider, running_provider
from verdict_world import World, settings

GROUPS = {
    "staff": {"scopes": ["read", "write"]},
    "owners": {"scopes": ["read", "write", "admin"]},
    "lab": {"workspace": "lab", "scopes": ["read"]},
}
CALLBACK = f"{HOME}{oidc.CALLBACK_PATH}"


@pytest.fixture(scope="module")
def _provider() -> Iterator[LoginProvider]:
    with running_provider() as provider:
        yield provider


@pytest.fixture
def provider(_provider: LoginProvider) -> LoginProvider:
    _provider.configure(id_token={}, issuer="", algorithm="RS256", groups=["staff"])
    return _provider


@asynccontextmanager
async def _opened(
    world: World, redis_url: str, issuer: str, **changes: object
) -> AsyncIterator[Api]:
    given = {
        "public_url": HOME,
        "oidc_issuer": issuer,
        "oidc_client_id": CLIENT,
        "oidc_client_secret": SECRET,
        "oidc_groups": json.dumps(GROUPS),
    }
    async with open_api(world, redis_url, **(given | changes)) as api:
        yield api


@pytest.fixture
async def api(world: World, redis_url: str, provider: LoginProvider) -> AsyncIterator[Api]:
    async with _opened(world, redis_url, provider.issuer) as api:
        yield api


async def submit(
    client: httpx.AsyncClient, page: httpx.Response, fields: dict[str, str]
) -> httpx.Response:
    """A form of the provider, with what it hides."""
    hidden = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page.text)
    return await client.post(page.url, data=dict(hidden) | fields)


@dataclass
class Browser:
    """Follows redirects as a browser does; the provider is asked over HTTP, the API in process."""

    api: Api
    cookies: dict[str, str] = field(default_factory=dict)
    at_provider: httpx.Cookies = field(default_factory=httpx.Cookies)
    set_cookies: SimpleCookie = field(default_factory=SimpleCookie)

    async def get(self, url: str, **headers: str) -> httpx.Response:
        written = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        given = {"Accept": "text/html", "Accept-Language": "en", "Cookie": written} | headers
        response = await self.api.anonymous.get(url.removeprefix(HOME), headers=given)
        for line in response.headers.get_list("set-cookie"):
            self.set_cookies.load(line)
            name, value = line.partition(";")[0].split("=", 1)
            self.cookies[name] = value.strip('"')
            if not self.cookies[name]:
                del self.cookies[name]
        return response

    async def begin(self, query: str = "") -> str:
        """Up to the address that the provider sends the browser back to."""
        response = await self.get(f"/login/oidc{query}")
        assert response.status_code == 303, response.text
        async with httpx.AsyncClient(cookies=self.at_provider, follow_redirects=False) as client:
            response = await client.get(response.headers["location"])
            while not response.headers.get("location", "").startswith(HOME):
                if response.is_redirect:
                    response = await client.get(response.url.join(response.headers["location"]))
                else:
                    form = {"username": "mina", "password": "password"}
                    response = await submit(client, response, form)
                assert response.status_code < 400, response.text
            self.at_provider = client.cookies
        return response.headers["location"]

    async def log_in(self, query: str = "") -> httpx.Response:
        return await self.get(await self.begin(query))

    async def who(self) -> httpx.Response:
        return await self.get("/whoami")


async def test_a_user_of_the_company_logs_in_and_out(api, provider):
    browser = Browser(api)

    done = await browser.log_in("?next=/ui/settings")

    assert (done.status_code, done.headers["location"]) == (303, "/ui/settings")
    assert (await browser.who()).json() == {
        "workspace": "default",
        "token": "mina@example.com",
        "scopes": ["read", "write"],
    }
    async with api.browser(httpx.Cookies(browser.cookies), Origin=HOME) as page:
        out = await page.post("/logout")
    assert out.status_code == 200
    end = urlsplit(out.json()["next"])
    assert parse_qs(end.query)["post_logout_redirect_uri"] == [f"{HOME}/ui/"]
    async with httpx.AsyncClient(cookies=browser.at_provider) as client:
        asked = await client.get(out.json()["next"])
        ended = await submit(client, asked, {"allow": "Log out"})
    assert ended.headers["location"] == f"{HOME}/ui/"
    assert (await browser.who()).status_code == 401


async def sessions_of(api: Api) -> list[dict[str, object]]:
    found = await api.world.rows(
        "SELECT name, scopes, subject, revoked_at FROM api_tokens"
        " WHERE kind = 'session' ORDER BY created_at"
    )
    return [dict(row) for row in found]


NOW = int(time.time())
# What a provider that is broken, or an attacker, may have signed; None for a good one.
TOKENS = {
    "expired": ({"exp": NOW - 120}, "expired_token"),
    "from the future": ({"iat": NOW + 900}, "issued in the future"),
    "not yet valid": ({"nbf": NOW + 900}, "not yet valid"),
    "of another issuer": ({"iss": "http://localhost:1/o"}, "iss"),
    "for another client": ({"aud": "other"}, "aud"),
    "for several, without azp": ({"aud": [CLIENT, "other"]}, "azp"),
    "for another party": ({"aud": [CLIENT, "other"], "azp": "other"}, "azp"),
    "for another login": ({"nonce": "of another login"}, "nonce"),
    "of nobody": ({"sub": ""}, "sub"),
    "with a slow clock": ({"exp": NOW + 900, "iat": NOW + 40}, None),
    "for us among several": ({"aud": [CLIENT, "other"], "azp": CLIENT}, None),
}


@for_each("name", TOKENS)
async def test_an_id_token(api, provider, caplog, name):
    claims, reason = TOKENS[name]
    provider.configure(id_token=claims)

    done = await Browser(api).log_in()

    if reason is None:
        assert done.status_code == 303
        return
    assert done.status_code == 401
    assert "could not be verified" in done.text
    assert reason in caplog.text
    assert SECRET not in caplog.text
    assert await sessions_of(api) == []


async def test_a_key_that_clients_know_signs_nothing(api, provider, caplog):
    provider.configure(algorithm="HS256")

    assert (await Browser(api).log_in()).status_code == 401
    assert "HS256" in caplog.text


async def test_keys_are_fetched_anew_once_a_minute_at_most(api, provider, monkeypatch):
    assert (await Browser(api).log_in()).status_code == 303
    provider.configure(new_key=True)
    assert (await Browser(api).log_in()).status_code == 303
    provider.configure(new_key=True)
    assert (await Browser(api).log_in()).status_code == 401
    monkeypatch.setattr(api.app.state.services.oidc, "_renew_from", 0)
    assert (await Browser(api).log_in()).status_code == 303


async def test_another_issuer_than_the_settings_name(world, redis_url, provider):
    provider.configure(issuer="http://localhost:1/other")
    async with _opened(world, redis_url, provider.issuer) as api:
        response = await Browser(api).get("/login/oidc")

        assert response.status_code == 503
        assert "searchqa login" in response.text


async def test_while_the_provider_is_down_links_log_in(world, redis_url):
    async with _opened(world, redis_url, "http://localhost:1/o") as api:
        browser = Browser(api)

        for _ in range(2):
            response = await browser.get("/login/oidc", **{"Accept-Language": "ko"})
            assert response.status_code == 503
            assert "잠시 후 다시 시도하세요" in response.text
        link = await browser.get(f"/login?code={await api.login_code()}")

        assert link.status_code == 303
        assert (await browser.who()).status_code == 200


async def test_nobody_waits_for_a_provider_that_hangs_after_another(world, redis_url, monkeypatch):
    monkeypatch.setattr(oidc, "TIMEOUT_SECONDS", 0.5)
    asked = []

    async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readline())
        await reader.read()
        writer.close()

    server = await asyncio.start_server(hang, "localhost", 0)
    issuer = f"http://localhost:{server.sockets[0].getsockname()[1]}/o"
    async with server, _opened(world, redis_url, issuer) as api:
        replies = await asyncio.gather(*(Browser(api).get("/login/oidc") for _ in range(5)))

    assert {reply.status_code for reply in replies} == {503}
    assert len(asked) == 1


async def test_a_callback_counts_once_and_in_its_browser_alone(api, provider):
    browser, other = Browser(api), Browser(api)
    callback = await browser.begin()
    kept = dict(browser.cookies)

    assert (await other.get(callback)).status_code == 401, "it has begun no login"
    await other.begin()
    assert (await other.get(callback)).status_code == 401, "it has begun another one"
    assert (await browser.get(callback)).status_code == 303
    assert "searchqa_login" not in browser.cookies
    assert (await browser.get(callback)).status_code == 401, "the attempt is used up"
    browser.cookies = kept
    assert (await browser.get(callback)).status_code == 401, "the provider refuses the code"
    for made_up in (b"nonsense", b"[" * 5_000):
        browser.cookies = {"searchqa_login": base64.urlsafe_b64encode(made_up).decode()}
        assert (await browser.get(callback)).status_code == 401, "of no login"


async def test_of_two_tabs_that_begin_a_login_the_later_one_ends_it(api, provider):
    browser = Browser(api)
    earlier, later = await browser.begin(), await browser.begin()

    assert (await browser.get(earlier)).status_code == 401
    assert (await browser.get(later)).status_code == 303
    assert "searchqa_login" not in browser.cookies


async def test_a_session_of_before_ends_with_a_login(api, provider):
    browser = Browser(api)
    await browser.get(f"/login?code={await api.login_code()}")

    assert (await browser.log_in()).status_code == 303

    before, after = await sessions_of(api)
    assert before["revoked_at"] is not None
    assert after["subject"] == f"{provider.issuer} id-of-mina"


async def test_what_a_group_gave_ends_with_it(api, provider):
    provider.configure(groups=["staff", "owners"])
    owner, lab = Browser(api), Browser(api)
    await owner.log_in()
    assert (await owner.who()).json()["scopes"] == ["admin", "read", "write"]
    provider.configure(groups=["staff", "lab"])

    assert (await lab.log_in("?workspace=lab")).status_code == 303

    assert (await owner.who()).status_code == 401, "it could do more than staff may"
    assert (await lab.who()).json()["workspace"] == "lab"
    assert (await lab.log_in("?workspace=other")).status_code == 403
    provider.configure(groups=["guests"])
    texts = {"en": "none of its groups gives any", "ko": "그룹에 속해 있지 않습니다"}
    for lang, text in texts.items():
        refused = Browser(api)
        response = await refused.get(await refused.begin(), **{"Accept-Language": lang})
        assert response.status_code == 403
        assert text in response.text
        assert "mina@example.com" in response.text
        assert "searchqa_session" not in refused.cookies
    assert all(session["revoked_at"] for session in await sessions_of(api))


async def test_a_session_is_listed_and_revoked_at_once(api, provider):
    browser = Browser(api)
    await browser.log_in()

    (listed,) = (await api.client.get("/tokens", params={"kind": "session"})).json()["items"]
    assert (listed["name"], listed["scopes"]) == ("mina@example.com", ["read", "write"])
    assert listed["subject"] == f"{provider.issuer} id-of-mina"
    stranger = await api.as_token(workspace="other", scopes=["admin"])
    assert (await stranger.delete(f"/tokens/{listed['id']}")).status_code == 404
    assert (await api.client.delete(f"/tokens/{listed['id']}")).status_code == 204

    assert (await browser.who()).status_code == 401
    assert (await api.client.get("/tokens?kind=session")).json()["items"] == []
    events = (await api.client.get("/audit-events")).json()["items"]
    revoked, begun = (e for e in events if e["subject"] == "mina@example.com")
    assert (begun["kind"], begun["action"], begun["actor"]) == ("login", "insert", begun["subject"])
    assert begun["after"]["subject"] == listed["subject"]
    assert (revoked["kind"], revoked["actor"]) == ("token", "test")
    assert revoked["after"]["revoked_at"]


ELSEWHERE = [
    "https://evil.example/", "//evil.example/ui/", "/\\evil.example", "/ui/\\@evil.example",
    "/ui\\..//evil.example", "javascript:alert(1)", "/login/oidc", "/ui/\r\nSet-Cookie: a=b",
    " /ui/",
]  # fmt: skip


async def test_a_login_leads_to_pages_of_ours_alone(api, provider):
    browser = Browser(api)
    for page in ELSEWHERE:
        await browser.get(str(httpx.URL("/login/oidc", params={"next": page})))
        begun = json.loads(base64.urlsafe_b64decode(browser.cookies["searchqa_login"]))
        assert begun[1] == "/ui/", page
    callback = await browser.begin()
    forged = [begun[0], "https://evil.example/", None]
    browser.cookies["searchqa_login"] = base64.urlsafe_b64encode(
        json.dumps(forged).encode()
    ).decode()
    assert (await browser.get(callback)).status_code == 401


async def test_cookies_are_for_this_host_over_https(world, redis_url, provider):
    changes = {"public_url": "https://notes.example"}
    async with _opened(world, redis_url, provider.issuer, **changes) as api:
        browser = Browser(api)
        await browser.get("/login/oidc")
        await browser.get(f"/login?code={await api.login_code()}")

        assert set(browser.set_cookies) == {"__Host-searchqa_login", "searchqa_session"}
        for cookie in browser.set_cookies.values():
            flags = (cookie["secure"], cookie["httponly"], cookie["samesite"], cookie["path"])
            assert flags == (True, True, "lax", "/")
            assert cookie["domain"] == ""


async def test_failed_callbacks_are_limited(world, redis_url, provider):
    changes = {"rate_limit_guesses": "3/hour"}
    async with _opened(world, redis_url, provider.issuer, **changes) as api:
        browser = Browser(api)
        callback = await browser.begin()
        guess = f"{oidc.CALLBACK_PATH}?state=guess&code=guess"
        codes = [(await Browser(api).get(guess)).status_code for _ in range(5)]
        refused = await browser.get(callback)

        assert codes == [401, 401, 401, 429, 429]
        assert (refused.status_code, "Retry-After" in refused.headers) == (429, True)


async def test_the_provider_s_error_is_shown_as_text(api, provider):
    browser = Browser(api)
    await browser.get("/login/oidc")
    state = oidc.Attempt(json.loads(base64.urlsafe_b64decode(browser.cookies["searchqa_login"]))[0])

    response = await browser.get(
        str(httpx.URL(oidc.CALLBACK_PATH, params={"state": state.state, "error": "<b>denied</b>"}))
    )

    assert response.status_code == 401
    assert "denied" in response.text
    assert "<b>" not in response.text


async def test_without_a_provider_there_is_no_button(own_api):
    assert (await own_api.anonymous.get("/login/provider")).json() == {"name": None}
    assert (await own_api.anonymous.get("/login/oidc")).status_code == 404


async def test_the_button_names_the_provider(api):
    assert (await api.anonymous.get("/login/provider")).json() == {"name": "localhost"}


def test_doctor_asks_the_provider(provider, monkeypatch):
    def found(issuer: str) -> tuple[str, str]:
        (finding,) = checks.login_provider(
            settings(
                public_url=HOME,
                oidc_issuer=issuer,
                oidc_client_id=CLIENT,
                oidc_groups=json.dumps(GROUPS),
            )
        )
        return finding.state, finding.detail

    assert found(provider.issuer) == ("ok", f"{provider.issuer}: 1 usable key(s), same time")
    state, detail = found("http://localhost:1/o")
    assert (state, "http://localhost:1/o/.well-known" in detail) == ("note", True)
    provider.configure(issuer="http://localhost:1/other")
    assert "its issuer is 'http://localhost:1/other'" in found(provider.issuer)[1]
    provider.configure(issuer="")
    # Nobody but root may set a clock: ours is, for the check alone.
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 300)
    behind = re.search(r"its clock is (\d+) s behind this one", found(provider.issuer)[1])
    # Its Date has whole seconds, and it takes time to reply.
    assert 240 < int(behind[1]) <= 301
