"""The limits of models as all workers share them: in Redis, by two scripts."""

import asyncio
import logging
import math
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from redis.commands.core import AsyncScript
from redis.exceptions import ResponseError

from app.ai_router.limits.model_limit import NO_LIMIT, Ask, Gcra, Known, Settlement, Taken, lower
from app.ai_router.limits.states import (
    MODELS_KEY,
    OPEN,
    REDIS_TIMEOUT,
    SHOWN_SECONDS,
    STATED,
    UNAVAILABLE,
    keys_of,
    load_script,
)
from app.platform.servers.redis_client import open_async_redis
from app.platform.setting_types import ModelLimit

logger = logging.getLogger(__name__)

# While Redis is away it is asked again after so many seconds.
_RETRY_SECONDS = 2.0
# What has ended is settled in one script for so many seconds' worth of it.
_SETTLE_SECONDS = 0.01
# A model is listed again after so many seconds.
_LIST_SECONDS = 3600.0


class SharedLimits:
    """For one event loop. Models without a limit, set or stated, cost nothing here once their first
    replies have shown it.

    configured: by `provider:model`. While Redis is away each worker keeps to its part of the last
    known allowance; the bursts are smaller by as much.
    """

    def __init__(
        self, configured: Mapping[str, ModelLimit], redis_url: str | None, *, call_seconds: float
    ) -> None:
        """redis_url: without one, this process is the only one. call_seconds: after which a call
        in flight is given up."""
        self._configured = configured
        self._known = {model: Known() for model in configured}
        # Models whose replies state no limit.
        self._open: set[str] = set()
        self._learns = False
        self._redis = open_async_redis(
            redis_url or "redis://", seconds=REDIS_TIMEOUT, decode_responses=True
        )
        self._take = self._redis.register_script(load_script("take"))
        self._settle = self._redis.register_script(load_script("settle"))
        self._worker_id = str(uuid.uuid4())
        self._call_seconds = call_seconds
        # Called with a model whose calls in flight are limited and have become fewer.
        self.on_ended: Callable[[str], None] = lambda _: None
        self._away_until: float | None = None if redis_url else math.inf
        self._unsettled: dict[str, Settlement] = {}
        self._settling: asyncio.Task[None] | None = None
        self._listed_at: dict[str, float] = {}

    def __bool__(self) -> bool:
        """Whether any model is limited, or may be for all that is known."""
        return bool(self._known)

    def __contains__(self, model: str) -> bool:
        return model in self._known

    def models(self) -> list[str]:
        """Those that are limited, or may be."""
        return list(self._known)

    def allowance(self, model: str) -> float:
        """The share of the limits that is used at present, by the state of this process."""
        known = self._known.get(model)
        return known.allowance if known else 1.0

    def track(self, model: str) -> None:
        """It is going to be called. If nothing is known of it, few calls are let out until its
        first replies have come; not where limits are not learned."""
        if self._learns and model not in self._known and model not in self._open:
            self._known[model] = Known(is_new=True)

    def learn(self, model: str, stated: ModelLimit) -> None:
        """Limits that a reply of the model's server states."""
        if stated == NO_LIMIT:
            return
        self._open.discard(model)
        known = self._known.setdefault(model, Known())
        if stated != known.stated:
            known.stated = stated
            known.is_new = False
            self.unsettled(model).stated = stated

    async def load(self, *, learned: bool) -> None:
        """Has this process know what others have learned of models in the last day. Not learned:
        what replies have stated until now holds for no worker any more."""
        self._learns = learned
        if self._away_until is not None:
            return
        try:
            since = time.time() - SHOWN_SECONDS
            found = [str(one) for one in await self._redis.zrangebyscore(MODELS_KEY, since, "+inf")]
            for model in found:
                await self._load(model)
            if not learned:
                await self._redis.delete(MODELS_KEY)
        except UNAVAILABLE as error:
            self._away(error)

    async def _load(self, model: str) -> None:
        state = keys_of(model)[0]
        if not self._learns:
            await self._redis.hdel(state, *STATED)
            return
        is_open, *stated = await self._redis.hmget(state, OPEN, *STATED)
        if any(stated):
            self._known.setdefault(model, Known())
        elif is_open and model not in self._configured:
            self._open.add(model)

    async def take(self, model: str, asks: Sequence[Ask], waiting: int = 0) -> Taken:
        """Reserves for as many of them as may go now, from the first on. waiting: how many wait in
        this process, if more than these."""
        known = self._known.get(model)
        if known is None:
            return Taken(len(asks), 0.0, 1.0)
        waiting = max(waiting, len(asks))
        arguments: list[str | float] = [self._worker_id, self._call_seconds, waiting]
        for ask in asks:
            arguments += [ask.id, ask.requests, ask.tokens, int(ask.bulk)]
        reply = await self._run(self._take, model, arguments)
        if reply is None:
            scaled = [ask._replace(tokens=round(ask.tokens * known.ratio)) for ask in asks]
            alone = self._alone(model, known)
            return Taken(*alone.take(time.monotonic(), scaled), known.ratio)
        return Taken(int(reply[0]), float(reply[1]), float(reply[2]))

    def unsettled(self, model: str) -> Settlement:
        """What is not settled yet: to be added to, at once. It is settled in a moment, or never
        where the model has turned out to have no limits."""
        if model not in self._known:
            return Settlement()
        found = self._unsettled.get(model)
        if found is None:
            found = self._unsettled[model] = Settlement()
            if self._settling is None or self._settling.done():
                self._settling = asyncio.create_task(self._settle_soon())
        return found

    async def settled(self) -> None:
        """Returns once what has ended until now is settled."""
        if self._settling is not None:
            await asyncio.shield(self._settling)

    async def aclose(self) -> None:
        """Settles the rest and disconnects."""
        await self.settled()
        with suppress(*UNAVAILABLE):
            await self._redis.aclose()

    async def _settle_soon(self) -> None:
        while self._unsettled:
            await asyncio.sleep(_SETTLE_SECONDS)
            unsettled, self._unsettled = self._unsettled, {}
            for model, one in unsettled.items():
                known = self._known.get(model)
                if known is None:
                    continue
                makes_room = known.is_new or self._configured.get(model, NO_LIMIT).in_flight
                await self._settle_one(model, known, one)
                if one.ended and makes_room:
                    self.on_ended(model)

    async def _settle_one(self, model: str, known: Known, one: Settlement) -> None:
        arguments: list[str | float] = [one.requests, one.tokens, one.estimated, one.used]
        arguments += [one.calls, one.seconds, int(one.refused), one.rest]
        arguments += [one.stated.requests or 0, one.stated.tokens or 0]
        for id_, requests in one.ended:
            arguments += [id_, requests]
        if await self._run(self._settle, model, arguments) is None:
            alone, now = self._alone(model, known), time.monotonic()
            alone.charge(now, one.requests, one.tokens)
            alone.release([id_ for id_, _ in one.ended])
            if one.refused:
                alone.hold(now + one.rest)
            alone.replied(one.calls)
            if known.is_new and not alone.is_new:
                self._end_slow_start(model)

    def _end_slow_start(self, model: str) -> None:
        """Its replies state no limit."""
        self._known.pop(model, None)
        self._open.add(model)

    def _alone(self, model: str, known: Known) -> Gcra:
        return known.alone(self._configured.get(model, NO_LIMIT))

    async def _run(
        self, script: AsyncScript, model: str, arguments: list[str | float]
    ) -> list[str] | None:
        """None while Redis is away."""
        if self._away_until is not None and time.monotonic() < self._away_until:
            return None
        limit = self._configured.get(model, NO_LIMIT)
        given = [-1, *(each or 0 for each in limit), *arguments]
        try:
            await self._list(model)
            reply: list[str] = await script(keys_of(model), given)
        except UNAVAILABLE as error:
            self._away(error)
            return None
        self._back()
        if reply[7] == "open":
            self._end_slow_start(model)
            return reply
        known = self._known.get(model, Known())
        known.is_new = reply[7] == "new"
        known.ratio, known.allowance = float(reply[2]), float(reply[4])
        known.workers = max(1, int(reply[3]))
        known.limit = ModelLimit(int(float(reply[5])) or None, int(float(reply[6])) or None)
        if lower(known.limit, known.stated) != known.limit:
            # A Redis that was emptied is to hear of it again with the next reply.
            known.stated = NO_LIMIT
        return reply

    async def _list(self, model: str) -> None:
        now = time.time()
        if now - self._listed_at.get(model, 0) > _LIST_SECONDS:
            await self._redis.zadd(MODELS_KEY, {model: now})
            self._listed_at[model] = now

    def _away(self, error: Exception) -> None:
        if self._away_until is None:
            if isinstance(error, ResponseError):
                reason = f"it refuses the scripts ({error}); allow EVALSHA and SCRIPT LOAD"
            else:
                reason = str(error) or "no answer in time"
            logger.warning("Each worker keeps to its part of the judges' limits: Redis: %s", reason)
        self._away_until = time.monotonic() + _RETRY_SECONDS

    def _back(self) -> None:
        if self._away_until is not None:
            self._away_until = None
            self._listed_at.clear()
            for known in self._known.values():
                known.share_again()
            logger.info("Redis answers; workers share the judges' limits again")
