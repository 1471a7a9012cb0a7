"""What servers say of the length of a model's context, each in its own way."""

import asyncio
from collections.abc import Mapping
from typing import Any

import httpx
import pytest

from app.ai_router.providers import context_sizes
from app.ai_router.providers.openai import OpenAIProvider
from app.ai_router.types import Message, ProviderRequest
from app.platform.errors import PermanentProviderError
from cases import for_each
from scripted_http import answered_by

Pages = Mapping[str, Any]
LISTED = {"data": [{"id": "m"}]}
PROPS = {"default_generation_settings": {"n_ctx": 2048}}


class Server:
    """Answers a path with its JSON, others with 404."""

    def __init__(self, pages: Pages, base_url: str = "http://127.0.0.1:9/v1") -> None:
        self.pages = dict(pages)
        self.asked: list[str] = []
        self.provider = OpenAIProvider(base_url, None, open_session=answered_by(self._answer))

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request.url.path)
        page = self.pages.get(request.url.path)
        if isinstance(page, httpx.Response):
            return page
        return httpx.Response(404) if page is None else httpx.Response(200, json=page)

    async def size(self, model: str = "m") -> int | None:
        assert self.provider.contexts
        return await self.provider.contexts.get(model)


@for_each(
    ("pages", "size"),
    [
        # vLLM and SGLang
        ({"/v1/models": {"data": [{"id": "m", "max_model_len": 8192}]}}, 8192),
        # llama-server, by whatever name its model is asked
        ({"/v1/models": {"data": [{"id": "x.gguf", "meta": {"n_ctx": 4096}}]}}, 4096),
        # older ones list what the model was trained with
        (
            {
                "/v1/models": {"data": [{"id": "x.gguf", "meta": {"n_ctx_train": 32768}}]},
                "/props": {"default_generation_settings": {"n_ctx": 2048}},
            },
            2048,
        ),
        ({"/v1/models": {"data": [{"id": "m", "meta": {"n_ctx_train": 8192}}]}}, 8192),
        # OpenRouter; a model of another name is not it
        (
            {
                "/v1/models": {
                    "data": [{"id": "o", "context_length": 1}, {"id": "m", "context_length": 9000}]
                }
            },
            9000,
        ),
        # Ollama with the model loaded, with its own file, and by what it was trained with
        (
            {
                "/v1/models": LISTED,
                "/api/ps": {"models": [{"name": "m:latest", "context_length": 4096}]},
            },
            4096,
        ),
        (
            {
                "/v1/models": LISTED,
                "/api/ps": {"models": []},
                "/api/show": {"parameters": "stop x\nnum_ctx    16384"},
            },
            16384,
        ),
        (
            {
                "/v1/models": LISTED,
                "/api/ps": {"models": []},
                "/api/show": {"model_info": {"qwen3.context_length": 40960}},
            },
            40960,
        ),
        # LM Studio
        (
            {
                "/v1/models": LISTED,
                "/api/v0/models": {
                    "data": [
                        {"id": "m", "max_context_length": 32768, "loaded_context_length": 4096}
                    ]
                },
            },
            4096,
        ),
        # nobody says, or something that makes no sense
        ({"/v1/models": LISTED}, None),
        ({"/v1/models": {"data": [{"id": "m", "max_model_len": "8192"}]}}, None),
        ({"/v1/models": {"data": [{"id": "m", "max_model_len": -1}]}, "/props": [1]}, None),
        ({"/v1/models": httpx.Response(200, text="<html>")}, None),
        ({}, None),
    ],
)
async def test_each_server_is_asked_in_its_way(pages, size):
    server = Server(pages)

    assert await server.size() == size


async def test_a_server_is_asked_once_for_all_calls_and_again_after_its_time(monkeypatch):
    clock = [100.0]
    monkeypatch.setattr(context_sizes, "monotonic", lambda: clock[0])
    server = Server({"/v1/models": {"data": [{"id": "m", "max_model_len": 8192}]}})

    assert set(await asyncio.gather(*(server.size() for _ in range(20)))) == {8192}
    assert server.asked == ["/v1/models"]

    server.pages = {"/v1/models": httpx.Response(503)}
    clock[0] += context_sizes.KNOWN_SECONDS + 1
    assert await server.size() is None
    asked = len(server.asked)
    clock[0] += context_sizes.UNKNOWN_SECONDS - 1
    assert await server.size() is None
    assert len(server.asked) == asked


@for_each(
    ("before", "after", "seconds", "size"),
    [
        # What a model was trained with is only until Ollama has loaded it, with less.
        (
            {
                "/api/ps": {"models": []},
                "/api/show": {"model_info": {"qwen3.context_length": 40960}},
            },
            {"/api/ps": {"models": [{"name": "m:latest", "context_length": 4096}]}},
            context_sizes.UNKNOWN_SECONDS,
            4096,
        ),
        # LM Studio
        (
            {"/api/v0/models": {"data": [{"id": "m", "max_context_length": 32768}]}},
            {"/api/v0/models": {"data": [{"id": "m", "loaded_context_length": 2048}]}},
            context_sizes.UNKNOWN_SECONDS,
            2048,
        ),
        # A server that loads a model, or is not there.
        ({"/props": httpx.Response(503)}, {"/props": PROPS}, context_sizes.UNKNOWN_SECONDS, 2048),
        # One that does not say is not asked for each answer.
        ({}, {"/props": PROPS}, context_sizes.UNKNOWN_SECONDS, None),
        ({}, {"/props": PROPS}, context_sizes.KNOWN_SECONDS, 2048),
    ],
)
async def test_volatile_sizes_are_read_again_soon(monkeypatch, before, after, seconds, size):
    clock = [100.0]
    monkeypatch.setattr(context_sizes, "monotonic", lambda: clock[0])
    server = Server({"/v1/models": LISTED, **before})
    await server.size()

    server.pages |= after
    clock[0] += seconds + 1

    assert await server.size() == size


@for_each(
    "message",
    [
        # llama-cpp-python, vLLM and OpenAI
        "This model's maximum context length is 2048 tokens. However, you requested 2500 tokens",
        # llama-server
        "request (2500 tokens) exceeds the available context size (2048 tokens), try increasing it",
        "Requested tokens (2500) exceed context window of 2048",
    ],
)
async def test_a_refusal_that_names_the_context_is_learned_from(message):
    refusal = httpx.Response(400, json={"error": {"message": message}})
    server = Server({"/v1/models": LISTED, "/v1/chat/completions": refusal})
    request = ProviderRequest([Message("user", "?")], 0, 9, model="m", deadline=5)

    with pytest.raises(PermanentProviderError):
        await server.provider.chat(request)

    assert await server.size() == 2048
    assert server.asked == ["/v1/chat/completions"]


async def test_openai_itself_is_not_asked():
    assert OpenAIProvider("https://api.openai.com/v1", "sk-1").contexts is None
