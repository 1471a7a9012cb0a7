"""How requests and failures look to httpx."""

from __future__ import annotations

import contextlib
import encodings.idna  # noqa: F401  # else imported by a thread, and a fork meanwhile sees half of it
from collections.abc import Iterator

import httpx
from typing_extensions import TypedDict

from searchqa_client.errors import unreachable
from searchqa_client.requests import Request
from searchqa_client.settings import Server

VERSION = "1.1.0"
_USER_AGENT = f"searchqa-client/{VERSION}"
_CONNECT_SECONDS = 5.0


class Options(TypedDict):
    """Of an httpx client."""

    base_url: str
    auth: httpx.Auth | None
    headers: dict[str, str]
    timeout: httpx.Timeout
    trust_env: bool


def options(server: Server, timeout: float, lang: str | None, user_agent: str | None) -> Options:
    agent = user_agent or _USER_AGENT
    return {
        "base_url": server.url,
        "auth": server.auth,
        "headers": {"User-Agent": agent} | ({"Accept-Language": lang} if lang else {}),
        "timeout": _timeout(timeout),
        # No proxy reaches the ports of this machine.
        "trust_env": not server.is_local,
    }


def built(http: httpx.Client | httpx.AsyncClient, request: Request) -> httpx.Request:
    json = {"Content-Type": "application/json"} if request.content is not None else {}
    return http.build_request(
        request.method,
        request.path,
        params=dict(request.params),
        headers=json | dict(request.headers),
        content=request.content,
        data=request.form,
        files=request.files,
        timeout=httpx.USE_CLIENT_DEFAULT if request.timeout is None else _timeout(request.timeout),
    )


@contextlib.contextmanager
def network_errors(url: str) -> Iterator[None]:
    """Raises SearchQAError in place of the errors of httpx."""
    try:
        yield
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
        raise unreachable(error, url) from None


def _timeout(seconds: float) -> httpx.Timeout:
    return httpx.Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS))
