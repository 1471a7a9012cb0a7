"""A server that takes webhooks as a test scripts it, on a free port of the loopback interface."""

import asyncio
import json
import ssl
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Hook:
    """A request as it arrived; header names are in lower case."""

    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


Behaviour = Callable[[asyncio.StreamWriter], Awaitable[None]]


def reply(status: int = 200, body: bytes = b"ok", **headers: str) -> Behaviour:
    async def send(writer: asyncio.StreamWriter) -> None:
        lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        await writer.drain()

    return send


async def hang(writer: asyncio.StreamWriter) -> None:
    await asyncio.Event().wait()


def _drip(head: bytes, piece: bytes) -> Behaviour:
    async def send(writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        while True:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0.05)

    return send


# Never comes to the end of its headers.
drip_head = _drip(b"HTTP/1.1 200 OK\r\n", b"X-Drip: 1\r\n")
# Says 200, and never comes to the end of its body.
drip_body = _drip(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", b"x")


async def flood(writer: asyncio.StreamWriter) -> None:
    """A body without an end, as fast as it is taken."""
    writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        writer.write(b"y" * 65_536)
        await writer.drain()


async def reset(writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()


@dataclass
class HookReceiver:
    """Answers by `default` after the behaviours given to `script` are used up."""

    default: Behaviour = field(default_factory=reply)
    port: int = 0
    hooks: list[Hook] = field(default_factory=list)
    _scripted: deque[Behaviour] = field(default_factory=deque)
    _arrived: asyncio.Condition = field(default_factory=asyncio.Condition)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    def script(self, *behaviours: Behaviour) -> None:
        self._scripted.extend(behaviours)

    async def until_count(self, count: int) -> None:
        async with self._arrived, asyncio.timeout(60):
            await self._arrived.wait_for(lambda: len(self.hooks) >= count)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            first, *lines = head.strip().split("\r\n")
            parted = (line.partition(": ") for line in lines)
            headers = {name.lower(): value for name, _, value in parted}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            behaviour = self._scripted.popleft() if self._scripted else self.default
            async with self._arrived:
                self.hooks.append(Hook(first.split()[1], headers, body))
                self._arrived.notify_all()
            await behaviour(writer)
        writer.close()


@asynccontextmanager
async def hook_receiver(
    default: Behaviour | None = None, *, tls: ssl.SSLContext | None = None
) -> AsyncIterator[HookReceiver]:
    receiver = HookReceiver(default or reply())
    serving: set[asyncio.Task[Any]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        serving.add(task)
        try:
            await receiver.serve(reader, writer)
        except asyncio.CancelledError:
            writer.transport.abort()
        finally:
            serving.discard(task)

    server = await asyncio.start_server(connected, "127.0.0.1", 0, ssl=tls)
    receiver.port = server.sockets[0].getsockname()[1]
    try:
        yield receiver
    finally:
        server.close()
        for task in list(serving):
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)
