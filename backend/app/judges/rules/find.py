"""What speaks against one sentence of an answer. Each rule is a function with a weight.

A rule returns how often it applies, and in what words; its weight is the burden of one
application. The weights follow logistic regressions on halves of three sets of labelled
answers, rounded, and raised where one telling fault alone must cost an answer its high
confidence; benchmarks/rules_judge.py measures them on the other halves.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from app.judges.answer import Fault
from app.judges.rules import asked, events, placement
from app.judges.rules.analysis import VERB
from app.judges.rules.derived import RECKONING
from app.judges.rules.events import (
    decision_clash,
    is_denying,
    mode,
    modes_clash,
    parts,
    without_contrast,
)
from app.judges.rules.joined import is_polar, without_polarity
from app.judges.rules.members import turned_part
from app.judges.rules.read import BRIEF, AnswerSentence, Material, NoteSentence
from app.judges.rules.replaced import crossed, strength
from app.judges.rules.vocabulary import (
    COMPARING,
    FRAMING,
    absolutes,
    is_conditional,
    is_negated,
    opposites,
)
from app.text.language import is_third_language

# Two sentences speak of the same thing when one holds this share of the other's terms. English
# negations often stand in another clause, so there they must be nearly the same.
SAME_MATTER = {"ko": 0.5, "en": 0.8}
UNRELATED = 0.5
# Tokens, and written words, of an answer that is a name or value alone.
WORD = 2
MISPLACED, WELL_PLACED = 0.3, 0.6
STITCHED = 0.28

_CAPITALISED = re.compile(r"[A-Z](?:(?<=[a-z,;] [A-Z])\w+|(?<=[가-힣] [A-Z])[A-Za-z][A-Za-z0-9]*)")
_SURNAMES = (
    "김이박최정강조윤장임한오서신권황안송류유전홍고문양손배백허남심노하곽성차주우구민진나지엄채원"
)
_KOREAN_PERSON = re.compile(
    rf"(?<![가-힣])([{_SURNAMES}][가-힣]{{1,2}}) ?"
    r"(?:씨|교수|박사|팀장|대표|연구원|과장|부장)(?![가-힣]{2})"
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


Check = Callable[[AnswerSentence, Material], Finding]


@dataclass(frozen=True, slots=True)
class Rule:
    """telling: the rule alone makes the sentence an issue. worded: it compares words, so it
    says nothing about refusals, nor where answer and notes are in different languages."""

    name: str
    weight: float
    apply: Check
    telling: bool
    worded: bool


def is_number(term: str) -> bool:
    """Whether a content morpheme is a number."""
    return term[:1].isdigit()


def new_words(sentence: AnswerSentence, material: Material) -> Finding:
    """Content words that the notes do not hold."""
    return Finding.of(sorted(_new_terms(sentence, material)))


def _new_terms(sentence: AnswerSentence, material: Material) -> frozenset[str]:
    """Without the words of reckoning where a value is calculated."""
    new = material.new_terms(sentence)
    reckons = new & RECKONING and placement.is_result(sentence, material)
    return new - RECKONING if reckons else new


def new_share(sentence: AnswerSentence, material: Material) -> Finding:
    """The share of the sentence's words that is new, 0 to 1."""
    if not sentence.terms:
        return NOTHING
    return Finding(len(_new_terms(sentence, material)) / len(sentence.terms))


def added_word(sentence: AnswerSentence, material: Material) -> Finding:
    """A new word in a short English claim that copies no sentence."""
    alignment = material.aligned(sentence)
    short = len(sentence.analysis.tokens) <= placement.SHORT
    if material.answer_lang != "en" or not short or alignment.gap <= placement.COPIED:
        return NOTHING
    # A calculation has words of its own.
    if placement.is_result(sentence, material):
        return NOTHING
    return new_words(sentence, material)


def unrelated(sentence: AnswerSentence, material: Material) -> Finding:
    """No sentence of the notes holds even half of this one."""
    related = material.support(sentence) >= UNRELATED or placement.is_result(sentence, material)
    return Finding(float(bool(sentence.terms) and not related))


def new_numbers(sentence: AnswerSentence, material: Material) -> Finding:
    """Numbers, also in dates and times, that the notes do not hold."""
    numbers, _ = placement.unknown_values(sentence, material)
    return Finding.of(numbers)


def other_unit(sentence: AnswerSentence, material: Material) -> Finding:
    """Numbers of the notes that stand with another unit or sign there."""
    _, wrong = placement.unknown_values(sentence, material)
    return Finding.of(wrong)


def other_bound(sentence: AnswerSentence, material: Material) -> Finding:
    """ "At least" where the notes say "at most"; "all" where they do not."""
    found = placement.other_bounds(sentence, material)
    found += placement.changed_shares(sentence, material)
    return Finding.of(found)


def exchanged_place(sentence: AnswerSentence, material: Material) -> Finding:
    """The one place in which the sentence differs from one of the notes that it copies."""
    place = material.replaced(sentence)
    if place is None or not place.new or is_third_language(sentence.claim):
        return NOTHING
    if placement.is_result(sentence, material, of_time=False):
        return NOTHING
    # What only takes up the question's words says nothing in place of the notes'.
    start = sentence.analysis.text.find(place.ours)
    ours = {t.term for t in sentence.analysis.tokens if 0 <= t.start - start < len(place.ours)}
    if not is_polar(material.question) and ours <= material.asked.places.keys() | FRAMING:
        return NOTHING
    return Finding(strength(place), [f"{place.ours} ↔ {place.theirs}"])


def stitched(sentence: AnswerSentence, material: Material) -> Finding:
    """A clause whose halves stand far apart in the notes."""
    return Finding(float(placement.stitched(material.aligned(sentence)) >= STITCHED))


def turned_order(sentence: AnswerSentence, material: Material) -> Finding:
    """First and second of two events have changed places."""
    return Finding(events.turned(material.aligned(sentence)))


def crossed_parts(sentence: AnswerSentence, material: Material) -> Finding:
    """What the notes say of one thing, said of another that the same sentence is about."""
    brief = material.claim_count <= BRIEF
    return Finding.of(crossed(material.aligned(sentence)) if brief else [])


def excepted(sentence: AnswerSentence, material: Material) -> Finding:
    """Something that the notes except from what the claim says."""
    closest = material.closest(sentence)
    if closest is None or material.support(sentence) < UNRELATED:
        return NOTHING
    word = events.excepted(sentence.analysis, closest.analysis)
    return Finding.of([word] if word else [])


def added_cause(sentence: AnswerSentence, material: Material) -> Finding:
    """A cause that the notes give for nothing, or for something else."""
    return Finding(float(events.cause_added(material.aligned(sentence))))


def other_mode(sentence: AnswerSentence, material: Material) -> Finding:
    """Must, may, need not, must not: the notes say another; or they only discuss it."""
    closest = material.closest(sentence)
    if closest is None or material.support(sentence) < UNRELATED:
        return NOTHING
    note, claim = closest.text, sentence.claim
    if is_denying(claim) and events.exception(sentence.analysis, closest.analysis):
        return NOTHING
    clash = modes_clash(claim, note)
    if clash:
        # "Items may not be refunded, but they can be exchanged."
        clause = _same_clause(sentence, closest)
        clash = not mode(clause) or modes_clash(claim, clause)
    # What is rare in the claim may stand in another sentence.
    for number in material.aligned(sentence).closest[:1] if clash else ():
        other = material.notes.sentences[number].text
        clash = other == note or mode(other) is None or modes_clash(claim, other)
    return Finding(1, [note]) if clash or decision_clash(claim, note) else NOTHING


def new_names(sentence: AnswerSentence, material: Material) -> Finding:
    """Names of people, places and products that the notes do not hold."""
    found = {*_CAPITALISED.findall(sentence.claim), *_KOREAN_PERSON.findall(sentence.claim)}
    names = sorted(name for name in found if name.lower() not in material.known_text)
    return Finding.of(names)


def negation_flip(sentence: AnswerSentence, material: Material) -> Finding:
    """One of answer and closest sentence of the notes says "not", the other does not."""
    closest = material.closest(sentence)
    least = SAME_MATTER[material.answer_lang]
    # Of a word or two that differ, the "not" may be one.
    if material.claim_count <= BRIEF or material.departs(sentence):
        least = min(least, WELL_PLACED)
    if closest is None or material.support(sentence) < least:
        return NOTHING
    negated = is_negated(without_polarity(sentence.claim))
    # A value or name alone says nothing to be denied.
    if _is_word(sentence) and not negated:
        return NOTHING
    shared = len(sentence.terms & closest.terms)
    if shared < len(closest.analysis.words) / 4 or negated == is_negated(closest.text):
        return NOTHING
    # Of a longer claim nobody looks whether it says what the notes reject.
    brief = len(sentence.analysis.tokens) <= asked.SHORT
    if brief and not negated and not is_negated(without_contrast(closest.text)):
        return NOTHING
    clause = _same_clause(sentence, closest)
    # "Banned" says what "not allowed" does.
    if negated == is_negated(clause) or is_denying(sentence.claim) == is_denying(clause):
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
    ours, theirs = sentence.analysis.words, closest.analysis.words
    pairs = [
        f"{term} ↔ {opposite}"
        for term in sorted(term for term in ours - theirs if not opposites(term).isdisjoint(theirs))
        for opposite in sorted(opposites(term) & (theirs - ours))
    ]
    if pairs and is_negated(sentence.claim) != is_negated(_same_clause(sentence, closest)):
        return NOTHING
    pairs = pairs or placement.turned_opposites(sentence, material)
    if not pairs and (turned := turned_part(sentence.analysis, closest.analysis)):
        pairs = [turned]
    return Finding(min(1, len(pairs)), pairs[:1])


def away_from_asked(sentence: AnswerSentence, material: Material) -> Finding:
    """A bare answer that stands away from what the question asks, by 0 to 1."""
    return Finding(asked.away_from_asked(sentence, material))


def other_subject(sentence: AnswerSentence, material: Material) -> Finding:
    """Words of the question that the answer and the note it rests on pass over."""
    share, words = asked.missing_terms(sentence, material)
    return Finding(share, words)


def unconfirmed(sentence: AnswerSentence, material: Material) -> Finding:
    """A yes or no of which the notes say neither."""
    return Finding(float(asked.is_unconfirmed(sentence, material)))


def _is_word(sentence: AnswerSentence) -> bool:
    """Whether a claim is a name or value alone, which repeats nothing of its note."""
    if len(sentence.claim.split()) > WORD:
        return False
    return len(sentence.analysis.tokens) <= WORD and not sentence.polarity


def _only_names(sentence: AnswerSentence) -> bool:
    """Whether a claim is a name or value without a verb."""
    return _is_word(sentence) and all(one.kind != VERB for one in sentence.analysis.tokens)


def dropped_hedge(sentence: AnswerSentence, material: Material) -> Finding:
    """A plan or guess of the notes that has become a fact."""
    closest = material.closest(sentence)
    if _only_names(sentence) or closest is None or material.support(sentence) < UNRELATED:
        return NOTHING
    gap = material.aligned(sentence).clause_gap
    if gap > asked.REWORDED:
        return NOTHING
    note = _same_clause(sentence, closest)
    dropped = asked.dropped_hedge(sentence, note)
    return Finding(_bareness(gap, material), [note]) if dropped else NOTHING


def _bareness(gap: float, material: Material) -> float:
    """2 for a brief answer that else copies its note, else 1."""
    return 1.0 + (gap <= placement.COPIED and material.claim_count <= BRIEF)


# Ends a Korean clause with a predicate of its own.
_JOINED = re.compile(r"(?:고|며|지만|으나),? $")


def dropped_condition(sentence: AnswerSentence, material: Material) -> Finding:
    """A condition of the notes that the claim leaves out."""
    closest = material.closest(sentence)
    if _only_names(sentence) or closest is None or material.support(sentence) < UNRELATED:
        return NOTHING
    gap = material.aligned(sentence).clause_gap
    if gap > asked.REWORDED or not is_conditional(closest.analysis.text):
        return NOTHING
    clause = _same_clause(sentence, closest)
    # "If it rains, …": the condition is a clause of its own, and not that of another predicate.
    before = parts(closest.analysis.text.partition(clause)[0])[-2:]
    before = [one for one in before if not (is_conditional(one) and _JOINED.search(one))]
    dropped = asked.dropped_condition(sentence, "".join(before) + clause)
    dropped = dropped and not asked.asks_under_condition(closest.analysis, material)
    return Finding(_bareness(gap, material), [closest.text]) if dropped else NOTHING


def overstatement(sentence: AnswerSentence, material: Material) -> Finding:
    """Words such as "all", "only" or "most" that stand nowhere in notes and question."""
    words = absolutes(sentence.claim) - material.note_absolutes
    # A difference is told with them.
    if words & COMPARING and placement.is_result(sentence, material):
        words -= COMPARING
    return Finding.of(sorted(words))


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


def _listing(find: Callable[[AnswerSentence, Material], Sequence[str]]) -> Check:
    """A rule that finds words, of which each counts as one."""
    return lambda sentence, material: Finding.of(find(sentence, material))


def _quoting(find: Callable[[AnswerSentence, Material], str | None]) -> Check:
    """A rule that finds what the notes say instead."""
    return lambda sentence, material: Finding.of([one] if (one := find(sentence, material)) else [])


RULES = (
    Rule("new_words", 0.04, new_words, telling=False, worded=True),
    Rule("new_share", 0.3, new_share, telling=False, worded=True),
    Rule("added_word", 0.01, added_word, telling=True, worded=True),
    Rule("unrelated", 0.1, unrelated, telling=False, worded=True),
    Rule("new_numbers", 0.4, new_numbers, telling=True, worded=False),
    Rule("other_unit", 0.3, other_unit, telling=True, worded=False),
    Rule("misplaced_value", 0.4, _listing(placement.misplaced_values), telling=True, worded=True),
    Rule("misplaced_name", 0.4, _listing(placement.misplaced_names), telling=True, worded=True),
    Rule("other_bound", 0.3, other_bound, telling=True, worded=True),
    Rule("turned_order", 0.3, turned_order, telling=True, worded=True),
    Rule("turned_roles", 0.3, _listing(placement.turned_roles), telling=True, worded=True),
    Rule("crossed", 0.3, crossed_parts, telling=True, worded=True),
    Rule("excepted", 0.3, excepted, telling=True, worded=True),
    Rule("added_cause", 0.3, added_cause, telling=True, worded=True),
    Rule("other_mode", 0.3, other_mode, telling=True, worded=True),
    Rule("stitched", 0.25, stitched, telling=True, worded=True),
    Rule("asked_predicate", 0.3, _listing(placement.asked_predicate), telling=True, worded=True),
    Rule("other_asked", 0.01, _listing(asked.other_asked), telling=True, worded=True),
    Rule("other_member", 0.01, _listing(asked.other_member), telling=True, worded=True),
    Rule("away_from_asked", 0.01, away_from_asked, telling=True, worded=True),
    Rule("other_subject", 0.01, other_subject, telling=True, worded=True),
    Rule("polar_flip", 0.4, _quoting(asked.polar_flip), telling=True, worded=True),
    Rule("unconfirmed", 0.3, unconfirmed, telling=True, worded=True),
    Rule("dropped_hedge", 0.3, dropped_hedge, telling=True, worded=True),
    Rule("dropped_condition", 0.3, dropped_condition, telling=True, worded=True),
    Rule("older_note", 0.4, _quoting(asked.overruled), telling=True, worded=True),
    Rule("outdated", 0.4, _quoting(asked.outdated), telling=True, worded=True),
    Rule("exchanged_place", 0.2, exchanged_place, telling=True, worded=True),
    Rule("replaced_word", 0.1, _listing(placement.replaced_words), telling=False, worded=True),
    Rule("asked_words", 0.05, _listing(placement.asked_only), telling=False, worded=True),
    Rule("new_names", 0.2, new_names, telling=True, worded=False),
    Rule("negation_flip", 0.25, negation_flip, telling=True, worded=True),
    Rule("opposite_word", 0.3, opposite_word, telling=True, worded=True),
    Rule("overstatement", 0.2, overstatement, telling=True, worded=True),
    Rule("missing_note", 0.3, missing_note, telling=True, worded=False),
    Rule("wrong_note", 0.25, wrong_note, telling=True, worded=True),
)

_OF_NO = frozenset({"polar_flip", "unconfirmed", "missing_note", "wrong_note"})

# What they find depends on the question or on a whole sentence of the notes. It decides by its
# chance alone; beside the numbers of a claim it would tell the same twice.
BY_CHANCE_ALONE = frozenset(
    {
        "added_word",
        "other_asked",
        "other_member",
        "away_from_asked",
        "other_subject",
        "polar_flip",
        "unconfirmed",
        "dropped_hedge",
        "dropped_condition",
        "older_note",
        "outdated",
        "exchanged_place",
        "crossed",
    }
)

# What they find is that something else was asked, not that it is not so.
OF_THE_QUESTION = frozenset({"other_asked", "other_member", "away_from_asked", "other_subject"})

# In what way a claim is wrong of which they are right; of the others no note says it.
FAULTS: Mapping[str, Fault] = {
    **dict.fromkeys(
        (
            *("other_unit", "misplaced_value", "misplaced_name", "other_bound", "turned_order"),
            *("other_mode", "polar_flip", "negation_flip", "opposite_word", "older_note"),
            *("outdated", "dropped_hedge", "dropped_condition", "exchanged_place"),
            *("replaced_word", "turned_roles", "excepted", "crossed"),
        ),
        "contradicted",
    ),
    "stitched": "stitched",
}

# What they find is wrong with a citation, not with what is claimed.
MARK_RULES = frozenset({"missing_note", "wrong_note"})


def findings(sentence: AnswerSentence, material: Material) -> dict[str, Finding]:
    """What each rule that applies to the sentence found, by the name of the rule."""
    compare_words = material.comparable and not sentence.refusal
    # What speaks against the question's words speaks for a no.
    names = _OF_NO if sentence.polarity < 0 else None
    found = {
        rule.name: rule.apply(sentence, material)
        for rule in RULES
        if (compare_words or not rule.worded) and (names is None or rule.name in names)
    }
    return {name: finding for name, finding in found.items() if finding.amount}


def burden(found: dict[str, Finding]) -> float:
    """The weighted sum of what was found against a sentence; 0 when nothing was."""
    return sum(rule.weight * found[rule.name].amount for rule in RULES if rule.name in found)
