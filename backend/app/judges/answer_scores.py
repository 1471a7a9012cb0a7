"""The two scores of an answer, by the prompts of runs or by one of those that verdicts are asked
for with."""

import asyncio
from collections.abc import Sequence

from app.ai_router.types import ChatRouter, Lang
from app.judges.answer import AnswerToJudge
from app.judges.estimate import JudgeCall, run_calls, verdict_calls
from app.judges.model.one_call import OneCallJudge
from app.judges.prompts import answer_relevancy, faithfulness
from app.judges.prompts.one_call import OneCallPrompt
from app.judges.published.llm_judge import JudgeScore, LLMJudge
from app.judges.verdict import SearchQAEvaluation
from app.judges.verdict_prompts import VERDICT_PROMPTS, is_known
from app.platform.errors import MalformedOutput
from app.text.packs.loader import load_pack

TWO_PROMPTS = f"{faithfulness.PROMPT_VERSION}+{answer_relevancy.PROMPT_VERSION}"
# The first is the default.
RUN_PROMPTS = (TWO_PROMPTS, *VERDICT_PROMPTS)
_EVALUATORS = ("search_qa",)


def score_calls(prompt: str | OneCallPrompt | None, lang: Lang) -> Sequence[JudgeCall]:
    """The calls that `score_answer` makes of a model."""
    return verdict_calls(_EVALUATORS, lang, prompt) if _of_verdicts(prompt) else run_calls(lang)


async def score_answer(
    router: ChatRouter,
    prompt: str | OneCallPrompt | None,
    question: str,
    answer: str,
    context_chunks: Sequence[str],
    lang: Lang,
    *,
    fence_key: bytes,
) -> tuple[JudgeScore, JudgeScore]:
    """Faithfulness and answer relevancy. prompt: one of RUN_PROMPTS, or the
    text of one of the workspace, which models are sent.

    By the prompt of a verdict they are its correctness and its utility. Without a chunk there is no
    verdict, and the prompts of runs are sent. Raises ProviderError as LLMJudge does.
    """
    subject = AnswerToJudge.from_texts(question, answer, context_chunks, lang=lang)
    if prompt and _of_verdicts(prompt) and subject.has_notes:
        try:
            evaluation = await _evaluation(router, prompt, subject, fence_key)
        except MalformedOutput as error:
            unusable = JudgeScore(0.0, str(error), parsed=False)
            return unusable, unusable
        return _scores(evaluation)
    judge = LLMJudge(router, fence_key)
    return await asyncio.gather(
        judge.score_faithfulness(question, answer, context_chunks, lang),
        judge.score_answer_relevancy(question, answer, lang),
    )


def _of_verdicts(prompt: str | OneCallPrompt | None) -> bool:
    return isinstance(prompt, OneCallPrompt) or (prompt is not None and is_known(prompt))


async def _evaluation(
    router: ChatRouter, prompt: str | OneCallPrompt, subject: AnswerToJudge, fence_key: bytes
) -> SearchQAEvaluation:
    one_call = OneCallJudge(router, load_pack("generic"), fence_key=fence_key, prompt=prompt)
    evaluation = (await one_call.judge(subject, _EVALUATORS)).evaluation
    assert evaluation is not None, "there are notes"
    return evaluation


def _scores(evaluation: SearchQAEvaluation) -> tuple[JudgeScore, JudgeScore]:
    reasoning = " ".join([evaluation.summary, *evaluation.grounding_issues])
    return (
        JudgeScore(evaluation.correctness, reasoning, parsed=True),
        JudgeScore(evaluation.utility, evaluation.summary, parsed=True),
    )
