"""What is believed of a token while PostgreSQL is slow or away."""

import asyncio
import uuid
from collections.abc import Coroutine
from typing import Any

import psycopg
import pytest
from starlette.requests import Request

from app.api import known_tokens
from app.api.known_tokens import KnownTokens
from app.platform.errors import TooManyRequests, Unauthenticated
from app.workspaces.service import Principal
from cases import eventually

REQUEST = Request({"type": "http", "headers": [(b"authorization", b"Bearer sq_1")]})
PRINCIPAL = Principal(uuid.uuid4(), uuid.uuid4(), frozenset())


async def lookup(error: Exception | None = None, after: asyncio.Event | None = None) -> Principal:
    if after:
        await after.wait()
    if error:
        raise error
    return PRINCIPAL


async def known(tokens: KnownTokens, looking: Coroutine[Any, Any, Principal]) -> bool:
    """Whether it was looked up now."""
    principal, is_looked_up = await tokens.principal(REQUEST, looking)
    assert principal is PRINCIPAL
    return is_looked_up


async def test_a_token_that_a_slow_database_refuses_late_is_known_no_more(monkeypatch):
    monkeypatch.setattr(known_tokens, "LOOKUP_SECONDS", 0.01)
    tokens, answered = KnownTokens(), asyncio.Event()
    assert await known(tokens, lookup())
    assert not await known(tokens, lookup(Unauthenticated("revoked"), after=answered))
    assert not await known(tokens, lookup()), "one lookup hangs at a time"

    answered.set()
    await eventually(lambda: not tokens._hanging)

    with pytest.raises(psycopg.OperationalError):
        await known(tokens, lookup(psycopg.OperationalError()))


async def test_a_token_over_its_limit_is_known_all_the_same(monkeypatch):
    monkeypatch.setattr(known_tokens, "LOOKUP_SECONDS", 0.01)
    tokens = KnownTokens()
    assert await known(tokens, lookup())
    with pytest.raises(TooManyRequests):
        await known(tokens, lookup(TooManyRequests("too many")))
    never = asyncio.Event()

    assert not await known(tokens, lookup(after=never))
    never.set()
