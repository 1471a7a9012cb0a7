"""Connections that are silent, slow or too many, against a real uvicorn over real sockets."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from ipaddress import ip_network

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from app.api.connections import ConnectionLimits, guarded, mark_authenticated
from cases import TIMEOUT_SECONDS, eventually

HOST = "127.0.0.1"
SHORT_SECONDS = 0.2
MAX_CONNECTIONS = 1000
# More than the kernel takes for a client that reads nothing.
BIG = b"x" * 16 * 2**20


@dataclass
class Served:
    """A server with an application that asks for no token but lets `/in` and `/stream` in."""

    port: int
    server: uvicorn.Server
    news: asyncio.Event
    clients: list["Client"] = field(default_factory=list)

    async def connect(self, sent: bytes = b"", *, source: str = HOST) -> "Client":
        streams = await asyncio.open_connection(HOST, self.port, local_addr=(source, 0))
        self.clients.append(client := Client(*streams))
        client.writer.write(sent)
        return client

    async def get(self, path: str, *, source: str = HOST) -> "Client":
        """After the head of the reply, whose end is that of the connection."""
        client = await self.connect(request("GET", path, "Connection: close"), source=source)
        assert (await client.head()).startswith("HTTP/1.1 200")
        return client

    async def has_connections(self, count: int) -> None:
        await eventually(lambda: len(self.server.server_state.connections) == count)


@dataclass
class Client:
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def head(self) -> str:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            return (await self.reader.readuntil(b"\r\n\r\n")).decode()

    async def read_to_end(self) -> bytes:
        """What comes until the server closes the connection."""
        read = b""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            try:
                while more := await self.reader.read(2**16):
                    read += more
            except ConnectionError:
                pass
        return read

    async def drip(self, data: bytes) -> bytes:
        """Sends a byte now and then, for ever; what the server says before it closes."""

        async def send() -> None:
            while True:
                for byte in data:
                    self.writer.write(bytes([byte]))
                    await asyncio.sleep(SHORT_SECONDS / 10)

        sending = asyncio.create_task(send())
        try:
            return await self.read_to_end()
        finally:
            sending.cancel()


def request(method: str, path: str, *headers: str) -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", f"Host: {HOST}", *headers, "", ""]).encode()


Serve = Callable[..., Awaitable[Served]]


@pytest.fixture
async def serve() -> AsyncIterator[Serve]:
    async with asyncio.TaskGroup() as group:
        all_served: list[Served] = []

        async def start(**changes: object) -> Served:
            limits = {"total": MAX_CONNECTIONS, "per_address": MAX_CONNECTIONS} | changes
            news = asyncio.Event()
            config = uvicorn.Config(
                application(news),
                host=HOST,
                port=0,
                http=guarded(ConnectionLimits(**limits)),
                lifespan="off",
                log_level="warning",
                timeout_graceful_shutdown=1,
            )
            server = uvicorn.Server(config)
            group.create_task(server.serve())
            await eventually(lambda server=server: server.started)
            port = server.servers[0].sockets[0].getsockname()[1]
            all_served.append(served := Served(port, server, news))
            return served

        yield start
        for served in all_served:
            for client in served.clients:
                client.writer.transport.abort()
            served.server.should_exit = True


def application(news: asyncio.Event) -> Starlette:
    async def enter(request: Request) -> Response:
        mark_authenticated(request)
        return PlainTextResponse("in")

    async def stream(request: Request) -> Response:
        mark_authenticated(request)

        async def events() -> AsyncIterator[str]:
            yield ": open\n\n"
            await news.wait()
            yield "data: news\n\n"

        return StreamingResponse(events(), media_type="text/event-stream")

    async def echo(request: Request) -> Response:
        return PlainTextResponse(str(len(await request.body())))

    async def later(request: Request) -> Response:
        await news.wait()
        mark_authenticated(request)
        return PlainTextResponse("in")

    async def big(request: Request) -> Response:
        if "authorization" not in request.headers:
            return Response(BIG)
        mark_authenticated(request)

        async def parts() -> AsyncIterator[bytes]:
            for start in range(0, len(BIG), 2**16):
                yield BIG[start : start + 2**16]

        return StreamingResponse(parts(), headers={"Connection": "close"})

    routes = [
        ("/in", enter),
        ("/stream", stream),
        ("/echo", echo),
        ("/big", big),
        ("/later", later),
    ]
    return Starlette(routes=[Route(path, each, methods=["GET", "POST"]) for path, each in routes])


class TestSlow:
    @pytest.mark.parametrize("sent", [b"", b"GET /in HT", request("GET", "/in")[:-2]])
    async def test_a_head_that_does_not_come_is_not_waited_for(self, serve, sent):
        served = await serve(head_seconds=SHORT_SECONDS)

        assert await (await served.connect(sent)).read_to_end() == b""

    async def test_nor_one_that_drips(self, serve):
        served = await serve(head_seconds=SHORT_SECONDS)

        assert await (await served.connect()).drip(request("GET", "/in")[:-2] + b"X: y\r\n") == b""

    async def test_nor_a_second_one(self, serve):
        served = await serve(head_seconds=SHORT_SECONDS)
        client = await served.connect(request("GET", "/in"))
        await client.head()

        rest = await client.drip(b"GET /in HTTP/1.1\r\nX: y\r\n")

        assert rest == b"in"

    async def test_a_body_that_drips_is_not_waited_for(self, serve, caplog):
        served = await serve(body_seconds=SHORT_SECONDS, body_bytes=100)
        client = await served.connect(request("POST", "/echo", "Content-Length: 100000"))

        assert (await client.drip(b"x")).startswith(b"HTTP/1.1 408 ")
        await served.has_connections(0)
        assert [record.message for record in caplog.records if record.levelname == "ERROR"] == []

    async def test_a_body_that_comes_slowly_but_comes_is(self, serve):
        served = await serve(body_seconds=SHORT_SECONDS, body_bytes=1, head_seconds=SHORT_SECONDS)
        client = await served.connect(request("POST", "/echo", "Content-Length: 20"))
        for _ in range(20):
            client.writer.write(b"x")
            await asyncio.sleep(SHORT_SECONDS / 4)

        assert (await client.head()).startswith("HTTP/1.1 200")

    async def test_a_response_that_nobody_reads_is_given_up(self, serve):
        served = await serve(write_seconds=SHORT_SECONDS)
        client = await served.connect(request("GET", "/big"))

        await served.has_connections(1)
        await served.has_connections(0)
        assert len(await client.read_to_end()) < len(BIG)

    async def test_one_that_is_read_slowly_is_not(self, serve):
        seconds = 5 * SHORT_SECONDS  # the whole takes longer, no part of it nearly as long
        served = await serve(write_seconds=seconds, head_seconds=seconds)
        client = await served.connect(request("GET", "/big"))
        await client.head()
        read = 0
        while read < len(BIG):
            more = await client.reader.read(2**19)
            assert more, "cut off"
            read += len(more)
            await asyncio.sleep(seconds / 20)

    async def test_who_is_in_may_pause(self, serve):
        served = await serve(write_seconds=SHORT_SECONDS, head_seconds=SHORT_SECONDS)
        client = await served.connect(request("GET", "/big", "Authorization: x"))
        for _ in range(3):
            await (await served.connect()).read_to_end()  # closed when at least SHORT has passed

        await client.head()
        assert len(await client.read_to_end()) > len(BIG)

    async def test_a_stream_is_never_cut(self, serve):
        served = await serve(
            head_seconds=SHORT_SECONDS, body_seconds=SHORT_SECONDS, write_seconds=SHORT_SECONDS
        )
        stream = await served.get("/stream")
        for _ in range(3):
            await (await served.connect()).read_to_end()

        served.news.set()

        assert b"data: news" in await stream.read_to_end()


class TestTooMany:
    async def test_of_one_address_the_oldest_goes(self, serve):
        served = await serve(per_address=3)
        first, *others = [await served.connect() for _ in range(4)]
        elsewhere = await served.connect(source="127.0.0.2")

        assert await first.read_to_end() == b""
        for client in (*others, elsewhere):
            client.writer.write(request("GET", "/in"))
            assert (await client.head()).startswith("HTTP/1.1 200")

    async def test_who_is_in_is_not_counted(self, serve):
        served = await serve(per_address=2)
        streams = [await served.get("/stream") for _ in range(5)]
        idle = [await served.connect() for _ in range(5)]
        for client in idle[:3]:
            assert await client.read_to_end() == b""

        served.news.set()

        for stream in streams:
            assert b"data: news" in await stream.read_to_end()

    async def test_proxies_are_not_one_address(self, serve):
        served = await serve(per_address=2, exempt=frozenset({ip_network("127.0.0.2/32")}))
        clients = [await served.connect(source="127.0.0.2") for _ in range(5)]

        await served.has_connections(5)
        for client in clients:
            client.writer.write(request("GET", "/in"))
            assert (await client.head()).startswith("HTTP/1.1 200")

    async def test_of_all_the_oldest_that_is_not_in_goes(self, serve):
        served = await serve(total=4)
        streams = [await served.get("/stream") for _ in range(2)]
        idle = [await served.connect(source=f"127.0.0.{n}") for n in range(2, 6)]

        late = await served.get("/in")

        for client in idle[:3]:
            assert await client.read_to_end() == b""
        served.news.set()
        for stream in streams:
            assert b"data: news" in await stream.read_to_end()
        assert await late.reader.readexactly(2) == b"in"

    async def test_nobody_who_is_in_makes_room(self, serve):
        served = await serve(total=2)
        streams = [await served.get("/stream") for _ in range(2)]

        assert await (await served.connect()).read_to_end() == b""

        served.news.set()
        for stream in streams:
            assert b"data: news" in await stream.read_to_end()
