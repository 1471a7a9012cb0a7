"""HTTP servers, sessions and APIs that answer as a test says, and a client that records."""

import json
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

import aiohttp
import httpx
from searchqa_client import Api, Note, SearchQA

from app.ai_router.providers.http import OpenSession
from app.cli.language import language

CREATED = {
    "id": "00000000-0000-4000-8000-000000000001",
    "answer_id": "00000000-0000-4000-8000-000000000002",
    "status": "queued",
    "reason": None,
}


@dataclass(frozen=True)
class Asked:
    """A request as it arrived; header names are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Reply:
    """cut_off: the connection ends before the stated length."""

    status: int = 202
    json: object = field(default_factory=lambda: CREATED)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    cut_off: bool = False


def problem(status: int, detail: str, **headers: str) -> Reply:
    body = {"type": "about:blank", "title": "", "status": status, "detail": detail}
    return Reply(status, body, {name.replace("_", "-"): value for name, value in headers.items()})


Answer = Callable[[Asked], Reply]


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """A client that has gone is no error."""


class ScriptedHttp:
    """asked: all requests in order of arrival. answer: gives the reply to a request, when there is
    none left of those given to `script`."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.asked: list[Asked] = []
        self._scripted: deque[Reply] = deque()
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def script(self, *replies: Reply) -> None:
        self._scripted.extend(replies)

    def reply_to(self, asked: Asked) -> Reply:
        self.asked.append(asked)
        return self._scripted.popleft() if self._scripted else self.answer(asked)

    @contextmanager
    def serving(self) -> Iterator["ScriptedHttp"]:
        thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            thread.join()
            self._server.server_close()


def scripted_http(answer: Answer = lambda _: Reply()) -> ScriptedHttp:
    return ScriptedHttp(answer)


def _handler(script: ScriptedHttp) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            length = int(self.headers.get("content-length", 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            reply = script.reply_to(
                Asked(self.command, self.path, headers, self.rfile.read(length))
            )
            body = json.dumps(reply.json).encode() if reply.body is None else reply.body
            headers: dict[str, object] = {"content-type": "application/json", **reply.headers}
            if reply.status != HTTPStatus.NO_CONTENT:
                headers["content-length"] = len(body) + reply.cut_off
            self.send_response(reply.status)
            for name, value in headers.items():
                self.send_header(name, str(value))
            self.end_headers()
            self.wfile.write(body)
            self.close_connection = self.close_connection or reply.cut_off

        do_POST = do_DELETE = do_GET  # noqa: N815  # the names of http.server

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    return Handler


def answered_by(handler: Callable[[httpx.Request], object]) -> OpenSession:
    """`handler` takes an httpx.Request and returns, or is a coroutine that returns, an
    httpx.Response."""
    transport = httpx.MockTransport(handler)  # type: ignore[arg-type]  # as httpx types it

    def open_session(headers: Mapping[str, str]) -> aiohttp.ClientSession:
        return cast("aiohttp.ClientSession", _Session(transport, headers))

    return open_session


class RecordedVendor:
    """A vendor behind `open_session` that answers by a handler of each request's JSON."""

    def __init__(self, handler: Callable[[dict[str, Any]], httpx.Response]) -> None:
        self.requests: list[httpx.Request] = []
        self.bodies: list[dict[str, Any]] = []
        self._handler = handler
        self.open_session = answered_by(self._handle)

    def _handle(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        self.bodies.append(json.loads(request.content))
        return self._handler(self.bodies[-1])


class _Session:
    def __init__(self, transport: httpx.MockTransport, headers: Mapping[str, str]) -> None:
        self._transport = transport
        self._headers = {"user-agent": "searchqa", **headers}

    @asynccontextmanager
    async def request(
        self, method: str, url: str, *, data: bytes, headers: Mapping[str, str], **_: object
    ) -> AsyncIterator["_Response"]:
        sent = {**self._headers, **headers}
        request = httpx.Request(method, url, content=data, headers=sent)
        response = await self._transport.handle_async_request(request)
        yield _Response(response.status_code, response.headers, _Content(await response.aread()))

    async def close(self) -> None:
        pass


@dataclass
class _Response:
    status: int
    headers: Mapping[str, str]
    content: "_Content"


class _Content:
    def __init__(self, body: bytes) -> None:
        self._body = body

    async def readany(self) -> bytes:
        body, self._body = self._body, b""
        return body

    async def iter_any(self) -> AsyncIterator[bytes]:
        yield self._body


@dataclass(frozen=True)
class Submitted:
    """options: those that were not None."""

    question: str
    answer: str
    notes: list[Note]
    options: dict[str, Any]

    @property
    def contents(self) -> list[str]:
        return [note.content for note in self.notes]


@dataclass
class RecordedBackground:
    submitted: list[Submitted] = field(default_factory=list)
    flushed: bool = False

    def submit(
        self, question: str, answer: str, notes: Sequence[Note] = (), **options: Any
    ) -> None:
        given = {name: value for name, value in options.items() if value not in (None, {})}
        self.submitted.append(Submitted(question, answer, list(notes), given))

    def flush(self, timeout: float = 10.0) -> bool:
        self.flushed = True
        return True

    @property
    def only(self) -> Submitted:
        (one,) = self.submitted
        return one


Handler = Callable[[httpx.Request], httpx.Response]
URL = "http://127.0.0.1:1"
EVENT_STREAM = {"Content-Type": "text/event-stream"}


@contextmanager
def api_of(
    handler: Handler, token: str | Callable[[], str] = "", lang: str | None = None
) -> Iterator[Api]:
    """An API that `handler` serves, in the language of messages by default."""
    transport = httpx.MockTransport(handler)
    with SearchQA(URL, token, lang=lang or language(), transport=transport) as client:
        yield client.api


def connect_to(handler: Handler) -> Callable[..., AbstractContextManager[Api]]:
    """In place of `app.cli.server.connect`."""
    return lambda lang=None, **_: api_of(handler, lang=lang)


class CutOff(httpx.SyncByteStream):
    """A body of the line `id` alone."""

    def __iter__(self) -> Iterator[bytes]:
        yield b"id\r\n"
        raise httpx.RemoteProtocolError("peer closed connection")
