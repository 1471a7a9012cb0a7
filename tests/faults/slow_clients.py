"""Clients that hold connections and send little or nothing, from many addresses of loopback."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from harness import HOST

DRIP = b"GET /notes HTTP/1.1\r\nHost: x\r\n"


class Holder:
    """One connection. `closed` is set once the server has ended it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self._watching = asyncio.create_task(self._watch())

    @property
    def closed(self) -> bool:
        return self._watching.done()

    async def close(self) -> None:
        self._watching.cancel()
        await asyncio.gather(self._watching, return_exceptions=True)
        self.writer.transport.abort()

    async def _watch(self) -> None:
        try:
            while await self.reader.read(1024):
                pass
        except ConnectionError:
            pass


async def hold(port: int, source: str) -> Holder:
    """A connection over which nothing is sent."""
    return Holder(*await asyncio.open_connection(HOST, port, local_addr=(source, 0)))


@asynccontextmanager
async def holding(port: int, sources: Sequence[str], count: int) -> AsyncIterator[list[Holder]]:
    """So many silent connections from each of the addresses."""
    holders: list[Holder] = []
    try:
        for source in sources:
            holders += await asyncio.gather(*(hold(port, source) for _ in range(count)))
        yield holders
    finally:
        await asyncio.gather(*(holder.close() for holder in holders))


async def drip(holders: Sequence[Holder]) -> None:
    """Sends a head over each, some bytes at a time and without an end, until all are closed."""
    position = 0
    while waiting := [holder for holder in holders if not holder.closed]:
        for holder in waiting:
            holder.writer.write(DRIP[position : position + 1])
        # After the first line: fields without end.
        position = position + 1 if position + 1 < len(DRIP) else DRIP.index(b"Host")
        await asyncio.sleep(0.2)
