"""The states of shared limits in Valkey, read by scripts, and their metrics."""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import resources

from prometheus_client.core import GaugeMetricFamily
from redis.exceptions import NoPermissionError, RedisError

from app.ai_router.limits.model_limit import NO_LIMIT
from app.platform.servers.redis_client import open_async_redis
from app.platform.setting_types import ModelLimit

UNAVAILABLE = (RedisError, OSError, TimeoutError)
REDIS_TIMEOUT = 1.0

PREFIX = "searchqa:limits"
# Models whose limits are shared, with the time (seconds since 1970) that each was last asked for.
MODELS_KEY = f"{PREFIX}:models"
# As long as a learned limit is kept that nobody has asked for since.
SHOWN_SECONDS = 86_400.0
# The fields of a model's state that replies have stated.
STATED = ("stated_requests", "stated_tokens")
# The field that says that they state none.
OPEN = "open"


def keys_of(model: str) -> list[str]:
    """Of a model: its state, its calls in flight, the workers that ask for it, how many wait in
    each. One hash slot."""
    return [f"{PREFIX}:{{{model}}}:{part}" for part in ("state", "flight", "askers", "waiting")]


def load_script(name: str) -> str:
    """`lua/NAME.lua` after what all of them begin with."""
    folder = resources.files(__package__) / "lua"
    return "".join((folder / f"{part}.lua").read_text("utf-8") for part in ("common", name))


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


# Models with a limit, by name; each is a label.
MAX_MODELS = 100

_DOCUMENTED = {
    "requests_per_minute_limit": "Requests a minute in force, set or stated",
    "tokens_per_minute_limit": "Tokens a minute in force, set or stated",
    "in_flight_limit": "Calls in flight that are allowed",
    "limit_allowance_ratio": "Share of the limits that is used at present",
    "in_flight": "Calls in flight of all workers, where they are limited",
    "waiting": "Verdicts and calls of jobs that wait for their allowance",
    "held_seconds": "Seconds for which nothing is asked after a refusal",
}


def limit_families(states: Sequence[LimitState]) -> list[GaugeMetricFamily]:
    """Gauges by judge; a figure without a value is left out, as all but the limits that are set are
    while Redis is away."""
    families = [
        GaugeMetricFamily(f"searchqa_judge_{name}", documentation, labels=["judge_model"])
        for name, documentation in _DOCUMENTED.items()
    ]
    for state in states[:MAX_MODELS]:
        limit, known = state.limit, state.allowance is not None
        values = (
            *(limit.requests, limit.tokens, limit.in_flight),
            *(state.allowance, state.in_flight, state.waiting),
            state.held_seconds if known else None,
        )
        for family, value in zip(families, values, strict=True):
            if value is not None:
                family.add_metric([state.model], value)
    return families
