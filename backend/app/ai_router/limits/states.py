"""The limits of models as people see them: what is in force, and how much of it is used now."""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from redis.exceptions import NoPermissionError

from app.ai_router.limits.model_limit import NO_LIMIT
from app.ai_router.limits.scripts import (
    MODELS_KEY,
    REDIS_TIMEOUT,
    SHOWN_SECONDS,
    UNAVAILABLE,
    keys_of,
    load_script,
)
from app.platform.servers.redis_client import open_async_redis
from app.platform.setting_types import ModelLimit


@dataclass(frozen=True, slots=True)
class LimitState:
    """requests and tokens: a minute's limits in force, the lower of those that are set and those
    that replies state. allowance: the share of them that is used at present, 0.05 to 1.
    held_seconds: for how long nothing is asked. in_flight: calls, where they are limited; workers:
    that have asked in the last minute; waiting: verdicts and calls of jobs that wait in them. None
    of these is known while Redis is away."""

    model: str
    limit: ModelLimit
    configured: bool
    allowance: float | None = None
    held_seconds: float = 0
    in_flight: int | None = None
    workers: int | None = None
    waiting: int | None = None


class LimitStates:
    """Reads the limits of all models; for one event loop."""

    def __init__(self, configured: Mapping[str, ModelLimit], redis_url: str) -> None:
        self._configured = configured
        self._redis = open_async_redis(redis_url, seconds=REDIS_TIMEOUT, decode_responses=True)
        self._script = self._redis.register_script(load_script("state"))

    async def read(self) -> Sequence[LimitState]:
        """Of all models with a limit, by name. While Redis is away, those that are set."""
        try:
            since = time.time() - SHOWN_SECONDS
            found = await self._redis.zrangebyscore(MODELS_KEY, since, "+inf")
            models = {str(one) for one in found} | self._configured.keys()
            states = [await self._read(model) for model in sorted(models)]
            return [one for one in states if one.limit != NO_LIMIT]
        except UNAVAILABLE:
            configured = sorted(self._configured.items())
            return [LimitState(model, limit, configured=True) for model, limit in configured]

    async def redis_version(self) -> str | None:
        """Of the server; None while it is away, "?" where the user of its ACL may not see it."""
        try:
            server = await self._redis.info("server")
        except NoPermissionError:
            return "?"
        except UNAVAILABLE:
            return None
        valkey = server.get("valkey_version")
        return f"Valkey {valkey}" if valkey else str(server["redis_version"])

    async def aclose(self) -> None:
        with suppress(*UNAVAILABLE):
            await self._redis.aclose()

    async def _read(self, model: str) -> LimitState:
        configured = self._configured.get(model, NO_LIMIT)
        given = [-1, *(each or 0 for each in configured)]
        found = await self._script(keys_of(model), given)
        allowance, requests, tokens, held, in_flight, workers, waiting = map(float, found)
        most = configured.in_flight
        return LimitState(
            model,
            ModelLimit(int(requests) or None, int(tokens) or None, most),
            configured=model in self._configured,
            allowance=allowance,
            held_seconds=held,
            in_flight=int(in_flight) if most else None,
            workers=int(workers),
            waiting=int(waiting),
        )
