"""What the clients of all vendors share: adapting to a model, streaming, and the response."""

import asyncio
import re
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, aclosing
from time import perf_counter
from typing import Any, TypedDict, TypeVar

import aiohttp
from yarl import URL

from app.ai_router.pricing import NO_PRICES, BatchPrice, OwnPrices, cost_usd
from app.ai_router.providers.forms import Parts, RefusedParts
from app.ai_router.providers.http import Deadline, Endpoint, OnReply, OpenSession, open_session
from app.ai_router.providers.wire import Completion, ModelList, Wire, events, parse
from app.ai_router.types import ChatResponse, Message, OutputSchema, ProviderRequest
from app.platform.errors import (
    MalformedOutput,
    PermanentProviderError,
    ProviderError,
    TransientProviderError,
)

Refused = Parts
Sent = TypeVar("Sent")

_KNOWN_ENDS = frozenset(
    {
        *("stop", "length", "content_filter", "tool_calls", "function_call"),
        *("end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal"),
    }
)


_CHAT_PATH = re.compile(r"/(chat/completions|messages)$")
_ANY_OBJECT = OutputSchema("any", {"type": "object", "properties": {}})

# Statuses of a server that refuses an optional part of a request.
_REFUSALS = frozenset({400, 422})
_REFUSALS_OF_STRUCTURE = frozenset({*_REFUSALS, 404, 415, 500, 501})


class Shared(TypedDict, total=False):
    """What the providers of a process are made with."""

    open_session: OpenSession
    prices: OwnPrices
    on_reply: OnReply | None
    refused: RefusedParts


class RemoteProvider(ABC):
    """A client of one vendor's chat protocol; subclasses implement its wire format.

    Models and servers differ in the optional parts of a request that they accept. A part that
    is refused is left out and the request sent again, within the same deadline; what has
    helped is remembered per server and model. structure: the parts, above all those that ask for
    a structured reply, that are refused with other statuses too. without: parts that the server is
    never sent.
    """

    structure: Parts = frozenset()

    def __init__(
        self,
        name: str,
        url: URL,
        *,
        headers: Mapping[str, str],
        secret: str | None,
        without: Parts = frozenset(),
        open_session: OpenSession = open_session,
        prices: OwnPrices = NO_PRICES,
        on_reply: OnReply | None = None,
        refused: RefusedParts | None = None,
    ) -> None:
        self.name = name
        self._prices = prices
        self.endpoint = Endpoint(name, url, headers, secret, open_session, on_reply)
        self._parts = refused or RefusedParts()
        self._server = str(url.with_query(None))
        self._without = without

    @abstractmethod
    def _body(self, request: ProviderRequest, refused: Refused, *, stream: bool) -> dict[str, Any]:
        """The request's JSON without the parts in `refused`."""

    @abstractmethod
    def _refused_part(
        self, body: Mapping[str, Any], refused: Refused, complaint: str
    ) -> str | None:
        """The name of an optional part of `body` that the complaint (lower case) is about. refused:
        what the body was made without."""

    @abstractmethod
    def _read_reply(self, text: str, completion: Completion) -> None:
        """Reads a whole reply into `completion`. Raises ProviderError."""

    @abstractmethod
    def _read_event(self, data: str, completion: Completion) -> str:
        """Reads one event of a stream into `completion`; returns the text it brings."""

    async def chat(self, request: ProviderRequest) -> ChatResponse:
        start = perf_counter()
        deadline = Deadline(self.name, request.deadline)
        async with deadline:
            text = await self._adapted(request, self.endpoint.ask, stream=False)
        return self.read(request.model, text, latency_ms=_since(start))

    def body(self, request: ProviderRequest) -> dict[str, Any]:
        """The request's JSON, without the parts that this model is known to refuse."""
        return self._body(request, self.refused(request.model), stream=False)

    def refused(self, model: str) -> Refused:
        """The parts that requests to this model are made without, as far as is known here."""
        return self._parts.known(self._server, model) | self._without

    def read(
        self, model: str, text: str, *, latency_ms: float = 0.0, batch: BatchPrice | None = None
    ) -> ChatResponse:
        """The reply that the body of a 2xx reply is. batch: how it is priced when it came from
        one. Raises ProviderError."""
        completion = Completion()
        self._read_reply(text, completion)
        return self._response(model, completion, latency_ms, text, batch)

    @abstractmethod
    def form(self, model: str) -> str:
        """How this model is asked for a structured reply, as far as is known here."""

    def refused_part(self, model: str, error: ProviderError) -> str | None:
        """The optional part of requests that an error, of a request that had all that this model
        is not known to refuse, is about."""
        return self._part_to_leave_out(
            self.body(_with_all_parts(model)), self.refused(model), error
        )

    def leave_out(self, model: str, part: str) -> None:
        """Requests to this model have the part no more."""
        self._parts.add(self._server, model, frozenset({part}))

    async def stream(self, request: ProviderRequest) -> AsyncGenerator[str | ChatResponse, None]:
        start = perf_counter()
        deadline = Deadline(self.name, request.deadline)
        completion = Completion()
        async with AsyncExitStack() as stack:

            async def connect(body: Mapping[str, Any]) -> aiohttp.ClientResponse:
                return await stack.enter_async_context(self.endpoint.open(body))

            async with deadline:
                response = await self._adapted(request, connect, stream=True)
            pieces = self._pieces(response, deadline, completion)
            async for piece in await stack.enter_async_context(aclosing(pieces)):
                yield piece
        yield self._response(request.model, completion, _since(start), "")

    async def models(self, *, deadline: float) -> list[dict[str, Any]]:
        """What the server lists of each of its models, by `id`. Raises ProviderError. deadline:
        seconds."""
        url = URL(self.endpoint.url)
        url = url.with_path(_CHAT_PATH.sub("/models", url.path), keep_query=True)
        async with Deadline(self.name, deadline):
            # Anthropic sends 20 models a page without it.
            url = url.update_query(limit=1000) if self.name == "anthropic" else url
            async with self.endpoint.request("GET", str(url)) as response:
                text = await self.endpoint.read(response)
        return self._parse(ModelList, text).data

    async def aclose(self) -> None:
        await self.endpoint.aclose()

    async def _pieces(
        self, response: aiohttp.ClientResponse, deadline: Deadline, completion: Completion
    ) -> AsyncGenerator[str, None]:
        if "event-stream" not in response.headers.get("content-type", ""):
            # A server that does not stream sends the whole reply at once.
            async with deadline:
                text = await self.endpoint.read(response)
            self._read_reply(text, completion)
            yield "".join(completion.pieces)
            return
        async with aclosing(events(response, deadline)) as stream:
            async for data in stream:
                piece = self._read_event(data, completion)
                if piece:
                    completion.pieces.append(piece)
                    yield piece
        if completion.finished is None:
            raise TransientProviderError(f"The stream of {self.name} broke off.")

    async def _adapted(
        self,
        request: ProviderRequest,
        send: Callable[[dict[str, Any]], Awaitable[Sent]],
        *,
        stream: bool,
    ) -> Sent:
        """What `send` returns for the request, without the parts that the server refuses."""
        found: Refused = frozenset()
        known = self._without | await self._parts.read(self._server, request.model)
        while True:
            body = self._body(request, known | found, stream=stream)
            try:
                sent = await send(body)
            except ProviderError as error:
                part = self._part_to_leave_out(body, known | found, error)
                if part is None:
                    raise
                found |= {part}
                continue
            except asyncio.CancelledError:
                # The deadline: refusals come at once, so what is left was accepted.
                self._parts.add(self._server, request.model, found)
                raise
            # Only what has helped is kept: a reply may quote a note that names a part.
            self._parts.add(self._server, request.model, found)
            return sent

    def _part_to_leave_out(
        self, body: Mapping[str, Any], refused: Refused, error: ProviderError
    ) -> str | None:
        if error.status not in _REFUSALS_OF_STRUCTURE:
            return None
        part = self._refused_part(body, refused, error.body_excerpt.lower())
        return part if error.status in _REFUSALS or part in self.structure else None

    def _parse(self, shape: type[Wire], text: str) -> Wire:
        return parse(shape, text, self.endpoint)

    def _response(
        self,
        model: str,
        completion: Completion,
        latency_ms: float,
        raw_body: str,
        batch: BatchPrice | None = None,
    ) -> ChatResponse:
        cached = min(completion.cached_tokens, completion.prompt_tokens or 0)
        written = min(completion.cache_write_tokens, (completion.prompt_tokens or 0) - cached)
        reply = ChatResponse(
            content="".join(completion.pieces),
            provider=self.name,
            model=model,
            prompt_tokens=completion.prompt_tokens,
            completion_tokens=completion.completion_tokens,
            cost_usd=cost_usd(
                self.name,
                model,
                self.endpoint.url,
                completion.prompt_tokens,
                completion.completion_tokens,
                cached,
                written,
                own=self._prices,
                batch=batch,
            ),
            latency_ms=latency_ms,
            raw_body=raw_body,
            cached_tokens=cached,
            cache_write_tokens=written,
        )
        if completion.withheld:
            raise PermanentProviderError(
                f"{self.name} declined to answer this request.", reply=reply
            )
        if not reply.content.strip():
            # Any other reason is a text that the server may have made of anything.
            known = completion.finished if completion.finished in _KNOWN_ENDS else "unknown"
            raise MalformedOutput(
                f"{self.name} sent no text (it stopped because of: {known}).",
                status=200,
                body_excerpt=self.endpoint.redact(raw_body),
                reply=reply,
            )
        return reply


def _since(start: float) -> float:
    return (perf_counter() - start) * 1000


def _with_all_parts(model: str) -> ProviderRequest:
    said = [Message("system", "-"), Message("user", "-")]
    return ProviderRequest(said, 0.0, 1, _ANY_OBJECT, model=model, deadline=1.0)
