"""What a run will cost before it is started: calls, tokens and US dollars."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from math import ceil

from app.ai_router.pricing import OwnPrices, cost_usd
from app.ai_router.prompts import search_qa
from app.ai_router.types import Lang, Message, ModelName
from app.judges.prompts import answer_relevancy, faithfulness
from app.runs.evaluation_type import EvaluationType

ANSWER_CALLS = 1
JUDGE_CALLS = 2

# Low on purpose, so that estimates err upwards. English: OpenAI's rule of thumb. Korean: the
# sample sentence in OpenAI's announcement of GPT-4o has about 2 with its tokenizer and 1.2 with the
# one before.
CHARS_PER_TOKEN: Mapping[Lang, float] = {"ko": 1.5, "en": 4.0}
REASONING_TOKENS = 120


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of one call, or of several together."""

    prompt: int
    completion: int

    def times(self, calls: int) -> "Tokens":
        return Tokens(self.prompt * calls, self.completion * calls)

    def plus(self, other: "Tokens") -> "Tokens":
        return Tokens(self.prompt + other.prompt, self.completion + other.completion)


NO_TOKENS = Tokens(0, 0)


@dataclass(frozen=True, slots=True)
class CaseTokens:
    """Tokens of the three calls of one full_rag case."""

    answer: Tokens
    faithfulness: Tokens
    answer_relevancy: Tokens


@dataclass(frozen=True, slots=True)
class PricedModel:
    """A model and where it is asked, which together have a price, if not one of `own`."""

    name: ModelName
    api_url: str
    own: OwnPrices = field(default_factory=dict)

    def cost(self, tokens: Tokens) -> Decimal | None:
        """US dollars of a call, None where nobody knows the price."""
        return cost_usd(*self.name, self.api_url, tokens.prompt, tokens.completion, own=self.own)


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """searches: calls of the search, which no model is asked for; answer_calls and judge_calls:
    calls of a model; cost_usd: None where nobody knows the price of a model.

    A judge's reply that cannot be used is asked for once more; such calls come on top.
    """

    searches: int
    answer_calls: int
    judge_calls: int
    answer_tokens: Tokens
    judge_tokens: Tokens
    cost_usd: Decimal | None

    @property
    def calls(self) -> int:
        return self.answer_calls + self.judge_calls

    @property
    def tokens(self) -> Tokens:
        return self.answer_tokens.plus(self.judge_tokens)


def estimate(
    cases: int,
    evaluation_type: EvaluationType,
    *,
    tokens: CaseTokens,
    answer_model: PricedModel,
    judge_model: PricedModel,
) -> CostEstimate:
    """What a run over `cases` cases will take: no call of a model for retrieval_only, three a case
    for full_rag. Offline models take calls, but no tokens and no money."""
    if evaluation_type is EvaluationType.RETRIEVAL_ONLY:
        return CostEstimate(cases, 0, 0, NO_TOKENS, NO_TOKENS, Decimal(0))
    answering = _used(answer_model, tokens.answer)
    judging = [_used(judge_model, one) for one in (tokens.faithfulness, tokens.answer_relevancy)]
    # Priced call by call: the price of a token may depend on how many a call has.
    costs = [answer_model.cost(answering), *(judge_model.cost(one) for one in judging)]
    known = [cost for cost in costs if cost is not None]
    return CostEstimate(
        searches=cases,
        answer_calls=ANSWER_CALLS * cases,
        judge_calls=JUDGE_CALLS * cases,
        answer_tokens=answering.times(cases),
        judge_tokens=judging[0].plus(judging[1]).times(cases),
        cost_usd=cases * sum(known, Decimal(0)) if len(known) == len(costs) else None,
    )


def expected_tokens(
    *, question_chars: float, context_chars: float, answer_chars: float, lang: Lang
) -> CaseTokens:
    """Tokens of a case by the lengths, in characters, of an average question, of the chunks given
    with it and of the answer to come."""
    key = b"length"
    answering = search_qa.build_messages("", [("", "")], lang)
    grounding = faithfulness.build_messages("", "", [], lang, key)
    relating = answer_relevancy.build_messages("", "", lang, key)
    asked = question_chars + answer_chars

    def tokens(chars: float) -> int:
        return ceil(chars / CHARS_PER_TOKEN[lang])

    return CaseTokens(
        answer=Tokens(
            tokens(_length(answering) + question_chars + context_chars), tokens(answer_chars)
        ),
        faithfulness=Tokens(tokens(_length(grounding) + asked + context_chars), REASONING_TOKENS),
        answer_relevancy=Tokens(tokens(_length(relating) + asked), REASONING_TOKENS),
    )


def _length(messages: Sequence[Message]) -> int:
    return sum(len(message.content) for message in messages)


def _used(model: PricedModel, tokens: Tokens) -> Tokens:
    return NO_TOKENS if model.name.provider == "offline" else tokens
