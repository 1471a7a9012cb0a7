"""Costs against the price list they come from."""

import pytest
from genai_prices import Usage, calc_price
from genai_prices.data_snapshot import get_snapshot
from genai_prices.types import TieredPrices

from app.ai_router.pricing import cost_usd

URLS = {
    "openai": "https://api.openai.com/v1/chat/completions",
    "anthropic": "https://api.anthropic.com/v1/messages",
}
# Fine-tuned models are listed, but not found, by their bare id.
MODELS = [
    (provider.id, model.id)
    for provider in get_snapshot().providers
    if provider.id in URLS
    for model in provider.models
    if not model.id.startswith("ft:")
]


@pytest.mark.parametrize("tokens", [(0, 0, 0), (1, 1, 1), (1234, 567, 89), (900_000, 3, 500_000)])
def test_every_price_is_that_of_the_list(tokens: tuple[int, int, int]) -> None:
    prompt, completion, cached = tokens
    usage = Usage(input_tokens=prompt, output_tokens=completion, cache_read_tokens=cached)
    for provider, model in MODELS:
        listed = calc_price(usage, model, provider_id=provider).total_price
        assert cost_usd(provider, model, URLS[provider], prompt, completion, cached) == listed


def test_the_list_has_models_whose_price_depends_on_length() -> None:
    """Else the test above says nothing about them."""
    prices = [
        calc_price(Usage(input_tokens=1), model, provider_id=provider).model_price
        for provider, model in MODELS
    ]
    assert any(isinstance(part, TieredPrices) for price in prices for part in vars(price).values())
