"""How likely a finding is right, given what surrounds it.

A logistic regression for each finding and language, fitted by benchmarks/train_rules_head.py on
sentences that people marked and on pairs and written cases, with the counts it rests on.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from app.judges.rules.find import OF_THE_QUESTION, RULES, Finding
from app.judges.rules.read import BRIEF, AnswerSentence, Material
from app.judges.rules.replaced import strength
from app.judges.rules.vocabulary import is_hedged

TELLING = tuple(rule.name for rule in RULES if rule.telling)
# The chance, 0 to 1, of a finding that no example for tuning has: enough to be unsure.
UNLEARNED = 0.7
MAX_AMOUNT, MAX_AGREEING = 3.0, 2


@dataclass(frozen=True, slots=True)
class Chance:
    """bias, weights: of the log odds that the finding is right. right of seen: sentences with the
    finding, by where they are from ("real", "made", "written")."""

    bias: float
    weights: Mapping[str, float]
    right: Mapping[str, int]
    seen: Mapping[str, int]

    def of(self, context: Mapping[str, float]) -> float:
        """The probability, 0 to 1, that the finding is right."""
        odds = self.bias + sum(
            weight * context.get(name, 0.0) for name, weight in self.weights.items()
        )
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))


def surroundings(
    sentence: AnswerSentence, found: Mapping[str, Finding], material: Material
) -> dict[str, float]:
    """What the chance of each of the sentence's findings depends on, without its own amount.

    copied, verbatim: shares, 0 to 1, of the claim's words and of its neighbouring words that the
    notes have; departs: whether all else that the answer claims copies them; replaced: whether it
    copies a sentence but for one place; findings: all of them, and faults: without those of the
    question; long: tokens, as a logarithm; several: whether more than one note bears it; hedged;
    terse: whether its closest sentence of the notes is no whole one but catchwords, where values
    and names stand in less regular places; brief: whether the answer claims hardly anything else.
    """
    telling = [name for name in TELLING if name in found]
    if not telling or not material.comparable:
        return {}
    alignment = material.aligned(sentence)
    notes = alignment.notes.sentences
    return {
        "copied": 1 - alignment.clause_gap,
        "verbatim": material.copied_share(sentence),
        "departs": float(material.departs(sentence)),
        "replaced": strength(material.replaced(sentence)),
        "findings": float(len(telling)),
        "faults": float(sum(name not in OF_THE_QUESTION for name in telling)),
        "long": math.log1p(len(sentence.analysis.tokens)) / 3,
        "several": float(material.bearers(sentence) > 1),
        "hedged": float(is_hedged(sentence.claim)),
        "terse": float(any(not is_whole(notes[n].text) for n in alignment.closest[:1])),
        "brief": float(material.claim_count <= BRIEF),
    }


# Of sentences, in Korean also of nouns made of verbs; and nouns that end alike.
_ENDINGS = (".", "!", "?", "。", *"다요죠함됨음")
_NOUNS = ("필요", "중요", "소요", "개요")


def is_whole(text: str) -> bool:
    """Whether a text ends as a sentence does, in Korean also one without a full stop."""
    ended = text.rstrip(" \"'”’)]")
    return ended.endswith(_ENDINGS) and not ended.endswith(_NOUNS)


def context_of(name: str, amount: float, around: Mapping[str, float]) -> dict[str, float]:
    """The surroundings of one finding. agreeing: others beside it; that something else was asked
    agrees with no fault, or more inventions would make a fault less likely."""
    beside = around.get("findings" if name in OF_THE_QUESTION else "faults", 1.0) - 1
    return {
        **around,
        "agreeing": min(MAX_AGREEING, max(0.0, beside)),
        "amount": min(MAX_AMOUNT, amount),
    }


def chances(
    found: Mapping[str, Finding], around: Mapping[str, float], table: Mapping[str, Chance]
) -> dict[str, float]:
    """By finding the probability, 0 to 1, that it is right."""
    return {
        name: table[name].of(context_of(name, found[name].amount, around))
        if name in table
        else UNLEARNED
        for name in TELLING
        if name in found
    }
