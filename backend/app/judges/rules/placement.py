"""Words of a claim that have changed places with others of the notes."""

import re
from collections.abc import Sequence
from itertools import pairwise

from app.judges.rules.align import REWORDED, Alignment, Fit
from app.judges.rules.analysis import ADVERB, NAME, NOUN, VALUE, VERB, WORD, Token, is_written
from app.judges.rules.derived import equated, follows, is_difference, is_rate, is_sum, says_total
from app.judges.rules.numbers import UNITS
from app.judges.rules.read import BRIEF, AnswerSentence, Material, word_pairs
from app.judges.rules.values import Value, is_measure, same
from app.judges.rules.vocabulary import ASKING, FRAMING, is_negated, opposites

_LATIN_WORD = re.compile(r"\w+")
# Longer English sentences join what they have read as a matter of course.
SHORT = 10


def implanted_words(sentence: AnswerSentence, material: Material) -> list[str]:
    """English words of the notes in the midst of others that are copied on both sides, beside
    neither of which the notes have them: names, in short claims also other words."""
    if material.answer_lang != "en":
        return []
    words = _LATIN_WORD.findall(sentence.claim)
    copied = [pair in material.note_pairs for pair in word_pairs(sentence.claim)]
    alignment = material.aligned(sentence)
    # A common word beside others than in the notes may only be what is left of a longer phrase.
    short = len(sentence.analysis.tokens) <= SHORT and alignment.gap > 0
    return [
        words[n]
        for n in range(2, len(words))
        if not copied[n - 1]
        and all(copied[max(0, n - 3) : n - 1])
        and not any(copied[n : n + 1])
        and all(copied[n + 1 : n + 3])
        and words[n].lower() not in _SMALL
        and words[n].isalpha()
        and len(words[n]) > 1
        and words[n].lower() in material.known_text
        and (words[n][0].isupper() or (short and n >= 3))
    ]


_FUNCTION_WORDS = """
a an the and or but of in on at to for from by with as is are was were be been it its this that
these those their his her they also not no which who when if then than so
"""
_SMALL = frozenset(_FUNCTION_WORDS.split())


# Which roles two words of a sentence cannot exchange.
_EXCHANGES = frozenset(
    frozenset(pair)
    for pair in (
        ("who", "whom"), ("topic", "whom"), ("who", "what"), ("topic", "what"), ("who", "than"),
        ("topic", "than"), ("where", "by"), ("from", "to"), ("from", "by"), ("of", "than"),
    )
)  # fmt: skip


def exchanged_roles(alignment: Alignment) -> list[str]:
    """Two words of the claim that have each other's role in its closest sentence."""
    if not alignment.closest:
        return []
    number = alignment.closest[0]
    note = alignment.notes.sentences[number]
    moved: dict[tuple[str, str], str] = {}
    for position, token in enumerate(alignment.claim.tokens):
        there = [place for one, place in alignment.places[position] if one == number]
        if token.role and len(there) == 1 and note.tokens[there[0]].role:
            moved[token.role, note.tokens[there[0]].role] = token.term
    return [
        f"{term} ↔ {moved[theirs, ours]}"
        for (ours, theirs), term in moved.items()
        if frozenset((ours, theirs)) in _EXCHANGES and (theirs, ours) in moved and ours > theirs
    ]


# Tokens: of each of two things that change places.
RUN = 3
# What holds both ways, a list, and a passive, whose subject stands behind.
_MUTUAL = re.compile(
    r"\b(?:with|between|equals?|same|married|meets?|near|beside)\b|결혼|만나|만났|같"
)
_LISTED = re.compile(r"[,/·]|\b(?:and|or)\b|[와과]|하고 ")
_PASSIVE = re.compile(r"\bby\b|에 의해")


def exchanged_runs(alignment: Alignment) -> list[str]:
    """Two things that stand in each other's place in the closest sentence, all the rest in its
    order: "A reports to B" for "B reports to A"."""
    if not alignment.closest or alignment.gap > WHOLE:
        return []
    claim, number = alignment.claim, alignment.closest[0]
    note = alignment.notes.sentences[number]
    order: list[tuple[int, int]] = []
    for position, places in enumerate(alignment.places):
        held = [place for one, place in places if one == number]
        if len(held) == 1:
            order.append((position, held[0]))
    order, first, last = _exchanged(order)
    if not order:
        return []
    starts = [claim.tokens[position].start for position, _ in order]
    gaps = [claim.text[one:other] for one, other in pairwise(starts)]
    if all(map(_LISTED.search, gaps)) or _MUTUAL.search(claim.text[starts[0] : starts[-1]]):
        return []
    turned = {one for token in claim.tokens for one in opposites(token.term)} - claim.places.keys()
    passive = [_PASSIVE.search(one.text) is None for one in (claim, note)]
    if turned & note.places.keys() or passive[0] != passive[1]:
        return []
    # A Korean noun has its particle at its end, an English one its preposition before it.
    ends = (first - 1, len(order) - 1) if alignment.is_korean else (0, len(order) - last)
    here, there = (
        [claim.tokens[order[n][0]] for n in ends],
        [note.tokens[order[n][1]] for n in ends],
    )
    roles = [(ours.role, theirs.role) for ours, theirs in zip(here, there, strict=True)]
    if alignment.is_korean:
        moved = bool(roles[0][0]) and len({role for pair in roles for role in pair}) == 1
    else:
        moved = not all(ours and ours == theirs for ours, theirs in roles)
    acts = any(one.kind == VERB for one in here)
    return [f"{here[0].term} ↔ {here[1].term}"] if moved and not acts else []


def _exchanged(order: list[tuple[int, int]]) -> tuple[list[tuple[int, int]], int, int]:
    """Of pairs of places those between which two runs have changed sides, and how long these are;
    none where they stand otherwise."""
    while order and order[0][1] == min(place for _, place in order):
        order = order[1:]
    while order and order[-1][1] == max(place for _, place in order):
        order = order[:-1]
    ranks = sorted(place for _, place in order)
    moved = [ranks.index(place) for _, place in order]
    size = len(moved)
    if size < 3:
        return [], 0, 0
    first, last = size - moved[0], moved[-1] + 1
    straight = [*range(size - first, size), *range(last, size - first), *range(last)]
    if max(first, last) > RUN or first + last >= size or moved != straight:
        return [], 0, 0
    return order, first, last


# A share, 0 to 1, of a claim that its closest sentence lacks: less is nothing.
WHOLE = 0.05


# By how much a rival must fit better than the value itself, and how well at least. Found on
# minimal pairs (benchmarks/pairs.py): true sentences in other words stay below.
VALUE_MARGIN, VALUE_RIVAL = 0.05, 0.3
NAME_MARGIN, NAME_RIVAL = 0.1, 0.4
NOUN_RIVAL, EXCHANGE_MARGIN = 0.5, 0.15
WORD_RIVAL = 0.55
# A claim of which the closest sentence holds this much copies it.
COPIED = 0.3
# The first words of a note say what all of it is about.
TOPIC_WORDS = 3
# How much more a word counts that no sentence of the same note has.
OTHER_NOTE = 1.5


def shown(fit: Fit) -> str:
    return f"{fit.token.term} ↔ {fit.other}"


def misplaced_values(sentence: AnswerSentence, material: Material) -> list[str]:
    """Values in whose place the notes give another."""
    return [
        shown(fit)
        for fit in material.aligned(sentence).fits
        if fit.token.kind == VALUE
        and fit.rival >= VALUE_RIVAL
        and fit.rival - fit.own > VALUE_MARGIN
        and not _denied(fit.token.value, sentence, material)
        and not _is_known_elsewhere(fit, sentence, material)
    ]


def _is_known_elsewhere(fit: Fit, sentence: AnswerSentence, material: Material) -> bool:
    """Whether a value that no sentence of the notes has stands in a title or is calculated, or one
    is of the question, for which the claim has a result."""
    value = fit.token.value
    if value is None:
        return False
    if any(same(value, one) for one in material.asked.held_values):
        return is_result(sentence, material)
    if fit.known:
        return False
    return material.in_titles(value) or is_calculated(value, sentence, material)


def misplaced_names(sentence: AnswerSentence, material: Material) -> list[str]:
    """Names and other nouns in whose place the notes give another."""
    alignment = material.aligned(sentence)
    if material.answer_lang == "en" and alignment.clause_gap > REWORDED:
        return []
    found = [shown(fit) for fit in alignment.fits if _is_misplaced(fit, material)]
    return found or implanted_words(sentence, material)


def turned_roles(sentence: AnswerSentence, material: Material) -> list[str]:
    """Two words that have each other's role or place in the notes."""
    alignment = material.aligned(sentence)
    return exchanged_roles(alignment) or exchanged_runs(alignment)


def _is_misplaced(fit: Fit, material: Material) -> bool:
    margin = fit.rival - fit.own
    if fit.token.term in FRAMING or margin <= NAME_MARGIN:
        return False
    if fit.token.kind in (VALUE, VERB, ADVERB) or fit.other.startswith(fit.token.term):
        return False
    if material.notes.is_titled(fit.sentence, fit.token.term):
        return False
    name = fit.token.kind == NAME or (fit.token.kind == WORD and fit.token.term in material.names)
    if name and fit.exchanged:
        return margin > EXCHANGE_MARGIN
    if fit.exchanged:
        return False
    if name:
        return fit.rival >= NAME_RIVAL
    asked = not fit.known and fit.token.term in material.question_terms
    if fit.token.kind == NOUN:
        return fit.rival >= NOUN_RIVAL and not fit.near and (fit.known or asked)
    return asked and fit.rival >= WORD_RIVAL


def replaced_words(sentence: AnswerSentence, material: Material) -> list[str]:
    """Other words in whose place the notes have another: perhaps a synonym."""
    return [
        shown(fit)
        for fit in material.aligned(sentence).fits
        if fit.token.kind in (NOUN, WORD)
        and fit.token.term not in FRAMING
        and not fit.exchanged
        and not fit.near
        and fit.rival >= WORD_RIVAL
        and fit.rival - fit.own > NAME_MARGIN
    ]


def unknown_values(sentence: AnswerSentence, material: Material) -> tuple[list[str], list[str]]:
    """Values that no note has: (numbers of no note, numbers of the notes with another unit)."""
    new: list[str] = []
    other_unit: list[str] = []
    alignment = material.aligned(sentence)
    equations = equated(sentence.claim)
    for position, token in enumerate(alignment.claim.tokens):
        value = token.value
        if value is None or alignment.places[position] or not _counts(token.term, value):
            continue
        if _denied(value, sentence, material) or _follows(value, alignment):
            continue
        if (
            material.is_day_of_a_date(value)
            or (equations and any(value.number == one.number for one in material.asked.held_values))
            or material.in_titles(value)
            or is_calculated(value, sentence, material)
        ):
            continue
        known = value.kind in UNITS and abs(value.number) in material.note_numbers
        (other_unit if known else new).append(token.term)
    return new, other_unit


# Values of a claim or question: of more none is taken for calculated.
MAX_CALCULATED = 20


def is_calculated(value: Value, sentence: AnswerSentence, material: Material) -> bool:
    """Whether a value follows from those of the notes near the claim, perhaps in two steps."""
    alignment = material.aligned(sentence)
    if max(len(sentence.analysis.values), len(material.asked.values)) > MAX_CALCULATED:
        return False
    if value.number in equated(sentence.claim):
        return True
    near = dict.fromkeys(one for n in alignment.closest for one in alignment.beside(n))
    listed = [alignment.notes.sentences[n].held_values for n in near]
    if not near:
        # A bare answer shares no word with what it is calculated from.
        listed = material.few_values or material.values_asked_about
    titles = {alignment.notes.note_of[n] for n in alignment.closest}
    listed = [*listed, *(material.titles[number - 1].held_values for number in sorted(titles))]
    known = [held for values in listed for held in values]
    asked = material.asked.held_values
    spoken = [*asked, *sentence.analysis.held_values]
    stated = [one for one in dict.fromkeys(spoken) if not _is_one(one, value)]
    given = [
        one
        for one in stated
        if any(same(one, other) for other in (*asked, *known))
        or any(one.number == other.number for other in asked)
    ]
    steps = [
        one
        for one in stated
        if one not in given
        and (follows(one, known, given) or any(is_sum(one, values) for values in listed))
    ]
    if follows(value, known, [*given, *steps], asked):
        return True
    question, claim = material.question, sentence.claim
    if question and _is_asked_result(value, listed, [*given, *steps], question, claim):
        return True
    total = says_total(material.question) or says_total(sentence.claim)
    if total and any(is_sum(value, values) for values in listed):
        return True
    # What the claim goes on with, as "80 each, so 1,440 for eighteen", is a sum or asked about.
    is_part = any(same(value, one) for one in asked) or any(is_sum(value, v) for v in listed)
    results = [one for one in stated if one not in given]
    return is_part and any(follows(one, known, [*given, *steps, value], asked) for one in results)


def _is_one(one: Value, other: Value) -> bool:
    return one[:3] == other[:3] and one.date == other.date


def _is_asked_result(
    value: Value,
    listed: Sequence[Sequence[Value]],
    stated: Sequence[Value],
    question: str,
    claim: str,
) -> bool:
    """Whether a value is a rate or difference that the question asks for, or the sum of what the
    claim states: "four small, five large, so nine"."""
    known = [held for values in listed for held in values]
    if any(is_rate(value, values, f"{question} {claim}") for values in listed):
        return True
    return is_difference(value, known, question) or (len(stated) > 1 and is_sum(value, stated))


def is_result(sentence: AnswerSentence, material: Material, *, of_time: bool = True) -> bool:
    """Whether a claim has a value that the notes lack and that follows from theirs. of_time: a date
    or time of the day counts, too, which is by chance more often so."""
    alignment = material.aligned(sentence)
    return any(
        token.value is not None
        and (of_time or token.value.kind not in ("date", "time"))
        and not alignment.places[position]
        and _counts(token.term, token.value)
        and is_calculated(token.value, sentence, material)
        for position, token in enumerate(sentence.analysis.tokens)
    )


def _counts(written: str, value: Value) -> bool:
    """Whether a value is a figure; "two ways" and "all" count things of the answer."""
    if value.kind in ("share", "times") or written.lower().startswith("one "):
        return any(char.isdigit() for char in written)
    return any(char.isdigit() for char in written) or is_measure(value)


def _follows(value: Value, alignment: Alignment) -> bool:
    """Whether "over 40" or "under 50" follows from a value of the closest sentence, such as 44."""
    if not value.bound or not alignment.closest:
        return False
    note = alignment.notes.sentences[alignment.closest[0]]
    return any(
        one.kind == value.kind and (one.amount - value.amount) * value.bound > 0
        for one in note.held_values
    )


def _denied(value: Value | None, sentence: AnswerSentence, material: Material) -> bool:
    """Whether a sentence takes up a value of the question to deny it."""
    if value is None or not (is_negated(sentence.claim) or material.says_no):
        return False
    return any(
        token.value is not None and token.value.number == value.number
        for token in material.asked.tokens
    )


# A question that asks for a bound, which its answer may say though the notes do not.
_BOUNDED = re.compile(
    r"까지|최대|최소|이내|한도|상한|하한|적어도|\b(?:most|least|up to|limit|within|max|min)",
    re.IGNORECASE,
)


def other_bounds(sentence: AnswerSentence, material: Material) -> list[str]:
    """Values that are the least here and the most in the notes, or the other way round."""
    alignment = material.aligned(sentence)
    found = []
    for position, token in enumerate(alignment.claim.tokens):
        if token.value is None or not token.value.bound:
            continue
        # The closest sentence that has the value says how much it is at least or most.
        near = next((n for n in alignment.closest[:2] if alignment.holds(n, position)), None)
        bounds = {
            value.bound
            for number, place in alignment.places[position]
            if number == near
            and (value := alignment.notes.sentences[number].tokens[place].value) is not None
        }
        copied = alignment.gap <= COPIED and token.value.kind != "time"
        asked = _BOUNDED.search(material.question) is not None
        if bounds == {-token.value.bound} or (bounds == {0} and copied and not asked):
            found.append(token.term)
    return found


_EACH = re.compile(r"\beach\b")


def changed_shares(sentence: AnswerSentence, material: Material) -> list[str]:
    """ "All" or "most" in a sentence that else copies the notes, which say no such thing."""
    alignment = material.aligned(sentence)
    total = sum(alignment.weights)
    return [
        token.term
        for position, token in enumerate(alignment.claim.tokens)
        if token.value is not None
        and token.value.kind == "share"
        and token.value.amount > 0.8
        and not _EACH.search(material.known_text)
        # What is missing beside the word itself.
        and alignment.gap * total - alignment.weights[position] <= COPIED * total
        and not any(number in alignment.closest for number, _ in alignment.places[position])
    ]


def asked_only(sentence: AnswerSentence, material: Material) -> list[str]:
    """Words that the question brings and no note has."""
    return sorted(
        (sentence.terms & material.question_terms) - material.note_terms - FRAMING - ASKING
    )


# Breaks between the parts of a sentence from which on it enumerates.
ENUMERATED = 2


def stitched(alignment: Alignment) -> float:
    """How much of a clause, 0 to 1, the notes have only away from the sentence that bears the
    rest of it; what only another note has counts more. Coordinate clauses may rest on a sentence
    each, and longer English claims on several."""
    if not alignment.is_korean and len(alignment.claim.tokens) > SHORT:
        return 0.0
    clauses = alignment.clauses
    parts = alignment.claim.parts
    # Of an enumeration each item may stand in a line of its own.
    if parts and parts[-1] >= ENUMERATED:
        clauses = [[n for n, part in enumerate(parts) if part == one] for one in sorted({*parts})]
    return max((_elsewhere(alignment, clause) for clause in clauses), default=0.0)


def _elsewhere(alignment: Alignment, clause: Sequence[int]) -> float:
    weights, note_of = alignment.weights, alignment.notes.note_of
    content = [n for n in clause if alignment.claim.tokens[n].term not in FRAMING]
    total = sum(weights[n] for n in content)
    if len(content) < 3 or not alignment.closest:
        return 0.0
    # Of each word the notes that have it, and the sentences that begin with it.
    notes = [{note_of[one] for one, _ in alignment.places[n]} for n in content]
    topics = [{one for one, at in alignment.places[n] if at < TOPIC_WORDS} for n in content]
    least = 1.0
    for number in alignment.closest:
        beside, first = alignment.held_beside(number), alignment.notes.first_of(number)
        away, has_verb = 0.0, _has_verb(alignment, number)
        for n, having, starts in zip(content, notes, topics, strict=True):
            token = alignment.claim.tokens[n]
            given = alignment.notes.is_titled(number, token.term)
            # Catchwords leave the verb to the question.
            given |= not has_verb and token.kind == VERB and alignment.is_asked(token.term)
            if having and n not in beside and first not in starts and not given:
                away += weights[n] * (1.0 if note_of[number] in having else OTHER_NOTE)
        least = min(least, away / total)
    return least


_WHO = re.compile(r"\W*who\b", re.IGNORECASE)


def strays(sentence: AnswerSentence, material: Material) -> bool:
    """Whether a brief answer has a bound that is not that of the notes, an item or a name that they
    lack, or a value or name of its own that they have, but not in the sentence that holds most of
    it, in English of its part."""
    alignment = material.aligned(sentence)
    brief = material.asked.tokens and material.claim_count <= BRIEF and not sentence.polarity
    if not brief or sentence.refusal or not alignment.closest:
        return False
    bounds = other_bounds(sentence, material) or changed_shares(sentence, material)
    if bounds or _adds_item(sentence, material) or _is_of_another_row(alignment):
        return True
    # Who it is stands before what the question has said.
    shared = (n for n, t in enumerate(alignment.claim.tokens) if t.term in material.asked.places)
    subject = next(shared, 0) if _WHO.match(material.question) else 0
    return any(
        token.term not in FRAMING
        and (
            not _bears_both(position, subject, alignment)
            if position < subject
            else (token.kind in (VALUE, NAME) or token.term in material.names)
            and not alignment.holds(_home_of(position, alignment), position)
        )
        and (
            bool(alignment.places[position])
            or (
                token.kind == NAME
                and not is_written(token.term, alignment.claim, material.known_text)
            )
        )
        and not _is_asked(token, material)
        for position, token in enumerate(alignment.claim.tokens)
    )


def _is_of_another_row(alignment: Alignment) -> bool:
    """Whether a claim has a value of one row of a table and words of other rows only."""
    rows, tokens = alignment.notes.rows, alignment.claim.tokens
    having = [{n for n, _ in places} for places in alignment.places]
    named = set[int]()
    for token, numbers in zip(tokens, having, strict=True):
        if token.value is None and token.term not in FRAMING:
            named |= numbers & rows.keys()
    return any(
        token.value is not None
        and numbers
        and numbers <= rows.keys()
        and named
        and not numbers & named
        for token, numbers in zip(tokens, having, strict=True)
    )


def _adds_item(sentence: AnswerSentence, material: Material) -> bool:
    """Whether a part of a claim between commas and conjunctions has only words that the notes lack,
    while the rest copies them."""
    alignment, new = material.aligned(sentence), material.new_terms(sentence)
    claim, parts, end = alignment.claim, [list[int]()], 0
    for n, token in enumerate(claim.tokens):
        if _LISTED.search(claim.text, end, token.start):
            parts.append([])
        end = token.value.end if token.value is not None else token.start
        if token.term not in FRAMING:
            parts[-1].append(n)
    total = sum(alignment.weights)
    return len(parts) > 1 and any(
        part
        and all(claim.tokens[n].term in new for n in part)
        and alignment.gap * total - sum(alignment.weights[n] for n in part) <= COPIED * total
        for part in parts
    )


# Stands for whom the sentence before names.
_PRONOUN = re.compile(r"\b(?:he|she|they|it|who|his|her|their)\b", re.IGNORECASE)


def _bears_both(first: int, second: int, alignment: Alignment) -> bool:
    """Whether a sentence of the notes holds two tokens of a claim, or the second and a pronoun
    after one that holds the first."""
    sentences = alignment.notes.sentences
    return any(
        alignment.holds(n, first)
        or (_PRONOUN.search(sentences[n].text) is not None and alignment.holds(n - 1, first))
        for n in alignment.closest
        if alignment.holds(n, second)
    )


def _home_of(position: int, alignment: Alignment) -> int:
    """The sentence that holds most of an English claim's part between commas and clauses, or of a
    Korean claim."""
    parts = alignment.claim.parts
    if alignment.is_korean or not parts[-1]:
        return alignment.closest[0]
    part = [n for n, one in enumerate(parts) if one == parts[position]]
    return max(alignment.closest, key=lambda number: sum(alignment.holds(number, n) for n in part))


def _is_asked(token: Token, material: Material) -> bool:
    if token.value is None:
        return token.term in material.asked.places
    return any(same(token.value, one) for one in material.asked.held_values)


def _has_verb(alignment: Alignment, number: int | None = None) -> bool:
    """Whether a sentence of the notes, or the closest one, has a verb."""
    if number is None:
        number = next(iter(alignment.closest), None)
    if number is None:
        return True
    return any(one.kind == VERB for one in alignment.notes.sentences[number].tokens)


def asked_predicate(sentence: AnswerSentence, material: Material) -> list[str]:
    """The Korean predicate, where only the question has it and the claim does not deny it."""
    tokens = sentence.analysis.tokens
    if not tokens or material.answer_lang != "ko" or is_negated(sentence.claim):
        return []
    last = tokens[-1]
    # Catchwords have no predicate to compare with.
    if not _has_verb(material.aligned(sentence)):
        return []
    brought = last.kind in (VERB, NOUN) and last.term in asked_only(sentence, material)
    return [last.term] if brought and last.term not in material.known_text else []


def turned_opposites(sentence: AnswerSentence, material: Material) -> list[str]:
    """Verbs and adverbs in whose place the notes have the opposite."""
    return [
        shown(fit)
        for fit in material.aligned(sentence).fits
        if fit.token.kind in (VERB, ADVERB) and fit.rival - fit.own > NAME_MARGIN
    ]
