"""Finds the provider of a `provider:model` name and calls it, for texts and for vectors.

No layer here tries again: the job queue does, and it alone.
"""

from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import aclosing
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Self

from app.ai_router.call_telemetry import chat_span, count_usage, counted_call, embeddings_span
from app.ai_router.local.model_folder import LOCAL
from app.ai_router.providers.forms import PartsInDatabase, RefusedParts
from app.ai_router.types import (
    OFFLINE,
    OFFLINE_MODELS,
    ChatRequest,
    ChatResponse,
    EmbeddingProvider,
    ModelName,
    Provider,
    ProviderRequest,
)
from app.platform.errors import BatchesNotSupported, ConfigurationError
from app.platform.setting_types import PROVIDERS
from app.platform.settings import Settings

if TYPE_CHECKING:
    from app.ai_router.batches.protocol import BatchEndpoint
    from app.ai_router.providers.http import OnReply, OpenSession

EMBEDDING_PROVIDERS = ("openai", "ollama", LOCAL)
# Whose protocol has batches; Ollama's server has none.
BATCH_PROVIDERS = frozenset({"openai", "anthropic"})
# Texts of one request for vectors: servers take more, but one that fails is made anew as a whole.
MAX_TEXTS = 64


def parse_embedding_model_name(name: str, servers: Iterable[str] = ()) -> ModelName:
    """`openai:text-embedding-3-small` in two parts. Raises ConfigurationError, also for vendors
    that have no embeddings. servers: see `parse_model_name`."""
    provider, colon, model = name.strip().partition(":")
    if not colon or provider not in {*EMBEDDING_PROVIDERS, *servers} or not model.strip():
        raise ConfigurationError(
            f"{name!r} is no embedding model; set SEARCHQA_EMBEDDING_MODEL to one of openai or"
            " ollama, as in openai:text-embedding-3-small, or of a server of SEARCHQA_SERVERS, to"
            " local:FOLDER, or unset it for full text alone."
        )
    return ModelName(provider, model.strip())


@lru_cache(maxsize=256)
def parse_model_name(name: str, servers: tuple[str, ...] = ()) -> ModelName:
    """`openai:gpt-6-luna` in two parts; the model may hold further colons. servers: names of
    SEARCHQA_SERVERS, which stand before a model as providers do. Raises ConfigurationError, which
    says how names are written."""
    provider, colon, model = name.strip().partition(":")
    if not colon or provider not in (*PROVIDERS, *servers) or not model.strip():
        raise ConfigurationError(
            f"{name!r} is not a model name; write provider:model, as in openai:gpt-6-luna,"
            f" with one of the providers {', '.join(PROVIDERS)} or a server of SEARCHQA_SERVERS"
            f" ({', '.join(servers) or 'none'})."
        )
    if provider == OFFLINE and model not in OFFLINE_MODELS:
        known = " and ".join(f"{OFFLINE}:{known}" for known in sorted(OFFLINE_MODELS))
        raise ConfigurationError(f"{name!r} is not a model; there are {known}.")
    return ModelName(provider, model.strip())


def address_of(provider: str, settings: Settings) -> str:
    """Where the provider's models are asked, which prices depend on; "" for offline models."""
    urls = {
        "openai": settings.models.openai_base_url,
        "anthropic": settings.models.anthropic_base_url,
        "ollama": settings.models.ollama_base_url,
        **settings.models.servers,
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

    async def chat(self, request: ChatRequest) -> ChatResponse:
        """The whole reply. Raises ProviderError."""
        with chat_span(self._model, request) as call, counted_call(self._model):
            reply = await self._provider.chat(self._addressed(request))
            call.ended(reply)
            count_usage(self._model, reply)
        return reply

    async def stream(self, request: ChatRequest) -> AsyncGenerator[str | ChatResponse, None]:
        """Pieces of text as they arrive, then one ChatResponse with the whole text. Raises
        ProviderError, possibly after some pieces. Close it (`contextlib.aclosing`) to hang up
        early."""
        whole: ChatResponse | None = None
        with chat_span(self._model, request) as call, counted_call(self._model):
            async with aclosing(self._provider.stream(self._addressed(request))) as pieces:
                async for piece in pieces:
                    if isinstance(piece, ChatResponse):
                        whole = piece
                        call.ended(whole)
                        count_usage(self._model, whole)
                    else:
                        yield piece
        # After the span: what its reader does now is not part of the call.
        if whole is not None:
            yield whole

    def _addressed(self, request: ChatRequest) -> ProviderRequest:
        return ProviderRequest.from_chat(request, self._model.model, self._deadline)


class Embedder:
    """One embedding model, ready to be asked. `deadline` (seconds) is total for each call.

    Get one from `Providers.embedder`; it lives as long as its Providers.
    """

    def __init__(self, provider: EmbeddingProvider, model: ModelName, *, deadline: float) -> None:
        self._provider = provider
        self._model = model
        self._deadline = deadline

    @property
    def model(self) -> str:
        """`provider:model`, the name under which vectors are stored: those of different models
        cannot be compared."""
        return str(self._model)

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector for each text, in order, all of one length; at most MAX_TEXTS texts. Raises
        ProviderError; a text that the model refuses makes it a PermanentProviderError for all."""
        if len(texts) > MAX_TEXTS:
            raise ValueError(f"{len(texts)} texts in one request; at most {MAX_TEXTS}")
        with embeddings_span(self._model, len(texts)):
            return await self._provider.embed(self._model.model, texts, deadline=self._deadline)


class Providers:
    """The clients of one event loop, made when first needed and shared by all its routers.

    `open_session` replaces the network, in tests. on_reply: see `providers/http.py`. parts: keeps
    what servers refuse for other processes. Close it on its loop: `async with` or `aclose`.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        open_session: "OpenSession | None" = None,
        on_reply: "OnReply | None" = None,
        parts: PartsInDatabase | None = None,
    ) -> None:
        self._settings = settings
        self._servers = tuple(settings.models.servers)
        self._refused = RefusedParts(parts)
        self._open_session = open_session
        self._on_reply = on_reply
        self._clients: dict[str, Provider] = {}
        self._embeddings: dict[str, EmbeddingProvider] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.aclose()

    def check(self, model: str) -> ModelName:
        """The parsed name, if all that it needs is configured. No network. Raises
        ConfigurationError with one sentence on what to set."""
        name = parse_model_name(model, self._servers)
        self._maker(name.provider)
        return name

    def router(self, model: str, *, deadline: float) -> AIRouter:
        """A router for `provider:model`. Raises ConfigurationError as `check` does."""
        name = parse_model_name(model, self._servers)
        return self._router(self._client(name.provider), name, deadline)

    def form(self, model: str) -> str | None:
        """How `provider:model` is asked for structured replies, as far as is known here; None for
        models without a server. Raises ConfigurationError as `check` does."""
        name = parse_model_name(model, self._servers)
        form = getattr(self._client(name.provider), "form", None)
        return form(name.model) if form else None

    async def context_tokens(self, model: str) -> int | None:
        """How many tokens the context of `provider:model` holds; None where its server does not
        say, or there is none. Raises ConfigurationError as `check` does."""
        name = parse_model_name(model, self._servers)
        contexts = getattr(self._client(name.provider), "contexts", None)
        return await contexts.get(name.model) if contexts else None

    async def models(self, provider: str, *, deadline: float) -> list[dict[str, Any]]:
        """What the server of a provider or of SEARCHQA_SERVERS lists; empty where there is no
        server. Raises ProviderError."""
        listed = getattr(self._client(provider), "models", None)
        return await listed(deadline=deadline) if listed else []

    def batch_endpoint(self, model: str) -> "BatchEndpoint":
        """The batches of `provider:model`. Raises BatchesNotSupported for providers without any;
        that a server lacks what its protocol has shows only when it is asked. Raises
        ConfigurationError as `check` does."""
        name = parse_model_name(model, self._servers)
        if name.provider not in BATCH_PROVIDERS:
            reason = f"{name.provider} has no batch endpoint; answers are judged by calls."
            raise BatchesNotSupported(reason)
        from app.ai_router.batches.anthropic import AnthropicBatches
        from app.ai_router.batches.openai import OpenAIBatches

        batches = AnthropicBatches if name.provider == "anthropic" else OpenAIBatches
        client: Any = self._client(name.provider)
        return batches(client, name.model, self._settings.batches.price)

    def check_embedding(self, model: str) -> ModelName:
        """As `check`, for a model that makes vectors."""
        name = parse_embedding_model_name(model, self._servers)
        self._embeddings_maker(name)
        return name

    def embedder(self, model: str, *, deadline: float) -> Embedder:
        """An embedder for `provider:model`. Raises ConfigurationError as `check_embedding` does."""
        name = parse_embedding_model_name(model, self._servers)
        client = self._embeddings.get(name.provider)
        if client is None:
            client = self._embeddings[name.provider] = self._embeddings_maker(name)()
        return Embedder(client, name, deadline=deadline)

    async def aclose(self) -> None:
        """Frees all connections. Routers and embedders made before are of no more use."""
        while self._clients:
            _, client = self._clients.popitem()
            await client.aclose()
        while self._embeddings:
            _, embeddings = self._embeddings.popitem()
            await embeddings.aclose()
        await self._refused.aclose()

    def _client(self, provider: str) -> Provider:
        client = self._clients.get(provider)
        if client is None:
            client = self._clients[provider] = self._maker(provider)()
        return client

    def _router(self, client: Provider, name: ModelName, deadline: float) -> AIRouter:
        return AIRouter(client, name, deadline=deadline)

    def _maker(self, provider: str) -> Callable[[], Provider]:
        # What a model is made with is imported on first use: Kiwi for the offline one, and
        # for others the clients of HTTP, which take a fifth of the time of a process to start.
        if provider == OFFLINE:
            from app.ai_router.providers.offline import OfflineProvider

            return OfflineProvider
        if provider == LOCAL:
            raise ConfigurationError(
                "Models in a folder judge answers and make vectors, but write no text; name a model"
                " of another provider."
            )
        from app.ai_router.providers.servers import provider_maker

        return provider_maker(
            provider, self._settings, self._open_session, self._on_reply, self._refused
        )

    def _embeddings_maker(self, name: ModelName) -> Callable[[], EmbeddingProvider]:
        if name.provider == LOCAL:
            from app.ai_router.local.model_folder import embedding_folder

            embedding_folder(name.model)
            return self._local_embeddings
        from app.ai_router.providers.servers import embeddings_maker

        return embeddings_maker(name.provider, self._settings, self._open_session)

    def _local_embeddings(self) -> EmbeddingProvider:
        from app.ai_router.local.embeddings import LocalEmbeddings

        return LocalEmbeddings(threads=self._settings.models.local_threads)
