"""The aiohttp transport against a real server that misbehaves."""

import asyncio
import gzip
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest

from app.ai_router.providers.openai import OpenAIProvider
from app.ai_router.types import ChatResponse, Message, ProviderRequest
from app.platform.errors import ConfigurationError, MalformedOutput, TransientProviderError
from stub_server import (
    Exchange,
    StubServer,
    answer,
    completion,
    cut_json,
    cut_off,
    drip,
    hang,
    html,
    oversized,
    reply_text,
    reset,
    sse,
    status,
)

TEXT = "물은 섭씨 100도에서 끓는다 [노트 1]."


def chat_request(deadline: float = 5.0) -> ProviderRequest:
    return ProviderRequest(
        [Message("user", "질문" * 1000)], 0.1, 768, model="stub", deadline=deadline
    )


@pytest.fixture
async def stub() -> AsyncIterator[StubServer]:
    async with StubServer(answer(reply_text(TEXT))) as server:
        yield server


@pytest.fixture
async def provider(stub: StubServer) -> AsyncIterator[OpenAIProvider]:
    client = OpenAIProvider(stub.base_url, "a-key")
    yield client
    await client.aclose()


async def read_stream(
    provider: OpenAIProvider, into: list[str | ChatResponse], deadline: float = 5.0
) -> None:
    async with aclosing(provider.stream(chat_request(deadline))) as stream:
        async for piece in stream:
            into.append(piece)  # noqa: PERF401 - what came before an error must be there


@pytest.mark.parametrize("piece_bytes", [1, 7, 100_000])
async def test_a_stream_is_whole_however_packets_cut_its_characters(stub, provider, piece_bytes):
    stub.script(answer(reply_text(TEXT), piece_bytes=piece_bytes))

    pieces: list[str | ChatResponse] = []

    await read_stream(provider, pieces)

    *text, whole = pieces
    assert text == list(TEXT)
    assert isinstance(whole, ChatResponse)
    assert whole.content == TEXT


async def test_no_call_outlives_its_deadline(stub, provider):
    dripped = []

    async def drip_to_the_end(exchange: Exchange) -> None:
        await drip(reply_text(TEXT), interval=0.2)(exchange)
        dripped.append(exchange)

    stub.script(hang(), hang(), drip_to_the_end, drip_to_the_end)
    for _ in range(2):
        with pytest.raises(TransientProviderError, match=r"longer than 0\.3 s"):
            await provider.chat(chat_request(deadline=0.3))
        with pytest.raises(TransientProviderError, match=r"longer than 0\.3 s"):
            await read_stream(provider, [], deadline=0.3)

    assert dripped == [], "the whole reply takes a minute"


async def test_the_deadline_of_a_stream_leaves_its_reader_alone(stub, provider, monkeypatch):
    async def begin_and_hang(exchange: Exchange) -> None:
        await exchange.begin("text/event-stream")
        await exchange.write(sse(TEXT)[:500])
        await exchange.reader.read()

    stub.script(begin_and_hang)
    async with aclosing(provider.stream(chat_request(deadline=60))) as stream:
        await anext(stream)
        # The reader is busy when the deadline passes, and must not be cancelled for it.
        loop = asyncio.get_running_loop()
        later = loop.time() + 61
        monkeypatch.setattr(loop, "time", lambda: later)
        for _ in range(3):
            await asyncio.sleep(0)
        with pytest.raises(TransientProviderError):
            async for _ in stream:
                pass


@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [
        (reset(), TransientProviderError),
        (cut_off(reply_text(TEXT), after=40), TransientProviderError),
        (cut_json(reply_text(TEXT)), MalformedOutput),
        (oversized(50 * 1024 * 1024), MalformedOutput),
        (html(), TransientProviderError),
        (html(503), TransientProviderError),
        (status(500, "oops"), TransientProviderError),
        (status(401, {"error": {"code": "invalid_api_key"}}), ConfigurationError),
    ],
)
async def test_a_broken_server_is_a_typed_error(stub, provider, behaviour, kind):
    stub.script(behaviour, behaviour)

    with pytest.raises(kind) as chatting:
        await provider.chat(chat_request())
    with pytest.raises(kind) as streaming:
        await read_stream(provider, [])

    assert type(chatting.value) is kind
    assert isinstance(streaming.value, kind)
    assert (await provider.chat(chat_request())).content == TEXT


async def test_a_stream_cut_inside_a_character_keeps_what_came_before(stub, provider):
    whole = sse(TEXT)
    third = whole.index("섭".encode())
    stub.script(cut_off(reply_text(TEXT), after=third + 1))
    pieces: list[str | ChatResponse] = []

    with pytest.raises(TransientProviderError):
        await read_stream(provider, pieces)

    assert pieces == list(TEXT[: TEXT.index("섭")])


async def test_a_server_that_is_not_there(stub):
    async with StubServer() as gone:
        pass
    provider = OpenAIProvider(gone.base_url, None)

    with pytest.raises(TransientProviderError, match="connection"):
        await provider.chat(chat_request())

    await provider.aclose()


async def test_leaving_a_stream_early_hangs_up(stub, provider):
    stub.script(drip(reply_text(TEXT * 20), interval=0.001))

    async with aclosing(provider.stream(chat_request())) as stream:
        await anext(stream)
    async with asyncio.timeout(60):
        await stub.until_in_flight(0)

    assert stub.count == 1


async def test_cancelling_a_call_hangs_up(stub, provider):
    stub.script(hang())
    call = asyncio.create_task(provider.chat(chat_request()))
    async with asyncio.timeout(60):
        await stub.until_in_flight(1)
        call.cancel()
        await stub.until_in_flight(0)

    with pytest.raises(asyncio.CancelledError):
        await call


async def test_hundreds_of_calls_are_in_flight_at_once(stub, provider):
    everyone = asyncio.Barrier(300)

    async def together(exchange: Exchange) -> None:
        await everyone.wait()
        await answer(reply_text(TEXT))(exchange)

    stub.default = together

    async with asyncio.timeout(60):
        replies = await asyncio.gather(
            *(provider.chat(chat_request(deadline=50)) for _ in range(300))
        )

    assert {reply.content for reply in replies} == {TEXT}
    assert stub.most_in_flight == 300


async def test_a_reply_behind_a_hint_in_packed_chunks_is_read_whole(stub, provider):
    packed = gzip.compress(completion(TEXT, (100, 20)))

    async def in_chunks(exchange: Exchange) -> None:
        await exchange.write(b"HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n")
        await exchange.write(
            b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-encoding: gzip\r\n\r\n"
        )
        for chunk in (packed[:9], packed[9:], b""):
            await exchange.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))

    stub.script(in_chunks)

    assert (await provider.chat(chat_request())).content == TEXT
    assert (await provider.chat(chat_request())).content == TEXT
    assert stub.connections == 1


async def test_no_whole_head_of_http_is_a_typed_error(stub, provider):
    stub.script(lambda exchange: exchange.write(b"HTTP/1.1 ZZZ\r\n\r\n"))

    with pytest.raises(TransientProviderError, match="connection"):
        await provider.chat(chat_request())

    assert (await provider.chat(chat_request())).content == TEXT


async def test_a_long_request_and_what_its_address_holds_arrive(stub):
    address = stub.base_url.replace("http://", "http://me:secret@") + "?version=2"
    provider = OpenAIProvider(address, None)
    request = ProviderRequest([Message("user", "가" * 300_000)], 0.1, 9, model="m", deadline=50)

    assert (await provider.chat(request)).content == TEXT
    (arrived,) = stub.requests
    assert arrived.json["messages"][0]["content"] == "가" * 300_000
    assert arrived.headers["authorization"] == "Basic bWU6c2VjcmV0"
    assert arrived.headers["content-type"] == "application/json"
    assert arrived.path == "/v1/chat/completions?version=2"

    await provider.aclose()


async def test_a_key_with_the_end_of_a_line_is_refused(stub):
    provider = OpenAIProvider(stub.base_url, "a-key\r\nx-more: 1")

    with pytest.raises(ConfigurationError, match="key"):
        await provider.chat(chat_request())

    assert stub.count == 0
    await provider.aclose()


async def test_a_proxy_of_the_environment_is_not_used_for_this_machine(stub, monkeypatch):
    async with StubServer() as gone:
        pass
    monkeypatch.setenv("HTTP_PROXY", gone.base_url)
    provider = OpenAIProvider(stub.base_url, None)

    assert (await provider.chat(chat_request())).content == TEXT

    await provider.aclose()


async def test_a_proxy_of_the_environment_is_asked_for_other_machines(stub, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", stub.base_url.removesuffix("/v1"))
    provider = OpenAIProvider("http://judge.invalid/v1", None)

    assert (await provider.chat(chat_request())).content == TEXT
    assert stub.requests[0].headers["host"] == "judge.invalid"

    await provider.aclose()
