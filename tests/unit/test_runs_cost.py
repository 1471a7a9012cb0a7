"""What a run will cost before it is started."""

from decimal import Decimal

import pytest

from app.ai_router.types import ModelName
from app.runs.cost import NO_TOKENS, CaseTokens, PricedModel, Tokens, estimate, expected_tokens
from app.runs.evaluation_type import EvaluationType

TOKENS = CaseTokens(
    answer=Tokens(2_000, 200), faithfulness=Tokens(2_500, 100), answer_relevancy=Tokens(500, 100)
)
# US dollars for a million tokens: 0.15 in, 0.60 out.
MINI = PricedModel(ModelName("openai", "gpt-4o-mini"), "https://api.openai.com/v1")
OFFLINE = PricedModel(ModelName("offline", "extractive"), "")
UNKNOWN = PricedModel(ModelName("openai", "nobody-knows-it"), "https://api.openai.com/v1")
LOCAL = PricedModel(ModelName("ollama", "some-model"), "http://127.0.0.1:11434/v1")


def test_retrieval_only_asks_no_model() -> None:
    cost = estimate(
        100, EvaluationType.RETRIEVAL_ONLY, tokens=TOKENS, answer_model=MINI, judge_model=LOCAL
    )
    assert (cost.searches, cost.calls, cost.tokens, cost.cost_usd) == (100, 0, NO_TOKENS, 0)


def test_a_hundred_full_rag_cases_take_three_hundred_calls() -> None:
    cost = estimate(
        100, EvaluationType.FULL_RAG, tokens=TOKENS, answer_model=MINI, judge_model=MINI
    )
    assert (cost.searches, cost.answer_calls, cost.judge_calls, cost.calls) == (100, 100, 200, 300)
    assert cost.answer_tokens == Tokens(200_000, 20_000)
    assert cost.judge_tokens == Tokens(300_000, 20_000)
    assert cost.tokens == Tokens(500_000, 40_000)
    assert cost.cost_usd == Decimal("0.099")


def test_offline_models_are_free_and_unknown_prices_are_unknown() -> None:
    free = estimate(
        10, EvaluationType.FULL_RAG, tokens=TOKENS, answer_model=OFFLINE, judge_model=OFFLINE
    )
    assert (free.calls, free.tokens, free.cost_usd) == (30, NO_TOKENS, 0)
    unknown = estimate(
        10, EvaluationType.FULL_RAG, tokens=TOKENS, answer_model=LOCAL, judge_model=UNKNOWN
    )
    assert unknown.cost_usd is None
    local = estimate(
        10, EvaluationType.FULL_RAG, tokens=TOKENS, answer_model=OFFLINE, judge_model=LOCAL
    )
    assert (local.cost_usd, local.tokens) == (0, Tokens(30_000, 2_000))


def test_the_operators_own_price_goes_before_the_list() -> None:
    own = {"openai:gpt-4o-mini": (Decimal(100), Decimal(1_000))}
    priced = PricedModel(MINI.name, MINI.api_url, own)

    cost = estimate(
        10, EvaluationType.FULL_RAG, tokens=TOKENS, answer_model=OFFLINE, judge_model=priced
    ).cost_usd

    assert cost == (30_000 * 100 + 2_000 * 1_000) / Decimal(1_000_000)


@pytest.mark.parametrize(("lang", "context_tokens"), [("ko", 2_000), ("en", 750)])
def test_tokens_grow_with_what_the_models_are_shown(lang: str, context_tokens: int) -> None:
    without, given = (
        expected_tokens(
            question_chars=0,
            context_chars=chars,
            answer_chars=0,
            lang=lang,  # type: ignore[arg-type]
        )
        for chars in (0, 3_000)
    )
    assert without.answer.prompt > 100
    assert given.answer.prompt - without.answer.prompt == pytest.approx(context_tokens, abs=1)
    added = given.faithfulness.prompt - without.faithfulness.prompt
    assert added == pytest.approx(context_tokens, abs=1)
    assert given.answer_relevancy == without.answer_relevancy
