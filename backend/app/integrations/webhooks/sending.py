"""One POST to an address that strangers chose: to a public address only, within a total deadline,
with redirects not followed and little of the reply read."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from ipaddress import ip_address
from socket import SOCK_STREAM, gaierror, getaddrinfo
from time import monotonic

import aiohttp
from yarl import URL

from app.ai_router.providers.failures import retry_after
from app.integrations.webhooks.addresses import Address, is_allowed
from app.integrations.webhooks.events import FailureCode
from app.platform.db.statements import storable
from app.platform.servers.tls import https_context
from app.platform.settings import Settings

# What is read of a reply; of this, readers are shown the first MAX_EXCERPT_CHARS.
MAX_REPLY_BYTES = 4_096
MAX_EXCERPT_CHARS = 500
# A name that resolves slowly holds one of these, not the loop's own threads.
_RESOLVER_THREADS = 32
# For the body, after the deadline of the attempt.
_BODY_SECONDS = 2
MAX_ADDRESSES = 3
_HEADERS = {"user-agent": "SearchQA-Webhooks/1", "accept-encoding": "identity"}

# The addresses of a host, as text. Raises OSError.
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]


@dataclass(frozen=True, slots=True)
class Reply:
    """The result of an attempt. status: None where no reply came, and then `failure` says why.
    retry_after: seconds that the receiver asks for."""

    ms: float
    status: int | None = None
    text: str = ""
    retry_after: float | None = None
    failure: FailureCode | None = None


class _NotAllowed(Exception):
    """A name leads to an address that is not public."""


class Sender:
    """Connections of one event loop; `aclose` them there.

    A name is resolved once for each attempt, all of its addresses are checked, and one of these
    very addresses is connected to, so that a second answer of its name server changes nothing.
    Proxies of the environment are not used: one would resolve the name again. Certificates are
    verified for the name.
    """

    def __init__(self, settings: Settings, resolve: Resolve | None = None) -> None:
        self._allowed = settings.webhooks.allowed_networks
        self._timeout = settings.webhooks.timeout_seconds
        self._threads = ThreadPoolExecutor(_RESOLVER_THREADS, thread_name_prefix="webhook-dns")
        self._resolve = resolve or self._system_resolve
        self._session = aiohttp.ClientSession(
            # Each attempt has a connection of its own, to an address that was checked for it.
            connector=aiohttp.TCPConnector(limit=0, force_close=True, ssl=https_context()),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=None),
            auto_decompress=False,
            trust_env=False,
        )

    async def aclose(self) -> None:
        await self._session.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> Reply:
        """Never raises: a failure is a Reply as well."""
        started = monotonic()
        try:
            async with asyncio.timeout(self._timeout):
                response = await self._request(URL(url), body, headers)
        except TimeoutError:
            failure = FailureCode.TIMED_OUT
        except _NotAllowed:
            failure = FailureCode.ADDRESS_NOT_ALLOWED
        except gaierror:
            failure = FailureCode.NAME_NOT_RESOLVED
        except aiohttp.ClientSSLError:
            failure = FailureCode.TLS_FAILED
        except (aiohttp.ClientError, OSError, ValueError):
            failure = FailureCode.CONNECTION_FAILED
        else:
            text = await _excerpt(response)
            return Reply(_elapsed_ms(started), response.status, text, retry_after(response.headers))
        return Reply(_elapsed_ms(started), failure=failure)

    async def _request(
        self, url: URL, body: bytes, headers: Mapping[str, str]
    ) -> aiohttp.ClientResponse:
        """The reply without its body. Where no connection is made, the next address is tried."""
        host = url.raw_host
        assert host is not None, "checked_url wants one"
        addresses = await self._checked_addresses(host, url.port or 0)
        for last, address in enumerate(addresses, start=1 - len(addresses)):
            try:
                return await self._session.post(
                    url.with_host(str(address)),
                    data=body,
                    headers={**_HEADERS, **headers, "host": url.host_port_subcomponent or host},
                    allow_redirects=False,
                    server_hostname=host if url.scheme == "https" else None,
                )
            except aiohttp.ClientSSLError:
                raise
            except aiohttp.ClientConnectorError:
                if last == 0:
                    raise
        raise _NotAllowed

    async def _checked_addresses(self, host: str, port: int) -> Sequence[Address]:
        """Raises _NotAllowed when one of them is not public, OSError when there is none."""
        found = [ip_address(each) for each in await self._resolve(host, port)]
        if not all(is_allowed(each, self._allowed) for each in found):
            raise _NotAllowed
        return list(dict.fromkeys(found))[:MAX_ADDRESSES]

    async def _system_resolve(self, host: str, port: int) -> Sequence[str]:
        """As the system does, which also reads 127.1 and 0x7f000001 as addresses."""
        found = await asyncio.get_running_loop().run_in_executor(
            self._threads, lambda: getaddrinfo(host, port, type=SOCK_STREAM)
        )
        return [str(address[0]).partition("%")[0] for *_, address in found]


async def _excerpt(response: aiohttp.ClientResponse) -> str:
    """The beginning of the body, as far as it comes in time: the status is known, and counts."""
    read = bytearray()
    try:
        async with asyncio.timeout(_BODY_SECONDS):
            while len(read) < MAX_REPLY_BYTES:
                if not (chunk := await response.content.read(MAX_REPLY_BYTES - len(read))):
                    break
                read += chunk
    except (aiohttp.ClientError, OSError):
        pass
    finally:
        response.close()
    return storable(read.decode("utf-8", "replace"))[:MAX_EXCERPT_CHARS]


def _elapsed_ms(started: float) -> float:
    return round((monotonic() - started) * 1000, 1)
