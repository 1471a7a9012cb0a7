"""Counts in Redis, shared by all processes of the API. While Redis is down, nothing is limited."""

import asyncio
import logging
import math
import time
from contextlib import suppress

from limits import RateLimitItem
from limits.aio.storage import RedisStorage
from limits.aio.strategies import FixedWindowRateLimiter
from redis.exceptions import RedisError

from app.platform.servers.redis_client import async_pool

logger = logging.getLogger(__name__)

# Seconds that a request waits for Redis at most, once in an outage.
REDIS_TIMEOUT = 0.05
# After a failure no request waits: a task probes this often (seconds), with a longer timeout.
PROBE_EVERY = 1.0
PROBE_TIMEOUT = 1.0
_CONNECTIONS = 16
_MAX_SPENT = 10_000
_UNAVAILABLE = (RedisError, OSError, TimeoutError)


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
        self._remember(key, max(left, 1))
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

    def _remember(self, key: str, seconds: float) -> None:
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
