"""The learned head: from what is found in the claims of an answer to how likely it is grounded.

Two logistic regressions whose weights benchmarks/train_rules_head.py fits and writes: one for a
claim, and one for the answer from its worst claim and the others. No weight of a fault is
negative, so neither a fault nor a faulty claim more ever raises the score.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from app.judges.answer import HIGH_CORRECTNESS, SourceCoverage
from app.judges.rules.features import claim_features
from app.judges.rules.find import RULES, UNRELATED, WELL_PLACED, Finding, burden, findings
from app.judges.rules.placement import COPIED, SHORT
from app.judges.rules.read import AnswerSentence, Material
from app.judges.rules.wording import issue_text
from app.text.language import Lang

WEIGHTS = "head.json"


@dataclass(frozen=True, slots=True)
class Head:
    """claim_bias and weights: of the log odds that a claim is hallucinated. bias, worst and
    others: of the log odds that an answer is."""

    claim_bias: float
    weights: Mapping[str, float]
    bias: float
    worst: float
    others: float

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
    return Head(**json.loads(text)[lang])


# Burdens are the weights of a sentence's findings together, from 0; see `find.burden`. From this
# one on a sentence is listed as an issue.
HEAVY = 0.25
# A claim with at least this burden is not called supported. It is a little below the burden of
# an issue: of the values from .1 to .3 it separated labelled Korean sentences best without
# losing much on English answers.
DOUBTFUL = 0.2
# Scores, 0 to 1. An answer with an unsupported sentence stays below HIGH_CORRECTNESS: above
# SCORE_KNEE its score grows slower, so that the order of answers is kept.
SCORE_KNEE, MAX_SCORE_WITH_ISSUE = 0.6, 0.79
# A score: what cannot be compared word by word is never called well grounded.
INCOMPARABLE_CAP = 0.75

_TELLING = tuple(rule.name for rule in RULES if rule.telling)


@dataclass(frozen=True, slots=True)
class Weighed:
    """A sentence with what speaks against it."""

    sentence: AnswerSentence
    found: dict[str, Finding]
    burden: float

    @property
    def is_issue(self) -> bool:
        return self.burden >= HEAVY or self.is_telling

    @property
    def is_telling(self) -> bool:
        """Whether one finding alone makes the sentence an issue."""
        return any(name in self.found for name in _TELLING)

    def without(self, rules: frozenset[str]) -> "Weighed":
        """The sentence as if these rules had found nothing."""
        if rules.isdisjoint(self.found):
            return self
        found = {name: finding for name, finding in self.found.items() if name not in rules}
        return Weighed(self.sentence, found, burden(found))


def weigh(material: Material) -> list[Weighed]:
    weighed = []
    for sentence in material.sentences:
        found = findings(sentence, material)
        weighed.append(Weighed(sentence, found, burden(found)))
    return weighed


def is_unsupported(weighed: Weighed, material: Material) -> bool:
    """Whether one finding refutes the sentence, or no sentence of the notes holds half of it and
    more speaks against it."""
    if weighed.is_telling:
        return True
    if _adds_to_words_of_the_notes(weighed, material):
        return True
    related = material.support(weighed.sentence) >= UNRELATED
    return bool(weighed.sentence.terms) and not related and weighed.burden >= DOUBTFUL


def _adds_to_words_of_the_notes(weighed: Weighed, material: Material) -> bool:
    """Whether a short English claim that copies no sentence has a word that is new."""
    if material.answer_lang != "en" or "new_words" not in weighed.found:
        return False
    alignment = material.aligned(weighed.sentence)
    return len(alignment.claim.tokens) <= SHORT and alignment.gap > COPIED


def correctness(weighed: Sequence[Weighed], material: Material) -> float:
    """How likely it is, 0 to 1, that the notes bear all that is claimed; 1 when nothing is.

    One unsupported sentence keeps the answer from high confidence, whatever the head says. Where
    nothing is found and every claim copies the notes, the score begins at HIGH_CORRECTNESS.
    """
    claims = [
        claim_features(one.sentence, one.found, material)
        for one in weighed
        if one.sentence.terms and not one.sentence.refusal
    ]
    score = head(material.answer_lang).grounded(claims) if claims else 1.0
    if claims and not any(claim.get("loose") for claim in claims):
        score = HIGH_CORRECTNESS + (1 - HIGH_CORRECTNESS) * score
    if any(is_unsupported(one, material) for one in weighed) and score > SCORE_KNEE:
        score = SCORE_KNEE + (score - SCORE_KNEE) * (MAX_SCORE_WITH_ISSUE - SCORE_KNEE) / (
            1 - SCORE_KNEE
        )
    return round(score if material.comparable else score * INCOMPARABLE_CAP, 4)


def issues(weighed: Sequence[Weighed], score: float, material: Material, lang: Lang) -> list[str]:
    """The sentences that speak against the answer, each with its reasons, in their order.

    An answer that is not well grounded names its weakest sentence at least.
    """
    listed = [one for one in weighed if one.is_issue]
    if not listed and score < HIGH_CORRECTNESS:
        claims = [one for one in weighed if one.sentence.terms and not one.sentence.refusal]
        listed = sorted(claims, key=lambda one: (-one.burden, material.support(one.sentence)))[:1]
    return [issue_text(one.sentence.text, one.found, lang) for one in listed]


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
    best = material.closest(sentence)
    return best is not None and material.support(sentence, index) >= max(
        WELL_PLACED, material.support(sentence)
    )
