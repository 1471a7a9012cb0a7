"""What every remote model server needs: one client, a total deadline, a cap on the reply."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import httpx
from httpx_aiohttp import HttpxAiohttpClient
from pydantic_core import PydanticSerializationError, to_json

from app.ai_router.providers.failures import failure
from app.errors import ConfigurationError, MalformedOutput, TransientProviderError

REPLY_CAP = 2 * 1024 * 1024
CONNECT_TIMEOUT = 10.0


class Client(HttpxAiohttpClient):
    """httpx's client with a shorter way for a POST."""

    async def post_json(
        self, url: httpx.URL, content: bytes, headers: httpx.Headers
    ) -> httpx.Response:
        """A response to be read and closed. An API for programs has no use for what `send` does
        about cookies, redirects and logins, which takes as long as the exchange itself."""
        timeout = {"timeout": self.timeout.as_dict()}
        request = httpx.Request("POST", url, content=content, headers=headers, extensions=timeout)
        return await self._transport_for_url(url).handle_async_request(request)


def create_client(transport: httpx.AsyncBaseTransport | None = None) -> Client:
    """A client for one event loop; close it there with `aclose`.

    aiohttp carries the connections, because httpx scans its whole pool on each request. No
    limit on connections (0 means that to aiohttp): the caller bounds what is in flight. Idle
    ones are dropped before common servers (uvicorn and Node: 5 s) drop them, so that no
    request meets a closing one. Proxies of the environment are used, but not for this machine.
    """
    return Client(
        transport=transport,
        limits=httpx.Limits(max_connections=0, keepalive_expiry=4.0),
        timeout=httpx.Timeout(None, connect=CONNECT_TIMEOUT),
        headers={"accept-encoding": "identity", "user-agent": "searchqa"},
        follow_redirects=False,
        mounts={"all://127.0.0.1": None, "all://localhost": None, "all://[::1]": None},
    )


class Deadline:
    """A point in time of the running loop, `seconds` after it is made.

    It bounds each wait by itself instead of a whole call by one timeout, because a stream is
    a generator: a timeout around its `yield` would cancel whatever its reader awaits then.
    """

    def __init__(self, vendor: str, seconds: float) -> None:
        self._vendor = vendor
        self._seconds = seconds
        self._at = asyncio.get_running_loop().time() + seconds

    @asynccontextmanager
    async def waiting(self) -> AsyncIterator[None]:
        """Around a wait for the server: late and broken connections become ProviderErrors."""
        try:
            async with asyncio.timeout_at(self._at):
                yield
        except TimeoutError as error:
            raise TransientProviderError(
                f"{self._vendor} took longer than {self._seconds:g} s."
            ) from error
        except (httpx.UnsupportedProtocol, httpx.LocalProtocolError) as error:
            raise ConfigurationError(
                f"The address of {self._vendor} is not usable; check it in the settings."
            ) from error
        except (httpx.HTTPError, aiohttp.ClientError, OSError) as error:
            raise TransientProviderError(f"The connection to {self._vendor} failed.") from error


class Endpoint:
    """One address of one vendor that takes JSON by POST.

    `headers` and `secret` go with each request; where a server repeats the secret, it is cut
    out before the reply becomes part of an error.
    """

    def __init__(
        self,
        client: Client,
        vendor: str,
        url: httpx.URL,
        headers: Mapping[str, str],
        secret: str | None,
    ) -> None:
        self.vendor = vendor
        self.url = url
        self._client = client
        self._headers = httpx.Headers(
            {**client.headers, "content-type": "application/json", **headers}
        )
        self._secret = secret

    @asynccontextmanager
    async def open(self, body: Mapping[str, Any]) -> AsyncIterator[httpx.Response]:
        """A 2xx reply whose body is still to be read. Raises ProviderError for another reply.

        Entering it waits for the server, and so does reading: do both in `Deadline.waiting`.
        """
        response = await self._client.post_json(self.url, encode(body), self._headers)
        try:
            await self._refuse_failures(response)
            yield response
        finally:
            await response.aclose()

    async def ask(self, body: Mapping[str, Any], *, cap: int = REPLY_CAP) -> str:
        """A 2xx reply as text. Raises ProviderError for another reply, and for one of more than
        `cap` bytes; wait for it in `Deadline.waiting`."""
        async with self.open(body) as response:
            return await self.read(response, cap=cap)

    async def read(self, response: httpx.Response, *, cap: int = REPLY_CAP) -> str:
        """The whole body as text. Raises MalformedOutput when it has more than `cap` bytes."""
        size = 0
        chunks: list[bytes] = []
        async for chunk in response.aiter_bytes():
            size += len(chunk)
            if size > cap:
                raise MalformedOutput(
                    f"{self.vendor} sent more than {cap // 1024} KiB.",
                    status=response.status_code,
                    body_excerpt=self.redact(_decode(chunks[:1])),
                )
            chunks.append(chunk)
        return _decode(chunks)

    def redact(self, text: str) -> str:
        """The text without the key."""
        return text.replace(self._secret, "[key]") if self._secret else text

    async def _refuse_failures(self, response: httpx.Response) -> None:
        if not response.is_success:
            text = self.redact(await self.read(response))
            raise failure(self.vendor, response.status_code, response.headers, text)
        if "html" in response.headers.get("content-type", ""):
            text = self.redact(await self.read(response))
            raise TransientProviderError(
                f"{self.vendor} answered with a web page; check that its address in the"
                " settings is that of the API.",
                status=response.status_code,
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
