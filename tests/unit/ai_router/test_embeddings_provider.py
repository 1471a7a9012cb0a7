"""OpenAI's protocol for embeddings on a stub transport: what is sent, read and refused."""

import asyncio
import json
from typing import Any

import httpx
import pytest

from app.ai_router.providers.openai import OpenAIEmbeddings
from app.ai_router.router import MAX_TEXTS, Providers
from app.cli import checks
from app.cli.checks import State
from app.platform.errors import (
    ConfigurationError,
    MalformedOutput,
    PermanentProviderError,
    TransientProviderError,
)
from cases import for_each
from scripted_http import answered_by
from verdict_world import settings

KEY = "sk-very-secret-key"


def data(*vectors: list[float], indexes: list[int] | None = None) -> dict[str, Any]:
    order = indexes or list(range(len(vectors)))
    return {
        "data": [{"index": i, "embedding": v} for i, v in zip(order, vectors, strict=True)],
        "usage": {"prompt_tokens": 8},
    }


def answering(reply: httpx.Response) -> tuple[OpenAIEmbeddings, list[httpx.Request]]:
    sent: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return reply

    session = answered_by(handle)
    return OpenAIEmbeddings("https://api.openai.com/v1/", KEY, open_session=session), sent


async def embed(reply: httpx.Response) -> list[list[float]]:
    """What comes of two texts and this reply."""
    provider, _ = answering(reply)
    return await provider.embed("m", ["a", "b"], deadline=60)


async def test_a_call_sends_the_protocol_and_reads_vectors_by_their_index():
    provider, sent = answering(httpx.Response(200, json=data([0, 1], [1, 0.5], indexes=[1, 0])))

    vectors = await provider.embed("text-embedding-3-small", ["첫째", "둘째 \ud800"], deadline=60)

    assert vectors == [[1, 0.5], [0, 1]]
    [request] = sent
    assert str(request.url) == "https://api.openai.com/v1/embeddings"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    body = json.loads(request.content)
    assert body == {"model": "text-embedding-3-small", "input": ["첫째", "둘째 ?"]}


@for_each(
    "body",
    [
        data([1.0]),
        data([1.0], [1.0], [1.0]),
        data([1.0], [1.0], indexes=[0, 0]),
        data([1.0], [1.0], indexes=[1, 2]),
        data([1.0], [1.0, 0.0]),
        data([], []),
        data([0.0] * 16_001, [0.0] * 16_001),
        data([1e39], [1.0]),
        {"data": None},
        {"object": "list"},
        [],
    ],
)
async def test_vectors_that_do_not_fit_the_texts_are_malformed(body):
    with pytest.raises(MalformedOutput) as raised:
        await embed(httpx.Response(200, json=body))
    assert KEY not in str(raised.value)


@for_each("number", ["NaN", "Infinity", "-Infinity", "1e999", "null"])
async def test_numbers_that_are_none_are_malformed(number):
    text = '{"data": [{"index": 0, "embedding": [NUMBER]}, {"index": 1, "embedding": [1]}]}'
    reply = httpx.Response(200, text=text.replace("NUMBER", number))
    with pytest.raises(MalformedOutput):
        await embed(reply)


@for_each(
    ("status", "message", "kind"),
    [
        (429, "slow down", TransientProviderError),
        (503, "busy", TransientProviderError),
        (401, "bad key", ConfigurationError),
        (404, "no such model", ConfigurationError),
        (400, "the input exceeds the context length", PermanentProviderError),
        (200, "insufficient_quota", ConfigurationError),
    ],
)
async def test_refusals_are_of_the_same_kinds_as_those_of_chat(status, message, kind):
    with pytest.raises(kind) as raised:
        await embed(httpx.Response(status, json={"error": {"message": f"{message} {KEY}"}}))
    assert KEY not in raised.value.body_excerpt  # type: ignore[attr-defined]


async def test_the_deadline_is_total():
    async def never(_: httpx.Request) -> httpx.Response:
        await asyncio.Event().wait()
        raise AssertionError

    provider = OpenAIEmbeddings("http://x/v1", None, open_session=answered_by(never))
    with pytest.raises(TransientProviderError, match="took longer"):
        await provider.embed("m", ["a"], deadline=0.01)


async def test_a_server_without_a_key_is_sent_none():
    sent: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(200, json=data([1.0]))

    async with Providers(settings(), open_session=answered_by(handle)) as providers:
        embedder = providers.embedder("ollama:bge-m3", deadline=60)
        assert await embedder.embed(["a"]) == [[1.0]]
        assert embedder.model == "ollama:bge-m3"
        with pytest.raises(ValueError, match="at most"):
            await embedder.embed(["a"] * (MAX_TEXTS + 1))

    assert str(sent[0].url) == "http://127.0.0.1:11434/v1/embeddings"
    assert "authorization" not in sent[0].headers


@for_each(
    ("model", "reason"),
    [
        ("offline:extractive", "full text alone"),
        ("anthropic:claude", "openai or ollama"),
        ("text-embedding-3-small", "openai:text-embedding-3-small"),
        ("openai:", "is no embedding model"),
        ("openai:text-embedding-3-small", "OPENAI_API_KEY"),
    ],
)
def test_a_model_that_cannot_make_vectors_is_told_at_the_start(model, reason):
    with pytest.raises(ConfigurationError, match=reason):
        Providers(settings()).check_embedding(model)

    finding = checks.embedding(settings(embedding_model=model))
    assert finding.state is State.BROKEN
    assert reason in f"{finding.detail}; {finding.mend}"


def test_doctor_says_by_what_notes_are_found():
    assert checks.embedding(settings()).state is State.NOTE
    found = checks.embedding(settings(embedding_model="ollama:bge-m3"))
    assert (found.state, found.detail) == (State.OK, "ollama:bge-m3")
