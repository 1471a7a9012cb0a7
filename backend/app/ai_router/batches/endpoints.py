"""Finds the batch endpoint that goes with a client of calls."""

from app.ai_router.batches.protocol import BatchEndpoint
from app.ai_router.types import Provider


def batch_endpoint(client: Provider, model: str, share: float | None) -> BatchEndpoint | None:
    """The batches of the client's server; share: see `Settings.batch_price`."""
    return None
