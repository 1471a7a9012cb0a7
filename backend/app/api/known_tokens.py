"""Tokens that were good lately, for calls that are answered while PostgreSQL is away."""

import asyncio
import hashlib
import time
from collections import Counter, OrderedDict
from collections.abc import Coroutine
from typing import Any

from fastapi import Request

from app.api.problems import DATABASE_AWAY
from app.platform.errors import Unauthenticated
from app.workspaces.service import Principal

# PostgreSQL is asked each time, and waited for so long (seconds).
LOOKUP_SECONDS = 0.3
# What it said is believed for so long while it is away.
KEPT_SECONDS = 3_600.0
_MAX_KEPT = 10_000


class KnownTokens:
    """Of one process. Only for what reads nothing of a workspace: a token that was revoked just
    before an outage is believed meanwhile."""

    def __init__(self) -> None:
        self._kept: OrderedDict[bytes, tuple[Principal, float]] = OrderedDict()
        self._hanging: Counter[bytes] = Counter()

    async def principal(
        self, request: Request, lookup: Coroutine[Any, Any, Principal]
    ) -> tuple[Principal, bool]:
        """What the lookup gives, and True; or what it gave before, and False, when PostgreSQL
        cannot be asked or is not done in time. Raises what the lookup raises where nothing is
        known."""
        key = _key(request)
        known = self._known(key)
        if known is None:
            return await self._look_up(key, lookup), True
        if self._hanging[key]:  # no more of a token's lookups shall hang than did at the start
            lookup.close()
            return known, False
        looking = asyncio.ensure_future(self._look_up(key, lookup))
        await asyncio.wait({looking}, timeout=LOOKUP_SECONDS)
        if not looking.done():
            self._hanging[key] += 1
            looking.add_done_callback(lambda task: self._end(key, task))
            return known, False
        try:
            return looking.result(), True
        except DATABASE_AWAY:
            return known, False

    async def _look_up(self, key: bytes, lookup: Coroutine[Any, Any, Principal]) -> Principal:
        """Also where it ends after its caller was answered: a slow database revokes tokens too."""
        try:
            return self._keep(key, await lookup)
        except Unauthenticated:
            self._kept.pop(key, None)
            raise

    def _end(self, key: bytes, looking: asyncio.Task[Principal]) -> None:
        self._hanging[key] -= 1
        if not self._hanging[key]:
            del self._hanging[key]
        if not looking.cancelled():
            looking.exception()  # asyncio logs what nobody has asked for

    def _known(self, key: bytes) -> Principal | None:
        principal, at = self._kept.get(key, (None, 0.0))
        return principal if time.monotonic() - at <= KEPT_SECONDS else None

    def _keep(self, key: bytes, principal: Principal) -> Principal:
        self._kept[key] = principal, time.monotonic()
        self._kept.move_to_end(key)
        if len(self._kept) > _MAX_KEPT:
            self._kept.popitem(last=False)
        return principal


def _key(request: Request) -> bytes:
    sent = (request.headers.get(name, "") for name in ("authorization", "cookie"))
    return hashlib.sha256("\n".join(sent).encode()).digest()
