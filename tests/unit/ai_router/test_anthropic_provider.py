"""Anthropic's protocol on a stub transport."""

import json
from decimal import Decimal
from functools import cached_property
from typing import Any

import httpx
import pytest

from app.ai_router.providers.anthropic import AnthropicProvider
from app.ai_router.types import ChatResponse, Message, OutputSchema, ProviderRequest
from app.platform.errors import MalformedOutput, PermanentProviderError, TransientProviderError
from cases import for_each
from scripted_http import RecordedVendor

SCHEMA = OutputSchema(
    "verdict", {"type": "object", "properties": {"score": {"type": "number", "minimum": 0}}}
)


class Server(RecordedVendor):
    @cached_property
    def provider(self) -> AnthropicProvider:
        url = "https://api.anthropic.com"
        return AnthropicProvider(url, "ak-secret", open_session=self.open_session)


def chat_request(output: OutputSchema | None = None) -> ProviderRequest:
    messages = [Message("system", "Be brief."), Message("user", "질문?")]
    return ProviderRequest(messages, 1.4, 768, output, model="claude-sonnet-4-5", deadline=5)


def reply(text: str, stop_reason: str = "end_turn") -> httpx.Response:
    content = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": text}]
    usage = {"input_tokens": 1000, "output_tokens": 100}
    message = {"type": "message", "content": content, "stop_reason": stop_reason, "usage": usage}
    return httpx.Response(200, json=message)


async def test_a_call_sends_the_protocol_and_reads_the_reply():
    server = Server(lambda _: reply("답"))

    response = await server.provider.chat(chat_request())

    [request], [body] = server.requests, server.bodies
    assert str(request.url) == "https://api.anthropic.com/v1/messages"
    assert request.headers["x-api-key"] == "ak-secret"
    assert request.headers["anthropic-version"] == "2023-06-01"
    assert body == {
        "model": "claude-sonnet-4-5",
        "max_tokens": 768,
        "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": "질문?"}],
        "temperature": 1.0,
    }
    assert response.content == "답"
    assert (response.prompt_tokens, response.completion_tokens) == (1000, 100)
    assert response.cost_usd == Decimal("0.0045")


async def test_structured_output_is_the_text_of_the_reply():
    server = Server(lambda _: reply('{"score": 1}'))

    response = await server.provider.chat(chat_request(SCHEMA))

    schema = {
        "type": "object",
        "properties": {"score": {"type": "number"}},
        "required": ["score"],
        "additionalProperties": False,
    }
    wanted = {"format": {"type": "json_schema", "schema": schema}}
    assert server.bodies[0]["output_config"] == wanted
    assert response.content == '{"score": 1}'


USAGE = {
    "input_tokens": 100,
    "cache_read_input_tokens": 800,
    "cache_creation_input_tokens": 100,
    "output_tokens": 100,
}


async def test_tokens_of_the_cache_are_part_of_the_prompt_and_priced_as_such():
    message = {"content": [{"type": "text", "text": "답"}], "usage": USAGE}
    server = Server(lambda _: httpx.Response(200, json=message))

    response = await server.provider.chat(chat_request())

    assert (response.prompt_tokens, response.completion_tokens) == (1000, 100)
    assert (response.cached_tokens, response.cache_write_tokens) == (800, 100)
    # 3 dollars for a million tokens, .3 of the cache, 3.75 to write it, 15 for those of the reply.
    assert response.cost_usd == Decimal("0.000300") + Decimal("0.000240") + Decimal(
        "0.000375"
    ) + Decimal("0.0015")


async def test_counts_of_the_cache_that_make_no_sense_are_left_out():
    usage = USAGE | {"cache_read_input_tokens": -1, "cache_creation_input_tokens": "many"}
    message = {"content": [{"type": "text", "text": "답"}], "usage": usage}
    server = Server(lambda _: httpx.Response(200, json=message))

    response = await server.provider.chat(chat_request())

    assert (response.prompt_tokens, response.cached_tokens) == (100, 0)


@pytest.mark.parametrize(
    ("status", "complaint"),
    [
        (400, "system.0.cache_control: Extra inputs are not permitted"),
        (400, "system: Input should be a string"),
        # A proxy passes on what the server behind it says.
        (500, "{'loc': (0, 'ChatCompletionRequestSystemMessage'), 'msg': 'should be a string'}"),
    ],
)
async def test_a_server_without_a_cache_gets_the_system_prompt_as_text(status, complaint):
    def handler(body: dict[str, Any]) -> httpx.Response:
        if isinstance(body["system"], str):
            return reply("답")
        error = {"type": "invalid_request_error", "message": complaint}
        return httpx.Response(status, json={"type": "error", "error": error})

    server = Server(handler)

    await server.provider.chat(chat_request())
    await server.provider.chat(chat_request())

    assert [body["system"] for body in server.bodies[1:]] == ["Be brief."] * 2


async def test_refused_parts_are_left_out_and_stored():
    def handler(body: dict[str, Any]) -> httpx.Response:
        for part in ("output_config", "temperature"):
            if part in body:
                error = {"type": "invalid_request_error", "message": f"{part}: not supported"}
                return httpx.Response(400, json={"type": "error", "error": error})
        return reply("{}")

    server = Server(handler)

    await server.provider.chat(chat_request(SCHEMA))
    await server.provider.chat(chat_request(SCHEMA))

    assert len(server.bodies) == 4


@for_each(
    ("response", "kind"),
    [
        (reply("I can't", "refusal"), PermanentProviderError),
        (reply(""), MalformedOutput),
        (
            httpx.Response(200, json={"type": "error", "error": {"type": "api_error"}}),
            TransientProviderError,
        ),
        (httpx.Response(529, json={"error": {"type": "overloaded_error"}}), TransientProviderError),
        (
            httpx.Response(400, json={"error": {"message": "prompt is too long: 9 tokens > 8"}}),
            PermanentProviderError,
        ),
    ],
)
async def test_an_unusable_reply_is_a_typed_error(response, kind):
    with pytest.raises(kind) as caught:
        await Server(lambda _: response).provider.chat(chat_request())

    assert type(caught.value) is kind


def events(*data: dict[str, Any]) -> httpx.Response:
    text = "".join(f"event: {item['type']}\ndata: {json.dumps(item)}\n\n" for item in data)
    return httpx.Response(200, headers={"content-type": "text/event-stream"}, text=text)


START = {"type": "message_start", "message": {"content": [], "usage": {"input_tokens": 9}}}


def delta(text: str) -> dict[str, Any]:
    return {"type": "content_block_delta", "delta": {"type": "text_delta", "text": text}}


async def test_a_stream_gives_pieces_then_the_whole():
    server = Server(
        lambda _: events(
            START,
            {"type": "ping"},
            delta("답은 "),
            delta("42"),
            {
                "type": "message_delta",
                "delta": {"stop_reason": "end_turn"},
                "usage": {"output_tokens": 4},
            },
            {"type": "message_stop"},
        )
    )

    *pieces, response = [piece async for piece in server.provider.stream(chat_request())]

    assert server.bodies[0]["stream"] is True
    assert pieces == ["답은 ", "42"]
    assert isinstance(response, ChatResponse)
    assert response.content == "답은 42"
    assert (response.prompt_tokens, response.completion_tokens) == (9, 4)


async def test_the_end_of_a_stream_may_count_the_prompt_again():
    """Without what the cache had, which its beginning has counted."""
    start = {"type": "message_start", "message": {"content": [], "usage": USAGE}}
    end = {
        "type": "message_delta",
        "delta": {"stop_reason": "end_turn"},
        "usage": {"input_tokens": 100, "output_tokens": 4},
    }
    server = Server(lambda _: events(start, delta("42"), end, {"type": "message_stop"}))

    *_, response = [piece async for piece in server.provider.stream(chat_request())]

    assert isinstance(response, ChatResponse)
    assert (response.prompt_tokens, response.completion_tokens) == (1000, 4)
    assert (response.cached_tokens, response.cache_write_tokens) == (800, 100)


async def test_an_error_event_ends_a_stream():
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    stream = Server(lambda _: events(START, delta("반"), error)).provider.stream(chat_request())

    assert await anext(stream) == "반"
    with pytest.raises(TransientProviderError):
        await anext(stream)
