"""What judging an answer may cost at most, which the daily budget sets aside before it is
judged."""

from collections.abc import Sequence
from decimal import Decimal

from app.ai_router.estimate import BYTES_PER_TOKEN, PricedModel
from app.ai_router.pricing import usd_per_token
from app.judges.estimate import verdict_calls
from app.judges.prompts.one_call import OneCallPrompt
from app.platform.settings import Settings


class JudgePrices:
    """Prices of judge models as this server reaches them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def known(self, model: str) -> bool:
        """Whether calls of the `provider:model` have a price. Raises ConfigurationError for what
        is no name."""
        return self.per_token(model) is not None

    def estimate(
        self,
        models: Sequence[str],
        evaluators: Sequence[str],
        text_bytes: int,
        judge_prompt: str | OneCallPrompt | None = None,
        parts: int = 1,
    ) -> Decimal | None:
        """US dollars for one answer with the dearest of `models`, every reply as long as it may
        be and nothing asked twice; None where nobody knows the price of one of them. text_bytes:
        question, history, answer and notes together, in UTF-8. judge_prompt: as in verdict_calls.
        parts: in which the answer is judged (`answer_parts`)."""
        rates = [self.rates(model, evaluators, judge_prompt, parts) for model in models]
        costs = [fixed + a_byte * text_bytes for fixed, a_byte in filter(None, rates)]
        return round(max(costs), 8) if len(costs) == len(rates) else None

    def rates(
        self,
        model: str,
        evaluators: Sequence[str],
        judge_prompt: str | OneCallPrompt | None = None,
        parts: int = 1,
    ) -> tuple[Decimal, Decimal] | None:
        """What `estimate` is of one model: US dollars for an answer, and for each byte of its
        texts beside them, as if every call held them all. Rules, and models of one's own machine,
        cost nothing."""
        prices = self.per_token(model)
        if prices is None:
            return None
        read, written = prices
        # The Korean prompts are the longer ones.
        calls = [
            call
            for call in verdict_calls(tuple(evaluators), "ko", judge_prompt)
            for _ in range(call.times(parts))
        ]
        a_byte = read / BYTES_PER_TOKEN
        fixed = sum(call.prompt_bytes for call in calls) * a_byte
        return fixed + sum(call.max_tokens for call in calls) * written, len(calls) * a_byte

    def per_token(self, model: str) -> tuple[Decimal, Decimal] | None:
        """US dollars for a token that is read and for one that is written; None where nobody knows.
        Raises as `known` does."""
        priced = PricedModel.from_name(model, self._settings)
        return usd_per_token(*priced.name, priced.api_url, priced.own)
