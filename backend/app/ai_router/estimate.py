"""What calls of a model will take before they are made: tokens by the length of texts, and their
price."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from math import ceil
from typing import Self

from app.ai_router.local.model_folder import LOCAL
from app.ai_router.pricing import BatchPrice, OwnPrices, cost_usd
from app.ai_router.router import BATCH_PROVIDERS, address_of, parse_model_name
from app.ai_router.types import Lang, ModelName
from app.platform.settings import Settings

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
    them is not known. batch_cost_usd: the same where all that can goes through batches. A reply
    that cannot be used is asked for once more, which comes on top."""

    calls: int = 0
    tokens: Tokens = Tokens()
    cost_usd: Decimal | None = Decimal(0)
    batch_cost_usd: Decimal | None = Decimal(0)

    def __add__(self, other: "CallsEstimate") -> "CallsEstimate":
        return CallsEstimate(
            self.calls + other.calls,
            self.tokens + other.tokens,
            _sum(self.cost_usd, other.cost_usd),
            _sum(self.batch_cost_usd, other.batch_cost_usd),
        )


def _sum(one: Decimal | None, other: Decimal | None) -> Decimal | None:
    return None if one is None or other is None else one + other


@dataclass(frozen=True, slots=True)
class PricedModel:
    """A model and its address, which together have a price, if not one of `own`. batch_price: the
    share of it that batches cost, where the operator has set it."""

    name: ModelName
    api_url: str
    own: OwnPrices = field(default_factory=dict)
    batch_price: float | None = None

    @classmethod
    def from_name(cls, model: str, settings: Settings) -> Self:
        """The `provider:model` as this server reaches it. Raises ConfigurationError."""
        name = parse_model_name(model, tuple(settings.models.servers))
        url = address_of(name.provider, settings)
        return cls(name, url, settings.models.prices, settings.batches.price)

    def estimate(self, call: Tokens, calls: int = 1, *, in_batch: bool = True) -> CallsEstimate:
        """`calls` alike. They are priced one by one, because the price of a token may depend on
        how many a call has. Offline models take calls, but no tokens and no money; models in
        a folder take no calls either. in_batch: whether a batch can make them, which those that
        depend on the reply of another cannot."""
        if self.name.provider == LOCAL:
            return CallsEstimate()
        if self.name.provider == "offline":
            return CallsEstimate(calls)
        price = cost_usd(*self.name, self.api_url, call.prompt, call.completion, own=self.own)
        if price is None:
            return CallsEstimate(calls, call * calls, None, None)
        share = Decimal(1)
        if in_batch and self.name.provider in BATCH_PROVIDERS:
            share = BatchPrice.at_address(self.name.provider, self.api_url, self.batch_price).share
        return CallsEstimate(calls, call * calls, price * calls, price * calls * share)
