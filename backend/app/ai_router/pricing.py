"""What a call costs, from the price list that ships with genai-prices (never fetched)."""

from decimal import Decimal

from genai_prices import Usage, calc_price

# Model names of these vendors mean the same behind a gateway: what it passes on is priced by
# their list. Names that the list does not have, as those of local servers, have no price.
_VENDORS = frozenset({"openai", "anthropic"})


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
    usage = Usage(
        input_tokens=prompt_tokens,
        output_tokens=completion_tokens,
        cache_read_tokens=min(cached_tokens, prompt_tokens),
    )
    try:
        return calc_price(usage, model, provider_api_url=api_url).total_price
    except LookupError:
        pass
    if provider not in _VENDORS:
        return None
    try:
        return calc_price(usage, model, provider_id=provider).total_price
    except LookupError:
        return None
