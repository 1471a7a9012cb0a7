"""Server-sent events (WHATWG HTML, §9.2), as far as model servers use them."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

import aiohttp

from app.ai_router.providers.http import REPLY_CAP, Deadline
from app.platform.errors import MalformedOutput

# A token of a few bytes comes in an event of some 250.
STREAM_CAP = 8 * REPLY_CAP


async def events(response: aiohttp.ClientResponse, deadline: Deadline) -> AsyncGenerator[str, None]:
    """The data of each event as it arrives.

    An event that the end of the stream cuts off is dropped, as the standard says. Raises
    ProviderError when the connection breaks or the deadline passes.
    """
    data: list[str] = []
    async with aclosing(_lines(response, deadline)) as lines:
        async for line in lines:
            if line.startswith("data:"):
                data.append(line[5:].removeprefix(" "))
            elif not line and data:
                yield "\n".join(data)
                data = []


async def _lines(response: aiohttp.ClientResponse, deadline: Deadline) -> AsyncGenerator[str, None]:
    """Lines are cut out of the bytes and then decoded, so that a character split between two
    packets stays whole."""
    size, rest = 0, b""
    while True:
        async with deadline:
            chunk = await response.content.readany()
        if not chunk:
            return
        *lines, rest = (rest + chunk).split(b"\n")
        size += len(chunk)
        if size > STREAM_CAP or len(rest) > REPLY_CAP:
            raise MalformedOutput(f"The stream has more than {STREAM_CAP // 1024} KiB.")
        for line in lines:
            yield line.decode("utf-8", "replace").rstrip("\r")
