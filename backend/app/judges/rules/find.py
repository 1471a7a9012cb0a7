"""What speaks against one sentence of an answer. Each rule is a function with a weight.

A rule returns how often it applies, and in what words; its weight is the burden of one
application. The weights follow logistic regressions on halves of three sets of labelled
answers, rounded, and raised where one telling fault alone must cost an answer its high
confidence; benchmarks/rules_judge.py measures them on the other halves.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from app.judges.rules import events, placement
from app.judges.rules.align import REWORDED
from app.judges.rules.analysis import Analysis
from app.judges.rules.events import decision_clash, modes_clash, parts
from app.judges.rules.read import AnswerSentence, Material, NoteSentence
from app.judges.rules.vocabulary import absolutes, is_negated, opposites, stands_in

# Two sentences speak of the same thing when one holds this share of the other's terms. English
# negations often stand in another clause, so there they must be nearly the same.
SAME_MATTER = {"ko": 0.5, "en": 0.8}
UNRELATED = 0.5
MISPLACED, WELL_PLACED = 0.3, 0.6
STITCHED = 0.28

_CAPITALISED = re.compile(r"(?<=[a-z,;] )[A-Z]\w+|(?<=[가-힣] )[A-Z][A-Za-z][A-Za-z0-9]*")
_KOREAN_PERSON = re.compile(
    r"([가-힣]{2,4}) ?(?:씨|교수|박사|팀장|대표|연구원|과장|부장)(?![가-힣]{2})"
)


class Finding(NamedTuple):
    """amount: how often a rule applies; words: what to show the reader."""

    amount: float
    words: Sequence[str] = ()

    @classmethod
    def of(cls, words: Sequence[str]) -> Self:
        """Each word counts as one."""
        return cls(len(words), words)


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
    """Content words that the notes do not hold."""
    words = sorted(_new(sentence, material))
    return Finding.of(words)


def new_share(sentence: AnswerSentence, material: Material) -> Finding:
    """The share of the sentence's words that is new, 0 to 1."""
    if not sentence.terms:
        return NOTHING
    return Finding(len(_new(sentence, material)) / len(sentence.terms))


def _new(sentence: AnswerSentence, material: Material) -> set[str]:
    """Words of no note and not of the question either; a word that the analyser takes apart in
    another way stands in the notes all the same."""
    new = (sentence.terms & sentence.analysis.words) - material.known_terms
    return {term for term in new if not _is_written(term, sentence.analysis, material.known_text)}


def _is_written(term: str, claim: Analysis, text: str) -> bool:
    """Whether the notes have a word, or the Korean word that it was taken from up to its end."""
    if len(term) >= 2 and stands_in(term, text):
        return True
    for place in claim.places.get(term, ()):
        start = claim.tokens[place].start
        word = claim.text[claim.text.rfind(" ", 0, start) + 1 : start + len(term)]
        if len(word) > len(term) >= 1 and word.endswith(term) and stands_in(word, text):
            return True
    return False


def unrelated(sentence: AnswerSentence, material: Material) -> Finding:
    """No sentence of the notes holds even half of this one."""
    return Finding(float(bool(sentence.terms) and material.support(sentence) < UNRELATED))


def new_numbers(sentence: AnswerSentence, material: Material) -> Finding:
    """Numbers, also in dates and times, that the notes do not hold."""
    numbers, _ = placement.unknown_values(sentence, material)
    return Finding.of(numbers)


def other_unit(sentence: AnswerSentence, material: Material) -> Finding:
    """Numbers of the notes that stand with another unit or sign there."""
    _, wrong = placement.unknown_values(sentence, material)
    return Finding.of(wrong)


def misplaced_value(sentence: AnswerSentence, material: Material) -> Finding:
    """A value in whose place the notes give another."""
    return Finding.of(placement.misplaced_values(sentence, material))


def misplaced_name(sentence: AnswerSentence, material: Material) -> Finding:
    """A name or other noun in whose place the notes give another."""
    return Finding.of(placement.misplaced_names(sentence, material))


def other_bound(sentence: AnswerSentence, material: Material) -> Finding:
    """ "At least" where the notes say "at most"; "all" where they do not."""
    found = placement.other_bounds(sentence, material)
    found += placement.changed_shares(sentence, material)
    return Finding.of(found)


def replaced_word(sentence: AnswerSentence, material: Material) -> Finding:
    """A word in whose place the notes have another."""
    return Finding.of(placement.replaced_words(sentence, material))


def asked_words(sentence: AnswerSentence, material: Material) -> Finding:
    """Words that only the question has: it is no evidence."""
    return Finding.of(placement.asked_only(sentence, material))


def asked_predicate(sentence: AnswerSentence, material: Material) -> Finding:
    """What is said of the matter stands in the question only."""
    return Finding.of(placement.asked_predicate(sentence, material))


def stitched(sentence: AnswerSentence, material: Material) -> Finding:
    """A clause whose halves stand far apart in the notes."""
    return Finding(float(placement.stitched(material.aligned(sentence)) >= STITCHED))


def turned_order(sentence: AnswerSentence, material: Material) -> Finding:
    """First and second of two events have changed places."""
    aligned = material.aligned(sentence)
    return Finding(float(aligned.clause_gap <= REWORDED and events.turned(aligned)))


def added_cause(sentence: AnswerSentence, material: Material) -> Finding:
    """A cause that the notes give for nothing, or for something else."""
    aligned = material.aligned(sentence)
    if material.answer_lang == "en" and _new(sentence, material):
        return NOTHING
    return Finding(float(events.cause_added(aligned)))


def other_mode(sentence: AnswerSentence, material: Material) -> Finding:
    """Must, may, need not, must not: the notes say another; or they only discuss it."""
    closest = material.closest(sentence)
    if closest is None or material.support(sentence) < UNRELATED:
        return NOTHING
    note, claim = closest.text, sentence.claim
    if not modes_clash(claim, note) and not decision_clash(claim, note):
        return NOTHING
    return Finding(1, [note])


def new_names(sentence: AnswerSentence, material: Material) -> Finding:
    """Names of people, places and products that the notes do not hold."""
    found = {*_CAPITALISED.findall(sentence.claim), *_KOREAN_PERSON.findall(sentence.claim)}
    names = sorted(name for name in found if name.lower() not in material.known_text)
    return Finding.of(names)


def negation_flip(sentence: AnswerSentence, material: Material) -> Finding:
    """One of answer and closest sentence of the notes says "not", the other does not."""
    closest = material.closest(sentence)
    if closest is None or material.support(sentence) < SAME_MATTER[material.answer_lang]:
        return NOTHING
    shared = len(sentence.terms & closest.terms)
    negated = is_negated(sentence.claim)
    if shared < len(closest.terms) / 4 or negated == is_negated(closest.text):
        return NOTHING
    if negated == is_negated(_same_clause(sentence, closest)):
        return NOTHING
    aligned = material.aligned(sentence)
    others = aligned.closest[:3] if len(aligned.clauses) > 1 else aligned.nearest
    if any(is_negated(aligned.notes.sentences[number].text) == negated for number in others):
        return NOTHING
    return Finding(1, [closest.text])


def _same_clause(sentence: AnswerSentence, closest: NoteSentence) -> str:
    """The clause of a sentence of the notes that ends with what the claim ends with."""
    tokens = [token for token in closest.analysis.tokens if token.term in sentence.analysis.places]
    clauses, text = parts(closest.analysis.text), closest.analysis.text
    if not tokens or len(clauses) == 1:
        return text
    last = max(token.start for token in tokens)
    end = 0
    for clause in clauses:
        end += len(clause)
        if last < end:
            return clause
    return clauses[-1]


def opposite_word(sentence: AnswerSentence, material: Material) -> Finding:
    """The closest sentence of the notes has the opposite of a word of this one."""
    closest = material.closest(sentence)
    if closest is None:
        return NOTHING
    pairs = [
        f"{term} ↔ {opposite}"
        for term in sorted(sentence.analysis.words - closest.analysis.words)
        for opposite in sorted(opposites(term) & (closest.analysis.words - sentence.analysis.words))
    ]
    pairs = pairs or placement.turned_opposites(sentence, material)
    return Finding(min(1, len(pairs)), pairs[:1])


def overstatement(sentence: AnswerSentence, material: Material) -> Finding:
    """Words such as "all", "only" or "most" that stand nowhere in notes and question."""
    words = sorted(absolutes(sentence.claim) - material.note_absolutes)
    return Finding.of(words)


def missing_note(sentence: AnswerSentence, material: Material) -> Finding:
    """Marks that name a note which was not given."""
    missing = [str(n) for n in sentence.marks if not 1 <= n <= material.note_count]
    return Finding.of(missing)


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
    Rule("misplaced_value", 0.4, misplaced_value, telling=True, worded=True),
    Rule("misplaced_name", 0.4, misplaced_name, telling=True, worded=True),
    Rule("other_bound", 0.3, other_bound, telling=True, worded=True),
    Rule("turned_order", 0.3, turned_order, telling=True, worded=True),
    Rule("added_cause", 0.3, added_cause, telling=True, worded=True),
    Rule("other_mode", 0.3, other_mode, telling=True, worded=True),
    Rule("stitched", 0.25, stitched, telling=True, worded=True),
    Rule("asked_predicate", 0.3, asked_predicate, telling=True, worded=True),
    Rule("replaced_word", 0.1, replaced_word, telling=False, worded=True),
    Rule("asked_words", 0.05, asked_words, telling=False, worded=True),
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
