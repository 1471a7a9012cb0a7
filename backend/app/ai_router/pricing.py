"""What a call costs: by the operator's own prices (SEARCHQA_MODEL_PRICES), else by the price list
that ships with genai-prices (never fetched)."""

from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from app.platform.setting_types import ModelPrice

# Imported where it is asked, because a process without a model that costs has no use for it.
if TYPE_CHECKING:
    from genai_prices.types import PriceCalculation

# Model names of these vendors mean the same behind a gateway: what it passes on is priced by
# their list. Names that the list does not have, as those of local servers, have no price.
_VENDORS = frozenset({"openai", "anthropic"})
# And those of a region, as in eu.api.openai.com.
_OWN_HOSTS = (".api.openai.com", ".api.anthropic.com")
# Models on one's own machine cost nothing that could be counted, unless a price is set for them.
FREE_PROVIDERS = frozenset({"ollama", "offline", "local"})
# As much as is stored of one call, numeric(12, 8).
_MAX_COST = Decimal(9_999)
_MILLION = 1_000_000

# Tokens whose price is divided, so that it has its full number of digits.
_PRICE_SAMPLE_TOKENS = 100_000

# By `provider:model`.
OwnPrices = Mapping[str, ModelPrice]
NO_PRICES: OwnPrices = MappingProxyType({})


class BatchPrice(NamedTuple):
    """What a request costs in a batch: `share` (0–1) of its price for a call. cached: whether what
    the vendor read from its cache is cheaper there too."""

    share: Decimal
    cached: bool

    @classmethod
    def at_address(cls, provider: str, api_url: str, share: float | None = None) -> "BatchPrice":
        """share: what the operator has set (`BatchSettings.price`); None: half at the vendors' own
        addresses, which both of them charge, and the whole price elsewhere.

        Anthropic's discounts of batch and cache multiply. What is published of OpenAI's disagrees,
        so cached tokens are counted as any others, which is not too little.
        """
        if share is None:
            host = urlsplit(api_url).hostname or ""
            share = 0.5 if f".{host}".endswith(_OWN_HOSTS) else 1
        return cls(Decimal(str(share)), cached=provider == "anthropic")


def cost_usd(
    provider: str,
    model: str,
    api_url: str,
    prompt_tokens: int | None,
    completion_tokens: int | None,
    cached_tokens: int = 0,
    cache_write_tokens: int = 0,
    own: OwnPrices = NO_PRICES,
    batch: BatchPrice | None = None,
) -> Decimal | None:
    """US dollars, or None if unknown: no token counts, or a model that neither `own` nor
    the list of its vendor has. The vendor is found by the address, else by the provider's name.
    `cached_tokens` are those of the prompt that the vendor had in its cache,
    `cache_write_tokens` those that it put there; without a price of their own they cost what the
    rest of the prompt does. batch: the request was one of a batch."""
    if batch is not None:
        cached_tokens = cached_tokens if batch.cached else 0
    if prompt_tokens is None or completion_tokens is None:
        return None
    cached = min(cached_tokens, prompt_tokens)
    written = min(cache_write_tokens, prompt_tokens - cached)
    tokens = _Tokens(prompt_tokens, completion_tokens, cached, written)
    price: Decimal | None
    if given := own.get(f"{provider}:{model}"):
        price = _Rates.of_price(given).cost(tokens)
    elif provider in FREE_PROVIDERS:
        price = Decimal(0)
    else:
        price = _listed(provider, model, api_url, tokens)
    if price is None:
        return None
    return min(price * (batch.share if batch else 1), _MAX_COST)


def usd_per_token(
    provider: str, model: str, api_url: str, own: OwnPrices = NO_PRICES
) -> tuple[Decimal, Decimal] | None:
    """US dollars for a token that is read and for one that is written; None as for `cost_usd`."""
    if price := own.get(f"{provider}:{model}"):
        return price.prompt / _MILLION, price.completion / _MILLION
    return _listed_per_token(provider, model, api_url)


@lru_cache(maxsize=256)
def _listed_per_token(provider: str, model: str, api_url: str) -> tuple[Decimal, Decimal] | None:
    read, written = (
        cost_usd(provider, model, api_url, *many)
        for many in ((_PRICE_SAMPLE_TOKENS, 0), (0, _PRICE_SAMPLE_TOKENS))
    )
    return (
        None
        if read is None or written is None
        else (read / _PRICE_SAMPLE_TOKENS, written / _PRICE_SAMPLE_TOKENS)
    )


def _listed(provider: str, model: str, api_url: str, tokens: "_Tokens") -> Decimal | None:
    if rates := _rates(provider, model, api_url):
        return rates.cost(tokens)
    calculation = _calculate(provider, model, api_url, tokens)
    return calculation.total_price if calculation else None


class _Tokens(NamedTuple):
    prompt: int
    completion: int
    cached: int = 0
    cache_write: int = 0


class _Rates(NamedTuple):
    """US dollars for a request, and more for each million tokens of a kind. `cached` and
    `cache_write` are differences to a token of the prompt that the cache has nothing to do with."""

    request: Decimal
    prompt: Decimal
    completion: Decimal
    cached: Decimal
    cache_write: Decimal

    @classmethod
    def of_price(cls, price: ModelPrice) -> "_Rates":
        cached, cache_write = price.cached - price.prompt, price.cache_write - price.prompt
        return cls(Decimal(0), price.prompt, price.completion, cached, cache_write)

    def cost(self, tokens: _Tokens) -> Decimal:
        by_tokens = tokens.prompt * self.prompt + tokens.completion * self.completion
        by_tokens += tokens.cached * self.cached + tokens.cache_write * self.cache_write
        return self.request + by_tokens / _MILLION


@lru_cache(maxsize=256)
def _rates(provider: str, model: str, api_url: str) -> _Rates | None:
    """Worked out once a model, because asking the list for each call takes longer than making
    the call's prompt. None where the model is unknown or its price depends on time or length."""
    from genai_prices.types import ModelPrice, TieredPrices

    nothing = _calculate(provider, model, api_url, _Tokens(0, 0))
    if nothing is None or not isinstance(nothing.model.prices, ModelPrice):
        return None
    if any(isinstance(price, TieredPrices) for price in vars(nothing.model_price).values()):
        return None

    def total(tokens: _Tokens) -> Decimal:
        calculation = _calculate(provider, model, api_url, tokens)
        assert calculation
        return calculation.total_price

    request = nothing.total_price
    prompt = total(_Tokens(_MILLION, 0))
    return _Rates(
        request=request,
        prompt=prompt - request,
        completion=total(_Tokens(0, _MILLION)) - request,
        cached=total(_Tokens(_MILLION, 0, cached=_MILLION)) - prompt,
        cache_write=total(_Tokens(_MILLION, 0, cache_write=_MILLION)) - prompt,
    )


def _calculate(
    provider: str, model: str, api_url: str, tokens: _Tokens
) -> "PriceCalculation | None":
    from genai_prices import Usage, calc_price

    usage = Usage(
        input_tokens=tokens.prompt,
        output_tokens=tokens.completion,
        cache_read_tokens=tokens.cached,
        cache_write_tokens=tokens.cache_write,
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
