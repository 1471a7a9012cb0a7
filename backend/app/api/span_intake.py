"""How much of spans an application holds at the same time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Request

from app.integrations.traces.body import MAX_BODY_BYTES
from app.platform.errors import TooManyRequests

# Bodies that are being read or stored.
MAX_BYTES_IN_FLIGHT = 3 * MAX_BODY_BYTES
# So many leave connections to the other requests.
STORED_AT_ONCE = 4


class SpanIntake:
    """Of one application, on its event loop. `storing` is held while spans are stored."""

    def __init__(self) -> None:
        self._held_bytes = 0
        self.storing = asyncio.Semaphore(STORED_AT_ONCE)

    @asynccontextmanager
    async def body(self, request: Request) -> AsyncIterator[bytes]:
        """The whole body. Raises TooManyRequests where there is no room for it now."""
        body = bytearray()
        try:
            async for chunk in request.stream():
                body += chunk
                self._held_bytes += len(chunk)
                if self._held_bytes > MAX_BYTES_IN_FLIGHT:
                    raise TooManyRequests(
                        "Too many spans are being read at the moment; send these again.",
                        ko="지금 읽고 있는 스팬이 너무 많습니다. 잠시 후 다시 보내세요.",
                        headers={"Retry-After": "1"},
                    )
            yield bytes(body)
        finally:
            self._held_bytes -= len(body)
