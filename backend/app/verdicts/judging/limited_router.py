"""A router that counts its calls against the limits that all workers share."""

import asyncio
from http import HTTPStatus
from math import ceil
from time import perf_counter

from app.ai_router.estimate import tokens_in
from app.ai_router.limits.shared import SharedLimits
from app.ai_router.types import ChatRequest, ChatResponse, ChatRouter, ModelName
from app.judges.estimate import REPLY_SHARE
from app.platform.errors import ProviderError, Throttled, TransientProviderError
from app.verdicts.judging.reply_cache import reply_of

# For so many seconds after a refusal a model is left alone, where its server does not say for how
# long; a longer Retry-After is the circuit breaker's.
COOLDOWN_SECONDS, MAX_COOLDOWN_SECONDS = 1.0, 60.0
# An allowance that has shrunk this far does not help: then the judge is failing.
MIN_ALLOWANCE = 0.06


class LimitedRouter:
    """Wraps a router. It never waits: an admitted caller may call, and what it takes beyond
    the estimate is waited for by those that come next."""

    def __init__(self, router: ChatRouter, limits: SharedLimits) -> None:
        self._router = router
        self._limits = limits
        self._model = str(router.model)

    @property
    def model(self) -> ModelName:
        return self._router.model

    async def chat(self, request: ChatRequest) -> ChatResponse:
        """As AIRouter.chat. Raises Throttled besides."""
        start = perf_counter()
        try:
            reply = await self._router.chat(request)
        except asyncio.CancelledError:
            self._count(request, None, start, cut_off=True)
            raise
        except ProviderError as error:
            if _is_rate_limit(error) and self._model in self._limits:
                self._reduce_rate(error.retry_after)
                if self._can_wait(error.retry_after):
                    raise _throttled(error) from error
            else:
                late = isinstance(error.__cause__, TimeoutError)
                self._count(request, reply_of(error), start, cut_off=late)
            raise
        self._count(request, reply, start)
        return reply

    def _count(
        self, request: ChatRequest, reply: ChatResponse | None, start: float, cut_off: bool = False
    ) -> None:
        """cut_off: no reply came in time."""
        if self._model not in self._limits:
            return
        settlement = self._limits.unsettled(self._model)
        settlement.requests += 1
        estimated = estimated_tokens(request)
        if reply and reply.prompt_tokens is not None and reply.completion_tokens is not None:
            used = reply.prompt_tokens + reply.completion_tokens
            settlement.tokens += used
            settlement.estimated += estimated
            settlement.used += used
        else:
            settlement.tokens += estimated
        if reply or cut_off:
            # A server that fails at once is not a fast one.
            settlement.calls += 1
            settlement.seconds += perf_counter() - start

    def _reduce_rate(self, retry_after: float | None) -> None:
        settlement = self._limits.unsettled(self._model)
        settlement.refused = True
        rest = COOLDOWN_SECONDS if retry_after is None else min(retry_after, MAX_COOLDOWN_SECONDS)
        settlement.rest = max(settlement.rest, rest)

    def _can_wait(self, retry_after: float | None) -> bool:
        """Whether it helps that all workers ask it less."""
        in_time = (retry_after or 0) <= MAX_COOLDOWN_SECONDS
        return in_time and self._limits.allowance(self._model) >= MIN_ALLOWANCE


def _is_rate_limit(error: ProviderError) -> bool:
    """And not a quota that is used up, which is refused with the same status."""
    is_transient = isinstance(error, TransientProviderError)
    return is_transient and error.status == HTTPStatus.TOO_MANY_REQUESTS


def _throttled(error: ProviderError) -> Throttled:
    return Throttled(
        str(error),
        status=error.status,
        body_excerpt=error.body_excerpt,
        retry_after=error.retry_after,
        cause=error.cause,
    )


def estimated_tokens(request: ChatRequest) -> int:
    """As app.judges.estimate counts them before a request is made."""
    sent = sum(len(message.content.encode("utf-8", "replace")) for message in request.messages)
    return tokens_in(sent) + ceil(request.max_tokens * REPLY_SHARE)
