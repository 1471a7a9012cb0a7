# Made from ../_async/transport.py by `make client-types`; not to be edited.
"""Sends requests, again where that is safe."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import replace
from typing import TypeVar

import httpx

from searchqa_client.connection import built, network_errors, options
from searchqa_client.errors import NotFinished, SearchQAError, problem_of, retry_after
from searchqa_client.events import Event, event_of
from searchqa_client.models import EvaluationView, RunView
from searchqa_client.pauses import sleep
from searchqa_client.requests import Request, parsed
from searchqa_client.retry import Retry, look_again_after
from searchqa_client.settings import Server
from searchqa_client.sse import SSEParser

T = TypeVar("T")
State = TypeVar("State", EvaluationView, RunView)

# The server sends a comment every fifteen seconds at least.
STREAM_TIMEOUT = 60.0
_LAST_LOOK_SECONDS = 1.0


class Transport:
    """Connects when it first sends, and anew in a process that was forked. All of its methods
    raise SearchQAError."""

    def __init__(
        self,
        server: Server,
        *,
        timeout: float,
        lang: str | None,
        retry: Retry,
        inner: httpx.BaseTransport | None,
    ) -> None:
        self.url = server.url
        self.retry = retry
        self._options = options(server, timeout, lang)
        self._timeout = timeout
        self._inner = inner
        self._http: httpx.Client | None = None
        self._pid = 0

    def send(self, request: Request, *, streamed: bool = False) -> httpx.Response:
        """The response of success. streamed: its body is not read yet; the caller closes it."""
        failures = 0
        while True:
            try:
                return self.send_once(request, streamed=streamed)
            except SearchQAError as error:
                failures += 1
                pause = self.retry.pause_after(error, failures, repeatable=request.repeatable)
                if pause is None:
                    raise
            sleep(pause)

    def send_once(self, request: Request, *, streamed: bool = False) -> httpx.Response:
        with network_errors(self.url):
            http = self._client()
            response = http.send(built(http, request), stream=streamed)
            if response.is_success:
                return response
            if streamed:
                response.read()
        raise problem_of(response)

    def call(self, parse: Callable[[bytes], T], request: Request) -> T:
        return parsed(parse, self.send(request))

    def until(
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
                response = self.send_once(replace(request, timeout=limit))
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
            sleep(min(pause, max(deadline - time.monotonic(), 0)))

    def pieces(self, request: Request) -> Generator[bytes, None]:
        """The body as it arrives. One that is cut off raises TimedOut."""
        response = self.send(request, streamed=True)
        try:
            with network_errors(self.url):
                for piece in response.iter_bytes():
                    yield piece
        finally:
            response.close()

    def events(self, request: Request) -> Generator[Event, None]:
        """Those of one connection, until the server ends it."""
        parser = SSEParser()
        with closing(self.pieces(replace(request, timeout=STREAM_TIMEOUT))) as pieces:
            for piece in pieces:
                for raw in parser.feed(piece):
                    yield event_of(raw)

    def follow(
        self, path: str, last_event_id: str | None, is_last: Callable[[Event], bool]
    ) -> Generator[Event, None]:
        """Those of as many connections as it takes, each once: events that share a place are given
        together, and a connection that is cut off is resumed behind the last place. Ends when the
        server ends a stream in which the last one was."""
        failures = 0
        ended = False
        while not ended:
            headers = {"Last-Event-ID": last_event_id} if last_event_id else {}
            waiting: list[Event] = []
            try:
                with closing(self.events(Request("GET", path, headers=headers))) as events:
                    for event in events:
                        failures = 0
                        waiting.append(event)
                        if event.event_id is not None:
                            last_event_id = event.event_id
                            for each in waiting:
                                ended = ended or is_last(each)
                                yield each
                            waiting = []
            except SearchQAError as error:
                failures += 1
                if not error.transient or failures >= self.retry.tries:
                    raise
                sleep(self.retry.pause(failures, error.retry_after))

    def close(self) -> None:
        http, self._http = self._http, None
        if http is not None and self._pid == os.getpid():
            http.close()

    def _client(self) -> httpx.Client:
        # The sockets of a parent process are not its child's to use or to shut down.
        if self._http is None or self._pid != os.getpid():
            self._http = httpx.Client(**self._options, transport=self._inner)
            self._pid = os.getpid()
        return self._http
