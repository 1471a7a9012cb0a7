"""What every remote model server needs: one session, a total deadline, a cap on the reply."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from types import TracebackType
from typing import IO, Any
from urllib.request import getproxies, proxy_bypass

import aiohttp
from pydantic_core import PydanticSerializationError, to_json
from yarl import URL

from app.ai_router.providers.failures import failure
from app.platform.errors import ConfigurationError, MalformedOutput, TransientProviderError
from app.platform.servers.tls import https_context
from app.platform.spans import TRACEPARENT, child_traceparent

REPLY_CAP = 2 * 1024 * 1024
CONNECT_TIMEOUT = 10.0

_JSON = "application/json"
_THIS_MACHINE = frozenset({"127.0.0.1", "localhost", "::1"})

# A session of the running loop that sends these headers with each request.
OpenSession = Callable[[Mapping[str, str]], aiohttp.ClientSession]
# Called with the `provider:model` and the headers of each reply, whatever its status.
OnReply = Callable[[str, Mapping[str, str]], None]


def open_session(headers: Mapping[str, str]) -> aiohttp.ClientSession:
    """aiohttp's own, because httpx scans its whole pool on each request, and its requests and
    responses around aiohttp's cost as much again as a call that is one of many.
    docs/decisions/0021-models-are-called-through-aiohttp.md has the figures.

    No limit on connections (0 means that to aiohttp): the caller bounds what is in flight. Idle
    ones are dropped before common servers (uvicorn and Node: 5 s) drop them, so that no
    request meets a closing one. Cookies are of no use to an API for programs.
    """
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=4.0, ssl=https_context())
    return aiohttp.ClientSession(
        connector=connector,
        headers={"accept-encoding": "identity", "user-agent": "searchqa", **headers},
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_TIMEOUT),
        cookie_jar=aiohttp.DummyCookieJar(),
    )


class Deadline:
    """A point in time of the running loop, `seconds` after it is made.

    Use it with `async with` around each wait for the server: late and broken connections become
    ProviderErrors. It bounds each wait instead of a whole call by one timeout, because
    a stream is a generator: a timeout around its `yield` would cancel whatever its reader awaits
    then.
    """

    def __init__(self, vendor: str, seconds: float) -> None:
        self._vendor = vendor
        self._seconds = seconds
        self._at = asyncio.get_running_loop().time() + seconds
        self._waiting: asyncio.Timeout

    async def __aenter__(self) -> None:
        self._waiting = asyncio.timeout_at(self._at)
        await self._waiting.__aenter__()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            await self._waiting.__aexit__(kind, error, traceback)
        except TimeoutError as late:
            raise self._late() from late
        if isinstance(error, aiohttp.InvalidURL):
            raise ConfigurationError(
                f"The address of {self._vendor} is not usable; check it in the settings."
            ) from error
        # A connection that takes too long to be made is both.
        if isinstance(error, TimeoutError) and not isinstance(error, aiohttp.ClientError):
            raise self._late() from error
        if isinstance(error, (aiohttp.ClientError, OSError)):
            raise TransientProviderError(f"The connection to {self._vendor} failed.") from error

    def _late(self) -> TransientProviderError:
        return TransientProviderError(f"{self._vendor} took longer than {self._seconds:g} s.")


def append_path(base_url: str, path: str) -> URL:
    """The address of `path` below a base address, whose query is kept."""
    base = URL(base_url)
    return base.with_path(base.path.rstrip("/") + path, keep_query=True)


class Endpoint:
    """One address of one vendor that takes JSON by POST, and others of the same server, for one
    event loop; close it there.

    `headers` and `secret` go with each request; where a server repeats the secret, it is cut
    out before the reply becomes part of an error. A proxy of the environment is used, but not
    for this machine.
    """

    def __init__(
        self,
        vendor: str,
        url: URL,
        headers: Mapping[str, str],
        secret: str | None,
        open_session: OpenSession = open_session,
        on_reply: OnReply | None = None,
    ) -> None:
        self.vendor = vendor
        self._on_reply = on_reply
        self.url = str(url)
        self._headers = headers
        self._secret = secret
        self._proxy = _proxy_of_environment(url)
        self._open_session = open_session
        self._session: aiohttp.ClientSession | None = None

    @asynccontextmanager
    async def open(self, body: Mapping[str, Any]) -> AsyncIterator[aiohttp.ClientResponse]:
        """A 2xx reply whose body is still to be read. Raises ProviderError for another reply. The
        request joins the trace that it is made in, see `app.platform.spans`.

        Entering it waits for the server, and so does reading: do both in a `Deadline`.
        """
        async with self._sent("POST", self.url, encode(body)) as response:
            await self._accept(body, response)
            yield response

    @asynccontextmanager
    async def request(
        self, method: str, url: str, data: bytes | IO[bytes] | None = None, *, kind: str = _JSON
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """The same for another address of this server. kind: what `data` is, as in Content-Type."""
        async with self._sent(method, url, data, kind) as response:
            await self._refuse_failures(response)
            yield response

    async def _accept(self, body: Mapping[str, Any], response: aiohttp.ClientResponse) -> None:
        """Raises ProviderError unless it is a 2xx reply."""
        if self._on_reply:
            self._on_reply(f"{self.vendor}:{body['model']}", response.headers)
        await self._refuse_failures(response)

    def _sent(
        self, method: str, url: str, data: bytes | IO[bytes] | None, kind: str = _JSON
    ) -> AbstractAsyncContextManager[aiohttp.ClientResponse]:
        if self._session is None:
            # aiohttp would raise ValueError for each call.
            if not all(map(str.isprintable, self._headers.values())):
                raise ConfigurationError("A key of a model server holds characters no key has.")
            self._session = self._open_session(self._headers)
        traceparent = child_traceparent()
        return self._session.request(
            method,
            url,
            data=data,
            headers={"content-type": kind, **({TRACEPARENT: traceparent} if traceparent else {})},
            allow_redirects=False,
            proxy=self._proxy,
        )

    async def aclose(self) -> None:
        """Frees all connections."""
        if self._session is not None:
            await self._session.close()

    async def ask(self, body: Mapping[str, Any], *, cap: int = REPLY_CAP) -> str:
        """A 2xx reply as text. Raises ProviderError for another reply, and for one of more than
        `cap` bytes; wait for it in a `Deadline`."""
        # `open` would be a generator more for each call.
        async with self._sent("POST", self.url, encode(body)) as response:
            await self._accept(body, response)
            return await self.read(response, cap=cap)

    async def read(self, response: aiohttp.ClientResponse, *, cap: int = REPLY_CAP) -> str:
        """The whole body as text. Raises MalformedOutput when it has more than `cap` bytes."""
        size = 0
        chunks: list[bytes] = []
        async for chunk in response.content.iter_any():
            size += len(chunk)
            if size > cap:
                raise MalformedOutput(
                    f"{self.vendor} sent more than {cap // 1024} KiB.",
                    status=response.status,
                    body_excerpt=self.redact(_decode(chunks[:1])),
                )
            chunks.append(chunk)
        return _decode(chunks)

    def redact(self, text: str) -> str:
        """The text without the key."""
        return text.replace(self._secret, "[key]") if self._secret else text

    async def _refuse_failures(self, response: aiohttp.ClientResponse) -> None:
        if not 200 <= response.status < 300:
            text = self.redact(await self.read(response))
            raise failure(self.vendor, response.status, response.headers, text)
        if "html" in response.headers.get("content-type", ""):
            text = self.redact(await self.read(response))
            raise TransientProviderError(
                f"{self.vendor} answered with a web page; check that its address in the"
                " settings is that of the API.",
                status=response.status,
                body_excerpt=text,
            )


def encode(body: Mapping[str, Any]) -> bytes:
    """JSON in UTF-8. Lone surrogates, which broken input may hold, become question marks:
    servers refuse them, and one such note must not look like a wrong configuration."""
    try:
        return to_json(body)
    except PydanticSerializationError:
        text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
        return text.encode("utf-8", "replace")


def _decode(chunks: list[bytes]) -> str:
    return b"".join(chunks).decode("utf-8", "replace")


def _proxy_of_environment(url: URL) -> str | None:
    host = url.host or ""
    if host in _THIS_MACHINE or proxy_bypass(host):
        return None
    proxies = getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    return f"http://{proxy}" if proxy and "://" not in proxy else proxy
