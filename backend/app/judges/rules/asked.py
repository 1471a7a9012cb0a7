"""What the question adds to a claim: yes and no, another thing than was asked, a newer note."""

import re
from collections import Counter
from functools import lru_cache

from app.judges.rules.align import Fit
from app.judges.rules.analysis import NAME, NOUN, VERB, WORD, Analysis
from app.judges.rules.derived import equated
from app.judges.rules.events import is_denying, mode
from app.judges.rules.joined import distance_from_asked, is_polar, misfits, polarity
from app.judges.rules.members import line_asked_about, part_asked_about
from app.judges.rules.placement import is_calculated, misplaced_names, misplaced_values, shown
from app.judges.rules.read import BRIEF, AnswerSentence, Material, NoteSentence
from app.judges.rules.values import MOVED, Date, is_denied, is_denied_at, same
from app.judges.rules.vocabulary import (
    ASKING,
    FRAMING,
    condition_of,
    is_conditional,
    is_hedged,
    says_changed,
)
from app.text.language import Bilingual
from app.text.morphemes import SENTENCES_KEPT

# Shares, 0 to 1: of the question's words that one sentence of the notes must hold before a yes
# or no is compared with it, and how much may be missing for a "no" to be refuted,
# and for a yes or no to be confirmed.
SAME_QUESTION, NEARLY_ALL, ALL = 0.5, 0.25, 0.1
# Tokens: of a longer sentence all parts count, as they seldom are items of a list.
MAX_LIST_LENGTH = 16
# Of the question's words that an answer must pass over to speak of something else. On the written
# cases for tuning and RAGTruth 3 % of the true answers did, and 40 % of those beside the question.
LEAST_MISSING = 0.3
# Tokens of the sentence with which a note begins that tell what it is about.
OPENING = 2
# Tokens of a claim that says little else than a name.
SHORT = 8
# Of a claim that its note may bear in other words for its hedge to be missed.
REWORDED = 0.5
# Of the words of two notes' sentences, to be on the same matter.
SAME_MATTER = 0.4


def other_asked(sentence: AnswerSentence, material: Material) -> list[str]:
    """Values of a short claim in whose place the notes give another for what was asked."""
    if sentence.polarity or material.claim_count > BRIEF:
        return []
    if elsewhere := _other_title(sentence, material):
        return elsewhere
    if equated(sentence.claim):
        return []
    found = misfits(material.asked, sentence.analysis, material.notes, material.names)
    other = [
        shown(fit)
        for fit in found
        if not _is_overruled(fit, sentence, material)
        and not _follows(fit, sentence, material)
        and not _goes_on(fit, sentence, material)
    ]
    return [*other, *_of_another_case(sentence, material)] if other else []


# Counts that say which case is asked about: "three times a week".
_CASES = frozenset({"times", "nth", "person", "piece", "vehicle", "household"})


def _of_another_case(sentence: AnswerSentence, material: Material) -> list[str]:
    """The count of a claim and that of the question, where a sentence has both for two cases."""
    closest = material.closest(sentence)
    if closest is None or is_polar(material.question):
        return []
    held = closest.analysis.held_values
    ours = sentence.analysis.held_values
    for asked in material.asked.held_values:
        if asked.kind not in _CASES or any(same(asked, one) for one in ours):
            continue
        if not any(same(asked, one) for one in held):
            continue
        for one in ours:
            if one.kind == asked.kind and any(same(one, other) for other in held):
                claim, question = sentence.analysis.text, material.asked.text
                return [f"{claim[one.start : one.end]} ↔ {question[asked.start : asked.end]}"]
    return []


def other_member(sentence: AnswerSentence, material: Material) -> list[str]:
    """The part or line of an enumeration that the question asks about, where a brief answer has
    words of another one only, and what that part has in their place."""
    if polarity(sentence.claim) or sentence.polarity or material.claim_count > BRIEF:
        return []
    alignment = material.aligned(sentence)
    claimed = sentence.claim.strip(" .!")
    for number in alignment.nearest:
        note = material.notes.sentences[number]
        if other := part_asked_about(note, material.asked, sentence.analysis):
            return [f"{claimed} ↔ {other[0]}", *other[1:]]
    line = line_asked_about(material.notes.sentences, material.asked, sentence.analysis)
    return [f"{claimed} ↔ {line.text}"] if line else []


def _follows(fit: Fit, sentence: AnswerSentence, material: Material) -> bool:
    """Whether a value that the notes lack is calculated from those that they have."""
    value = fit.token.value
    return value is not None and not fit.known and is_calculated(value, sentence, material)


def _goes_on(fit: Fit, sentence: AnswerSentence, material: Material) -> bool:
    """Whether the other value stands in the first sentence of the note, whose topic that of the
    claim goes on with, saying more of what was asked: "The shop opens at 9 in summer. In winter
    at 11."."""
    ours, theirs = material.closest(sentence), material.note_sentences[fit.sentence]
    if ours is None or ours.note_index != theirs.note_index:
        return False
    if theirs is not next(n for n in material.note_sentences if n.note_index == ours.note_index):
        return False
    wanted = material.question_terms - ASKING - FRAMING
    return bool(wanted & ours.terms - theirs.terms) and (
        wanted & theirs.terms - ours.terms <= _topic(theirs)
    )


def _is_overruled(fit: Fit, sentence: AnswerSentence, material: Material) -> bool:
    """Whether the other value stands in a note that the one of the claim has replaced."""
    ours = material.closest(sentence)
    theirs = material.note_sentences[fit.sentence]
    return (
        ours is not None
        and ours.note_index != theirs.note_index
        and _replaces(ours, theirs, material)
    )


def _other_title(sentence: AnswerSentence, material: Material) -> list[str]:
    """The value or words in the title of the note that bears the claim, where the question names
    others that the title of another note has."""
    closest = _bearer(sentence, material, sentence.marks[0] if sentence.marks else None)
    if closest is None:
        return []
    title = material.titles[closest.note_index - 1]
    theirs = title.held_values
    if named := _other_titled(closest, title, material):
        return named
    for token in material.asked.tokens:
        value = token.value
        if value is None or not material.in_titles(value):
            continue
        others = [one for one in theirs if one.kind == value.kind]
        held = [*theirs, *closest.analysis.held_values]
        if others and not any(same(value, one) for one in held):
            return [f"{token.term} ↔ {title.text}"]
    return []


def _bearer(
    sentence: AnswerSentence, material: Material, note: int | None = None
) -> NoteSentence | None:
    """Of the sentences of the notes that share most with a claim the one that, with its title,
    holds most of the question."""
    closest = material.closest(sentence, note)
    if closest is None:
        return None
    most = len(sentence.terms & closest.terms)
    alike = [
        one
        for one in material.note_sentences
        if note in (None, one.note_index) and len(sentence.terms & one.terms) == most
    ]
    titles = material.titles
    return max(
        [closest, *alike],
        key=lambda one: len(
            material.question_terms & (one.terms | titles[one.note_index - 1].terms)
        ),
    )


_ORDINALS = frozenset({"first", "second", "final"})


def _other_titled(closest: NoteSentence, title: Analysis, material: Material) -> list[str]:
    """Where the question has a word that only one title has, and another that this title shares
    with that of the note that bears a claim, which has none of the first: both titles."""
    asked = material.asked.places.keys() - ASKING - (FRAMING - _ORDINALS)
    own = {
        t
        for one in material.note_sentences
        if one.note_index == closest.note_index
        for t in one.terms
    }
    for number, other in enumerate(material.titles, start=1):
        named = (asked & other.places.keys()) - own - title.terms
        if number == closest.note_index or not named or not title.terms - other.terms:
            continue
        only = not any(named & one.terms for one in material.titles if one is not other)
        if only and title.terms & other.terms & asked:
            return [f"{other.text} ↔ {title.text}", *sorted(named)]
    return []


def away_from_asked(sentence: AnswerSentence, material: Material) -> float:
    """How much more of the question another sentence holds than the one that bears a bare answer,
    0 to 1."""
    if sentence.polarity or material.claim_count > 1 or _PRONOUN.search(sentence.claim):
        return 0.0
    return distance_from_asked(material.asked, sentence.analysis, material.notes)


def missing_terms(sentence: AnswerSentence, material: Material) -> tuple[float, list[str]]:
    """The share by weight, 0 to 1, of those words of the question that the notes have, and which,
    that neither a claim of a brief answer holds nor the part of a sentence it rests on, the title
    of its note or the sentence with which that begins."""
    if sentence.polarity or material.claim_count > BRIEF:
        return 0.0, []
    closest = _bearer(sentence, material)
    if closest is None:
        return 0.0, []
    wanted = {
        term
        for term in (material.question_terms - ASKING - FRAMING) & material.note_terms
        if not term[:1].isdigit()
    } - _last_verb(material.asked)
    first = next(one for one in material.note_sentences if one.note_index == closest.note_index)
    title = material.titles[closest.note_index - 1]
    near = sentence.analysis.terms | _part_of(sentence, closest, wanted) | title.terms
    if first is not closest:
        near |= _topic(first)
    if _PRONOUN.search(sentence.claim):
        near = near.union(*(one.terms for one in _beside(closest, material)))
    missing = sorted(wanted - near)
    total = sum(map(material.notes.weight, sorted(wanted)))
    share = sum(map(material.notes.weight, missing)) / total if total else 0.0
    return (share, missing) if share >= LEAST_MISSING else (0.0, [])


# "How long does it last": the verb stands at the end, and answers often have another.
_AUXILIARY = re.compile(
    r"\b(?:do|does|did|should|can|could|must|may|might|will|would)\b", re.IGNORECASE
)

_DETERMINER = re.compile(r"\b(?:the|an?|this|that|my|your|our|their|his|her|its) $", re.IGNORECASE)


def _last_verb(question: Analysis) -> frozenset[str]:
    if not question.tokens or not _AUXILIARY.search(question.text):
        return frozenset()
    last = question.tokens[-1]
    if _DETERMINER.search(question.text, 0, last.start):
        return frozenset()
    return frozenset({last.term})


def _topic(first: NoteSentence) -> frozenset[str]:
    """What the sentence with which a note begins is about: its first words and its names."""
    tokens = first.analysis.tokens
    named = (token.term for token in tokens if token.kind == NAME)
    return frozenset(named).union(token.term for token in tokens[:OPENING])


# What such a word stands for is said next to it.
_PRONOUN = Bilingual(
    r"\b(?:it|its|they|them|their|this|that|these|those|he|she|him|her|his)\b"
    r"|(?<![가-힣])(?:그것|이것|그|이|저것|여기|거기)(?=[은는이가을를에도 ])"
)


def _beside(note: NoteSentence, material: Material) -> list[NoteSentence]:
    """The sentences before and after one in its note."""
    number = material.note_sentences.index(note)
    around = material.note_sentences[max(0, number - 1) : number + 2]
    return [one for one in around if one.note_index == note.note_index]


def _part_of(sentence: AnswerSentence, note: NoteSentence, wanted: set[str]) -> frozenset[str]:
    """The words of that part of a sentence of the notes, between commas and clauses, that holds
    most of a claim; of all its parts where the question joins that one with others. wanted: words
    of the question."""
    if len(note.analysis.tokens) > MAX_LIST_LENGTH:
        return note.terms
    placed = list(zip(note.analysis.tokens, note.analysis.parts, strict=True))
    values = sentence.analysis.held_values
    held = Counter(
        part
        for token, part in placed
        if token.term in sentence.analysis.places
        or (token.value is not None and any(same(token.value, one) for one in values))
    )
    most = max(held.values(), default=0)
    # A value says more than the words beside another one.
    telling = {
        part
        for token, part in placed
        if token.value is not None and any(same(token.value, one) for one in values)
    }
    # A claim may join what several parts have alone: "a piano and forty chairs".
    parts_of: dict[str, set[int]] = {}
    for token, part in placed:
        parts_of.setdefault(token.term, set()).add(part)
    for term in sentence.analysis.places:
        if len(home := parts_of.get(term, set())) == 1:
            telling |= home
    telling |= {part for _, part in placed if held[part] == most}
    things = {token.term for token, _ in placed if token.kind != VERB}
    if any(parts_of[term] <= telling for term in wanted & things):
        return note.terms
    return frozenset(token.term for token, part in placed if part in telling)


def polar_flip(sentence: AnswerSentence, material: Material) -> str | None:
    """The sentence of the notes that says the contrary of a yes or no."""
    note = _on_the_question(sentence, material)
    if note is None or not sentence.polarity:
        return None
    contrary = _is_contrary(sentence, note, material)
    # What is rare in the question may stand in another sentence.
    for number in material.aligned(sentence).closest[:1]:
        other = material.note_sentences[number]
        if other is not note and _is_contrary(sentence, other, material) != contrary:
            return None
    if sentence.polarity > 0:
        return note.text if contrary else None
    nearly = material.aligned(sentence).gap <= NEARLY_ALL
    return note.text if not contrary and nearly else None


def is_unconfirmed(sentence: AnswerSentence, material: Material) -> bool:
    """Whether no sentence of the notes says what a yes or no claims."""
    if not sentence.polarity:
        return False
    note = _on_the_question(sentence, material)
    if note is None:
        return True
    if material.aligned(sentence).gap > ALL:
        return True
    # That the notes have another value is no sure sign of a no.
    return sentence.polarity < 0 and is_denying(material.question) == is_denying(note.text)


def _on_the_question(sentence: AnswerSentence, material: Material) -> NoteSentence | None:
    closest = material.closest(sentence)
    if closest is None or material.share_held(sentence, closest) < SAME_QUESTION:
        return None
    return closest


def _is_contrary(sentence: AnswerSentence, note: NoteSentence, material: Material) -> bool:
    """Whether a sentence of the notes denies what the question asks, or says it of another."""
    # "No, it is not cleaned weekly": the "not" is that of the no.
    claimed = material.question if sentence.polarity < 0 else sentence.claim
    if is_denying(claimed) != is_denying(note.text):
        return True
    return bool(misplaced_values(sentence, material) or misplaced_names(sentence, material))


def dropped_hedge(sentence: AnswerSentence, note: str) -> bool:
    """Whether a claim states as a fact what its note only expects."""
    claim = sentence.claim
    # "May" and "could" also give leave.
    if mode(claim) in ("allowed", "forbidden"):
        return False
    return is_hedged(note) and not is_hedged(claim)


_WHEN = Bilingual(r"때|\b(?:when|once|after|until)\b")


def dropped_condition(sentence: AnswerSentence, note: str) -> bool:
    """Whether a claim holds without more what its note makes subject to something."""
    claim = sentence.claim
    open_to_doubt = is_conditional(claim) or is_hedged(claim) or _WHEN.search(claim)
    return is_conditional(note) and not open_to_doubt


def asks_under_condition(note: Analysis, material: Material) -> bool:
    """Whether the question itself states the condition of a sentence of the notes."""
    match = condition_of(note.text)
    if match is None:
        return False
    if match[0][0].isascii():
        comma = note.text.find(",", match.end())
        start, end = match.end(), comma if comma > 0 else len(note.text)
    else:
        start, end = note.text.rfind(",", 0, match.start()) + 1, match.end()
    words = {one.term for one in note.tokens if start <= one.start < end} - FRAMING
    return bool(words) and 2 * len(words & material.question_terms) >= len(words)


def overruled(sentence: AnswerSentence, material: Material) -> str | None:
    """The sentence of a newer note on the same matter that has another value than the older one
    from which the claim is taken, or that says that things have changed."""
    ours = material.closest(sentence)
    if ours is None:
        return None
    for later in _changes_after(ours, material):
        if _is_denied(sentence, later) or _differs(sentence, ours, later):
            return later.text
    closest = material.closest_by_note(sentence)
    for number in range(1, material.note_count + 1):
        theirs = closest.get(number)
        if theirs is None or number == ours.note_index or not _replaces(theirs, ours, material):
            continue
        if (
            _is_denied(sentence, theirs)
            or _differs(sentence, ours, theirs)
            or _takes_over(sentence, theirs, material)
            or _names_another(sentence, ours, theirs)
        ):
            return theirs.text
    return None


def _changes_after(note: NoteSentence, material: Material) -> list[NoteSentence]:
    """The sentences after one in its note that say that things have changed; none where it says so
    itself."""
    changes = [(n, one) for n, one in material.changes if one.note_index == note.note_index]
    if not changes or says_changed(note.text):
        return []
    place = material.note_sentences.index(note)
    return [one for n, one in changes if n > place]


_BEFORE = Bilingual(
    r"원래|처음|당초|애초|이전|전에는|기존|바뀌기|예전|지난번"
    r"|\b(?:original\w*|before|previous\w*|first|initial\w*|old|earlier|used to|was it)\b"
)


def outdated(sentence: AnswerSentence, material: Material) -> str | None:
    """The sentence of the notes that has the values or names of a claim only to say that they do
    not hold, or no longer, unless somebody asks how it was before."""
    ours = material.closest(sentence)
    if ours is None or not (_is_denied(sentence, ours) or _names_denied(sentence, ours, material)):
        return None
    was = _BEFORE.search(material.question) or _BEFORE.search(sentence.claim)
    # "It is moved from the hall": from there it is.
    moved = "에서 " in sentence.claim and MOVED.search(ours.text)
    return None if was or moved or _DENIED_TOO.search(sentence.claim) else ours.text


_DENIED_TOO = Bilingual(
    r"보다 |아[니닌닙님]|대신|말고|않|없|n['’]t\b"
    r"|\b(?:not|from|instead|rather|no longer|avoid|off|replac\w+|swap\w*)\b"
)


def _is_denied(sentence: AnswerSentence, note: NoteSentence) -> bool:
    """Whether a note has the values of a claim only to say that they do not hold."""
    held = _values(sentence.analysis) & _values(note.analysis)
    return bool(held) and not held & _values(note.analysis, standing=True)


def _names_denied(sentence: AnswerSentence, note: NoteSentence, material: Material) -> bool:
    """Whether a note has a name of a short claim that the question lacks, only to say that another
    has taken its place."""
    text = note.analysis.text
    if len(sentence.analysis.tokens) > SHORT:
        return False
    for name in sentence.analysis.tokens:
        places = note.analysis.places.get(name.term, ())
        if name.kind not in _NAMING or name.term in material.asked.places or not places:
            continue
        first = note.analysis.tokens[places[0]]
        if is_denied_at(first.start, first.start + len(first.term), text):
            return True
    return False


_NAMING = frozenset({NAME, NOUN, WORD})


def _replaces(theirs: NoteSentence, ours: NoteSentence, material: Material) -> bool:
    """Whether one note is newer than the other by its date, or says so."""
    dates = material.dates[theirs.note_index - 1], material.dates[ours.note_index - 1]
    if _is_newer(dates[1], dates[0]):
        return False
    return _is_newer(*dates) or (_changes(theirs, material) and not _changes(ours, material))


def _changes(note: NoteSentence, material: Material) -> bool:
    title = material.titles[note.note_index - 1].text
    return says_changed(title) or says_changed(note.text)


def _takes_over(sentence: AnswerSentence, theirs: NoteSentence, material: Material) -> bool:
    """Whether a sentence that says that things have changed holds the question, not the claim."""
    wanted = material.question_terms - ASKING - FRAMING
    asked = len(wanted & theirs.terms) >= SAME_QUESTION * max(1, len(wanted))
    own = sentence.terms - material.question_terms
    return asked and bool(own) and _changes(theirs, material) and not own & theirs.terms


def _names_another(sentence: AnswerSentence, ours: NoteSentence, theirs: NoteSentence) -> bool:
    """Whether both sentences are on one matter, and the newer has a name where the claim has
    another one: after the same preposition or before the same particle."""
    words, others = _plain_words(ours.analysis.words), _plain_words(theirs.analysis.words)
    if len(words & others) < SAME_MATTER * min(len(words), len(others)):
        return False
    newer = {(t.term, t.role) for t in theirs.analysis.tokens if t.kind == NAME and t.role}
    taken = {(t.term, t.role) for t in sentence.analysis.tokens if t.kind == NAME and t.role}
    return any(
        one not in newer and ours.analysis.places.get(one[0]) and role == one[1]
        for one in taken
        for term, role in newer
        if term not in words
    )


def _is_newer(one: Date | None, other: Date | None) -> bool:
    """Whether a date is later than another that gives the same parts."""
    if one is None or other is None:
        return False
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a is not None or b is not None]
    for a, b in pairs:
        if a is None or b is None:
            return False
        if a != b:
            return a > b
    return False


def _differs(sentence: AnswerSentence, ours: NoteSentence, theirs: NoteSentence) -> bool:
    """Whether both sentences are on one matter, and the newer lacks what the claim took over."""
    words, others = _plain_words(ours.analysis.words), _plain_words(theirs.analysis.words)
    if not words or len(words & others) < SAME_MATTER * min(len(words), len(others)):
        return False
    if is_denying(ours.text) != is_denying(theirs.text):
        return True
    taken = _values(sentence.analysis) & _values(ours.analysis)
    newer = _values(theirs.analysis, standing=True)
    kinds = {kind for kind, _ in newer}
    return any(one not in newer and one[0] in kinds for one in taken)


@lru_cache(maxsize=SENTENCES_KEPT)
def _plain_words(words: frozenset[str]) -> frozenset[str]:
    return frozenset(term for term in words if not term[:1].isdigit())


def _values(sentence: Analysis, *, standing: bool = False) -> frozenset[tuple[str, object]]:
    """standing: without those that a sentence denies."""
    return frozenset(
        (one.kind, one.date if one.kind == "date" else one.amount)
        for one in sentence.held_values
        if not standing or not is_denied(one, sentence.text)
    )
