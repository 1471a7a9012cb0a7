"""Finds the batch endpoint that goes with a client of calls."""

from app.ai_router.batches.anthropic import AnthropicBatches
from app.ai_router.batches.openai import OpenAIBatches
from app.ai_router.batches.protocol import BatchEndpoint
from app.ai_router.providers.anthropic import AnthropicProvider
from app.ai_router.providers.openai import OpenAIProvider
from app.ai_router.types import Provider


def batch_endpoint(client: Provider, model: str, share: float | None) -> BatchEndpoint | None:
    """The batches of the client's server; share: see `Settings.batch_price`."""
    if isinstance(client, OpenAIProvider):
        return OpenAIBatches(client, model, share)
    if isinstance(client, AnthropicProvider):
        return AnthropicBatches(client, model, share)
    return None
