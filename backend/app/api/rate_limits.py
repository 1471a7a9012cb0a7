"""How much one token may ask, and how often one address may try tokens that are none."""

import asyncio
import hashlib
import logging
import math
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext, suppress

from fastapi import Request
from limits import RateLimitItem, parse
from limits.aio.storage import RedisStorage
from limits.aio.strategies import FixedWindowRateLimiter
from redis.exceptions import RedisError

from app.api.client_address import client_address, network_of
from app.platform.errors import TooManyRequests, Unauthenticated
from app.platform.servers.redis_client import async_pool
from app.platform.setting_types import OFF
from app.platform.settings import Settings

logger = logging.getLogger(__name__)

# Seconds that a request waits for Redis at most, once in an outage.
REDIS_TIMEOUT = 0.05
# After a failure no request waits: a task probes this often (seconds), with a longer timeout.
PROBE_EVERY = 1.0
PROBE_TIMEOUT = 1.0
_CONNECTIONS = 16
_MAX_SPENT = 10_000
_UNAVAILABLE = (RedisError, OSError, TimeoutError)


# It imports all clients that it supports, though it uses one: Valkey's takes 3 MB.
RedisStorage.DEPENDENCIES = {"redis": None}


class RateCounter:
    """Fixed windows: one number a key and one round trip a request, where a moving window keeps
    an entry for each request. The price is that twice the limit may pass around the border of
    two windows, which a guard against runaway callers can afford.

    What is over its limit is refused from memory until its window ends.
    """

    def __init__(self, redis_url: str) -> None:
        """Does not connect yet. Raises SetupError for an address that is none of Redis."""
        self._connections = async_pool(
            redis_url,
            max_connections=_CONNECTIONS,
            # Also how long closing may take.
            socket_connect_timeout=PROBE_TIMEOUT,
        )
        self._storage = RedisStorage(
            "redis://",
            implementation="redispy",
            key_prefix="searchqa-limits",
            connection_pool=self._connections,  # type: ignore[arg-type]  # as limits documents
        )
        self._windows = FixedWindowRateLimiter(self._storage)
        self._spent: dict[str, float] = {}
        self._probe: asyncio.Task[None] | None = None

    async def hit(self, limit: RateLimitItem, *about: str) -> int | None:
        """Counts one request. None when it may pass, else the seconds until it may come again."""
        wait = self.spent(limit, *about)
        if wait is not None or self._redis_is_down():
            return wait
        key = limit.key_for(*about)
        try:
            async with asyncio.timeout(REDIS_TIMEOUT):
                if await self._windows.hit(limit, *about):
                    return None
                left = await self._storage.get_expiry(key) - time.time()
        except _UNAVAILABLE:
            # Of many requests that failed together, one starts the probe.
            if not self._redis_is_down():
                self._probe = asyncio.create_task(self._probe_until_up())
            return None
        logger.warning("Over the limit of %s: %s", limit, " ".join(about))
        self._record(key, max(left, 1))
        return self.spent(limit, *about)

    def spent(self, limit: RateLimitItem, *about: str) -> int | None:
        """Seconds until the window ends of what is known to be over its limit; from memory."""
        if not self._spent:
            return None
        key = limit.key_for(*about)
        until = self._spent.get(key)
        if until is None:
            return None
        left = until - time.monotonic()
        if left <= 0:
            del self._spent[key]
            return None
        return math.ceil(left)

    async def aclose(self) -> None:
        if self._probe is not None:
            self._probe.cancel()
            await asyncio.gather(self._probe, return_exceptions=True)
        with suppress(*_UNAVAILABLE):
            await self._connections.disconnect()

    def _record(self, key: str, seconds: float) -> None:
        now = time.monotonic()
        if len(self._spent) >= _MAX_SPENT:
            self._spent = {key: until for key, until in self._spent.items() if until > now}
        if len(self._spent) < _MAX_SPENT:
            self._spent[key] = now + seconds

    def _redis_is_down(self) -> bool:
        return self._probe is not None and not self._probe.done()

    async def _probe_until_up(self) -> None:
        """While this runs, nothing is counted. A Redis that was only slow is not logged."""
        logged = False
        while True:
            try:
                async with asyncio.timeout(PROBE_TIMEOUT):
                    await self._storage.get("probe")
            except _UNAVAILABLE as error:
                if not logged:
                    reason = str(error) or "no answer in time"
                    logger.warning("Requests are not counted until Redis answers: %s", reason)
                logged = True
            else:
                if logged:
                    logger.info("Redis answers; requests are counted again")
                return
            await asyncio.sleep(PROBE_EVERY)


_CHANGING = {"POST", "PUT", "PATCH"}
_MAX_KNOWN = 10_000
# Secrets of addresses over the limit that are looked up at the same time.
_MAX_LOOKUPS = 2


class RateLimits:
    """Two limits a token, for calls that cost something (every POST: questions, imports,
    answers to judge) and for all others; one an address, for wrong tokens and login links.

    Each method raises TooManyRequests, and lets pass while Redis is away.
    """

    def __init__(self, counter: RateCounter, settings: Settings) -> None:
        self._counter = counter
        self._reads = _parse(settings.api.rate_limit)
        self._writes = _parse(settings.api.rate_limit_writes)
        self._guesses = _parse(settings.api.rate_limit_guesses)
        self._proxies = settings.api.trusted_proxies
        self._known: dict[bytes, None] = {}
        self._lookups = asyncio.Semaphore(_MAX_LOOKUPS)

    async def count(self, request: Request, token_id: uuid.UUID | None) -> None:
        """Counts one request of a token that was found to be good; None is nobody's token."""
        name, limit = (
            ("write", self._writes) if request.method in _CHANGING else ("read", self._reads)
        )
        if limit is None or token_id is None:
            return
        wait = await self._counter.hit(limit, name, str(token_id))
        if wait is not None:
            error = TooManyRequests.worded("too-many-requests", limit=_spoken(limit), wait=wait)
            raise error.with_headers(_headers(name, limit, wait))

    @asynccontextmanager
    async def guessing(self, request: Request, secret: str) -> AsyncIterator[None]:
        """Goes around the check of a token or login code. A wrong one is counted for its address,
        and refused with TooManyRequests instead once there were too many. A good one is never
        refused: it has 256 random bits, so the limit is there for the load, not the secrecy.

        What an address over its limit sends is looked up a few at a time, so that guesses leave
        the connections of the database to others; secrets that were good before do not wait.
        """
        address = client_address(request, self._proxies)
        if self._guesses is None or address is None:
            yield
            return
        limit, about = self._guesses, ("guess", network_of(address))
        digest = hashlib.sha256(secret.encode()).digest()
        is_limited = digest not in self._known and self._counter.spent(limit, *about) is not None
        try:
            async with self._lookups if is_limited else nullcontext():
                yield
        except Unauthenticated:
            self._known.pop(digest, None)
            self._refuse(limit, await self._counter.hit(limit, *about))
            raise
        self._keep(digest)

    @asynccontextmanager
    async def logging_in(self, request: Request) -> AsyncIterator[None]:
        """Goes around the callback of a login provider. A failure is counted as a wrong token is;
        an address with too many is refused before the provider is asked, also for a good code:
        nothing tells it from a bad one."""
        address = client_address(request, self._proxies)
        if self._guesses is None or address is None:
            yield
            return
        limit, about = self._guesses, ("guess", network_of(address))
        self._refuse(limit, self._counter.spent(limit, *about))
        try:
            yield
        except Unauthenticated:
            self._refuse(limit, await self._counter.hit(limit, *about))
            raise

    def _keep(self, digest: bytes) -> None:
        if digest not in self._known and len(self._known) >= _MAX_KNOWN:
            del self._known[next(iter(self._known))]
        self._known[digest] = None

    @staticmethod
    def _refuse(limit: RateLimitItem, wait: int | None) -> None:
        if wait is not None:
            error = TooManyRequests.worded("too-many-guesses", wait=wait)
            raise error.with_headers(_headers("guess", limit, wait))


def _parse(written: str) -> RateLimitItem | None:
    return None if written == OFF else parse(written)


def _spoken(limit: RateLimitItem) -> str:
    return f"{limit.amount}/{limit.get_expiry()} s"


def _headers(name: str, limit: RateLimitItem, wait: int) -> dict[str, str]:
    """RateLimit fields as draft-ietf-httpapi-ratelimit-headers-10 has them. Only a refusal has
    them: what is left to others would be one more question to Redis."""
    return {
        "Retry-After": str(wait),
        "RateLimit-Policy": f'"{name}";q={limit.amount};w={limit.get_expiry()}',
        "RateLimit": f'"{name}";r=0;t={wait}',
    }
