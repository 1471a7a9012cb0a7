"""Finds the batch endpoint that goes with a client of calls."""

from app.ai_router.batches.anthropic import AnthropicBatches
from app.ai_router.batches.openai import OpenAIBatches
from app.ai_router.batches.protocol import BatchEndpoint
from app.ai_router.providers.anthropic import AnthropicProvider
from app.ai_router.providers.openai import OpenAIProvider
from app.ai_router.types import Provider


def batch_endpoint(client: Provider, model: str, share: float | None) -> BatchEndpoint:
    """The batches of the client's server, which is one of BATCH_PROVIDERS; share: see
    `BatchSettings.price`."""
    if isinstance(client, AnthropicProvider):
        return AnthropicBatches(client, model, share)
    assert isinstance(client, OpenAIProvider)
    return OpenAIBatches(client, model, share)
