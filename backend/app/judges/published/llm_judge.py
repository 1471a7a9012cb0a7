"""Scores answers of a dataset run: faithfulness to the context, relevancy to the question."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import Field

from app.ai_router.types import ChatRouter, Lang, Message, ModelName, OutputSchema
from app.judges.answer import AnswerToJudge, SearchQAEvaluation
from app.judges.answer_parts import AnswerPart, answer_parts, judged_chars
from app.judges.model.ask_judge import (
    JudgeReply,
    JudgeText,
    all_of,
    ask_judge,
    output_schema,
    parse_reply,
)
from app.judges.phases.groundedness import evaluate_groundedness
from app.judges.phases.reading import Reading
from app.judges.prompts import phases as prompts
from app.judges.rules import wording
from app.judges.rules.judge import RULES_MODEL, RULES_VERSION, judge
from app.judges.rules.read import Material, read
from app.judges.rules.utility import (
    speaks_another_language,
    unanswered_terms,
    utility,
    wanted_terms,
)
from app.platform.errors import MalformedOutput
from app.platform.processes.pool import QUICK_LIMITS, quick_lane


@dataclass(frozen=True, slots=True)
class JudgeScore:
    """score: 0 to 1, 0 where the judge gave no usable verdict (`parsed` is False).

    reasoning: in the words of the judge, or why its reply could not be used.
    spans: places in the answer, (start, end) in characters, that nothing supports; None where the
    judge does not give places. evaluation: the verdict whose correctness the score is, None where
    there is none.
    """

    score: float
    reasoning: str
    parsed: bool
    spans: tuple[tuple[int, int], ...] | None = None
    evaluation: SearchQAEvaluation | None = None


_RELEVANCY: Mapping[str, Mapping[Lang, str]] = {
    "refusal": {"ko": "답할 수 없다고만 말합니다.", "en": "It only says that it cannot tell."},
    "coverage": {
        "ko": "질문의 핵심어 {wanted}개 중 {dealt}개를 다룹니다.",
        "en": "It deals with {dealt} of {wanted} key words of the question.",
    },
    "other_language": {
        "ko": "질문과 다른 언어로 답했습니다.",
        "en": "It is not in the language of the question.",
    },
}


def faithfulness_by_rules(subject: AnswerToJudge) -> JudgeScore:
    """The rules judge's correctness of the answer (app.judges.rules.grounding). Blocks.

    Not the plain share of supported claims (app.judges.phases.groundedness): correctness
    weighs how bad each sentence is, and separated labelled answers better, with an AUROC of .79
    against .72 on RAGTruth's and .74 against .68 on KLUE-NLI's tuning halves. The claims without
    support give the places. Without notes there is nothing to rest on, so only an answer that
    claims nothing is faithful.
    """
    reading, lang = Reading(subject), subject.lang
    material = reading.material
    if not material.sentences:
        return JudgeScore(0.0, wording.EMPTY[lang], parsed=True, spans=())
    if reading.sources.empty:
        return _without_context(material, lang)
    verdict = judge(subject, material)
    reasoning = " ".join([verdict.summary, *verdict.grounding_issues])
    return JudgeScore(
        verdict.correctness, reasoning, parsed=True, spans=_unsupported(reading), evaluation=verdict
    )


def relevancy_by_rules(subject: AnswerToJudge) -> JudgeScore:
    """The rules judge's utility (app.judges.rules.utility) by question and answer alone.

    A short answer that repeats no word of the question looks less relevant than it is, since the
    rules cannot see from the words that it fits. Blocks.
    """
    material = read(subject._replace(notes=()))
    return JudgeScore(utility(material), _relevancy_reasoning(material, subject.lang), parsed=True)


def _without_context(material: Material, lang: Lang) -> JudgeScore:
    if all(sentence.refusal for sentence in material.sentences):
        refusal = wording.summary(["refusal"], lang, total=0, bad=0)
        return JudgeScore(1.0, refusal, parsed=True, spans=())
    places = tuple((one.start, one.end) for one in material.sentences if not one.refusal)
    return JudgeScore(0.0, wording.UNSUPPORTED[lang], parsed=True, spans=places)


def _unsupported(reading: Reading) -> tuple[tuple[int, int], ...]:
    return tuple(
        (claim.start, claim.end)
        for claim in evaluate_groundedness(reading).claims
        if claim.verdict == "unsupported" and claim.start is not None and claim.end is not None
    )


def _relevancy_reasoning(material: Material, lang: Lang) -> str:
    if not material.sentences:
        return wording.EMPTY[lang]
    if all(sentence.refusal for sentence in material.sentences):
        return _RELEVANCY["refusal"][lang]
    wanted = len(wanted_terms(material))
    dealt = wanted - len(unanswered_terms(material))
    parts = [_RELEVANCY["coverage"][lang].format(wanted=wanted, dealt=dealt)]
    if speaks_another_language(material):
        parts.append(_RELEVANCY["other_language"][lang])
    return " ".join(parts)


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

    It was published for `openai:gpt-4o-mini`, which still works here until OpenAI ends it on
    2027-01-14.

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
        return f"{prompts.FAITHFULNESS_VERSION}+{prompts.RELEVANCY_VERSION}"

    async def score_faithfulness(
        self, question: str, answer: str, context_chunks: Sequence[str], lang: Lang = "ko"
    ) -> JudgeScore:
        """How far the answer rests on the chunks: 1 fully, 0 not at all or against them. A long
        answer is judged in parts, and is as faithful as the worst of them."""
        subject = AnswerToJudge.from_texts(question, answer, context_chunks, lang=lang)
        router, key = self._router, self._fence_key
        if router is None:
            return await quick_lane().run(QUICK_LIMITS, faithfulness_by_rules, subject)
        parts = answer_parts(answer)
        scores = await all_of(
            _score(
                router, prompts.build_faithfulness(subject, key, part), FAITHFULNESS_OUTPUT, lang
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
            return await quick_lane().run(QUICK_LIMITS, relevancy_by_rules, subject)
        messages = prompts.build_relevancy(subject, self._fence_key)
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
