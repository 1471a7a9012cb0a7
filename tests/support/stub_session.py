"""A session of aiohttp that asks a function instead of a server."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import cast

import aiohttp
import httpx

from app.ai_router.providers.http import OpenSession


def answered_by(handler: Callable[[httpx.Request], object]) -> OpenSession:
    """`handler` takes an httpx.Request and returns, or is a coroutine that returns, an
    httpx.Response."""
    transport = httpx.MockTransport(handler)  # type: ignore[arg-type]  # as httpx types it

    def open_session(headers: Mapping[str, str]) -> aiohttp.ClientSession:
        return cast("aiohttp.ClientSession", _Session(transport, headers))

    return open_session


class _Session:
    def __init__(self, transport: httpx.MockTransport, headers: Mapping[str, str]) -> None:
        self._transport = transport
        self._headers = {"user-agent": "searchqa", **headers}

    @asynccontextmanager
    async def request(
        self, method: str, url: str, *, data: bytes, headers: Mapping[str, str], **_: object
    ) -> AsyncIterator["_Response"]:
        sent = {**self._headers, **headers}
        request = httpx.Request(method, url, content=data, headers=sent)
        response = await self._transport.handle_async_request(request)
        yield _Response(response.status_code, response.headers, _Content(await response.aread()))

    async def close(self) -> None:
        pass


@dataclass
class _Response:
    status: int
    headers: Mapping[str, str]
    content: "_Content"


class _Content:
    def __init__(self, body: bytes) -> None:
        self._body = body

    async def readany(self) -> bytes:
        body, self._body = self._body, b""
        return body

    async def iter_any(self) -> AsyncIterator[bytes]:
        yield self._body
