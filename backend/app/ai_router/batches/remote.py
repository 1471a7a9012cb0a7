"""What the batch endpoints of all vendors share: bodies of calls on lines, and lines read back."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, aclosing
from tempfile import TemporaryFile
from typing import IO, Any, TypeVar
from urllib.parse import quote, urlencode

import aiohttp
from pydantic import BaseModel, ValidationError
from pydantic_core import to_json

from app.ai_router.batches.protocol import BatchLimits, BatchLine, BatchReply, BatchStatus
from app.ai_router.pricing import BatchPrice
from app.ai_router.providers.failures import failure
from app.ai_router.providers.http import REPLY_CAP, Deadline, encode
from app.ai_router.providers.remote import RemoteProvider
from app.ai_router.types import ChatResponse
from app.platform.errors import (
    BatchesNotSupported,
    BatchTooLarge,
    MalformedOutput,
    ProviderError,
    TransientProviderError,
)


class Refusals:
    """Optional parts of requests that a model refuses, which a call would have been sent again
    without. As notes may name a part in an error about something else, a part is left out from now
    on only if no line of the batch was answered."""

    def __init__(self, client: RemoteProvider, model: str) -> None:
        self._client = client
        self._model = model
        self._parts: set[str] = set()
        self._answered = False

    def seen(self, read: BatchReply) -> BatchReply:
        if not isinstance(read.reply, ProviderError):
            self._answered = True
            return read
        part = self._client.refused_part(self._model, read.reply)
        if part is None:
            return read
        self._parts.add(part)
        error = TransientProviderError(
            f"{self._client.name} refuses the part {part} of this request, which calls leave out.",
            status=read.reply.status,
            body_excerpt=read.reply.body_excerpt,
        )
        return BatchReply(read.custom_id, error)

    def learn(self) -> None:
        if not self._answered:
            for part in self._parts:
                self._client.leave_out(self._model, part)


logger = logging.getLogger(__name__)

# Seconds for a question about a batch, for handing lines in, and between two pieces of results.
ASK_SECONDS = 60.0
HAND_IN_SECONDS = 900.0
PIECE_SECONDS = 60.0

_NO_SUCH_ADDRESS = frozenset({404, 405, 501})
# In an error's code or message, where a server does not say 413.
_TOO_LARGE = (
    *("too large", "too_large", "too big", "too many", "too_many", "too long", "too_long"),
    *("maximum size", "size limit", "at most"),
)

Shape = TypeVar("Shape", bound=BaseModel)
Query = dict[str, str | int]


class _DeleteReply(BaseModel):
    """The reply to a deletion, which says nothing of use."""


class RemoteBatches(ABC):
    """The batches of one model, over the connections of the client that makes its calls.
    Subclasses have the wire format and the addresses."""

    limits: BatchLimits

    def __init__(self, client: RemoteProvider, model: str, share: float | None) -> None:
        self._client = client
        self._model = model
        self._endpoint = client.endpoint
        self._vendor = client.name
        self._price = BatchPrice.at_address(client.name, client.endpoint.url, share)

    @abstractmethod
    def _line(self, line: BatchLine) -> bytes:
        """The line as it is handed in."""

    @abstractmethod
    def _read_line(self, text: bytes) -> BatchReply:
        """Raises ValidationError for a line that the protocol does not have."""

    @abstractmethod
    async def _results(self, batch_id: str) -> Sequence[str]:
        """Addresses of the results of a batch that has ended."""

    @abstractmethod
    async def _status(self, batch_id: str) -> BatchStatus: ...

    @abstractmethod
    async def _cancel(self, batch_id: str) -> None:
        """May raise ProviderError for a batch that has ended."""

    def _warning(self, counts: BaseModel) -> str | None:
        """See BatchStatus. counts: None where the server's number is none of a batch's lines."""
        wrong = [name for name, count in counts if count is None]
        if not wrong:
            return None
        return f"{self._vendor} reports impossible counts ({', '.join(wrong)}); they are left out."

    def size(self, line: BatchLine) -> int:
        # With what stands between two lines.
        return len(self._line(line)) + 1

    async def replies(self, batch_id: str) -> AsyncGenerator[BatchReply, None]:
        refusals = Refusals(self._client, self._model)
        for address in await self._results(batch_id):
            async with aclosing(self._lines(address)) as lines:
                async for line in lines:
                    try:
                        reply = self._read_line(line)
                    except ValidationError:
                        logger.warning("A line of batch %s cannot be read.", batch_id)
                    else:
                        yield refusals.seen(reply)
        refusals.learn()

    async def status(self, batch_id: str) -> BatchStatus:
        try:
            return await self._status(batch_id)
        except ProviderError as error:
            if error.status != 404:
                raise
            return BatchStatus("unknown", error=f"{self._vendor} does not know this batch.")

    async def cancel(self, batch_id: str) -> None:
        try:
            await self._cancel(batch_id)
        except ProviderError:
            if (await self.status(batch_id)).state == "running":
                raise

    async def _lines(self, address: str) -> AsyncGenerator[bytes, None]:
        """The lines of a document, without empty ones and those over the cap of a reply."""
        held, too_long = b"", False
        async with aclosing(self._pieces(address)) as pieces:
            async for piece in pieces:
                *whole, held = (held + piece).split(b"\n")
                for line in whole:
                    if line.strip() and not too_long:
                        yield line
                    too_long = False
                if len(held) > REPLY_CAP:
                    logger.warning("A line of %s is too long to be read.", self._vendor)
                    held, too_long = b"", True
        if held.strip() and not too_long:
            yield held

    async def _pieces(self, address: str) -> AsyncGenerator[bytes, None]:
        async with AsyncExitStack() as stack:
            async with Deadline(self._vendor, ASK_SECONDS):
                opening = self._endpoint.request("GET", address)
                response = await stack.enter_async_context(opening)
            while True:
                # Between two pieces the reader may take its time.
                async with Deadline(self._vendor, PIECE_SECONDS):
                    piece = await response.content.readany()
                if not piece:
                    return
                yield piece

    async def _ask(
        self, shape: type[Shape], method: str, address: str, body: dict[str, Any] | None = None
    ) -> Shape:
        data = None if body is None else encode(body)
        async with (
            Deadline(self._vendor, ASK_SECONDS),
            self._endpoint.request(method, address, data) as response,
        ):
            return await self._parsed(shape, response)

    async def _delete(self, address: str) -> None:
        try:
            await self._ask(_DeleteReply, "DELETE", address)
        except ProviderError as error:
            if error.status != 404:
                raise

    async def _hand_in(
        self, shape: type[Shape], address: str, write: Callable[[IO[bytes]], None], kind: str
    ) -> Shape:
        """Posts what `write` writes, from a temporary file: it may be larger than what should be
        in memory. Raises BatchTooLarge and BatchesNotSupported beside other ProviderErrors."""
        with TemporaryFile() as file:
            await asyncio.to_thread(write, file)
            file.seek(0)
            try:
                async with (
                    Deadline(self._vendor, HAND_IN_SECONDS),
                    self._endpoint.request("POST", address, file, kind=kind) as response,
                ):
                    return await self._parsed(shape, response)
            except ProviderError as error:
                raise self._about_batches(error) from error

    async def _parsed(self, shape: type[Shape], response: aiohttp.ClientResponse) -> Shape:
        text = await self._endpoint.read(response)
        try:
            return shape.model_validate_json(text)
        except ValidationError:
            raise MalformedOutput(
                f"{self._vendor} sent a reply that batches do not have.",
                status=response.status,
                body_excerpt=self._endpoint.redact(text),
            ) from None

    def _about_batches(self, error: ProviderError) -> ProviderError:
        """What a refusal of the first request means. An answer that is no batch, or a web page,
        comes from a server that does not know the address either."""
        if error.status in _NO_SUCH_ADDRESS or (error.status is not None and error.status < 300):
            return self._not_supported(error)
        words = error.body_excerpt.lower()
        if error.status == 413 or (error.status == 400 and any(one in words for one in _TOO_LARGE)):
            return BatchTooLarge(
                f"{self._vendor} takes no batch of this size; hand in fewer lines.",
                status=error.status,
                body_excerpt=error.body_excerpt,
            )
        return error

    def _not_supported(self, error: ProviderError) -> BatchesNotSupported:
        return BatchesNotSupported(
            f"The server of {self._vendor} has no batch endpoint; answers are judged by calls.",
            status=error.status,
            body_excerpt=error.body_excerpt,
        )

    async def _listed(self, shape: type[Shape], address: str, query: Query) -> Shape:
        try:
            return await self._ask(shape, "GET", f"{address}?{urlencode(query)}")
        except ProviderError as error:
            if error.status in _NO_SUCH_ADDRESS:
                raise self._not_supported(error) from error
            raise

    def _answered(self, custom_id: str, body: object) -> BatchReply:
        """body: JSON that a call would have got with status 200."""
        text = to_json(body).decode()
        reply: ChatResponse | ProviderError
        try:
            reply = self._client.read(self._model, text, batch=self._price)
        except ProviderError as error:
            reply = error
        return BatchReply(custom_id, reply)

    def _refused(self, custom_id: str, status: int, body: object) -> BatchReply:
        text = self._endpoint.redact(to_json(body).decode())
        return BatchReply(custom_id, failure(self._vendor, status, {}, text))

    def _not_begun(self, custom_id: str, why: str) -> BatchReply:
        error = TransientProviderError(f"The batch of {self._vendor} {why} before this request.")
        return BatchReply(custom_id, error)


def quoted(name: str) -> str:
    """A name of the server's as part of an address."""
    return quote(name, safe="")


def write_joined(file: IO[bytes], parts: Iterable[bytes], between: bytes) -> None:
    for number, part in enumerate(parts):
        file.write(between if number else b"")
        file.write(part)
