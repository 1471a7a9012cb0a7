"""The wire format of providers: checked replies and server-sent events."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar

import aiohttp
from pydantic import BaseModel, BeforeValidator, ValidationError

from app.ai_router.providers.failures import failure_in_reply
from app.ai_router.providers.http import REPLY_CAP, Deadline, Endpoint
from app.platform.errors import MalformedOutput


class Reply(BaseModel):
    """What every vendor's replies and events have in common."""

    error: dict[str, Any] | str | None = None


Wire = TypeVar("Wire", bound=Reply)


class ModelList(Reply):
    """The reply to GET …/models."""

    data: list[dict[str, Any]]


# More than any model reads or writes in one call. What is stored are integers of 32 bits, and sums
# of such counts.
MAX_TOKENS = 10_000_000


def _sensible(count: object) -> object:
    return count if type(count) is int and 0 <= count <= MAX_TOKENS else None


def _object(value: object) -> object:
    return value if isinstance(value, dict) else None


# A count that makes no sense is left out, and so is what should hold counts and is no object: the
# reply around it is paid for and good.
Tokens = Annotated[int | None, BeforeValidator(_sensible)]
IfObject = BeforeValidator(_object)
# Lines of a batch, of which no provider takes so many.
Count = Tokens


@dataclass(slots=True)
class Completion:
    """What a reply has said so far. `finished` is the vendor's reason to stop."""

    pieces: list[str] = field(default_factory=list)
    finished: str | None = None
    withheld: bool = False
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int = 0
    cache_write_tokens: int = 0


def parse(shape: type[Wire], text: str, endpoint: Endpoint) -> Wire:
    """The JSON as `shape`. Raises ProviderError for anything else, and for error objects."""
    try:
        reply = shape.model_validate_json(text)
    except ValidationError:
        # Its message quotes the reply, so it does not go along.
        raise MalformedOutput(
            f"{endpoint.vendor} sent a reply that its protocol does not have.",
            status=200,
            body_excerpt=endpoint.redact(text),
        ) from None
    if reply.error:
        raise failure_in_reply(endpoint.vendor, 200, endpoint.redact(text))
    return reply


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
