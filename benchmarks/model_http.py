"""What a call to a model costs by each HTTP client: `python benchmarks/model_http.py`.

Embeddings of a question, whole answers and streamed ones, by the providers of the program, over

    aiohttp         the session that the program opens
    httpx           one httpx client with a pool of its own
    httpx-aiohttp   one httpx client over aiohttp; measured where that package is installed

CPU of this process per call, in milliseconds: the server of the same file runs in another process.
A round measures all clients in turn, so that what else the machine does meets them alike; the
table has medians over the rounds, and the median of each round's ratio to aiohttp.
"""

import argparse
import asyncio
import importlib.util
import json
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import uvloop

from app.ai_router.providers.http import CONNECT_TIMEOUT, open_session
from app.ai_router.providers.openai import OpenAIEmbeddings, OpenAIProvider
from app.ai_router.types import Message, ProviderRequest

DIMENSIONS, EVENTS = 1536, 60
# Seconds until a reply, and between the events of a stream: calls in flight stay in flight.
LATENCY, PAUSE = 0.05, 0.001
_NOTES = "변성은 95도에서 30초 동안 한다. " * 600
_ANSWER = "변성은 95도에서 30초 동안 합니다 [노트 1]. " * 20


# The server: HTTP with Content-Length in, one of three ready replies out.


def _head(kind: str, rest: str) -> bytes:
    return f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\n{rest}\r\n\r\n".encode()


def _whole(reply: object) -> bytes:
    body = json.dumps(reply, ensure_ascii=False).encode()
    return _head("application/json", f"content-length: {len(body)}") + body


def _event(delta: Mapping[str, str], finished: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finished}
    data = {"id": "stub", "object": "chat.completion.chunk", "model": "m", "choices": [choice]}
    event = f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()
    return b"%x\r\n%s\r\n" % (len(event), event)


_VECTOR = [(-1) ** n * (0.01 + n / 1e5) for n in range(DIMENSIONS)]
_EMBEDDINGS = _whole({"data": [{"index": 0, "embedding": _VECTOR}], "model": "m"})
_CHOICE = {"index": 0, "message": {"content": _ANSWER}, "finish_reason": "stop"}
_USAGE = {"prompt_tokens": 9000, "completion_tokens": 300, "total_tokens": 9300}
_CHAT = _whole({"id": "stub", "choices": [_CHOICE], "usage": _USAGE})
_STREAM = _head("text/event-stream", "transfer-encoding: chunked")
_PIECE, _LAST = _event({"content": "변성은 95도 "}), _event({}, "stop") + b"0\r\n\r\n"


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
            body = await reader.readexactly(length)
            await asyncio.sleep(LATENCY)
            if b"/embeddings" in head:
                writer.write(_EMBEDDINGS)
            elif b'"stream":true' in body:
                writer.write(_STREAM)
                for _ in range(EVENTS):
                    writer.write(_PIECE)
                    await asyncio.sleep(PAUSE)
                writer.write(_LAST)
            else:
                writer.write(_CHAT)
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def serve() -> None:
    server = await asyncio.start_server(_serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


# The clients: each opens what the providers take for a session of aiohttp.


@dataclass
class _Content:
    chunks: AsyncIterator[bytes]

    def iter_any(self) -> AsyncIterator[bytes]:
        return self.chunks

    async def readany(self) -> bytes:
        return await anext(self.chunks, b"")


@dataclass
class _Response:
    status: int
    headers: Mapping[str, str]
    content: _Content


class _HttpxSession:
    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    @asynccontextmanager
    async def post(self, url: str, *, data: bytes, **_: object) -> AsyncIterator[_Response]:
        async with self._client.stream("POST", url, content=data) as response:
            content = _Content(response.aiter_raw())
            yield _Response(response.status_code, response.headers, content)

    async def close(self) -> None:
        await self._client.aclose()


def _over_httpx(
    transport: Callable[[], httpx.AsyncBaseTransport],
) -> Callable[[Mapping[str, str]], Any]:
    def opened(headers: Mapping[str, str]) -> _HttpxSession:
        own = {"accept-encoding": "identity", "user-agent": "searchqa", **headers}
        timeout = httpx.Timeout(None, connect=CONNECT_TIMEOUT)
        client = httpx.AsyncClient(
            transport=transport(), headers=own, timeout=timeout, trust_env=False
        )
        return _HttpxSession(client)

    return opened


def _pool() -> httpx.AsyncBaseTransport:
    unbounded = httpx.Limits(
        max_connections=None, max_keepalive_connections=None, keepalive_expiry=4.0
    )
    return httpx.AsyncHTTPTransport(limits=unbounded, trust_env=False)


def _over_aiohttp() -> httpx.AsyncBaseTransport:
    import httpx_aiohttp  # type: ignore[import-not-found]  # no dependency of the program

    # Its own limits cannot say "none".
    transport: httpx.AsyncBaseTransport = httpx_aiohttp.AiohttpTransport(
        client=lambda: open_session({})
    )
    return transport


CLIENTS: dict[str, Callable[[Mapping[str, str]], Any]] = {
    "aiohttp": open_session,
    "httpx": _over_httpx(_pool),
}
if importlib.util.find_spec("httpx_aiohttp"):
    CLIENTS["httpx-aiohttp"] = _over_httpx(_over_aiohttp)


# The measurement.

_REQUEST = ProviderRequest(
    [Message("user", _NOTES)], temperature=0.3, max_tokens=768, model="m", deadline=120.0
)
Call = Callable[[], Awaitable[object]]


@asynccontextmanager
async def _calls(client: str, base: str) -> AsyncIterator[dict[str, Call]]:
    chat = OpenAIProvider(base, "key", open_session=CLIENTS[client])
    embeddings = OpenAIEmbeddings(base, "key", open_session=CLIENTS[client])

    async def stream() -> None:
        async for _ in chat.stream(_REQUEST):
            pass

    try:
        yield {
            "embeddings": lambda: embeddings.embed("m", ["변성 온도는?"], deadline=120),
            "answer": lambda: chat.chat(_REQUEST),
            "stream": stream,
        }
    finally:
        await chat.aclose()
        await embeddings.aclose()


async def _cpu_ms(call: Call, in_flight: int, calls: int) -> float:
    """Per call, with `in_flight` of them under way and their connections open."""

    async def several(number: int) -> None:
        for _ in range(number):
            await call()

    await asyncio.gather(*(several(1) for _ in range(in_flight)))
    began = time.process_time()
    await asyncio.gather(*(several(calls // in_flight) for _ in range(in_flight)))
    return (time.process_time() - began) * 1000 / (calls // in_flight * in_flight)


async def measure(base: str, in_flight: list[int], rounds: int) -> None:
    found: dict[tuple[str, int, str], list[float]] = {}
    for number in range(rounds):
        for many in in_flight:
            for kind in ("embeddings", "answer", "stream"):
                names = list(CLIENTS)
                for client in names[number % len(names) :] + names[: number % len(names)]:
                    async with _calls(client, base) as calls:
                        cpu = await _cpu_ms(calls[kind], many, max(30, 2 * many))
                    found.setdefault((kind, many, client), []).append(cpu)
    print(f"| Call | In flight | {' | '.join(f'{name}, ms' for name in CLIENTS)} | Ratios |")
    print("|---|---|" + "---|" * (len(CLIENTS) + 1))
    for kind, many in dict.fromkeys(key[:2] for key in found):
        cells = [statistics.median(found[kind, many, client]) for client in CLIENTS]
        first, *others = CLIENTS
        ratios = [
            statistics.median(
                other / one
                for one, other in zip(
                    found[kind, many, first], found[kind, many, client], strict=True
                )
            )
            for client in others
        ]
        shown = " | ".join(f"{cell:.2f}" for cell in cells)
        print(f"| {kind} | {many} | {shown} | {', '.join(f'{ratio:.2f}' for ratio in ratios)} |")


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--in-flight", type=int, nargs="+", default=[1, 16, 128])
    options.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.serve:
        uvloop.run(serve())
        return
    command = [sys.executable, __file__, "--serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            base = f"http://127.0.0.1:{int(server.stdout.readline())}/v1"
            uvloop.run(measure(base, given.in_flight, given.rounds))
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
