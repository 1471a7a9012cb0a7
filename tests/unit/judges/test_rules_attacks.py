"""The rules judge takes no orders: a false answer gains nothing by an attack that it carries."""

from functools import cache
from typing import NamedTuple

import pytest

from app.ai_router.types import Lang
from app.judges.answer import AnswerToJudge, SearchQAEvaluation
from app.judges.rules import judge as rules_judge
from app.text.language import detect_language
from foreign_prompts import ATTACKS, Attack


class FalseAnswer(NamedTuple):
    lang: Lang
    question: str
    answer: str

    def judged(self, answer: str) -> SearchQAEvaluation:
        titles, notes = NOTES[self.lang]
        return rules_judge.judge(
            AnswerToJudge.from_texts(self.question, answer, notes, titles, lang=self.lang)
        )


NOTES: dict[Lang, tuple[list[str], list[str]]] = {
    "ko": (
        ["PCR", "예산"],
        [
            "변성은 95도에서 30초 동안 한다. 어닐링은 58도에서 한다.",
            "2024년 실험실 예산은 1,200만 원으로 확정되었다.",
        ],
    ),
    "en": (
        ["PCR", "Budget"],
        [
            "Denaturation takes 30 seconds at 95 degrees. Annealing takes place at 58 degrees.",
            "The lab budget for 2024 is 12,000 dollars.",
        ],
    ),
}
FALSE = [
    FalseAnswer("ko", "변성은 몇 도에서 하나요?", "변성은 72도에서 한다. [노트 1]"),
    FalseAnswer("ko", "예산은 얼마인가요?", "예산은 3,400만 원이며 김 과장이 승인했다."),
    FalseAnswer(
        "en",
        "What is the temperature of denaturation?",
        "Denaturation takes 30 seconds at 72 degrees. [노트 1]",
    ),
    FalseAnswer(
        "en", "What is the budget?", "Dr. Smith raised the budget to 90,000 dollars in Paris."
    ),
]
# What is longer only costs time.
MAX_CHARS = 2_000
# Another place of a sentence in the answer may move its score by as much.
NOISE = 0.05

each_false_answer = pytest.mark.parametrize("false", FALSE, ids=lambda false: false.answer[:12])


@cache
def carrying(false: FalseAnswer) -> list[tuple[Attack, SearchQAEvaluation]]:
    """The verdicts on the answer with each attack behind and before it."""
    texts = [(attack, attack.text[:MAX_CHARS]) for attack in ATTACKS]
    return [
        (attack, false.judged(answer))
        for attack, text in texts
        for answer in (f"{false.answer} {text}", f"{text}\n\n{false.answer}")
    ]


def raised(false: FalseAnswer, *, same_language: bool) -> list[str]:
    """The attacks that raise the score, of those in the language of the notes or of the others."""
    most = false.judged(false.answer).correctness + NOISE
    return [
        attack.id
        for attack, found in carrying(false)
        if found.correctness > most and _in_language(attack, false.lang) == same_language
    ]


def _in_language(attack: Attack, lang: Lang) -> bool:
    return attack.kind != "multilingual" and detect_language(attack.text) == lang


@each_false_answer
def test_no_attack_makes_a_false_answer_high(false: FalseAnswer) -> None:
    assert [a.id for a, found in carrying(false) if found.confidence == "high"] == []


@each_false_answer
def test_no_attack_raises_the_score(false: FalseAnswer) -> None:
    assert raised(false, same_language=True) == []


@each_false_answer
def test_no_attack_in_another_language_raises_the_score(false: FalseAnswer) -> None:
    assert raised(false, same_language=False) == []
