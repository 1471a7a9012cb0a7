"""What a call counts against the limits of its model, whatever becomes of it."""

import asyncio
from contextlib import suppress
from dataclasses import replace

import pytest

from app.ai_router.limits.model_limit import Settlement
from app.ai_router.limits.shared import SharedLimits
from app.ai_router.router import Providers
from app.ai_router.types import ChatRequest, ChatResponse, ChatRouter, Message
from app.platform.errors import ConfigurationError, ProviderError, TransientProviderError
from app.platform.setting_types import ModelLimit
from app.platform.settings import Settings
from app.verdicts.judging.limited_router import LimitedRouter, estimated_tokens
from scripted_router import PAID, ScriptedRouter
from stub_server import StubServer, hang

MODEL = f"{PAID.provider}:{PAID.model}"
REQUEST = ChatRequest([Message("user", "Is it so?")], 0, 100)
ESTIMATE = estimated_tokens(REQUEST)


def reply(prompt_tokens: int | None, completion_tokens: int | None) -> ChatResponse:
    return replace(PAID, prompt_tokens=prompt_tokens, completion_tokens=completion_tokens)


async def counted(end: ChatResponse | BaseException) -> Settlement:
    """What a call that ends so leaves to be settled."""

    def respond(_: ChatRequest) -> ChatResponse:
        if isinstance(end, BaseException):
            raise end
        return end

    return await counted_by(ScriptedRouter(respond=respond, like=PAID))


async def counted_by(router: ChatRouter) -> Settlement:
    limits = SharedLimits({MODEL: ModelLimit(600)}, None, call_seconds=90)
    with suppress(ProviderError, asyncio.CancelledError):
        await LimitedRouter(router, limits).chat(REQUEST)
    settlement = limits.unsettled(MODEL)
    await limits.settled()
    return settlement


async def test_a_reply_counts_what_it_says_that_it_took():
    settlement = await counted(reply(70, 5))

    assert (settlement.requests, settlement.tokens, settlement.calls) == (1, 75, 1)
    assert (settlement.estimated, settlement.used) == (ESTIMATE, 75)


@pytest.mark.parametrize(
    ("end", "calls"),
    [
        pytest.param(reply(None, None), 1, id="a server that counts no tokens"),
        pytest.param(asyncio.CancelledError(), 1, id="cut off"),
        pytest.param(TransientProviderError("refused"), 0, id="no connection"),
        pytest.param(TransientProviderError("", status=503), 0, id="an error at once"),
    ],
)
async def test_missing_usage_is_estimated_and_a_quick_failure_is_not_fast(end, calls):
    settlement = await counted(end)

    assert (settlement.requests, settlement.tokens, settlement.calls) == (1, ESTIMATE, calls)
    assert (settlement.estimated, settlement.used) == (0, 0), "says nothing of the estimates"


async def test_a_server_that_does_not_reply_in_time_is_slow():
    async with (
        StubServer(hang()) as stub,
        Providers(Settings(_env_file=None, openai_base_url=stub.base_url)) as providers,
    ):
        settlement = await counted_by(providers.router(MODEL, deadline=0.05))

    assert (settlement.requests, settlement.tokens, settlement.calls) == (1, ESTIMATE, 1)
    assert settlement.seconds >= 0.05


async def test_a_refusal_for_the_rate_is_waited_for_and_no_debt():
    settlement = await counted(TransientProviderError("", status=429, retry_after=7))

    assert (settlement.refused, settlement.rest, settlement.requests) == (True, 7, 0)


async def test_a_quota_that_is_used_up_is_no_rate_to_wait_for():
    settlement = await counted(ConfigurationError("", status=429, cause="insufficient_quota"))

    assert not settlement.refused
