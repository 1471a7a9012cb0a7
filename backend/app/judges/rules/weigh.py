"""From what is found in the claims of an answer to what the rules conclude.

Everything learned stands in head.json, which benchmarks/train_rules_head.py fits and writes: for
each finding how likely it is right, given what surrounds it; two logistic regressions, one for a
claim and one for the answer from its worst claim and the others; and the thresholds. No weight of
a fault is negative, so neither a fault nor a faulty claim more ever raises the score.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any, Self

from app.judges.answer import HIGH_CORRECTNESS, MEDIUM_CORRECTNESS, Fault, SourceCoverage
from app.judges.rules.analysis import Analysis
from app.judges.rules.chances import Chance, chances, surroundings
from app.judges.rules.derived import asks_for_result, equated
from app.judges.rules.features import claim_features
from app.judges.rules.find import (
    FAULTS,
    OF_THE_QUESTION,
    RULES,
    UNRELATED,
    WELL_PLACED,
    Finding,
    burden,
    findings,
)
from app.judges.rules.placement import COPIED, is_result, strays
from app.judges.rules.read import VERBATIM, AnswerSentence, Material, word_pairs
from app.judges.rules.values import Value, same
from app.judges.rules.wording import issue_text
from app.text.language import Lang

WEIGHTS = "head.json"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Probabilities, 0 to 1. unsure, refuted: that a finding is right, from which on a claim is
    never certain, and from which on it differs from the notes. low: that the answer is grounded,
    below which it is not; high: from which on it is, where a question says what is asked for, and
    high_unasked without one."""

    unsure: float
    refuted: float
    low: float
    high: float
    high_unasked: float


NOTHING_LEARNED = Thresholds(unsure=1, refuted=1, low=0, high=1, high_unasked=1)


@dataclass(frozen=True, slots=True)
class Head:
    """claim_bias and weights: of the log odds that a claim is hallucinated. bias, worst and
    others: of the log odds that an answer is. findings: how likely each is right."""

    claim_bias: float
    weights: Mapping[str, float]
    bias: float
    worst: float
    others: float
    findings: Mapping[str, Chance]
    thresholds: Thresholds

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> Self:
        """From the JSON of a language."""
        return cls(
            **{
                **fields,
                "findings": {name: Chance(**one) for name, one in fields["findings"].items()},
                "thresholds": Thresholds(**fields["thresholds"]),
            }
        )

    def odds(self, claim: Mapping[str, float]) -> float:
        """The log odds that a claim is hallucinated."""
        return self.claim_bias + math.fsum(
            weight * claim[name] for name, weight in self.weights.items() if name in claim
        )

    def grounded(self, claims: Sequence[Mapping[str, float]]) -> float:
        """The probability, 0 to 1, that nothing in an answer of these claims, at least one, is
        hallucinated."""
        worst, others = worst_and_others([self.odds(claim) for claim in claims])
        return 1 - _probability(self.bias + self.worst * worst + self.others * others)


def worst_and_others(odds: Sequence[float]) -> tuple[float, float]:
    """The highest log odds, and the logarithm of one plus how many of the other claims are
    expected to be hallucinated."""
    worst = max(odds)
    rest = math.fsum(map(_probability, odds)) - _probability(worst)
    return worst, math.log1p(max(0.0, rest))


def _probability(odds: float) -> float:
    return 1 / (1 + math.exp(-max(-700.0, odds)))


@cache
def head(lang: Lang) -> Head:
    """The head for answers in a language."""
    text = files(__package__).joinpath(WEIGHTS).read_text(encoding="utf-8")
    return Head.of(json.loads(text)[lang])


# Burdens are the weights of a sentence's findings together, from 0; see `find.burden`.
# A claim with at least this burden is not called supported: of the values from .1 to .3 it
# separated labelled Korean sentences best without losing much on English answers.
DOUBTFUL = 0.2
# A score, 0 to 1: what cannot be compared word by word is never called well grounded.
INCOMPARABLE_CAP = 0.75
# Where a finding says so, scores above the first are pressed below the second, in their order: of
# an answer of which one cannot be sure, and of a refuted one.
UNSURE_KNEE, REFUTED_KNEE, REFUTED_MOST = 0.78, 0.25, 0.3
GAP = 0.01
ABOUT_EVEN = 0.45
# What stands in one place may be another word for it, what nothing confirms may be so, and a
# sentence may say of two things alike what it says once.
NEVER_REFUTING = frozenset({"exchanged_place", "unconfirmed", "crossed"})


# Found more than once, or beyond doubt, they keep from "high" however rarely people mark them.
STRONG = frozenset(
    {"dropped_hedge", "dropped_condition", "other_member", "other_asked", "turned_order"}
)


@dataclass(frozen=True, slots=True)
class Weighed:
    """A sentence with what speaks against it, and how likely each of it is right."""

    sentence: AnswerSentence
    found: dict[str, Finding]
    burden: float
    chances: Mapping[str, float] = field(default_factory=dict)
    thresholds: Thresholds = NOTHING_LEARNED

    @property
    def fault(self) -> float:
        """The probability, 0 to 1, that the most likely finding is right: one that says that the
        claim is not so, not one that says that something else was asked."""
        return max((c for n, c in self.chances.items() if n not in OF_THE_QUESTION), default=0.0)

    @property
    def is_beside_the_question(self) -> bool:
        """Whether something else was asked, about as likely as not."""
        return any(self.chances.get(name, 0.0) > ABOUT_EVEN for name in OF_THE_QUESTION)

    @property
    def is_issue(self) -> bool:
        return self.fault >= self.thresholds.unsure

    @property
    def is_bare(self) -> bool:
        """Whether a brief answer copies its note but for a hedge or condition, the notes say it of
        another thing by its title or place in a list, or all that it shares in another order."""
        return any(self.found[name].amount >= 2 for name in STRONG & self.found.keys())

    @property
    def is_misattributed(self) -> bool:
        """Whether another note than the cited one likely says it."""
        return self.chances.get("wrong_note", 0.0) >= self.thresholds.unsure

    @property
    def fault_kind(self) -> Fault:
        """In what way the claim is doubtful: contradicted where that is likely, since a new number
        stands in the place of another; else by the finding that is most likely right, or of those
        without a chance by the heaviest."""
        names = self.found.keys() - OF_THE_QUESTION
        for name in names - NEVER_REFUTING:
            likely = self.chances.get(name, 0.0) >= self.thresholds.unsure
            if likely and FAULTS.get(name) == "contradicted":
                return "contradicted"
        weights = {rule.name: rule.weight for rule in RULES}
        first = max(
            names, key=lambda name: (self.chances.get(name, 0.0), weights[name]), default=""
        )
        return FAULTS.get(first, "not_in_notes")

    @property
    def is_refuted(self) -> bool:
        """Whether the notes say otherwise."""
        return bool(self.refuting)

    @property
    def refuting(self) -> frozenset[str]:
        """The findings that say so."""
        limit = self.thresholds.refuted
        return frozenset(
            name
            for name, chance in self.chances.items()
            if chance >= limit and name not in OF_THE_QUESTION | NEVER_REFUTING
        )

    def without(self, rules: frozenset[str]) -> "Weighed":
        """The sentence as if these rules had found nothing."""
        if rules.isdisjoint(self.found):
            return self
        found = {name: finding for name, finding in self.found.items() if name not in rules}
        left = {name: chance for name, chance in self.chances.items() if name not in rules}
        return Weighed(self.sentence, found, burden(found), left, self.thresholds)


def weigh(material: Material) -> list[Weighed]:
    learned = head(material.answer_lang)
    weighed: list[Weighed] = []
    # A sentence that is repeated is looked at once.
    known: dict[tuple[str, tuple[int, ...]], Weighed] = {}
    for sentence in material.sentences:
        key = sentence.claim, sentence.marks
        if key not in known:
            found = findings(sentence, material)
            likely = chances(found, surroundings(sentence, found, material), learned.findings)
            known[key] = Weighed(sentence, found, burden(found), likely, learned.thresholds)
        one = known[key]
        weighed.append(one if one.sentence is sentence else replace(one, sentence=sentence))
    return weighed


def is_unsupported(weighed: Weighed, material: Material) -> bool:
    """Whether a finding is likely right, or no sentence of the notes holds half of the claim and
    more speaks against it."""
    if weighed.is_issue:
        return True
    related = material.support(weighed.sentence) >= UNRELATED
    return bool(weighed.sentence.terms) and not related and weighed.burden >= DOUBTFUL


def correctness(weighed: Sequence[Weighed], material: Material) -> float:
    """How well the notes bear all that is claimed, 0 to 1; 1 when nothing is.

    The probability of the head, stretched so that its thresholds come to lie at the scores of high
    and medium confidence. A finding that is likely right keeps it below.
    """
    # What is said twice is one claim.
    said = {one.sentence.claim: one for one in weighed}
    claims = [
        claim_features(one.sentence, one.found, material)
        for one in said.values()
        if one.sentence.terms and not one.sentence.refusal
    ]
    learned = head(material.answer_lang)
    score = 1.0
    if claims:
        limits = learned.thresholds
        high = limits.high if material.asked.tokens else limits.high_unasked
        score = _stretched(learned.grounded(claims), limits.low, high)
        if all(
            is_copied(one, material) or is_worked_out(one, material)
            for one in weighed
            if not one.sentence.refusal
        ):
            score = HIGH_CORRECTNESS + (1 - HIGH_CORRECTNESS) * score
    if any(_is_refuted(one, material) for one in weighed) or (
        claims and _shares_nothing(weighed, material)
    ):
        score = _pressed(score, REFUTED_KNEE, REFUTED_MOST)
    elif any(one.is_issue or one.is_bare or _strays(one, material) for one in weighed):
        score = _pressed(score, UNSURE_KNEE, HIGH_CORRECTNESS - GAP)
    return round(score if material.comparable else score * INCOMPARABLE_CAP, 4)


def _strays(weighed: Weighed, material: Material) -> bool:
    # A calculation joins values of several sentences, perhaps the wrong ones.
    doubtful = bool(equated(weighed.sentence.claim)) or strays(weighed.sentence, material)
    return doubtful and not is_worked_out(weighed, material)


# The notes need not have the result, and rules follow only short calculations.
_OF_VALUES = frozenset({"new_numbers", "other_unit", "misplaced_value"})


def _is_refuted(weighed: Weighed, material: Material) -> bool:
    if asks_for_result(material.question):
        return bool(weighed.refuting - _OF_VALUES)
    return weighed.is_refuted


def _shares_nothing(weighed: Sequence[Weighed], material: Material) -> bool:
    """Whether no claim has a word or value in common with the notes, which are in its language,
    nor a word with the question, nor a value that follows from theirs."""
    return (
        material.comparable
        and bool(material.question_terms)
        and not any(
            (one.sentence.terms & one.sentence.analysis.words) - material.new_terms(one.sentence)
            or material.aligned(one.sentence).closest
            or one.sentence.terms & material.question_terms
            or is_result(one.sentence, material)
            for one in weighed
            if not one.sentence.refusal
        )
    )


def is_copied(weighed: Weighed, material: Material) -> bool:
    """Whether a claim says what the notes do in their own words and order."""
    if weighed.is_issue or "new_words" in weighed.found:
        return False
    if material.aligned(weighed.sentence).clause_gap > COPIED:
        return False
    claim = weighed.sentence.claim
    return material.copied_share(weighed.sentence) >= VERBATIM or not word_pairs(claim)


# Values of the notes or the question that a claim must state beside what it makes of them.
OPERANDS = 2


def is_worked_out(weighed: Weighed, material: Material) -> bool:
    """Whether a claim shows how its result follows from values of the notes and the question, and
    says no more. Where it leaves values out, it may have taken the wrong ones."""
    if weighed.is_issue or weighed.found.keys() & {"new_words", "new_numbers", "other_asked"}:
        return False
    aligned = material.aligned(weighed.sentence)
    values = [token.value for token in aligned.claim.tokens]
    asked = material.asked.held_values
    known = [
        bool(aligned.places[n]) or any(same(value, one) for one in asked)
        for n, value in enumerate(values)
        if value is not None
    ]
    shown = [*asked, *(value for value in values if value is not None)]
    used = {
        number
        for value, places in zip(values, aligned.places, strict=True)
        if value is not None
        for number, _ in places
    }
    return (
        sum(known) >= OPERANDS
        and all(_are_all_used(aligned.notes.sentences[n], shown, material) for n in used)
        and is_result(weighed.sentence, material)
    )


def _are_all_used(note: Analysis, shown: Sequence[Value], material: Material) -> bool:
    """Whether a claim shows all values of a sentence, or those of the parts that have words of the
    question, and no other."""
    used, left = set[int](), set[int]()
    for place in note.values:
        value = note.tokens[place].value
        is_used = value is not None and any(same(value, one) for one in shown)
        (used if is_used else left).add(note.parts[place])
    asked = {
        part
        for token, part in zip(note.tokens, note.parts, strict=True)
        if token.term in material.asked.places
    }
    return not left or (used <= asked and left.isdisjoint(asked))


def _stretched(chance: float, low: float, high: float) -> float:
    """A probability as a score: low becomes MEDIUM_CORRECTNESS, high HIGH_CORRECTNESS."""
    if chance < low:
        return MEDIUM_CORRECTNESS * chance / low
    if chance < high:
        share = (chance - low) / (high - low)
        return MEDIUM_CORRECTNESS + (HIGH_CORRECTNESS - MEDIUM_CORRECTNESS) * share
    return HIGH_CORRECTNESS + (1 - HIGH_CORRECTNESS) * (chance - high) / (1 - high)


def _pressed(score: float, knee: float, most: float) -> float:
    """A score that above the knee grows slower, up to `most`."""
    return score if score <= knee else knee + (score - knee) * (most - knee) / (1 - knee)


def issues(weighed: Sequence[Weighed], score: float, material: Material, lang: Lang) -> list[str]:
    """The sentences that speak against the answer, each with its reasons, in their order.

    An answer that is not well grounded names its weakest sentence at least.
    """
    listed = [one for one in weighed if one.is_issue]
    if not listed and score < HIGH_CORRECTNESS:
        claims = [one for one in weighed if one.sentence.terms and not one.sentence.refusal]
        listed = sorted(claims, key=lambda one: (-one.burden, material.support(one.sentence)))[:1]
    return [issue_text(one.sentence.text, _told(one), lang) for one in listed]


def _told(weighed: Weighed) -> dict[str, Finding]:
    """What is shown of a sentence: what is likely right, or else all that was found."""
    limit = weighed.thresholds.unsure
    likely = {n: f for n, f in weighed.found.items() if weighed.chances.get(n, 0.0) >= limit}
    # Names tell more than the words that they stand among.
    if "added_word" in likely and "new_names" in weighed.found:
        del likely["added_word"]
        likely["new_names"] = weighed.found["new_names"]
    return likely or weighed.found


def source_coverage(
    material: Material, titles: Sequence[str], weighed: Sequence[Weighed]
) -> list[SourceCoverage]:
    """For each note the sentence of the answer that uses it, and the passage it rests on.

    A note is used when a sentence cites it by a mark, or when it holds most of an unmarked
    sentence.
    """
    return [
        _coverage(material, index, title, [one.sentence for one in weighed])
        for index, title in enumerate(titles, start=1)
    ]


def _coverage(
    material: Material, index: int, title: str, sentences: Sequence[AnswerSentence]
) -> SourceCoverage:
    users = [one for one in sentences if uses(material, one, index)]
    best = max(users, key=lambda one: material.support(one, index), default=None)
    if best is None:
        return SourceCoverage(note_index=index, note_title=title, cited=False, relevant_claim="")
    passage = material.closest(best, index)
    supported = passage is not None and material.support(best, index) > 0
    return SourceCoverage(
        note_index=index,
        note_title=title,
        cited=True,
        relevant_claim=best.text,
        quote=passage.text if passage and supported else "",
        quote_found=True if supported else None,
    )


def uses(material: Material, sentence: AnswerSentence, index: int) -> bool:
    """Whether the sentence cites the note by a mark or, without marks, rests on it most."""
    if sentence.marks:
        return index in sentence.marks
    if sentence.refusal or not sentence.terms:
        return False
    share = material.support(sentence, index)
    return share >= WELL_PLACED and share >= material.support(sentence)
