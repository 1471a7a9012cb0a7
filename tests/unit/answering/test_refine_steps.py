"""How often a step of a refinement asks a model."""

from typing import Any

import pytest

import samples
from app.ai_router.types import ChatRequest, Message
from app.answering.refine.query_rewriter import QueryRewriter
from app.answering.refine.same_judge import MAX_WAIT_SECONDS, STEP_CALLS, StepRouter, max_calls
from app.judges.published.quality_evaluator import QualityEvaluator
from app.platform.errors import (
    CallLimitReached,
    ConfigurationError,
    MalformedOutput,
    TransientProviderError,
)
from app.verdicts.judging.reply_cache import MeteredRouter
from app.verdicts.lifecycle.retry import Backoff
from cases import for_each
from scripted_router import PAID, ScriptedRouter

BUSY = TransientProviderError("busy")
REQUEST = ChatRequest([Message("user", "?")], 0.1, 10)


def routed(*replies: Any, limit: int = STEP_CALLS) -> tuple[ScriptedRouter, StepRouter]:
    model = ScriptedRouter(*replies, like=PAID)
    return model, StepRouter(MeteredRouter(model), limit, Backoff(0, 0))


async def test_a_busy_server_is_asked_again():
    model, router = routed(BUSY, BUSY, "말")
    assert (await router.chat(REQUEST)).content == "말"
    spent = router.end_step()
    assert (len(model.asked), spent.calls, spent.usage.prompt_tokens) == (3, 3, 10)


@for_each(
    ("error", "calls"),
    [
        (BUSY, STEP_CALLS),
        (MalformedOutput("no JSON"), 1),
        (ConfigurationError("no key"), 1),
        (TransientProviderError("busy", retry_after=MAX_WAIT_SECONDS + 1), 1),
    ],
)
async def test_a_lasting_error_is_raised(error, calls):
    model, router = routed(*[error] * STEP_CALLS)
    with pytest.raises(type(error)):
        await router.chat(REQUEST)
    assert len(model.asked) == calls


async def test_the_next_step_has_calls_of_its_own():
    model, router = routed("a", "b", limit=1)
    await router.chat(REQUEST)
    with pytest.raises(CallLimitReached):
        await router.chat(REQUEST)
    router.end_step()
    await router.chat(REQUEST)
    assert len(model.asked) == 2


@for_each(
    ("replies", "calls"),
    [((BUSY, BUSY, BUSY), 3), (("말", "말"), 2), ((BUSY, "말", BUSY), 3), ((BUSY, BUSY, "말"), 3)],
)
async def test_an_evaluation_that_fails_is_an_estimate_after_few_calls(replies, calls):
    model, router = routed(*replies)
    evaluator = QualityEvaluator(router)
    found = await evaluator.evaluate(samples.QUESTION, samples.FIRST_ANSWER, samples.DOCUMENTS)
    assert found.heuristic
    assert (len(model.asked), model.unused_replies) == (calls, 0)


@pytest.mark.parametrize("replies", [(BUSY, BUSY, BUSY), ("",)])
async def test_a_query_that_cannot_be_rewritten_gets_keywords(replies):
    model, router = routed(*replies)
    feedback = await QualityEvaluator(ScriptedRouter(samples.evaluation())).evaluate(
        samples.QUESTION, samples.FIRST_ANSWER, samples.DOCUMENTS
    )
    query = await QueryRewriter(router).rewrite(samples.QUESTION, feedback, "")
    assert query.method == "keywords"
    assert model.unused_replies == 0


def test_the_calls_of_a_refinement_have_a_bound():
    # Evaluations 3 x 3, queries 2 x 3, answers 2 and four more attempts of the job.
    assert max_calls(max_iterations=2, max_attempts=5) == 9 + 6 + 2 + 4
