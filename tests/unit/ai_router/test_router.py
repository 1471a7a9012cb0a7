"""Model names, what they need, and the clients behind them."""

import json
from contextlib import aclosing
from decimal import Decimal

import httpx
import pytest

from app.ai_router.pricing import cost_usd
from app.ai_router.router import Providers, parse_model_name
from app.ai_router.types import ChatRequest, ChatResponse, Grounding, Message, ModelName
from app.platform.errors import ConfigurationError
from app.platform.settings import Settings
from cases import for_each
from scripted_http import answered_by

MESSAGES = [Message("user", "예산은?")]


def settings(**values: str) -> Settings:
    return Settings(None, {}, **values)


@for_each(
    ("name", "parsed"),
    [
        ("openai:gpt-4o-mini", ModelName("openai", "gpt-4o-mini")),
        (" ollama:llama3.2:3b ", ModelName("ollama", "llama3.2:3b")),
        ("offline:rules", ModelName("offline", "rules")),
    ],
)
def test_names_are_provider_and_model(name, parsed):
    assert parse_model_name(name) == parsed


@for_each("name", ["", "gpt-4o-mini", "openai:", "gemini:pro", ":x", "OpenAI:x"])
def test_a_bad_name_is_told_the_known_providers(name):
    with pytest.raises(ConfigurationError, match="openai, anthropic, ollama, offline"):
        parse_model_name(name)


def test_an_unknown_offline_model_is_told_the_known_ones():
    with pytest.raises(ConfigurationError, match="offline:extractive and offline:rules"):
        parse_model_name("offline:magic")


@for_each(
    ("model", "values", "word"),
    [
        ("openai:gpt-4o-mini", {}, "OPENAI_API_KEY"),
        ("anthropic:claude-haiku-4-5", {}, "ANTHROPIC_API_KEY"),
        ("openai:x", {"openai_api_key": "ключ"}, "OPENAI_API_KEY"),
        ("openai:x", {"openai_api_key": "a\nb"}, "OPENAI_API_KEY"),
        ("openai:x", {"openai_base_url": "localhost:8000/v1"}, "OPENAI_BASE_URL"),
        ("openai:x", {"openai_base_url": "http://user:pass@host/v1"}, "OPENAI_BASE_URL"),
        ("anthropic:x", {"anthropic_base_url": "ftp://host"}, "ANTHROPIC_BASE_URL"),
        ("ollama:x", {"ollama_base_url": ""}, "OLLAMA_BASE_URL"),
        ("house:x", {"servers": "house=nowhere"}, r"SEARCHQA_SERVERS \(house\) is not a web"),
        ("house:x", {"servers": "house=http://u:p@host"}, "holds a user or password"),
        ("house:x", {"servers": "edge=http://host/v1"}, r"server of SEARCHQA_SERVERS \(edge\)"),
    ],
)
def test_missing_settings_are_named(model, values, word):
    with pytest.raises(ConfigurationError, match=word) as caught:
        Providers(settings(**values)).check(model)

    assert not any(value in str(caught.value) for value in values.values() if value)


@for_each(
    ("model", "values"),
    [
        ("offline:extractive", {}),
        ("offline:rules", {}),
        ("ollama:llama3.2:3b", {}),
        ("openai:x", {"openai_api_key": "k"}),
        ("openai:x", {"openai_base_url": "http://127.0.0.1:8000/v1"}),
        ("anthropic:x", {"anthropic_api_key": "k"}),
        ("house:qwen3:8b", {"servers": "house=http://127.0.0.1:8000/v1"}),
    ],
)
def test_configured_models_pass(model, values):
    assert str(Providers(settings(**values)).check(model)) == model


@for_each(
    ("model", "url", "header", "value"),
    [
        ("openai:m", "https://api.openai.com/v1/chat/completions", "authorization", "Bearer ok"),
        ("anthropic:m", "https://api.anthropic.com/v1/messages", "x-api-key", "ak"),
        ("ollama:m:1", "http://127.0.0.1:11434/v1/chat/completions", "user-agent", "searchqa"),
    ],
)
async def test_a_router_asks_its_vendor(model, url, header, value):
    seen: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        content = [{"type": "text", "text": "네"}]
        choices = [{"message": {"content": "네"}, "finish_reason": "stop"}]
        return httpx.Response(200, json={"choices": choices, "content": content})

    keys = settings(openai_api_key="ok", anthropic_api_key="ak")
    async with Providers(keys, open_session=answered_by(handle)) as providers:
        router = providers.router(model, deadline=60)
        response = await router.chat(ChatRequest(MESSAGES, 0.1, 10))

    assert str(router.model) == model
    assert str(seen[0].url) == url
    assert seen[0].headers[header] == value
    assert json.loads(seen[0].content)["model"] == model.partition(":")[2]
    assert response.content == "네"


async def test_a_server_that_is_named_no_more_is_not_taken_for_openais():
    async with Providers(settings(openai_base_url="http://127.0.0.1:9/v1")) as providers:
        with pytest.raises(ConfigurationError, match="house is no server of SEARCHQA_SERVERS"):
            await providers.models("house", deadline=1)


async def test_routers_of_one_vendor_share_its_client_until_it_is_closed():
    async with Providers(settings(openai_api_key="k")) as providers:
        first = providers.router("openai:a", deadline=1)
        second = providers.router("openai:b", deadline=2)
        assert first._provider is second._provider

    assert providers.router("openai:a", deadline=1)._provider is not first._provider


async def test_the_offline_router_streams_from_the_grounding():
    grounding = Grounding("예산은?", ["회의"], ["시약 예산은 120만 원이다."], "ko")
    async with Providers(settings()) as providers:
        router = providers.router("offline:extractive", deadline=60)
        stream = router.stream(ChatRequest(MESSAGES, 0, 9, grounding=grounding))
        async with aclosing(stream) as pieces:
            *_, last = [piece async for piece in pieces]

    assert isinstance(last, ChatResponse)
    assert last.content == "시약 예산은 120만 원이다. [노트 1]"


@for_each(
    ("name", "url", "tokens", "cost"),
    [
        (
            "openai:gpt-4o-mini",
            "https://api.openai.com/v1/chat/completions",
            (1000, 100),
            "0.00021",
        ),
        ("openai:gpt-4o-mini-2024-07-18", "https://api.openai.com/v1", (1000, 0), "0.00015"),
        ("anthropic:claude-sonnet-4-5", "https://api.anthropic.com/v1", (1000, 100), "0.0045"),
        ("openai:gpt-4o-mini", "http://127.0.0.1:8000/v1", (1000, 100), "0.00021"),
        ("openai:my-own-llama", "http://127.0.0.1:8000/v1", (1000, 100), None),
        ("ollama:gpt-4o-mini", "http://127.0.0.1:11434/v1", (1000, 100), "0"),
        ("openai:nobody-knows-it", "https://api.openai.com/v1", (1000, 100), None),
        ("openai:gpt-4o-mini", "https://api.openai.com/v1", (None, 100), None),
        ("openai:gpt-4o-mini", "https://api.openai.com/v1", (1000, None), None),
    ],
)
def test_cost_is_known_or_none(name, url, tokens, cost):
    expected = None if cost is None else Decimal(cost)
    assert cost_usd(*parse_model_name(name), url, *tokens) == expected
