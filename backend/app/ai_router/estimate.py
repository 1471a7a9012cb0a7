"""What calls of a model will take before they are made: tokens by the length of texts, and their
price."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from math import ceil
from typing import Self

from app.ai_router.local.model_folder import LOCAL
from app.ai_router.pricing import OwnPrices, cost_usd
from app.ai_router.router import address_of, parse_model_name
from app.ai_router.types import Lang, ModelName
from app.settings import Settings

# Low, so that estimates err upwards and a budget holds. English has about four characters, of a
# byte each, to a token; a Korean character is three bytes, and half a token to a whole one.
BYTES_PER_TOKEN = 3
# Where only a number of characters is known: as if each were a Hangul syllable.
BYTES_PER_CHAR: Mapping[Lang, int] = {"ko": 3, "en": 1}


def tokens_in(text_bytes: float) -> int:
    """Tokens of a text of so many bytes of UTF-8."""
    return ceil(text_bytes / BYTES_PER_TOKEN)


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of one call, or of several together."""

    prompt: int = 0
    completion: int = 0

    def __add__(self, other: "Tokens") -> "Tokens":
        return Tokens(self.prompt + other.prompt, self.completion + other.completion)

    def __mul__(self, calls: int) -> "Tokens":
        return Tokens(self.prompt * calls, self.completion * calls)


@dataclass(frozen=True, slots=True)
class CallsEstimate:
    """Calls of models, their tokens and US dollars; cost_usd is None where the price of one of
    them is not known. A reply that cannot be used is asked for once more, which comes on top."""

    calls: int = 0
    tokens: Tokens = Tokens()
    cost_usd: Decimal | None = Decimal(0)

    def __add__(self, other: "CallsEstimate") -> "CallsEstimate":
        cost = (
            None
            if self.cost_usd is None or other.cost_usd is None
            else self.cost_usd + other.cost_usd
        )
        return CallsEstimate(self.calls + other.calls, self.tokens + other.tokens, cost)


@dataclass(frozen=True, slots=True)
class PricedModel:
    """A model and its address, which together have a price, if not one of `own`."""

    name: ModelName
    api_url: str
    own: OwnPrices = field(default_factory=dict)

    @classmethod
    def of(cls, model: str, settings: Settings) -> Self:
        """The `provider:model` as this server reaches it. Raises ConfigurationError."""
        name = parse_model_name(model)
        return cls(name, address_of(name.provider, settings), settings.model_prices)

    def estimate(self, call: Tokens, calls: int = 1) -> CallsEstimate:
        """`calls` alike. They are priced one by one, because the price of a token may depend on
        how many a call has. Offline models take calls, but no tokens and no money; models in
        a folder take no calls either."""
        if self.name.provider == LOCAL:
            return CallsEstimate()
        if self.name.provider == "offline":
            return CallsEstimate(calls)
        price = cost_usd(*self.name, self.api_url, call.prompt, call.completion, own=self.own)
        return CallsEstimate(calls, call * calls, None if price is None else price * calls)
