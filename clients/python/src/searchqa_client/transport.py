"""Performs the flows over httpx, with and without asyncio."""

from __future__ import annotations

import os
import time
from importlib.metadata import version
from typing import TypeVar

import httpx
from typing_extensions import TypedDict

from searchqa_client.errors import SearchQAError, unreachable
from searchqa_client.flows import Flow, Pause, Request, Send
from searchqa_client.settings import Server

T = TypeVar("T")

_CONNECT_SECONDS = 5.0
_USER_AGENT = f"searchqa-client/{version('searchqa-client')}"


class _Options(TypedDict):
    base_url: str
    auth: httpx.Auth | None
    headers: dict[str, str]
    timeout: httpx.Timeout
    trust_env: bool


def _options(server: Server, timeout: float, lang: str | None) -> _Options:
    return {
        "base_url": server.url,
        "auth": server.auth,
        "headers": {"User-Agent": _USER_AGENT} | ({"Accept-Language": lang} if lang else {}),
        "timeout": httpx.Timeout(timeout, connect=min(timeout, _CONNECT_SECONDS)),
        # No proxy reaches the ports of this machine.
        "trust_env": not server.is_local,
    }


def _built(http: httpx.Client | httpx.AsyncClient, request: Request) -> httpx.Request:
    timeout = httpx.USE_CLIENT_DEFAULT if request.timeout is None else request.timeout
    return http.build_request(
        request.method,
        request.path,
        params=dict(request.params),
        headers={"Content-Type": "application/json"} | dict(request.headers)
        if request.content is not None
        else dict(request.headers),
        content=request.content,
        timeout=timeout,
    )


class Transport:
    """Connections are made when they are first needed, and anew in a process that was forked."""

    def __init__(
        self,
        server: Server,
        timeout: float,
        lang: str | None,
        inner: httpx.BaseTransport | None = None,
    ) -> None:
        self._server = server
        self._options = _options(server, timeout, lang)
        self._inner = inner
        self._http: httpx.Client | None = None
        self._pid = 0

    def run(self, flow: Flow[T]) -> T:
        """The result of the flow. Raises SearchQAError."""
        answer: httpx.Response | None = None
        failure: SearchQAError | None = None
        while True:
            try:
                step = flow.throw(failure) if failure else flow.send(answer)
            except StopIteration as end:
                result: T = end.value
                return result
            answer = failure = None
            if isinstance(step, Pause):
                time.sleep(step.seconds)
                continue
            try:
                answer = self._send(step)
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                failure = unreachable(error, self._server.url)

    def close(self) -> None:
        if self._http is not None and self._pid == os.getpid():
            self._http.close()
        self._http = None

    def _send(self, step: Send) -> httpx.Response:
        http = self._client()
        response = http.send(_built(http, step.request), stream=step.streamed)
        if step.streamed and not response.is_success:
            response.read()
        return response

    def _client(self) -> httpx.Client:
        # The sockets of the parent are not the child's to use or to shut down.
        if self._http is None or self._pid != os.getpid():
            self._http = httpx.Client(**self._options, transport=self._inner)
            self._pid = os.getpid()
        return self._http
