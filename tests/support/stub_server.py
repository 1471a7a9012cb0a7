"""A stub of an OpenAI-compatible model server, whose behaviour a test or a benchmark scripts.

In a test, on a free port of the loopback interface:

    async with StubServer(answer(say("hello"))) as stub:
        stub.script(status(429, retry_after="2"), hang())   # for the first two requests
        ...  # use stub.base_url
        assert stub.count == 3


It serves POST …/chat/completions, whole and streamed, and with `embed` POST …/embeddings; GET
/stats gives its counts as JSON, and any other GET the list `models`. Only the standard
library is used, and one connection costs little, so that a benchmark measures its client.
"""

import asyncio
import json
import time
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Self

from cases import TIMEOUT_SECONDS
from stub_batch_protocols import serve_batches
from stub_batches import StubBatches
from stub_behaviours import *  # noqa: F403  what a test scripts it with
from stub_behaviours import Behaviour, Exchange, Json, Request, answer


@dataclass
class StubServer:
    """Answers by `default`, after the behaviours given to `script` are used up.

    requests: all POSTs in order of arrival, the last `keep` of them; count: their number;
    connections: how many were opened for all requests; in_flight and most_in_flight: POSTs being
    answered now, and at most so far; last_reply_at: when (time.monotonic) the last of them was.
    batches: its batch endpoints, whose requests are not among these; None: it has none.
    """

    default: Behaviour = field(default_factory=answer)
    port: int = 0
    keep: int = 1000
    batches: StubBatches | None = None
    models: list[Json] = field(default_factory=list)
    requests: deque[Request] = field(init=False)
    count: int = field(init=False, default=0)
    connections: int = field(init=False, default=0)
    in_flight: int = field(init=False, default=0)
    most_in_flight: int = field(init=False, default=0)
    last_reply_at: float | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.requests = deque(maxlen=self.keep)
        self._scripted: deque[Behaviour] = deque()
        self._connections: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self._watchers: list[tuple[int, asyncio.Event]] = []

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def script(self, *behaviours: Behaviour) -> None:
        """The next requests are answered by these, one each, in order of arrival."""
        self._scripted.extend(behaviours)

    async def until_in_flight(self, number: int) -> None:
        """Returns once exactly `number` requests are being answered."""
        if self.in_flight != number:
            watcher = (number, asyncio.Event())
            self._watchers.append(watcher)
            await asyncio.wait_for(watcher[1].wait(), TIMEOUT_SECONDS)
            self._watchers.remove(watcher)

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(
            self._connected, "127.0.0.1", self.port, backlog=2048
        )
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        self._server.close()
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await self._server.wait_closed()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._connections.add(task)
        self.connections += 1
        try:
            # A client that leaves, and the end of the server, end a connection alike.
            with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                while await self._exchange(reader, writer):
                    pass
        finally:
            self._connections.discard(task)
            writer.transport.abort() if writer.is_closing() else writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        request = await _read(reader)
        exchange = Exchange(request, reader, writer)
        if self.batches and await serve_batches(self.batches, exchange):
            return exchange.keep_alive
        if request.method == "GET":
            await exchange.send(json.dumps(self._get(request.path)).encode())
            return True
        self.requests.append(request)
        self.count += 1
        self._change_in_flight(+1)
        behave = self._scripted.popleft() if self._scripted else self.default
        try:
            await behave(exchange)
            if self.batches:
                self.batches.count_call(request.json)
        finally:
            self._change_in_flight(-1)
            self.last_reply_at = time.monotonic()
        return exchange.keep_alive

    def _change_in_flight(self, by: int) -> None:
        self.in_flight += by
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        for number, reached in self._watchers:
            if number == self.in_flight:
                reached.set()

    def _get(self, path: str) -> Json:
        if path.endswith("/stats"):
            return {
                "count": self.count,
                "in_flight": self.in_flight,
                "most_in_flight": self.most_in_flight,
                "last_reply_at": self.last_reply_at,
                **({"batches": self.batches.stats()} if self.batches else {}),
            }
        return {"object": "list", "data": self.models}


async def _read(reader: asyncio.StreamReader) -> Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.rstrip().split("\r\n")
    method, path, _ = first.split(" ", 2)
    pairs = (line.partition(":") for line in lines)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    kind = headers.get("content-type", "application/json")
    sent = json.loads(body) if body and "json" in kind else {}
    return Request(method, path, headers, sent, body)
