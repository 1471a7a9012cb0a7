"""Scores answers of a dataset run: faithfulness to the context, relevancy to the question."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from app.ai_router.types import ChatRouter, Lang, Message, ModelName, OutputSchema
from app.judges.answer import AnswerToJudge
from app.judges.answer_parts import AnswerPart, answer_parts, judged_chars
from app.judges.ask_judge import all_of, ask_judge
from app.judges.parsing import JudgeReply, JudgeText, output_schema, parse_reply
from app.judges.prompts import answer_relevancy, faithfulness
from app.judges.rules.judge import RULES_MODEL, RULES_VERSION
from app.judges.runs import by_rules as judge_by_rules
from app.judges.runs.judge_score import JudgeScore
from app.platform.errors import MalformedOutput
from app.platform.processes import QUICK_LIMITS, quick_lane

__all__ = ["JudgeScore", "LLMJudge"]

# Enough for the reasoning that the prompts ask for, in Korean too.
MAX_TOKENS = 384


class _Reply(JudgeReply):
    reasoning: JudgeText
    # Not `Score`: what lies outside of the range is clamped, not refused.
    score: Annotated[float, Field(allow_inf_nan=False)]


FAITHFULNESS_OUTPUT = output_schema("faithfulness", _Reply)
RELEVANCY_OUTPUT = output_schema("answer_relevancy", _Reply)


class LLMJudge:
    """Two agents, each with a prompt of its own, or rules where `router` has no model.

    router: None or an offline model means rules, which need no network and no key.
    fence_key: as in SearchQAJudge.

    Scores outside of 0 to 1 are clamped. An unusable reply is requested once more; if
    the second cannot be used either, the score is 0.0 with `parsed` False, so that one broken
    reply does not end a run, and means can separate failures from bad answers. Any
    other ProviderError of the router is raised: the caller may try again later.
    """

    def __init__(self, router: ChatRouter | None, fence_key: bytes | None = None) -> None:
        # The offline models do not judge by a prompt.
        self._router = router if router and router.model.provider != "offline" else None
        self._fence_key = fence_key or secrets.token_bytes(32)

    @property
    def model(self) -> ModelName:
        return self._router.model if self._router else RULES_MODEL

    @property
    def version(self) -> str:
        """Names the prompts, or the rules, that the scores are from."""
        if self._router is None:
            return RULES_VERSION
        return f"{faithfulness.PROMPT_VERSION}+{answer_relevancy.PROMPT_VERSION}"

    async def score_faithfulness(
        self, question: str, answer: str, context_chunks: Sequence[str], lang: Lang = "ko"
    ) -> JudgeScore:
        """How far the answer rests on the chunks: 1 fully, 0 not at all or against them. A long
        answer is judged in parts, and is as faithful as the worst of them."""
        subject = AnswerToJudge.from_texts(question, answer, context_chunks, lang=lang)
        router, key = self._router, self._fence_key
        if router is None:
            return await quick_lane().run(QUICK_LIMITS, judge_by_rules.faithfulness, subject)
        parts = answer_parts(answer)
        scores = await all_of(
            _score(
                router,
                faithfulness.build_messages(subject, key, part),
                FAITHFULNESS_OUTPUT,
                lang,
            )
            for part in parts
        )
        return _lowest(parts, scores, answer, lang)

    async def score_answer_relevancy(
        self, question: str, answer: str, lang: Lang = "ko"
    ) -> JudgeScore:
        """How well the answer replies to the question: 1 fully, 0 not at all. The judge does not
        see what the answer was made from."""
        subject = AnswerToJudge(question, answer, lang=lang)
        if self._router is None:
            return await quick_lane().run(QUICK_LIMITS, judge_by_rules.answer_relevancy, subject)
        messages = answer_relevancy.build_messages(subject, self._fence_key)
        return await _score(self._router, messages, RELEVANCY_OUTPUT, lang)


async def _score(
    router: ChatRouter, messages: Sequence[Message], output: OutputSchema, lang: Lang
) -> JudgeScore:
    try:
        reply = await ask_judge(
            router,
            messages,
            output=output,
            max_tokens=MAX_TOKENS,
            parse=lambda text: parse_reply(text, _Reply),
            lang=lang,
        )
    except MalformedOutput as error:
        return JudgeScore(0.0, str(error), parsed=False)
    return JudgeScore(min(1.0, max(0.0, reply.score)), reply.reasoning.strip(), parsed=True)


_UNJUDGED: Mapping[Lang, str] = {
    "ko": "답변의 앞부분 {chars:,}자까지만 평가했습니다.",
    "en": "Only the first {chars:,} characters of the answer were judged.",
}


def _lowest(
    parts: Sequence[AnswerPart], scores: Sequence[JudgeScore], answer: str, lang: Lang
) -> JudgeScore:
    """The score of the worst part; it names what was not judged."""
    worst = min(scores, key=lambda score: (score.parsed, score.score))
    judged = judged_chars(answer, parts)
    if judged == len(answer):
        return worst
    reasoning = f"{worst.reasoning} {_UNJUDGED[lang].format(chars=judged)}"
    return replace(worst, reasoning=reasoning)
