"""What judging an answer may cost, told before it is judged."""

from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache

from app.ai_router.pricing import cost_usd
from app.ai_router.router import parse_model_name
from app.judges import quality_gate
from app.judges.phases import completeness, groundedness_judge, next_steps
from app.judges.search_qa import evaluator as search_qa_evaluator
from app.settings import Settings

# The longest reply to each call of an evaluator, in tokens.
_REPLIES = {
    "quality_gate": (quality_gate.MAX_TOKENS,),
    "completeness:model": (completeness.MAX_TOKENS, completeness.MAX_TOKENS),
    "groundedness:model": (groundedness_judge.MAX_TOKENS,),
    "next_steps:model": (next_steps.MAX_TOKENS,),
}
# These ask once for each part of a long answer.
IN_PARTS = frozenset({"search_qa", "groundedness:model"})
# What an evaluator says itself, in tokens, and how many bytes of UTF-8 make one: a Korean
# character has three. Both on the high side.
_INSTRUCTIONS = 1_000
_BYTES_PER_TOKEN = 3
_MANY = 100_000
_MILLION = 1_000_000


class JudgePrices:
    """Prices of judge models as this server reaches them."""

    def __init__(self, settings: Settings) -> None:
        self._urls = {
            "openai": settings.openai_base_url,
            "anthropic": settings.anthropic_base_url,
            "ollama": settings.ollama_base_url,
        }
        self._own = settings.model_prices

    def known(self, model: str) -> bool:
        """Whether calls of the `provider:model` have a price. Raises ConfigurationError for what
        is no name."""
        return self._per_token(model) is not None

    def estimate(
        self,
        models: Sequence[str],
        evaluators: Sequence[str],
        text_bytes: int,
        judge_prompt: str | None = None,
        parts: int = 1,
    ) -> Decimal | None:
        """US dollars for one answer with the dearest of `models`, every reply as long as it may
        be and nothing asked twice; None where nobody knows the price of one of them. text_bytes:
        question, answer and notes together, in UTF-8. judge_prompt: as in prompt_version. parts:
        in which the answer is judged (`answer_parts`)."""
        rates = [self.rates(model, evaluators, judge_prompt, parts) for model in models]
        costs = [fixed + a_byte * text_bytes for fixed, a_byte in filter(None, rates)]
        return round(max(costs), 8) if len(costs) == len(rates) else None

    def rates(
        self,
        model: str,
        evaluators: Sequence[str],
        judge_prompt: str | None = None,
        parts: int = 1,
    ) -> tuple[Decimal, Decimal] | None:
        """What `estimate` is of one model: US dollars for an answer, and for each byte of its
        texts beside them. Rules, and models of one's own machine, cost nothing."""
        verdict = search_qa_evaluator.PROMPTS[judge_prompt or search_qa_evaluator.PROMPT_VERSION]
        longest = _REPLIES | {"search_qa": (verdict.max_tokens,)}
        replies = [
            tokens
            for name in evaluators
            for tokens in longest.get(name, ()) * (parts if name in IN_PARTS else 1)
        ]
        prices = self._per_token(model)
        if prices is None:
            return None
        reading = len(replies) * prices[0]
        fixed = _INSTRUCTIONS * reading + sum(replies) * prices[1]
        return fixed, reading / _BYTES_PER_TOKEN

    def _per_token(self, model: str) -> tuple[Decimal, Decimal] | None:
        provider, name = parse_model_name(model)
        if price := self._own.get(model):
            return price[0] / _MILLION, price[1] / _MILLION
        return _per_token(provider, name, self._urls.get(provider, ""))


@lru_cache(maxsize=256)
def _per_token(provider: str, model: str, api_url: str) -> tuple[Decimal, Decimal] | None:
    """US dollars for a token that is read and for one that is written."""
    prices = [cost_usd(provider, model, api_url, *many) for many in ((_MANY, 0), (0, _MANY))]
    read, written = prices
    return None if read is None or written is None else (read / _MANY, written / _MANY)
