"""Readers of event streams over bare sockets: five hundred cost little, and one may stall."""

import asyncio
import json
import socket
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import NamedTuple, Self

from harness import HOST, Stack

from cases import eventually

# Before every event there is: whoever comes with it is told all that has happened.
BEGINNING = "0-0"
AT_A_TIME = 10
WORKSPACE = "/qa-evaluations/events"
FINAL = frozenset({"succeeded", "failed", "skipped"})
RETRY_SECONDS = 0.2


class StoredEvent(NamedTuple):
    """One event: its id in the stream, whose it is, and what became of it."""

    id: str
    evaluation_id: str
    status: str


async def stored_events(stack: Stack) -> list[StoredEvent]:
    """All that readers must have heard, in order."""
    rows = await stack.world.rows(
        "SELECT v.xid::text || '-' || v.id AS id, evaluation_id::text, status"
        " FROM verdict_events v ORDER BY v.xid, v.id"
    )
    return [StoredEvent(**row) for row in rows]


class EventReader:
    """Follows a stream of events from the beginning, over as many connections as its test makes it
    open. `received` is in the order of arrival, repeats and all; `received_at` holds the times.

    address: a port of this machine, or the path of a unix socket.
    """

    def __init__(self, address: int | str, token: str, path: str = WORKSPACE) -> None:
        self.received: list[StoredEvent] = []
        self.received_at: list[float] = []
        self._address, self._token, self._path = address, token, path
        self._reader: asyncio.StreamReader
        self._writer: asyncio.StreamWriter
        self._listening: asyncio.Task[None] | None = None

    async def connect(self, *, receive_buffer: int = 0) -> Self:
        """Asks for what comes after the last event heard. Nothing is read yet.

        receive_buffer: bytes that the kernel keeps for us; 0 lets it choose.
        """
        by_path = isinstance(self._address, str)
        sock = socket.socket(socket.AF_UNIX if by_path else socket.AF_INET)
        if receive_buffer:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        sock.setblocking(False)  # noqa: FBT003  its only parameter
        address = self._address if by_path else (HOST, self._address)
        await asyncio.get_running_loop().sock_connect(sock, address)
        after = self.received[-1].id if self.received else BEGINNING
        request = (
            f"GET {self._path} HTTP/1.1\r\nHost: {HOST}\r\n"
            f"Authorization: Bearer {self._token}\r\nLast-Event-ID: {after}\r\n\r\n"
        )
        await asyncio.get_running_loop().sock_sendall(sock, request.encode())
        self._sock = sock
        return self

    async def listen(self) -> Self:
        """Once the API has let us in, reads in the background until the stream ends or breaks.
        Raises ConnectionError, asyncio.IncompleteReadError."""
        self._reader, self._writer = await asyncio.open_connection(sock=self._sock)
        try:
            head = await self._reader.readuntil(b"\r\n\r\n")
            if not head.startswith(b"HTTP/1.1 200"):
                raise ConnectionError(head)
        except BaseException:
            self._writer.transport.abort()
            raise
        self._listening = asyncio.create_task(self._listen())
        return self

    async def ended(self) -> None:
        """Returns once the server has ended the stream, or died."""
        assert self._listening
        await self._listening

    async def follow(self) -> None:
        """Comes back whenever the stream ends, as browsers do, until it has heard the end of the
        one verdict it follows, or is cancelled."""
        one = self._path != WORKSPACE
        try:
            while not (one and is_over(self)):
                with suppress(OSError, asyncio.IncompleteReadError):
                    await (await self.connect()).listen()
                    await self.ended()
                await asyncio.sleep(RETRY_SECONDS)
        finally:
            await self.close()

    async def close(self) -> None:
        if self._listening:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)

    async def _listen(self) -> None:
        try:
            about: dict[str, str] = {}
            async for event in self._events():
                if event.get("event") == "evaluation":
                    about = json.loads(event["data"])
                if "id" in event:
                    self.received.append(StoredEvent(event["id"], about["id"], about["status"]))
                    self.received_at.append(time.time())
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            self._writer.transport.abort()

    async def _events(self) -> AsyncIterator[dict[str, str]]:
        """The fields of each event that arrived whole; comments have none."""
        rest = b""
        async for chunk in self._chunks():
            *blocks, rest = (rest + chunk).split(b"\n\n")
            for block in blocks:
                lines = (line.partition(": ") for line in block.decode().split("\n"))
                yield {name: value for name, colon, value in lines if name and colon}

    async def _chunks(self) -> AsyncIterator[bytes]:
        """RFC 9112 §7.1, as far as our server uses it."""
        while size := int(await self._reader.readline() or b"0", 16):
            yield await self._reader.readexactly(size)
            await self._reader.readexactly(2)


def is_over(reader: EventReader) -> bool:
    """Whether it has heard the end of the one verdict that it follows."""
    return any(event.status in FINAL for event in reader.received)


@asynccontextmanager
async def listening(stack: Stack, port: int, count: int) -> AsyncIterator[list[EventReader]]:
    """So many readers from the beginning on. They come in groups: a machine that is busy may
    refuse hundreds at the same moment, because each token is looked up."""
    token = await stack.token()
    readers = [EventReader(port, token) for _ in range(count)]
    try:
        for start in range(0, count, AT_A_TIME):
            group = readers[start : start + AT_A_TIME]
            await asyncio.gather(*(reader.connect() for reader in group))
            await asyncio.gather(*(reader.listen() for reader in group))
        yield readers
    finally:
        await asyncio.gather(*(reader.close() for reader in readers))


async def wait_for_events(stack: Stack, readers: Sequence[EventReader]) -> list[StoredEvent]:
    """What there was to hear, once each reader has heard as much."""
    expected = await stored_events(stack)

    async def received() -> bool:
        return all(len(reader.received) >= len(expected) for reader in readers)

    await eventually(received)
    return expected
