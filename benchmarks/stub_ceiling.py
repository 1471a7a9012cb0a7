"""How many calls a second the stub judge itself can answer: `python stub_ceiling.py PORT`.

A client that does nothing but send a ready request and count replies, over 64 connections.
"""

import asyncio
import sys
import time
from functools import partial

import uvloop

CONNECTIONS, CALLS = 64, 20_000
_BODY = b'{"messages": "' + b"x" * 6000 + b'"}'
_REQUEST = (
    b"POST /ours/v1/chat/completions HTTP/1.1\r\nhost: stub\r\ncontent-type: application/json\r\n"
    b"content-length: %d\r\n\r\n" % len(_BODY)
) + _BODY


class _Client(asyncio.Protocol):
    def __init__(self, calls: int, done: asyncio.Future[None]) -> None:
        self._left = calls
        self._done = done

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport
        transport.write(_REQUEST)

    def data_received(self, data: bytes) -> None:
        if not data.endswith(b"}"):
            return
        self._left -= 1
        if self._left:
            self._transport.write(_REQUEST)
        elif not self._done.done():
            self._done.set_result(None)


async def main(port: int) -> None:
    loop = asyncio.get_running_loop()
    began = time.perf_counter()
    ends = [loop.create_future() for _ in range(CONNECTIONS)]
    for end in ends:
        client = partial(_Client, CALLS // CONNECTIONS, end)
        await loop.create_connection(client, "127.0.0.1", port)
    await asyncio.gather(*ends)
    print(CALLS / (time.perf_counter() - began))


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1])))
