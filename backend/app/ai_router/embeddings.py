"""A model that makes vectors of texts, so that texts of like meaning can be found."""

from collections.abc import Sequence
from typing import Protocol

from app.ai_router.call_telemetry import embeddings_span
from app.ai_router.types import ModelName

# Texts of one request: servers take more, but a request that fails is made anew as a whole.
BATCH_SIZE = 64


class EmbeddingProvider(Protocol):
    """Whoever makes vectors: a server, or models in this process. `aclose` frees what it holds."""

    async def embed(
        self, model: str, texts: Sequence[str], *, deadline: float
    ) -> list[list[float]]: ...

    async def aclose(self) -> None: ...


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
        """A vector for each text, in order, all of one length; at most BATCH_SIZE texts. Raises
        ProviderError; a text that the model refuses makes it a PermanentProviderError for all."""
        if len(texts) > BATCH_SIZE:
            raise ValueError(f"{len(texts)} texts in one request; at most {BATCH_SIZE}")
        with embeddings_span(self._model, len(texts)):
            return await self._provider.embed(self._model.model, texts, deadline=self._deadline)
