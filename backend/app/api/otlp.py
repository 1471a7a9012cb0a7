"""OTLP over HTTP: replies and failures in the encoding of the request, and room for requests at the
same time."""

import asyncio
import json
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Coroutine, Hashable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from google.protobuf.json_format import MessageToJson
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse
from starlette.exceptions import HTTPException

from app.api.problems import DATABASE_AWAY, TRY_AGAIN, preferred_language
from app.integrations.traces.body import MAX_BODY_BYTES
from app.platform.errors import RequestError, TooManyRequests, error_text

PROTOBUF, JSON = "application/x-protobuf", "application/json"
# Codes of gRPC by HTTP status; 2 is UNKNOWN.
_CODES = {400: 3, 401: 16, 403: 7, 413: 8, 415: 3, 422: 3, 429: 8, 503: 14}

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class OtlpRoute(APIRoute):
    """A route whose failures are google.rpc.Status, as exporters expect."""

    def get_route_handler(self) -> Handler:
        handle = super().get_route_handler()

        async def handled(request: Request) -> Response:
            lang = preferred_language(request)
            try:
                return await handle(request)
            except RequestError as error:
                return failure(request, error.status, error.detail[lang], error.headers)
            except HTTPException as error:
                return failure(request, error.status_code, str(error.detail), error.headers or {})
            except DATABASE_AWAY:
                return failure(request, 503, error_text("database-unavailable", lang), TRY_AGAIN)

        return handled


def media_type(request: Request) -> str:
    """Of the request's body, without its parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def failure(
    request: Request, status: int, message: str, headers: Mapping[str, str] | None = None
) -> Response:
    """A google.rpc.Status."""
    code = _CODES.get(status, 2)
    if media_type(request) == PROTOBUF:
        return Response(_status_message(code, message), status, headers, PROTOBUF)
    body = json.dumps({"code": code, "message": message})
    return Response(body, status, headers, JSON)


def _status_message(code: int, message: str) -> bytes:
    """Its two fields in protobuf; for these alone no package is worth its weight."""
    text = message.encode()
    length = bytearray()
    rest = len(text)
    while rest > 0x7F:
        length.append(rest & 0x7F | 0x80)
        rest >>= 7
    return bytes((0x08, code, 0x12, *length, rest)) + text


def success(request: Request, rejected: int, why: str) -> Response:
    """Partial success where spans were rejected; else an empty message."""
    body = ExportTraceServiceResponse()
    if rejected:
        body.partial_success.rejected_spans = rejected
        body.partial_success.error_message = why
    if media_type(request) == PROTOBUF:
        return Response(body.SerializeToString(), media_type=PROTOBUF)
    return Response(MessageToJson(body), media_type=JSON)


# Bodies that are being read or stored; of one workspace all but one body at most.
MAX_BYTES_IN_FLIGHT = 3 * MAX_BODY_BYTES
MAX_BYTES_OF_WORKSPACE = MAX_BYTES_IN_FLIGHT - MAX_BODY_BYTES
# So many leave connections to the other requests.
STORED_AT_ONCE = 4


class SpanIntake:
    """Of one application, on its event loop: room for bodies, and turns to store their spans. No
    workspace takes all of either."""

    def __init__(self) -> None:
        self._held_bytes: Counter[Hashable] = Counter()
        self._free = STORED_AT_ONCE
        self._storing: Counter[Hashable] = Counter()
        self._waiting: OrderedDict[Hashable, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def body(self, request: Request, workspace: Hashable) -> AsyncIterator[bytes]:
        """The whole body. Raises TooManyRequests where there is no room for it now."""
        body = bytearray()
        try:
            async for chunk in request.stream():
                body += chunk
                self._held_bytes[workspace] += len(chunk)
                if (
                    self._held_bytes[workspace] > MAX_BYTES_OF_WORKSPACE
                    or self._held_bytes.total() > MAX_BYTES_IN_FLIGHT
                ):
                    error = TooManyRequests.worded("too-many-spans")
                    raise error.with_headers({"Retry-After": "1"})
            yield bytes(body)
        finally:
            _subtract(self._held_bytes, workspace, len(body))

    @asynccontextmanager
    async def storing(self, workspace: Hashable) -> AsyncIterator[None]:
        """Held while spans are stored. Workspaces take turns, each in all slots but one at most."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(workspace, deque()).append(turn)
        self._give_turns()
        try:
            await turn
            yield
        finally:
            # Otherwise it was cancelled before its turn.
            if turn.done() and not turn.cancelled():
                self._free += 1
                _subtract(self._storing, workspace, 1)
                self._give_turns()

    def _give_turns(self) -> None:
        while self._free:
            workspace = min(self._waiting, key=self._storing.__getitem__, default=None)
            if workspace is None or self._storing[workspace] >= STORED_AT_ONCE - 1:
                return
            turns = self._waiting.pop(workspace)
            turn = turns.popleft()
            if turns:
                self._waiting[workspace] = turns
            if not turn.cancelled():
                self._free -= 1
                self._storing[workspace] += 1
                turn.set_result(None)


def _subtract(counter: Counter[Hashable], key: Hashable, amount: int) -> None:
    counter[key] -= amount
    if not counter[key]:
        del counter[key]
