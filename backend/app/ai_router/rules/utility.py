"""How well an answer answers, whatever its truth."""

import re

from app.ai_router.rules.material import Material
from app.ai_router.rules.sentence_rules import WELL_PLACED
from app.ai_router.rules.vocabulary import ASKING, FRAMING
from app.text.language import detect_language, is_third_language

# An answer that deals with this share of the question's words is on the point.
FULL_COVERAGE = 0.7
ON_TOPIC_FLOOR = 0.2
REFUSAL_UTILITY = 0.15
NO_NUMBER_FACTOR = 0.7
OTHER_LANGUAGE_FACTOR = 0.5

_ASKS_NUMBER = re.compile(
    r"언제|며칠|몇|얼마(?!나 중요)|날짜|연도"
    r"|\b(?:when|how (?:many|much|long|old|far|often)|what year)\b",
    re.IGNORECASE,
)
# "Twice a week" and "하루에 한 번" answer a question for a number without a digit.
_NUMBERLIKE = re.compile(
    r"\d|[한두세네] ?(?:번|개|명|시|달|주|가지)|하루|이틀|사흘|나흘|열흘|매[일주월년]"
    r"|[월화수목금토일]요일"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|once|twice|daily|weekly|every)\b"
    r"|\b\w+day\b",
    re.IGNORECASE,
)


def utility(material: Material) -> float:
    """0 to 1: coverage of the question, lowered for a missing number or a foreign language.

    An answer that only says that the notes do not tell gets REFUSAL_UTILITY.
    """
    claims = [sentence for sentence in material.sentences if not sentence.refusal]
    if not material.sentences:
        return 0.0
    if not claims:
        return REFUSAL_UTILITY
    score = ON_TOPIC_FLOOR + (1 - ON_TOPIC_FLOOR) * min(1, coverage(material) / FULL_COVERAGE)
    text = " ".join(sentence.claim for sentence in claims)
    if _ASKS_NUMBER.search(material.question) and not _NUMBERLIKE.search(text):
        score *= NO_NUMBER_FACTOR
    if speaks_another_language(material):
        score *= OTHER_LANGUAGE_FACTOR
    return round(score, 4)


def coverage(material: Material) -> float:
    """Share of the question's content words that the answer deals with, 0 to 1.

    A short answer need not repeat the question: words of the passages it rests on count.
    """
    wanted = wanted_terms(material)
    return 1 - len(unanswered_terms(material)) / len(wanted) if wanted else 1.0


def wanted_terms(material: Material) -> frozenset[str]:
    """The content words of the question that an answer should deal with."""
    return material.question_terms - FRAMING - ASKING


def unanswered_terms(material: Material) -> frozenset[str]:
    """The wanted words that neither the answer nor the passages it rests on hold."""
    dealt_with: set[str] = set()
    for sentence in material.sentences:
        if sentence.refusal:
            continue
        dealt_with |= sentence.terms
        passage = material.closest(sentence)
        if passage and material.support(sentence) >= WELL_PLACED:
            dealt_with |= passage.terms
    return wanted_terms(material) - dealt_with


def speaks_another_language(material: Material) -> bool:
    """Whether the answer is in another language than the question."""
    answer = " ".join(sentence.claim for sentence in material.sentences)
    question = material.question
    if not any(map(str.isalpha, question)) or not any(map(str.isalpha, answer)):
        return False
    if is_third_language(answer):
        return not is_third_language(question)
    return detect_language(question) != material.answer_lang
