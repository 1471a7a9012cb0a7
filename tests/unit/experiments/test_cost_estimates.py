"""What calls of a model will take, estimated before a run, a bench, judging again and a budget."""

import datetime as dt
import uuid
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest

from app.ai_router.estimate import CallsEstimate, PricedModel, Tokens, tokens_in
from app.ai_router.types import Lang, ModelName
from app.experiments.benches.judging import EVALUATORS, estimate_bench
from app.experiments.benches.labelled import LabelledItem
from app.experiments.benches.request import BenchRequest
from app.experiments.datasets.service import CaseView, DatasetDetail
from app.experiments.models import EvaluationType
from app.experiments.runs.run_models import (
    ANSWER_CHARS,
    CHUNK_CHARS,
    RunModels,
    answer_tokens,
    estimate_run_cost,
    max_case_cost,
)
from app.judges.answer_parts import PART_CHARS
from app.judges.estimate import TWO_PROMPTS, TextBytes, estimate_calls, run_calls, verdict_calls
from app.judges.verdict_prompts import DEFAULT_PROMPT, ONE_CALL_PROMPTS
from app.platform.settings import Settings
from app.quality.rejudging.queries import Judge
from app.quality.rejudging.service import estimated_cost
from app.verdicts.policy.judge_prices import JudgePrices
from verdict_world import settings

MODEL = "openai:gpt-4o-mini"
# US dollars for a million tokens: 0.15 in, 0.60 out.
MINI = PricedModel(ModelName("openai", "gpt-4o-mini"), "https://api.openai.com/v1")
RUN = RunModels(MODEL, MODEL, TWO_PROMPTS)
DEEP = ("search_qa", "groundedness:model")


def bench_of(item: LabelledItem, server: Settings) -> CallsEstimate:
    return estimate_bench([item], BenchRequest("", (MODEL,)), {}, server)


def rejudged(
    texts: TextBytes, lang: Lang, evaluators: tuple[str, ...], server: Settings
) -> CallsEstimate:
    row: Mapping[str, Any] = {
        "evaluators": list(evaluators),
        "lang": lang,
        "answers": 1,
        "question": texts.question,
        "answer": texts.answer,
        "notes": texts.notes,
    }
    return estimated_cost([row], {evaluators: 1}, Judge(MODEL, None), server)


@pytest.mark.parametrize(
    ("answer", "lang"),
    [
        ("The parcel leaves on Monday.", "en"),
        ("소포는 월요일에 떠납니다.", "ko"),
        ("The parcel leaves on Monday. " * (PART_CHARS // 16), "en"),
    ],
)
def test_the_same_calls_have_the_same_price_everywhere(answer, lang):
    server = settings(judge_model=MODEL)
    item = LabelledItem("1", "When?", ("A note.", "Another."), answer, hallucinated=False, spans=())
    texts = TextBytes(5, len(answer.encode()), 15, parts=2 if len(answer) > PART_CHARS else 1)

    expected = estimate_calls(verdict_calls(DEEP, lang), texts, MINI)

    assert expected.calls == 2 * texts.parts
    assert expected.cost_usd
    assert rejudged(texts, lang, DEEP, server) == expected
    assert bench_of(item, server) == estimate_calls(verdict_calls(EVALUATORS, lang), texts, MINI)


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_a_budget_sets_aside_the_same_calls_with_the_longest_replies(lang):
    texts = TextBytes(40, 400, 4_000)
    evaluators = (*DEEP, "quality_gate", "completeness:model", "next_steps:model")
    prices = JudgePrices(settings())

    held = prices.estimate([MODEL], DEEP, 4_440)
    longest = [call.tokens(texts, reply_share=1) for call in verdict_calls(DEEP, "ko")]

    assert held == pytest.approx(
        sum(MINI.estimate(call).cost_usd or 0 for call in longest), Decimal("0.001")
    )
    most = prices.estimate([MODEL], evaluators, 4_440)
    guess = estimate_calls(verdict_calls(evaluators, lang), texts, MINI).cost_usd
    assert most is not None
    assert guess is not None
    assert guess < most < 3 * guess


def test_a_run_takes_three_calls_a_case_priced_as_those_of_its_judge():
    server = settings(answer_model=MODEL, judge_model=MODEL)
    texts = TextBytes(8, ANSWER_CHARS, 5 * CHUNK_CHARS)

    cost = estimate_run_cost(dataset(10), 5, EvaluationType.FULL_RAG, RUN, server)

    judged = estimate_calls(run_calls("en"), texts, MINI, 10)
    assert cost == MINI.estimate(answer_tokens(texts, "en"), 10) + judged
    assert cost.calls == 30
    alone = EvaluationType.RETRIEVAL_ONLY
    assert estimate_run_cost(dataset(10), 5, alone, RUN, server).calls == 0


def test_a_run_by_the_prompt_of_verdicts_takes_two_calls_a_case():
    by_verdict = RunModels(MODEL, MODEL, DEFAULT_PROMPT)

    cost = estimate_run_cost(dataset(10), 5, EvaluationType.FULL_RAG, by_verdict, settings())

    assert cost.calls == 20


@pytest.mark.parametrize("prompt", [TWO_PROMPTS, *ONE_CALL_PROMPTS])
def test_the_reservation_of_a_case_exceeds_its_estimate(prompt):
    models, note = RunModels(MODEL, MODEL, prompt), "x" * CHUNK_CHARS

    guess = estimate_run_cost(dataset(1), 5, EvaluationType.FULL_RAG, models, settings())
    most = max_case_cost("When? Or?", [note] * 5, "en", models, settings())

    assert guess.cost_usd is not None
    assert most is not None
    assert guess.cost_usd < most < 5 * guess.cost_usd


def test_offline_models_are_free_and_unknown_prices_are_unknown():
    call = Tokens(2_000, 200)
    unknown = PricedModel(ModelName("openai", "nobody-knows-it"), MINI.api_url).estimate(call, 10)
    local = PricedModel(ModelName("ollama", "some-model"), "http://127.0.0.1:11434/v1")
    offline = PricedModel(ModelName("offline", "extractive"), "")

    assert MINI.estimate(call, 10) == CallsEstimate(
        10, Tokens(20_000, 2_000), Decimal("0.0042"), Decimal("0.0021")
    )
    assert unknown == CallsEstimate(10, Tokens(20_000, 2_000), None, None)
    assert (unknown + MINI.estimate(call)).cost_usd is None
    assert local.estimate(call) == CallsEstimate(1, call, Decimal(0))
    assert offline.estimate(call, 10) == CallsEstimate(10)


def test_batches_cost_half_but_for_calls_that_depend_on_a_reply():
    texts = TextBytes(50, 400, 900)
    first = estimate_calls(verdict_calls(DEEP, "en"), texts, MINI, 10)
    after = estimate_calls(verdict_calls(("completeness:model",), "en"), texts, MINI, 10)
    free = PricedModel(ModelName("ollama", "some-model"), "http://127.0.0.1:11434/v1")
    gateway = PricedModel(MINI.name, "https://gateway.example.org/v1", batch_price=0.75)

    assert first.cost_usd
    assert first.batch_cost_usd == first.cost_usd / 2
    assert after.cost_usd
    assert after.batch_cost_usd
    assert after.cost_usd / 2 < after.batch_cost_usd < after.cost_usd
    assert (first + after).batch_cost_usd == first.batch_cost_usd + after.batch_cost_usd
    assert free.estimate(Tokens(10, 10)).batch_cost_usd == 0
    by_gateway = gateway.estimate(Tokens(1_000_000, 0))
    assert by_gateway.cost_usd
    assert by_gateway.batch_cost_usd == by_gateway.cost_usd * Decimal("0.75")


def test_the_operators_own_price_goes_before_the_list():
    own = PricedModel.from_name(MODEL, settings(model_prices=f"{MODEL}=100/1000"))

    assert own.estimate(Tokens(3_000, 200), 10).cost_usd == 5


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_tokens_grow_with_what_the_models_are_shown(lang):
    faithful, relevant = run_calls(lang)
    without, given = (TextBytes(0, 0, notes) for notes in (0, 3_000))

    assert faithful.tokens(without).prompt > 100
    assert faithful.tokens(given).prompt - faithful.tokens(without).prompt == tokens_in(3_000)
    assert relevant.tokens(given) == relevant.tokens(without)


def dataset(cases: int) -> DatasetDetail:
    case = CaseView(
        id=uuid.UUID(int=1),
        position=0,
        question="Sent on?",
        ground_truth_chunk_ids=["c"],
        reference_answer=None,
        lang="en",
        notes=[],
        expects_refusal=False,
        source=None,
        state=None,
    )
    return DatasetDetail(
        id=uuid.UUID(int=1),
        name="parcels",
        version=1,
        notebook_id=None,
        origin={"kind": "imported"},
        cases=cases,
        created_at=dt.datetime(2031, 5, 10, tzinfo=dt.UTC),
        test_cases=[case] * cases,
    )
