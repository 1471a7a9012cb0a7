"""What a call costs, from the price list that ships with genai-prices (never fetched)."""

from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

# Imported where it is asked, because a process without a model that costs has no use for it.
if TYPE_CHECKING:
    from genai_prices.types import PriceCalculation

# Model names of these vendors mean the same behind a gateway: what it passes on is priced by
# their list. Names that the list does not have, as those of local servers, have no price.
_VENDORS = frozenset({"openai", "anthropic"})
_MILLION = 1_000_000


def cost_usd(
    provider: str,
    model: str,
    api_url: str,
    prompt_tokens: int | None,
    completion_tokens: int | None,
    cached_tokens: int = 0,
) -> Decimal | None:
    """US dollars, or None where nobody knows: no token counts, or a model that the list of its
    vendor does not have. The vendor is found by the address, else by the provider's name.
    `cached_tokens` are those of the prompt that the vendor had in its cache."""
    if prompt_tokens is None or completion_tokens is None:
        return None
    tokens = _Tokens(prompt_tokens, completion_tokens, min(cached_tokens, prompt_tokens))
    if rates := _rates(provider, model, api_url):
        return rates.of(tokens)
    calculation = _calculate(provider, model, api_url, tokens)
    return calculation.total_price if calculation else None


class _Tokens(NamedTuple):
    prompt: int
    completion: int
    cached: int


class _Rates(NamedTuple):
    """US dollars for a request, and more for each million tokens of a kind. `cached` is the
    difference to a token of the prompt that was not cached, so it is negative."""

    request: Decimal
    prompt: Decimal
    completion: Decimal
    cached: Decimal

    def of(self, tokens: _Tokens) -> Decimal:
        prompt, completion, cached = tokens
        by_tokens = prompt * self.prompt + completion * self.completion + cached * self.cached
        return self.request + by_tokens / _MILLION


@lru_cache(maxsize=256)
def _rates(provider: str, model: str, api_url: str) -> _Rates | None:
    """Worked out once a model, because asking the list for each call takes longer than making
    the call's prompt. None where the model is unknown or its price depends on time or length."""
    from genai_prices.types import ModelPrice, TieredPrices

    nothing = _calculate(provider, model, api_url, _Tokens(0, 0, 0))
    if nothing is None or not isinstance(nothing.model.prices, ModelPrice):
        return None
    if any(isinstance(price, TieredPrices) for price in vars(nothing.model_price).values()):
        return None

    def total(tokens: _Tokens) -> Decimal:
        calculation = _calculate(provider, model, api_url, tokens)
        assert calculation
        return calculation.total_price

    request = nothing.total_price
    prompt = total(_Tokens(_MILLION, 0, 0))
    return _Rates(
        request=request,
        prompt=prompt - request,
        completion=total(_Tokens(0, _MILLION, 0)) - request,
        cached=total(_Tokens(_MILLION, 0, _MILLION)) - prompt,
    )


def _calculate(
    provider: str, model: str, api_url: str, tokens: _Tokens
) -> "PriceCalculation | None":
    from genai_prices import Usage, calc_price

    usage = Usage(
        input_tokens=tokens.prompt,
        output_tokens=tokens.completion,
        cache_read_tokens=tokens.cached,
    )
    try:
        return calc_price(usage, model, provider_api_url=api_url)
    except LookupError:
        pass
    if provider not in _VENDORS:
        return None
    try:
        return calc_price(usage, model, provider_id=provider)
    except LookupError:
        return None
