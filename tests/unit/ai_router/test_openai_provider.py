"""OpenAI's protocol on a stub transport: what is sent, what is read, what is refused."""

import json
import logging
from decimal import Decimal
from typing import Any

import httpx
import pytest

from app.ai_router.providers.openai import REASONING_ALLOWANCE, OpenAIProvider
from app.ai_router.types import ChatResponse, Message, OutputSchema, ProviderRequest
from app.platform.errors import (
    ConfigurationError,
    MalformedOutput,
    PermanentProviderError,
    ProviderError,
    TransientProviderError,
)
from cases import for_each
from scripted_http import RecordedVendor

KEY = "sk-very-secret-key"
SCHEMA = OutputSchema(
    "verdict",
    {
        "type": "object",
        "properties": {
            "score": {"type": "number", "minimum": 0, "maximum": 1},
            "default": {"type": "array", "items": {"$ref": "#/$defs/Item"}, "maxItems": 9},
        },
        "$defs": {"Item": {"type": "object", "properties": {"text": {"type": "string"}}}},
    },
)


class Server(RecordedVendor):
    def provider(self, base_url: str = "https://api.openai.com/v1") -> OpenAIProvider:
        return OpenAIProvider(base_url, KEY, open_session=self.open_session)


def chat_request(*, output: OutputSchema | None = None, **changes: Any) -> ProviderRequest:
    messages = [Message("system", "Be brief."), Message("user", "질문 \ud800?")]
    settings: dict[str, Any] = {
        "model": "gpt-4o-mini",
        "temperature": 0.1,
        "max_tokens": 768,
        "deadline": 5,
    }
    return ProviderRequest(messages=messages, output=output, **(settings | changes))


def reply(content: Any = "답 [노트 1]", *, finish: str = "stop", **extra: Any) -> httpx.Response:
    message = {"role": "assistant", "content": content, **extra}
    usage = {
        "prompt_tokens": 1000,
        "completion_tokens": 100,
        "prompt_tokens_details": {"cached_tokens": 200},
    }
    choice = {"message": message, "finish_reason": finish}
    return httpx.Response(200, json={"choices": [choice], "usage": usage})


def refuse(message: str, param: str | None = None, status: int = 400) -> httpx.Response:
    return httpx.Response(status, json={"error": {"message": message, "param": param}})


async def test_a_call_sends_the_protocol_and_reads_the_reply():
    server = Server(lambda _: reply())

    response = await server.provider().chat(chat_request())

    [request], [body] = server.requests, server.bodies
    assert request.method == "POST"
    assert str(request.url) == "https://api.openai.com/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["content-type"] == "application/json"
    assert body == {
        "model": "gpt-4o-mini",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "질문 ??"},
        ],
        "max_tokens": 768,
        "temperature": 0.1,
    }
    assert response.content == "답 [노트 1]"
    assert (response.provider, response.model) == ("openai", "gpt-4o-mini")
    assert (response.prompt_tokens, response.completion_tokens) == (1000, 100)
    assert response.cached_tokens == 200
    assert response.cost_usd == Decimal("0.000195")
    assert response.latency_ms > 0
    assert json.loads(response.raw_body)["usage"]["prompt_tokens"] == 1000


async def test_the_path_and_query_of_the_base_url_are_kept():
    server = Server(lambda _: reply())

    await server.provider("http://127.0.0.1:9/openai/v1/?api-version=1").chat(chat_request())

    url = "http://127.0.0.1:9/openai/v1/chat/completions?api-version=1"
    assert str(server.requests[0].url) == url


async def test_structured_output_is_asked_for_by_a_strict_schema():
    server = Server(lambda _: reply('{"score": 1}'))

    response = await server.provider().chat(chat_request(output=SCHEMA))

    wanted = server.bodies[0]["response_format"]
    assert wanted["type"] == "json_schema"
    assert wanted["json_schema"]["name"] == "verdict"
    assert wanted["json_schema"]["strict"] is True
    assert wanted["json_schema"]["schema"] == {
        "type": "object",
        "properties": {
            "score": {"type": "number"},
            "default": {"type": "array", "items": {"$ref": "#/$defs/Item"}},
        },
        "$defs": {
            "Item": {
                "type": "object",
                "properties": {"text": {"type": "string"}},
                "required": ["text"],
                "additionalProperties": False,
            }
        },
        "required": ["score", "default"],
        "additionalProperties": False,
    }
    assert response.content == '{"score": 1}'


async def test_a_server_without_json_schema_gets_json_mode_then_plain_and_is_remembered():
    def handler(body: dict[str, Any]) -> httpx.Response:
        wanted = body.get("response_format", {}).get("type")
        return refuse(f"response_format {wanted} is not known") if wanted else reply("{}")

    server = Server(handler)
    provider = server.provider()

    await provider.chat(chat_request(output=SCHEMA))
    await provider.chat(chat_request(output=SCHEMA))
    await provider.chat(chat_request(output=SCHEMA, model="another"))

    formats = [body.get("response_format", {}).get("type") for body in server.bodies]
    first_call = ["json_schema", "json_object", None]
    assert formats == [*first_call, None, *first_call]


# Sent in this order to a server that refuses whatever asks for structure.
FORMS = ("json_schema", "json_object with schema", "format", "json_object", "plain")


def form_of(body: dict[str, Any]) -> str:
    wanted = body.get("response_format", {})
    kind = "format" if "format" in body else wanted.get("type", "plain")
    return f"{kind} with schema" if kind == "json_object" and "schema" in wanted else kind


@for_each(
    ("status", "complaint"),
    [
        (400, "Invalid parameter: 'response_format' of type 'json_schema' is not supported."),
        (400, '[{"type": "extra_forbidden", "loc": ["body", "format"], "msg": "response_format"}]'),
        (400, "litellm.UnsupportedParamsError: x does not support parameters: ['response_format']"),
        (400, "'response_format.type' must be 'text'"),
        (400, "This response_format type is unavailable now"),
        (400, "This model does not support response format `json_schema`."),
        (400, "Grammar-based generation (json_schema, regex) is not supported when the server is"),
        (400, "Guided decoding is not supported for this model; format"),
        (404, "No endpoints found that can handle the requested parameters."),
        (415, "Unsupported: response_format"),
        (422, "Failed to deserialize the JSON body: response_format.type is unavailable"),
        (500, "1 validation error: {'loc': ('body', 'response_format', 'type'), 'msg': \"Input"),
        (500, 'response_format type must be one of "text" or "json_object", but got: json_schema'),
        (500, "failed to load model vocabulary required for format"),
        (501, "structured outputs are not implemented"),
    ],
)
async def test_each_form_is_refused_once_in_whatever_words(status, complaint):
    def handler(body: dict[str, Any]) -> httpx.Response:
        return reply() if form_of(body) == "plain" else refuse(complaint, status=status)

    server = Server(handler)
    provider = server.provider()

    await provider.chat(chat_request(output=SCHEMA))
    await provider.chat(chat_request(output=SCHEMA))

    assert tuple(map(form_of, server.bodies)) == (*FORMS, "plain")


@for_each(
    ("status", "complaint"),
    [
        (500, "out of memory"),
        (503, "response_format is not available now"),
        (400, "This model's maximum context length is 512 tokens."),
    ],
)
async def test_what_is_no_refusal_of_a_form_is_a_failure(status, complaint):
    server = Server(lambda _: refuse(complaint, status=status))

    with pytest.raises(ProviderError):
        await server.provider().chat(chat_request(output=SCHEMA))

    assert len(server.bodies) == 1


async def test_bounds_are_left_out_before_the_form_where_keywords_are_refused():
    def handler(body: dict[str, Any]) -> httpx.Response:
        bounded = "maxLength" in json.dumps(body)
        return refuse("schema has features not supported by xgrammar") if bounded else reply("{}")

    text = {"type": "object", "properties": {"text": {"type": "string", "maxLength": 900}}}
    server = Server(handler)

    await server.provider("http://127.0.0.1:9/v1").chat(
        chat_request(output=OutputSchema("texts", text))
    )

    assert list(map(form_of, server.bodies)) == ["json_schema", "json_schema"]
    sent = server.bodies[0]["response_format"]["json_schema"]["schema"]["properties"]["text"]
    assert sent == {"type": "string", "maxLength": 200}


async def test_a_reasoning_model_gets_its_own_limit_and_no_temperature():
    def handler(body: dict[str, Any]) -> httpx.Response:
        if "max_tokens" in body:
            return refuse(
                "Unsupported parameter: 'max_tokens' is not supported with this model."
                " Use 'max_completion_tokens' instead.",
                "max_tokens",
            )
        if "temperature" in body:
            return refuse("Unsupported value: 'temperature' does not support 0.1.", "temperature")
        return reply()

    server = Server(handler)
    provider = server.provider()

    await provider.chat(chat_request())
    await provider.chat(chat_request())

    assert len(server.bodies) == 4
    assert server.bodies[3]["max_completion_tokens"] == 768 + REASONING_ALLOWANCE
    assert "max_tokens" not in server.bodies[3]
    assert "temperature" not in server.bodies[3]


async def test_a_refusal_that_leaving_out_does_not_cure_is_raised_and_not_remembered():
    refusing = True

    def handler(_: dict[str, Any]) -> httpx.Response:
        return refuse("cannot read: 'the temperature of the bath'") if refusing else reply()

    server = Server(handler)
    provider = server.provider()

    with pytest.raises(ConfigurationError):
        await provider.chat(chat_request())
    refusing = False
    await provider.chat(chat_request())

    assert "temperature" in server.bodies[-1]


@for_each(
    ("response", "kind"),
    [
        (httpx.Response(200, text="not json"), MalformedOutput),
        (httpx.Response(200, text='{"choices": [{"mess'), MalformedOutput),
        (httpx.Response(200, json=[1]), MalformedOutput),
        (httpx.Response(200, json={"choices": []}), MalformedOutput),
        (httpx.Response(200, json={"choices": [{}]}), MalformedOutput),
        (httpx.Response(200, json={"choices": [{"message": {"content": 3}}]}), MalformedOutput),
        (reply(None, finish="length"), MalformedOutput),
        (reply("  "), MalformedOutput),
        (reply(None, refusal="I can't help with that."), PermanentProviderError),
        (reply("half", finish="content_filter"), PermanentProviderError),
        (httpx.Response(200, json={"error": {"code": 429}}), TransientProviderError),
        (httpx.Response(200, html="<html>hello</html>"), TransientProviderError),
        (httpx.Response(429, headers={"retry-after": "9"}), TransientProviderError),
        (httpx.Response(307, headers={"location": "http://elsewhere/"}), ConfigurationError),
        # Not taken for an unknown parameter.
        (refuse("max_tokens is too large: 768.", "max_tokens"), ConfigurationError),
    ],
)
async def test_an_unusable_reply_is_a_typed_error(response, kind):
    server = Server(lambda _: response)

    with pytest.raises(kind) as caught:
        await server.provider().chat(chat_request())

    assert type(caught.value) is kind
    assert len(server.requests) == 1


async def test_the_wait_that_the_server_asks_for_is_kept():
    server = Server(lambda _: httpx.Response(429, headers={"retry-after": "9"}))

    with pytest.raises(TransientProviderError) as caught:
        await server.provider().chat(chat_request())

    assert (caught.value.status, caught.value.retry_after) == (429, 9.0)


async def test_content_in_parts_and_senseless_usage_lose_nothing():
    parts = [{"type": "thinking", "thinking": []}, {"type": "text", "text": "답"}]
    choice = {"message": {"content": parts}, "finish_reason": "stop"}
    usage = {"prompt_tokens": -1, "completion_tokens": "many"}
    server = Server(lambda _: httpx.Response(200, json={"choices": [choice], "usage": usage}))

    response = await server.provider().chat(chat_request())

    assert response.content == "답"
    assert (response.prompt_tokens, response.completion_tokens) == (None, None)
    assert response.cost_usd is None


async def test_the_key_is_nowhere_to_be_read(caplog):
    caplog.set_level(logging.DEBUG)
    text = f"Incorrect API key provided: {KEY}. " + KEY
    server = Server(lambda _: refuse(text, status=401))
    provider = server.provider()

    with pytest.raises(ConfigurationError) as caught:
        await provider.chat(chat_request())

    assert "[key]" in caught.value.body_excerpt
    texts = (str(caught.value), repr(caught.value), caught.value.body_excerpt, caplog.text)
    assert not any(KEY in words for words in (*texts, repr(provider)))


async def test_without_a_key_no_authorization_is_sent():
    server = Server(lambda _: reply())
    provider = OpenAIProvider(
        "http://127.0.0.1:11434/v1", None, name="ollama", open_session=server.open_session
    )

    response = await provider.chat(chat_request())

    assert "authorization" not in server.requests[0].headers
    assert (response.provider, response.cost_usd) == ("ollama", 0)


def events(*data: Any) -> httpx.Response:
    lines = [item if isinstance(item, str) else json.dumps(item) for item in data]
    text = ": comment\n\n" + "".join(f"data: {line}\r\n\r\n" for line in lines)
    return httpx.Response(200, headers={"content-type": "text/event-stream"}, text=text)


def delta(content: str | None, finish: str | None = None) -> dict[str, Any]:
    return {"choices": [{"delta": {"content": content}, "finish_reason": finish}]}


USAGE = {"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 2}}


async def read(provider: OpenAIProvider, into: list[str | ChatResponse]) -> None:
    async for piece in provider.stream(chat_request()):
        into.append(piece)  # noqa: PERF401 - what came before an error must be there


async def collect(provider: OpenAIProvider) -> tuple[list[str | ChatResponse], ChatResponse]:
    pieces: list[str | ChatResponse] = []
    await read(provider, pieces)
    last = pieces.pop()
    assert isinstance(last, ChatResponse)
    return pieces, last


async def test_a_stream_gives_pieces_then_the_whole():
    stream = (delta(""), delta("답"), delta("은 42"), delta(None, "stop"), USAGE, "[DONE]")
    server = Server(lambda _: events(*stream))

    pieces, response = await collect(server.provider())

    assert server.bodies[0]["stream"] is True
    assert server.bodies[0]["stream_options"] == {"include_usage": True}
    assert pieces == ["답", "은 42"]
    assert response.content == "답은 42"
    assert (response.prompt_tokens, response.completion_tokens) == (10, 2)
    assert response.cost_usd is not None


async def test_a_server_that_rejects_or_ignores_usage_still_streams():
    def handler(body: dict[str, Any]) -> httpx.Response:
        if "stream_options" in body:
            return refuse("extra fields not permitted: stream_options", status=422)
        return events(delta("네"), delta(None, "stop"))

    server = Server(handler)

    pieces, response = await collect(server.provider())

    assert pieces == ["네"]
    assert response.prompt_tokens is None
    assert [("stream_options" in body) for body in server.bodies] == [True, False]


async def test_a_server_that_does_not_stream_is_read_whole():
    pieces, response = await collect(Server(lambda _: reply("통째로")).provider())

    assert pieces == ["통째로"]
    assert response.content == "통째로"


@for_each(
    ("stream", "kind"),
    [
        ((delta("반"),), TransientProviderError),
        ((delta("반"), {"error": {"code": 503, "message": "x"}}), TransientProviderError),
        ((delta("반"), "{nonsense"), MalformedOutput),
        ((delta("반"), delta(None, "content_filter"), "[DONE]"), PermanentProviderError),
    ],
)
async def test_a_stream_that_goes_wrong_raises_after_its_pieces(stream, kind):
    server = Server(lambda _: events(*stream))
    pieces: list[str | ChatResponse] = []

    with pytest.raises(kind) as caught:
        await read(server.provider(), pieces)

    assert type(caught.value) is kind
    assert pieces == ["반"]
