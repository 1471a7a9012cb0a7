"""What a call costs, from the price list that ships with genai-prices (never fetched)."""

from decimal import Decimal

from genai_prices import Usage, calc_price


def cost_usd(
    model: str,
    api_url: str,
    prompt_tokens: int | None,
    completion_tokens: int | None,
    cached_tokens: int = 0,
) -> Decimal | None:
    """US dollars, or None where nobody knows: no token counts, or a model or address that the
    list does not have. The vendor is found by its address, because `gpt-4o-mini` behind
    another one may cost anything. `cached_tokens` are those of the prompt that the vendor had
    in its cache."""
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
        return None
