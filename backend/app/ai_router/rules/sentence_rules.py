"""What speaks against one sentence of an answer. Each rule is a function with a weight.

A rule returns how often it applies, and in what words; its weight is the burden of one
application. The weights follow logistic regressions on halves of three sets of labelled
answers, rounded, and raised where one telling fault alone must cost an answer its high
confidence; benchmarks/rules_judge.py measures them on the other halves.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.ai_router.rules.material import AnswerSentence, Material
from app.ai_router.rules.vocabulary import absolutes, is_negated, measures, opposites

# Two sentences speak of the same thing when one holds this share of the other's terms. English
# negations often stand in another clause, so there they must be nearly the same.
SAME_MATTER = {"ko": 0.5, "en": 0.8}
UNRELATED = 0.5
MISPLACED, WELL_PLACED = 0.3, 0.6

_CAPITALISED = re.compile(r"(?<=[a-z,;] )[A-Z]\w+|(?<=[가-힣] )[A-Z][A-Za-z]\w*")
_KOREAN_PERSON = re.compile(
    r"([가-힣]{2,4}) ?(?:씨|교수|박사|팀장|대표|연구원|과장|부장)(?![가-힣]{2})"
)


class Finding(NamedTuple):
    """amount: how often a rule applies; words: what to show the reader."""

    amount: float
    words: Sequence[str] = ()


NOTHING = Finding(0)


@dataclass(frozen=True, slots=True)
class Rule:
    """telling: the rule alone makes the sentence an issue. worded: it compares words, so it
    says nothing about refusals, nor where answer and notes are in different languages."""

    name: str
    weight: float
    apply: Callable[[AnswerSentence, Material], Finding]
    telling: bool
    worded: bool


def is_number(term: str) -> bool:
    """Whether a content morpheme is a number."""
    return term[:1].isdigit()


def new_words(sentence: AnswerSentence, material: Material) -> Finding:
    """Content words that neither the notes nor the question hold."""
    words = [t for t in sentence.terms - material.known_terms if not is_number(t)]
    return Finding(len(words), sorted(words))


def new_share(sentence: AnswerSentence, material: Material) -> Finding:
    """The share of the sentence's content that is new, 0 to 1."""
    if not sentence.terms:
        return NOTHING
    return Finding(len(sentence.terms - material.known_terms) / len(sentence.terms))


def unrelated(sentence: AnswerSentence, material: Material) -> Finding:
    """No sentence of the notes holds even half of this one."""
    return Finding(float(bool(sentence.terms) and material.support(sentence) < UNRELATED))


def new_numbers(sentence: AnswerSentence, material: Material) -> Finding:
    """Numbers, also in dates and times, that the notes and the question do not hold."""
    numbers = sorted(t for t in sentence.terms - material.known_terms if is_number(t))
    return Finding(len(numbers), numbers)


def other_unit(sentence: AnswerSentence, material: Material) -> Finding:
    """Numbers of the notes that stand with another unit or sign there."""
    known = material.known_measures
    measured = {number.lstrip("-") for number, _ in known}
    wrong = [
        f"{number}{unit}"
        for number, unit in measures(sentence.claim) - known
        if number.lstrip("-") in measured
    ]
    return Finding(len(wrong), sorted(wrong))


def new_names(sentence: AnswerSentence, material: Material) -> Finding:
    """Names of people, places and products that the notes do not hold."""
    found = {*_CAPITALISED.findall(sentence.claim), *_KOREAN_PERSON.findall(sentence.claim)}
    names = sorted(name for name in found if name.lower() not in material.known_text)
    return Finding(len(names), names)


def negation_flip(sentence: AnswerSentence, material: Material) -> Finding:
    """One of answer and closest sentence of the notes says "not", the other does not."""
    closest = material.closest(sentence)
    if closest is None or material.support(sentence) < SAME_MATTER[material.answer_lang]:
        return NOTHING
    shared = len(sentence.terms & closest.terms)
    if shared < len(closest.terms) / 4 or is_negated(sentence.claim) == is_negated(closest.text):
        return NOTHING
    return Finding(1, [closest.text])


def opposite_word(sentence: AnswerSentence, material: Material) -> Finding:
    """The closest sentence of the notes has the opposite of a word of this one."""
    closest = material.closest(sentence)
    if closest is None:
        return NOTHING
    pairs = [
        f"{term} ↔ {opposite}"
        for term in sorted(sentence.terms - closest.terms)
        for opposite in sorted(opposites(term) & (closest.terms - sentence.terms))
    ]
    return Finding(min(1, len(pairs)), pairs[:1])


def overstatement(sentence: AnswerSentence, material: Material) -> Finding:
    """Words such as "all", "only" or "most" that stand nowhere in notes and question."""
    words = sorted(word for word in absolutes(sentence.claim) if word not in material.known_text)
    return Finding(len(words), words)


def missing_note(sentence: AnswerSentence, material: Material) -> Finding:
    """Marks that name a note which was not given."""
    missing = [str(n) for n in sentence.marks if not 1 <= n <= material.note_count]
    return Finding(len(missing), missing)


def wrong_note(sentence: AnswerSentence, material: Material) -> Finding:
    """The notes it cites say nothing of it, but another one does."""
    given = [n for n in sentence.marks if 1 <= n <= material.note_count]
    if not given or material.support(sentence) < WELL_PLACED:
        return NOTHING
    if max(material.support(sentence, n) for n in given) >= MISPLACED:
        return NOTHING
    return Finding(1, [str(n) for n in given])


RULES = (
    Rule("new_words", 0.04, new_words, telling=False, worded=True),
    Rule("new_share", 0.3, new_share, telling=False, worded=True),
    Rule("unrelated", 0.1, unrelated, telling=False, worded=True),
    Rule("new_numbers", 0.4, new_numbers, telling=True, worded=False),
    Rule("other_unit", 0.3, other_unit, telling=True, worded=False),
    Rule("new_names", 0.2, new_names, telling=True, worded=False),
    Rule("negation_flip", 0.25, negation_flip, telling=True, worded=True),
    Rule("opposite_word", 0.3, opposite_word, telling=True, worded=True),
    Rule("overstatement", 0.2, overstatement, telling=False, worded=True),
    Rule("missing_note", 0.3, missing_note, telling=True, worded=False),
    Rule("wrong_note", 0.25, wrong_note, telling=True, worded=True),
)

# What they find is wrong with a citation, not with what is claimed.
MARK_RULES = frozenset({"missing_note", "wrong_note"})


def findings(sentence: AnswerSentence, material: Material) -> dict[str, Finding]:
    """What each rule that applies to the sentence found, by the name of the rule."""
    compare_words = material.comparable and not sentence.refusal
    found = {
        rule.name: rule.apply(sentence, material)
        for rule in RULES
        if compare_words or not rule.worded
    }
    return {name: finding for name, finding in found.items() if finding.amount}


def burden(found: dict[str, Finding]) -> float:
    """The weighted sum of what was found against a sentence; 0 when nothing was."""
    return sum(rule.weight * found[rule.name].amount for rule in RULES if rule.name in found)
