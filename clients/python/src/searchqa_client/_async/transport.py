"""Sends requests, again where that is safe."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace
from http import HTTPStatus
from typing import TypeVar

import httpx

from searchqa_client.connection import built, network_errors, options
from searchqa_client.errors import NotFinished, NotFound, SearchQAError, problem_of, retry_after
from searchqa_client.models import EvaluationView, RunView
from searchqa_client.requests import Request, parsed
from searchqa_client.retry import Retry, look_again_after
from searchqa_client.settings import Server
from searchqa_client.sse import ServerEvent, SSEParser, check_is_event_stream

T = TypeVar("T")
E = TypeVar("E")
State = TypeVar("State", EvaluationView, RunView)

# The server sends a comment every fifteen seconds at least.
STREAM_TIMEOUT = 60.0
_LAST_LOOK_SECONDS = 1.0


class AsyncTransport:
    """Has connections of its own in a process that was forked. Its methods raise SearchQAError."""

    def __init__(
        self,
        server: Server,
        *,
        timeout: float,
        lang: str | None,
        retry: Retry,
        inner: httpx.AsyncBaseTransport | None,
        on_reply: Callable[[httpx.Response], object] | None = None,
        user_agent: str | None = None,
    ) -> None:
        self.url = server.url
        self.retry = retry
        self._on_reply = on_reply
        self._options = options(server, timeout, lang, user_agent)
        self._timeout = timeout
        self._inner = inner
        # Made here, because making it imports modules: by a thread, a fork meanwhile sees half.
        self._http = self._connections()
        self._pid = os.getpid()

    async def send(self, request: Request, *, streamed: bool = False) -> httpx.Response:
        """The response of success. streamed: its body is not read yet; the caller closes it."""
        failures = 0
        may_be_done = False
        while True:
            try:
                return await self.send_once(request, streamed=streamed)
            except SearchQAError as error:
                # Deleted by the try before, whose reply was lost.
                if may_be_done and request.method == "DELETE" and isinstance(error, NotFound):
                    return httpx.Response(HTTPStatus.NO_CONTENT)
                may_be_done = may_be_done or error.arrived
                failures += 1
                pause = self.retry.pause_after(error, failures, repeatable=request.repeatable)
                if pause is None:
                    raise
            await asyncio.sleep(pause)

    async def send_once(self, request: Request, *, streamed: bool = False) -> httpx.Response:
        with network_errors(self.url):
            http = self._client()
            response = await http.send(built(http, request), stream=streamed)
            if response.is_success:
                if self._on_reply is not None:
                    self._on_reply(response)
                return response
            if streamed:
                await response.aread()
        raise problem_of(response)

    async def call(self, parse: Callable[[bytes], T], request: Request) -> T:
        return parsed(parse, await self.send(request))

    async def until(
        self,
        parse: Callable[[bytes], State],
        request: Request,
        is_final: Callable[[State], bool],
        timeout: float,
    ) -> State:
        """Looks again and again until the state is final, also while the server is away. Raises
        NotFinished after so many seconds, or what went wrong at the last look."""
        deadline = time.monotonic() + timeout
        looks = failures = 0
        while True:
            left = deadline - time.monotonic()
            limit = min(self._timeout, max(left, _LAST_LOOK_SECONDS))
            try:
                response = await self.send_once(replace(request, timeout=limit))
                state = parsed(parse, response)
                if is_final(state):
                    return state
                if left <= 0:
                    raise NotFinished(
                        f"{request.path} is {state.status} after {timeout:g} seconds; wait longer,"
                        " or look again later.",
                        state,
                    )
                failures = 0
                looks += 1
                pause = look_again_after(looks, retry_after(response))
            except SearchQAError as error:
                if left <= 0 or not error.transient:
                    raise
                failures += 1
                pause = self.retry.pause(failures, error.retry_after)
            await asyncio.sleep(min(pause, max(deadline - time.monotonic(), 0)))

    async def pieces(self, request: Request) -> AsyncGenerator[bytes, None]:
        """The body as it arrives. One that is cut off raises TimedOut."""
        response = await self.send(request, streamed=True)
        try:
            with network_errors(self.url):
                async for piece in response.aiter_bytes():
                    yield piece
        finally:
            await response.aclose()

    async def events(
        self, request: Request, parse: Callable[[ServerEvent], E]
    ) -> AsyncGenerator[E, None]:
        """Those of one connection, until the server ends it."""
        response = await self.send(request, streamed=True)
        async with aclosing(self._events_of(response)) as events:
            async for raw in events:
                yield parse(raw)

    async def follow(
        self,
        path: str,
        last_event_id: str | None,
        is_last: Callable[[E], bool],
        parse: Callable[[ServerEvent], E],
    ) -> AsyncGenerator[E, None]:
        """Those of as many connections as it takes, each once: events that share a place are given
        together, and a connection that ends is resumed behind the last place. Ends when the server
        ends a stream in which the last one was, or says that there is no more."""
        attempts = 0
        ended = False
        while not ended:
            place = {"Last-Event-ID": last_event_id} if last_event_id else {}
            request = Request("GET", path, headers=place, timeout=STREAM_TIMEOUT)
            sharing: list[E] = []
            asked: float | None = None
            attempts += 1
            try:
                response = await self.send_once(request, streamed=True)
                if response.status_code == HTTPStatus.NO_CONTENT:
                    await response.aclose()
                    return
                async with aclosing(self._events_of(response)) as events:
                    async for raw in events:
                        attempts = 1
                        sharing.append(parse(raw))
                        if raw.id is None:
                            continue
                        last_event_id = raw.id
                        for each in sharing:
                            ended = ended or is_last(each)
                            yield each
                        sharing = []
            except SearchQAError as error:
                asked = error.retry_after
                if not error.transient or attempts >= self.retry.tries:
                    raise
            if not ended:
                await asyncio.sleep(self.retry.pause(attempts, asked))

    async def _events_of(self, response: httpx.Response) -> AsyncGenerator[ServerEvent, None]:
        parser = SSEParser()
        try:
            check_is_event_stream(response)
            with network_errors(self.url):
                async for piece in response.aiter_bytes():
                    for raw in parser.feed(piece):
                        yield raw
        finally:
            await response.aclose()

    async def close(self) -> None:
        if self._pid == os.getpid():
            await self._http.aclose()

    def _client(self) -> httpx.AsyncClient:
        # The sockets of a parent process are not its child's to use or to shut down.
        if self._pid != os.getpid():
            self._http, self._pid = self._connections(), os.getpid()
        return self._http

    def _connections(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(**self._options, transport=self._inner)
