"""Behaviours of the stub model server."""

import asyncio
import json
import socket
import struct
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
# What the model says to a request's JSON.
Content = Callable[[Json], str]
# What an embedding model makes of a text.
Meaning = Callable[[str], list[float]]


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it arrived; header names are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    json: Json
    body: bytes = b""


@dataclass(slots=True)
class Exchange:
    """A request and the connection on which to answer it."""

    request: Request
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    keep_alive: bool = True

    async def send(
        self,
        body: bytes,
        *,
        status: int = 200,
        content_type: str = "application/json",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """A whole reply."""
        self.writer.write(_head(status, content_type, {"content-length": len(body)}, headers))
        self.writer.write(body)
        await self.writer.drain()

    async def begin(self, content_type: str, *, length: int | None = None) -> None:
        """The head of a reply that ends with the connection, or after `length` bytes."""
        self.keep_alive = False
        sized = {} if length is None else {"content-length": length}
        self.writer.write(_head(200, content_type, sized, {"connection": "close"}))
        await self.writer.drain()

    async def write(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()


Behaviour = Callable[[Exchange], Awaitable[None]]


def reply_text(text: str) -> Content:
    """The same text to every request."""
    return lambda _: text


def fill_schema(request: Json) -> str:
    """A JSON object of the requested schema: 0.9, 1, true, a word, one element per list; the
    words "Stub answer [노트 1]." where no schema is requested."""
    wanted = request.get("response_format", {}).get("json_schema")
    # As Anthropic writes it.
    wanted = wanted or request.get("output_config", {}).get("format")
    if wanted is None:
        return "Stub answer [노트 1]."
    schema = wanted["schema"]
    return json.dumps(_fill(schema, schema.get("$defs", {})), ensure_ascii=False)


def answer(
    content: Content = fill_schema,
    *,
    latency: float = 0.0,
    piece_bytes: int = 16,
    usage: tuple[int, int] = (100, 20),
    headers: Mapping[str, str] | None = None,
) -> Behaviour:
    """A good reply after `latency` seconds. Streams come in packets of `piece_bytes` bytes of
    text each, which cut characters in two on the wire. usage, headers: what whole replies are said
    to have taken, and come with."""

    async def behave(exchange: Exchange) -> None:
        if latency:
            await asyncio.sleep(latency)
        text = content(exchange.request.json)
        if exchange.request.json.get("stream"):
            await _stream(exchange, text, piece_bytes)
        else:
            whole = message if exchange.request.path.endswith("/messages") else completion
            await exchange.send(whole(text, usage), headers=headers)

    return behave


def embed(meaning: Meaning) -> Behaviour:
    """A vector for each text of a request to …/embeddings, the last one first: only `index` says
    which is whose."""

    async def behave(exchange: Exchange) -> None:
        texts = exchange.request.json["input"]
        data = [
            {"object": "embedding", "index": index, "embedding": meaning(text)}
            for index, text in enumerate(texts)
        ]
        reply = {"object": "list", "data": data[::-1], "usage": {"prompt_tokens": len(texts)}}
        await exchange.send(json.dumps(reply).encode())

    return behave


def status(
    code: int,
    body: Json | str = "",
    *,
    retry_after: str | None = None,
    date: str | None = None,
    latency: float = 0.0,
) -> Behaviour:
    """A refusal. A text body is sent as plain text."""
    given = {"retry-after": retry_after, "date": date}
    headers = {name: value for name, value in given.items() if value}

    async def behave(exchange: Exchange) -> None:
        await asyncio.sleep(latency)
        plain = isinstance(body, str)
        await exchange.send(
            body.encode() if isinstance(body, str) else json.dumps(body).encode(),
            status=code,
            content_type="text/plain" if plain else "application/json",
            headers=headers,
        )

    return behave


def html(code: int = 200) -> Behaviour:
    """A web page, as a proxy or a wrong address sends."""

    async def behave(exchange: Exchange) -> None:
        page = b"<html><body>It works!</body></html>"
        await exchange.send(page, status=code, content_type="text/html; charset=utf-8")

    return behave


def hang() -> Behaviour:
    """No byte, until the client gives up."""

    async def behave(exchange: Exchange) -> None:
        exchange.keep_alive = False
        await exchange.reader.read()

    return behave


def drip(content: Content = fill_schema, *, interval: float = 0.05) -> Behaviour:
    """A good reply, one byte per `interval` seconds."""

    async def behave(exchange: Exchange) -> None:
        text = content(exchange.request.json)
        if exchange.request.json.get("stream"):
            data, kind = sse(text), "text/event-stream"
        else:
            data, kind = completion(text), "application/json"
        await exchange.begin(kind, length=len(data))
        for position in range(len(data)):
            await exchange.write(data[position : position + 1])
            await asyncio.sleep(interval)

    return behave


def cut_off(content: Content = fill_schema, *, after: int) -> Behaviour:
    """A reply, or a stream, that ends after `after` bytes although more was announced."""

    async def behave(exchange: Exchange) -> None:
        text = content(exchange.request.json)
        streamed = exchange.request.json.get("stream")
        data = sse(text) if streamed else completion(text)
        kind = "text/event-stream" if streamed else "application/json"
        await exchange.begin(kind, length=None if streamed else len(data))
        await exchange.write(data[:after])

    return behave


def cut_json(content: Content = fill_schema) -> Behaviour:
    """A complete reply whose JSON ends in the middle."""

    async def behave(exchange: Exchange) -> None:
        data = completion(content(exchange.request.json))
        await exchange.send(data[: len(data) // 2])

    return behave


def reset() -> Behaviour:
    """The connection is reset (RST) instead of an answer."""

    async def behave(exchange: Exchange) -> None:
        exchange.keep_alive = False
        sock: socket.socket = exchange.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        exchange.writer.transport.abort()

    return behave


def oversized(size: int) -> Behaviour:
    """A reply of `size` bytes, sent for as long as the client reads it."""

    async def behave(exchange: Exchange) -> None:
        await exchange.begin("application/json", length=size)
        block = b" " * 65536
        for _ in range(size // len(block)):
            await exchange.write(block)

    return behave


def completion(text: str, usage: tuple[int, int] = (100, 20)) -> bytes:
    """The body of a whole reply. usage: tokens of the prompt and of the reply."""
    prompt, reply = usage
    total = prompt + reply if type(prompt) is type(reply) is int else None
    message = {"role": "assistant", "content": text}
    return json.dumps(
        {
            "id": "stub",
            "object": "chat.completion",
            "model": "stub",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": prompt, "completion_tokens": reply, "total_tokens": total},
        },
        ensure_ascii=False,
    ).encode()


def message(text: str, usage: tuple[int, int] = (100, 20)) -> bytes:
    """The same in Anthropic's protocol."""
    prompt, reply = usage
    return json.dumps(
        {
            "id": "stub",
            "type": "message",
            "role": "assistant",
            "model": "stub",
            "content": [{"type": "text", "text": text}],
            "stop_reason": "end_turn",
            "usage": {"input_tokens": prompt, "output_tokens": reply},
        },
        ensure_ascii=False,
    ).encode()


def sse(text: str) -> bytes:
    """A whole stream: a character per event, usage, [DONE]."""
    events = [_event({"delta": {"content": char}, "finish_reason": None}) for char in text]
    events.append(_event({"delta": {}, "finish_reason": "stop"}))
    usage = {"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 20}}
    events.append(f"data: {json.dumps(usage)}\n\n".encode())
    events.append(b"data: [DONE]\n\n")
    return b"".join(events)


async def _stream(exchange: Exchange, text: str, piece_bytes: int) -> None:
    exchange.writer.write(_head(200, "text/event-stream", {}, {"transfer-encoding": "chunked"}))
    data = sse(text)
    for start in range(0, len(data), piece_bytes):
        piece = data[start : start + piece_bytes]
        await exchange.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        await asyncio.sleep(0)
    await exchange.write(b"0\r\n\r\n")


def _head(
    code: int, content_type: str, length: Mapping[str, int], headers: Mapping[str, str] | None
) -> bytes:
    lines = {"content-type": content_type, **length, **(headers or {})}
    fields = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"HTTP/1.1 {code} Stub\r\n{fields}\r\n".encode("latin-1")


def _event(choice: Json) -> bytes:
    chunk = {"object": "chat.completion.chunk", "choices": [{"index": 0, **choice}]}
    return f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n".encode()


def _fill(schema: Json, definitions: Json) -> Any:
    if "$ref" in schema:
        return _fill(definitions[schema["$ref"].rsplit("/", 1)[-1]], definitions)
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return _fill(schema["anyOf"][0], definitions)
    kind = schema.get("type")
    if kind == "object":
        properties = schema.get("properties", {})
        return {name: _fill(part, definitions) for name, part in properties.items()}
    if kind == "array":
        return [_fill(schema.get("items", {}), definitions)]
    return {"number": 0.9, "integer": 1, "boolean": True}.get(str(kind), "stub")
