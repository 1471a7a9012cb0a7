"""Costs against the price list they come from."""

from decimal import Decimal

import pytest
from genai_prices import Usage, calc_price
from genai_prices.data_snapshot import get_snapshot
from genai_prices.types import TieredPrices

from app.ai_router.pricing import BatchPrice, cost_usd
from cases import for_each

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


@for_each("tokens", [(0, 0, 0, 0), (1, 1, 1, 0), (1234, 567, 89, 1024), (900_000, 3, 500_000, 9)])
def test_every_price_is_that_of_the_list(tokens):
    prompt, completion, cached, written = tokens
    usage = Usage(
        input_tokens=prompt,
        output_tokens=completion,
        cache_read_tokens=cached,
        cache_write_tokens=written,
    )
    for provider, model in MODELS:
        listed = calc_price(usage, model, provider_id=provider).total_price
        assert cost_usd(provider, model, URLS[provider], *tokens) == listed


def test_the_list_has_models_whose_price_depends_on_length():
    """Else the test above says nothing about them."""
    prices = [
        calc_price(Usage(input_tokens=1), model, provider_id=provider).model_price
        for provider, model in MODELS
    ]
    assert any(isinstance(part, TieredPrices) for price in prices for part in vars(price).values())


def test_the_list_prices_what_is_read_from_a_cache_and_written_to_it():
    """Else the first test says nothing about them."""
    url, many = URLS["anthropic"], 1_000_000
    full, read, written = (
        cost_usd("anthropic", "claude-haiku-4-5", url, many, 0, *cache)
        for cache in ((0, 0), (many, 0), (0, many))
    )
    assert full is not None
    assert read is not None
    assert written is not None
    assert read < full < written


def test_more_tokens_of_the_cache_than_of_the_prompt_are_not_paid_for():
    url = URLS["openai"]
    assert cost_usd("openai", "gpt-4o-mini", url, 10, 0, 99, 99) == cost_usd(
        "openai", "gpt-4o-mini", url, 10, 0, 10, 0
    )


@for_each(
    ("url", "set_to", "share"),
    [
        (URLS["openai"], None, "0.5"),
        (URLS["anthropic"], None, "0.5"),
        ("https://eu.api.openai.com/v1/chat/completions", None, "0.5"),
        ("https://api.openai.com.example.org/v1/chat/completions", None, "1"),
        ("https://notapi.openai.com/v1/chat/completions", None, "1"),
        ("http://127.0.0.1:8000/v1/chat/completions", None, "1"),
        ("http://127.0.0.1:8000/v1/chat/completions", 0.25, "0.25"),
        (URLS["openai"], 1.0, "1"),
    ],
)
def test_a_batch_costs_half_at_the_vendors_own_addresses(url, set_to, share):
    assert BatchPrice.at_address("openai", url, set_to).share == Decimal(share)


@pytest.mark.parametrize(
    ("provider", "model", "cached"),
    [("openai", "gpt-4o-mini", 0), ("anthropic", "claude-haiku-4-5", 600)],
)
def test_tokens_of_the_cache_are_cheaper_in_batches_only_where_the_vendor_says_so(
    provider, model, cached
):
    url = URLS[provider]
    batch = BatchPrice.at_address(provider, url)
    by_calls = cost_usd(provider, model, url, 1000, 50, cached, 0)
    assert by_calls

    assert cost_usd(provider, model, url, 1000, 50, 600, 0, batch=batch) == by_calls / 2
