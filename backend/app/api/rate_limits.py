"""How much one token may ask, and how often one address may try tokens that are none."""

import hashlib
import ipaddress
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Request
from limits import RateLimitItem, parse

from app.api.rate_counter import RateCounter
from app.errors import TooManyRequests, Unauthenticated
from app.settings import OFF, Settings

_CHANGING = {"POST", "PUT", "PATCH"}
_MOST_KNOWN = 10_000


class RateLimits:
    """Two limits a token, for calls that cost something (every POST: questions, imports,
    answers to judge) and for all others; one an address, for wrong tokens and login links.

    Each method raises TooManyRequests, and lets pass while Redis is away.
    """

    def __init__(self, counter: RateCounter, settings: Settings) -> None:
        self._counter = counter
        self._reads = _parse(settings.rate_limit)
        self._writes = _parse(settings.rate_limit_writes)
        self._guesses = _parse(settings.rate_limit_guesses)
        self._known: dict[bytes, None] = {}

    async def count(self, request: Request, token_id: uuid.UUID | None) -> None:
        """Counts one request of a token that was found to be good; None is nobody's token."""
        name, limit = (
            ("write", self._writes) if request.method in _CHANGING else ("read", self._reads)
        )
        if limit is None or token_id is None:
            return
        wait = await self._counter.hit(limit, name, str(token_id))
        if wait is not None:
            raise TooManyRequests(
                f"Too many requests with this token, {_spoken(limit)} are allowed;"
                f" try again in {wait} s.",
                ko=f"이 토큰의 요청이 너무 많습니다({_spoken(limit)}까지)."
                f" {wait}초 후에 다시 시도하세요.",
                headers=_headers(name, limit, wait),
            )

    @asynccontextmanager
    async def guessing(self, request: Request, secret: str) -> AsyncIterator[None]:
        """Goes around the check of a token or login code, and counts it when it is none.

        An address over the limit is refused unchecked, but for secrets that were good before:
        behind a proxy all clients have one address, and one of them must not shut out the rest.
        """
        limit, address = self._guesses, _address(request)
        if limit is None or address is None:
            yield
            return
        digest = hashlib.sha256(secret.encode()).digest()
        if digest not in self._known:
            self._refuse(limit, self._counter.spent(limit, "guess", address))
        try:
            yield
        except Unauthenticated:
            self._known.pop(digest, None)
            self._refuse(limit, await self._counter.hit(limit, "guess", address))
            raise
        self._keep(digest)

    def _keep(self, digest: bytes) -> None:
        if digest not in self._known and len(self._known) >= _MOST_KNOWN:
            del self._known[next(iter(self._known))]
        self._known[digest] = None

    @staticmethod
    def _refuse(limit: RateLimitItem, wait: int | None) -> None:
        if wait is not None:
            raise TooManyRequests(
                f"Too many wrong tokens or login links from this address; try again in {wait} s.",
                ko="이 주소에서 잘못된 토큰이나 로그인 링크를 너무 많이 보냈습니다."
                f" {wait}초 후에 다시 시도하세요.",
                headers=_headers("guess", limit, wait),
            )


def _parse(written: str) -> RateLimitItem | None:
    return None if written == OFF else parse(written)


def _address(request: Request) -> str | None:
    """The client's address; of IPv6 the network of 64 bits, which one client has to itself."""
    if request.client is None:
        return None
    host = request.client.host
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return host
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(address) >> 64 << 64, 64)))


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
