"""Scores answers without a model: what LLMJudge falls back to where there is none."""

from collections.abc import Mapping
from dataclasses import replace

from app.ai_router.types import Lang
from app.judges.answer import AnswerToJudge
from app.judges.phases.groundedness import evaluate_groundedness
from app.judges.phases.reading import Reading
from app.judges.rules import wording
from app.judges.rules.judge import judge
from app.judges.rules.material import Material, read
from app.judges.rules.utility import (
    speaks_another_language,
    unanswered_terms,
    utility,
    wanted_terms,
)
from app.judges.runs.judge_score import JudgeScore

_RELEVANCY: Mapping[str, Mapping[Lang, str]] = {
    "refusal": {
        "ko": "답할 수 없다고만 말합니다.",
        "en": "It only says that it cannot tell.",
    },
    "coverage": {
        "ko": "질문의 핵심어 {wanted}개 중 {dealt}개를 다룹니다.",
        "en": "It deals with {dealt} of {wanted} key words of the question.",
    },
    "other_language": {
        "ko": "질문과 다른 언어로 답했습니다.",
        "en": "It is not in the language of the question.",
    },
}


def faithfulness(subject: AnswerToJudge) -> JudgeScore:
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
        verdict.correctness,
        reasoning,
        parsed=True,
        spans=_unsupported(reading),
        evaluation=verdict,
    )


def answer_relevancy(subject: AnswerToJudge) -> JudgeScore:
    """The rules judge's utility (app.judges.rules.utility) by question and answer alone.

    A short answer that repeats no word of the question looks less relevant than it is, since the
    rules cannot see from the words that it fits. Blocks.
    """
    material = read(replace(subject, notes=()))
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
