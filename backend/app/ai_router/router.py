"""Finds the provider of a `provider:model` name and asks it.

No layer here tries again: the job queue does, and it alone.
"""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from functools import lru_cache
from typing import Self

import httpx
from pydantic import SecretStr

from app.ai_router.embeddings import Embedder
from app.ai_router.providers import offline
from app.ai_router.providers.anthropic import AnthropicProvider
from app.ai_router.providers.http import OpenSession, open_session
from app.ai_router.providers.offline import OfflineProvider
from app.ai_router.providers.openai import OpenAIProvider
from app.ai_router.providers.openai_embeddings import OpenAIEmbeddings
from app.ai_router.types import (
    ChatRequest,
    ChatResponse,
    Grounding,
    Message,
    ModelName,
    OutputSchema,
    Provider,
)
from app.errors import ConfigurationError
from app.settings import Settings

PROVIDERS = ("openai", "anthropic", "ollama", "offline")
EMBEDDING_PROVIDERS = ("openai", "ollama")


def parse_embedding_model_name(name: str) -> ModelName:
    """`openai:text-embedding-3-small` in two parts. Raises ConfigurationError, also for vendors
    that have no embeddings."""
    provider, colon, model = name.strip().partition(":")
    if not colon or provider not in EMBEDDING_PROVIDERS or not model.strip():
        raise ConfigurationError(
            f"{name!r} is no embedding model; set SEARCHQA_EMBEDDING_MODEL to one of openai or"
            " ollama, as in openai:text-embedding-3-small, or unset it for full text alone."
        )
    return ModelName(provider, model.strip())


@lru_cache(maxsize=256)
def parse_model_name(name: str) -> ModelName:
    """`openai:gpt-4o-mini` in two parts; the model may hold further colons. Raises
    ConfigurationError, which says how names are written."""
    provider, colon, model = name.strip().partition(":")
    if not colon or provider not in PROVIDERS or not model.strip():
        raise ConfigurationError(
            f"{name!r} is not a model name; write provider:model, as in openai:gpt-4o-mini,"
            f" with one of the providers {', '.join(PROVIDERS)}."
        )
    if provider == offline.NAME and model not in offline.MODELS:
        known = " and ".join(f"{offline.NAME}:{known}" for known in sorted(offline.MODELS))
        raise ConfigurationError(f"{name!r} is not a model; there are {known}.")
    return ModelName(provider, model.strip())


def address_of(provider: str, settings: Settings) -> str:
    """Where the provider's models are asked, which prices depend on; "" for offline models."""
    urls = {
        "openai": settings.openai_base_url,
        "anthropic": settings.anthropic_base_url,
        "ollama": settings.ollama_base_url,
    }
    return urls.get(provider, "")


class AIRouter:
    """One model, ready to be asked. `deadline` (seconds) is total for each call.

    Get one from `Providers.router`; it lives as long as its Providers.
    """

    def __init__(self, provider: Provider, model: ModelName, *, deadline: float) -> None:
        self._provider = provider
        self._model = model
        self._deadline = deadline

    @property
    def model(self) -> ModelName:
        return self._model

    async def chat(
        self,
        messages: Sequence[Message],
        *,
        temperature: float,
        max_tokens: int,
        output: OutputSchema | None = None,
        grounding: Grounding | None = None,
    ) -> ChatResponse:
        """The whole reply; with `output`, its content should be that JSON object, but a model
        may still have written something else. Raises ProviderError."""
        return await self._provider.chat(
            self._request(messages, temperature, max_tokens, output, grounding)
        )

    async def stream(
        self,
        messages: Sequence[Message],
        *,
        temperature: float,
        max_tokens: int,
        grounding: Grounding | None = None,
    ) -> AsyncGenerator[str | ChatResponse, None]:
        """Pieces of text as they arrive, then one ChatResponse with the whole text. Raises
        ProviderError, possibly after some pieces. Close it (`contextlib.aclosing`) to hang up
        early."""
        request = self._request(messages, temperature, max_tokens, None, grounding)
        async with aclosing(self._provider.stream(request)) as pieces:
            async for piece in pieces:
                yield piece

    def _request(
        self,
        messages: Sequence[Message],
        temperature: float,
        max_tokens: int,
        output: OutputSchema | None,
        grounding: Grounding | None,
    ) -> ChatRequest:
        return ChatRequest(
            model=self._model.model,
            messages=messages,
            temperature=temperature,
            max_tokens=max_tokens,
            deadline=self._deadline,
            output=output,
            grounding=grounding,
        )


class Providers:
    """The clients of one event loop, made when first needed and shared by all its routers.

    `open_session` replaces the network, in tests. Close it on its loop: `async with` or `aclose`.
    """

    def __init__(self, settings: Settings, *, open_session: OpenSession = open_session) -> None:
        self._settings = settings
        self._open_session = open_session
        self._clients: dict[str, Provider] = {}
        self._embeddings: dict[str, OpenAIEmbeddings] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.aclose()

    def check(self, model: str) -> ModelName:
        """The parsed name, if all that it needs is configured. No network. Raises
        ConfigurationError with one sentence on what to set."""
        name = parse_model_name(model)
        self._maker(name.provider)
        return name

    def router(self, model: str, *, deadline: float) -> AIRouter:
        """A router for `provider:model`. Raises ConfigurationError as `check` does."""
        name = parse_model_name(model)
        client = self._clients.get(name.provider)
        if client is None:
            client = self._clients[name.provider] = self._maker(name.provider)()
        return AIRouter(client, name, deadline=deadline)

    def check_embedding(self, model: str) -> ModelName:
        """As `check`, for a model that makes vectors."""
        name = parse_embedding_model_name(model)
        self._openai_server(name.provider)
        return name

    def embedder(self, model: str, *, deadline: float) -> Embedder:
        """An embedder for `provider:model`. Raises ConfigurationError as `check_embedding` does."""
        name = parse_embedding_model_name(model)
        client = self._embeddings.get(name.provider)
        if client is None:
            url, key = self._openai_server(name.provider)
            client = OpenAIEmbeddings(url, key, name=name.provider, open_session=self._open_session)
            self._embeddings[name.provider] = client
        return Embedder(client, name, deadline=deadline)

    async def aclose(self) -> None:
        """Frees all connections. Routers and embedders made before are of no more use."""
        while self._clients:
            _, client = self._clients.popitem()
            await client.aclose()
        while self._embeddings:
            _, embeddings = self._embeddings.popitem()
            await embeddings.aclose()

    def _maker(self, provider: str) -> Callable[[], Provider]:
        settings, session = self._settings, self._open_session
        if provider == "offline":
            return OfflineProvider
        if provider == "anthropic":
            url = _checked_url("ANTHROPIC_BASE_URL", settings.anthropic_base_url)
            key = _checked_key("ANTHROPIC_API_KEY", settings.anthropic_api_key)
            if key is None and url.host == "api.anthropic.com":
                raise _missing("anthropic", "ANTHROPIC_API_KEY")
            return lambda: AnthropicProvider(str(url), key, open_session=session)
        address, key = self._openai_server(provider)
        return lambda: OpenAIProvider(address, key, name=provider, open_session=session)

    def _openai_server(self, provider: str) -> tuple[str, str | None]:
        """Address and key of a server that speaks OpenAI's protocol."""
        settings = self._settings
        if provider == "ollama":
            return str(_checked_url("OLLAMA_BASE_URL", settings.ollama_base_url)), None
        url = _checked_url("OPENAI_BASE_URL", settings.openai_base_url)
        key = _checked_key("OPENAI_API_KEY", settings.openai_api_key)
        if key is None and url.host == "api.openai.com":
            raise _missing("openai", "OPENAI_API_KEY")
        return str(url), key


def _missing(provider: str, variable: str) -> ConfigurationError:
    return ConfigurationError(
        f"{provider} models need a key; set {variable}, or use offline:extractive for answers"
        " and offline:rules for verdicts."
    )


def _checked_key(variable: str, secret: SecretStr | None) -> str | None:
    key = secret.get_secret_value().strip() if secret else ""
    if not (key.isascii() and key.isprintable()):
        raise ConfigurationError(f"{variable} has characters that no key has; set it again.")
    return key or None


def _checked_url(variable: str, value: str) -> httpx.URL:
    try:
        url = httpx.URL(value.strip())
    except httpx.InvalidURL:
        url = httpx.URL("")
    if url.scheme not in {"http", "https"} or not url.host:
        raise ConfigurationError(
            f"{variable} is not a web address; write it as in https://api.openai.com/v1."
        )
    if url.userinfo:
        raise ConfigurationError(
            f"{variable} holds a user or password, which logs would show; use the key's variable."
        )
    return url
