"""How much a token may ask, how often an address may guess, and that Redis never decides."""

import asyncio
import logging
import os
import re
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from ipaddress import ip_network

import httpx
import pytest
import redis
from limits import parse
from limits.aio.storage import RedisStorage
from pydantic import ValidationError

from api_client import QUESTION, Api, open_api
from app.api import auth, rate_limits
from app.api.rate_limits import RateCounter
from app.api.services import Services
from app.platform.errors import SetupError
from cases import eventually, for_each
from servers import redis_server
from verdict_world import World, settings

LIMITS = {"rate_limit": "3/hour", "rate_limit_writes": "2/hour", "rate_limit_guesses": "2/hour"}
UNREACHABLE_REDIS = "redis://127.0.0.1:1/0"
LOGGER = "app.api.rate_limits"


@pytest.fixture(autouse=True)
def _long_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that is busy with other tests must not look like a Redis that is away."""
    monkeypatch.setattr("app.api.rate_limits.REDIS_TIMEOUT", 2.0)


@pytest.fixture
async def api(world: World, redis_url: str) -> AsyncIterator[Api]:
    async with open_api(world, redis_url, **LIMITS) as api:
        yield api


async def statuses(client: httpx.AsyncClient, count: int, path: str = "/notes") -> list[int]:
    return [(await client.get(path)).status_code for _ in range(count)]


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def test_of_the_clients_that_limits_supports_one_is_imported():
    counter = RateCounter(UNREACHABLE_REDIS)
    assert set(counter._storage.dependencies) == {"redis"}
    await counter.aclose()


class TestTokens:
    async def test_excess_is_refused_with_retry_after(self, api):
        assert await statuses(api.client, 3) == [200] * 3

        refused = await api.client.get("/notes")

        assert refused.status_code == 429
        assert refused.headers["Content-Type"] == "application/problem+json"
        assert refused.json()["type"] == "urn:searchqa:problem:too-many-requests"
        wait = int(refused.headers["Retry-After"])
        assert 3500 < wait <= 3600
        assert refused.headers["RateLimit-Policy"] == '"read";q=3;w=3600'
        assert re.fullmatch(r'"read";r=0;t=\d+', refused.headers["RateLimit"])
        assert f"{wait} s" in refused.json()["detail"]

    async def test_what_costs_something_is_counted_apart(self, api):
        asked = [(await api.client.post("/ai/chat", json=QUESTION)).status_code for _ in range(3)]

        assert asked == [200, 200, 429]
        assert await statuses(api.client, 4) == [200, 200, 200, 429]

    async def test_each_token_has_its_own(self, api):
        await statuses(api.client, 4)

        other = await api.as_token()

        assert await statuses(other, 1) == [200]

    async def test_all_processes_count_together(self, api, world, redis_url):
        async with open_api(world, redis_url, **LIMITS) as second:
            second.client.headers["Authorization"] = api.client.headers["Authorization"]

            assert await statuses(api.client, 2) + await statuses(second.client, 2) == [
                *[200] * 3,
                429,
            ]

    async def test_no_token_is_known_to_redis(self, api, redis_url):
        await statuses(api.client, 4)
        await api.anonymous.get("/notes", headers=bearer("sqa_wrong"))

        with redis.Redis.from_url(redis_url, decode_responses=True) as client:
            keys = " ".join(client.keys("*"))

        assert "searchqa-limits" in keys
        assert "sqa_" not in keys

    async def test_the_window_ends(self, world, redis_url):
        async with open_api(world, redis_url, rate_limit="1/second") as api:
            for code in (429, 200):
                await eventually(
                    lambda: api.client.get("/notes"),
                    when=lambda response, code=code: response.status_code == code,
                )

    async def test_health_is_never_limited(self, api):
        await statuses(api.client, 4)

        assert await statuses(api.client, 4, "/healthz") == [200] * 4
        assert await statuses(api.anonymous, 4, "/readyz") == [200] * 4

    async def test_off_counts_nothing(self, world, redis_url):
        off = dict.fromkeys(LIMITS, "off")
        async with open_api(world, redis_url, **off) as api:
            assert await statuses(api.client, 5) == [200] * 5
            wrong = [await api.anonymous.get("/notes", headers=bearer("x")) for _ in range(5)]
            assert {response.status_code for response in wrong} == {401}
        with redis.Redis.from_url(redis_url) as client:
            assert client.keys("searchqa-limits*") == []


class TestGuessing:
    async def test_wrong_tokens_are_refused_after_a_while(self, api):
        guesses = [
            await api.anonymous.get("/notes", headers=bearer(f"sqa_{guess}")) for guess in range(4)
        ]

        assert [guess.status_code for guess in guesses] == [401, 401, 429, 429]
        assert "Retry-After" in guesses[-1].headers

    async def test_login_links_are_guesses_too(self, api):
        guesses = [
            await api.anonymous.get("/login", params={"code": f"sql_{guess}"}) for guess in range(3)
        ]

        assert [guess.status_code for guess in guesses] == [401, 401, 429]

    async def test_a_good_secret_is_never_refused_for_the_guesses_of_others(
        self, api, world, redis_url
    ):
        fresh = await api.as_token()
        await guess(api, 4)

        assert await statuses(fresh, 1) == [200], "never seen before"
        assert await login(api) == 303
        async with open_api(world, redis_url, **LIMITS) as restarted:
            assert await guess(restarted, 1) == [429]
            assert await statuses(await restarted.as_token(), 1) == [200]
            assert await login(restarted) == 303

    async def test_guesses_over_the_limit_take_few_connections(self, api, monkeypatch):
        await guess(api, 3)
        at_once = Concurrency(auth.authenticate)
        monkeypatch.setattr(auth, "authenticate", at_once)

        await asyncio.gather(*(guess(api, 1) for _ in range(20)))

        assert at_once.calls == 20
        assert at_once.most <= rate_limits._MAX_LOOKUPS

    async def test_a_token_that_was_good_does_not_wait_behind_guesses(self, api, monkeypatch):
        await statuses(api.client, 1)
        await guess(api, 3)
        services: Services = api.app.state.services
        stuck = asyncio.Semaphore(0)
        monkeypatch.setattr(services.rate_limits, "_lookups", stuck)

        assert await statuses(api.client, 1) == [200]

    async def test_a_token_that_is_revoked_is_a_guess(self, api):
        assert await statuses(api.client, 1) == [200]
        await api.world.rows("UPDATE api_tokens SET revoked_at = now()")

        assert await statuses(api.client, 3) == [401, 401, 429]

    async def test_other_addresses_may_still_err(self, api):
        await guess(api, 4)

        assert await guess_from(api, "192.0.2.1") == 401

    async def test_a_request_without_a_token_is_no_guess(self, api):
        assert await statuses(api.anonymous, 4) == [401] * 4

    async def test_forwarded_headers_of_strangers_are_not_believed(self, api):
        forged = [f"198.51.100.{number}" for number in range(3)]

        last = [await guess_from(api, "192.0.2.1", forwarded_for=one) for one in forged][-1]

        assert last == 429, "all of them are guesses of the peer"

    async def test_behind_a_trusted_proxy_each_client_is_one(self, world, redis_url):
        proxies = frozenset({ip_network("192.0.2.0/24")})
        async with open_api(world, redis_url, **LIMITS, trusted_proxies=proxies) as api:
            for number in range(3):
                forged = f"203.0.113.{number}, 198.51.100.1"
                last = await guess_from(api, "192.0.2.1", forwarded_for=forged)
            assert last == 429, "only what the proxy has appended is believed"
            assert await guess_from(api, "192.0.2.1", forwarded_for="198.51.100.2") == 401


async def guess(api: Api, count: int) -> list[int]:
    """The replies to so many wrong tokens."""
    headers = [bearer(f"sqa_{number}") for number in range(count)]
    replies = [await api.anonymous.get("/notes", headers=each) for each in headers]
    return [reply.status_code for reply in replies]


async def login(api: Api) -> int:
    return (await api.anonymous.get("/login", params={"code": await api.login_code()})).status_code


class Concurrency:
    """Counts the calls of a function, and how many of them ran at once."""

    def __init__(self, function: Callable[..., Awaitable[object]]) -> None:
        self._function = function
        self._running = self.most = self.calls = 0

    async def __call__(self, *arguments: object) -> object:
        self.calls += 1
        self._running += 1
        self.most = max(self.most, self._running)
        try:
            return await self._function(*arguments)
        finally:
            self._running -= 1


async def guess_from(api: Api, host: str, *, forwarded_for: str = "") -> int:
    headers = bearer("sqa_guess") | ({"X-Forwarded-For": forwarded_for} if forwarded_for else {})
    transport = httpx.ASGITransport(api.app, client=(host, 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        return (await client.get("/notes", headers=headers)).status_code


class TestRedisAway:
    async def test_without_redis_all_pass(self, world, caplog):
        async with open_api(world, UNREACHABLE_REDIS, **LIMITS) as api:
            assert await statuses(api.client, 5) == [200] * 5
            await wait_for_log(caplog, "Requests are not counted")
            assert await statuses(api.client, 5) == [200] * 5

        assert log_beginnings(caplog) == ["Requests are not counted"], "one line for one outage"

    async def test_a_frozen_redis_is_waited_for_once(self, world, tmp_path, caplog):
        caplog.set_level(logging.INFO, LOGGER)
        with redis_server(tmp_path) as url:
            async with open_api(world, url, **LIMITS) as api, record_redis_keys() as asked:
                assert await statuses(api.client, 1) == [200]
                with frozen(url):
                    assert await statuses(api.client, 5) == [200] * 5
                    await wait_for_log(caplog, "Requests are not counted")
                    assert await statuses(api.client, 5) == [200] * 5
                    assert len(asked) == 2, "one before the frost and one that found it"
                await wait_for_log(caplog, "Redis answers")
                assert 429 in await statuses(api.client, 4), "it counts again"

        assert log_beginnings(caplog)[:2] == ["Requests are not counted", "Redis answers"]

    async def test_many_who_find_it_out_together_ask_on_once(self, caplog):
        counter, limit = RateCounter(UNREACHABLE_REDIS), parse("3/hour")

        with caplog.at_level(logging.WARNING, LOGGER):
            assert await asyncio.gather(*(counter.hit(limit, str(n)) for n in range(50))) == (
                [None] * 50
            )
            await eventually(lambda: caplog.messages)
        asking = len(asyncio.all_tasks()) - 1
        await counter.aclose()

        assert (asking, len(caplog.messages)) == (1, 1)

    async def test_a_late_redis_is_not_reported(self, redis_url, caplog):
        counter = RateCounter(redis_url)
        await counter._probe_until_up()
        await counter.aclose()

        assert log_beginnings(caplog) == []


def log_beginnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The first words of what the counter logged, but for refusals."""
    lines = [record.message for record in caplog.records if record.name == LOGGER]
    known = ("Requests are not counted", "Redis answers")
    return [begin for line in lines for begin in known if line.startswith(begin)]


async def wait_for_log(caplog: pytest.LogCaptureFixture, beginning: str) -> None:
    await eventually(lambda: beginning in log_beginnings(caplog))


@contextmanager
def frozen(url: str) -> Iterator[None]:
    with redis.Redis.from_url(url) as client:
        pid = client.info("server")["process_id"]
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


@asynccontextmanager
async def record_redis_keys() -> AsyncIterator[list[str]]:
    """The keys that were asked for while the block runs."""
    asked: list[str] = []
    incr: Callable[..., object] = RedisStorage.incr

    async def counted(self: RedisStorage, key: str, *args: object, **named: object) -> int:
        asked.append(key)
        return await incr(self, key, *args, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RedisStorage, "incr", counted)
        yield asked


def test_trusted_proxies_are_networks_or_addresses():
    given = settings(trusted_proxies="10.0.0.0/8, 192.0.2.7,2001:db8::/32")

    assert {str(each) for each in given.api.trusted_proxies} == {
        "10.0.0.0/8",
        "192.0.2.7/32",
        "2001:db8::/32",
    }
    with pytest.raises(ValidationError, match="write each network as"):
        settings(trusted_proxies="proxy.example.com")


@for_each("written", ["600", "0/minute", "1/second; 5/minute", "many/minute"])
def test_a_bad_limit_is_refused_at_the_start(written):
    with pytest.raises(ValidationError, match="write it as 600/minute"):
        settings(rate_limit=written)


def test_an_address_that_is_none_of_redis_is_refused():
    with pytest.raises(SetupError, match="REDIS_URL is not a valid address"):
        RateCounter("localhost")
