"""How well an answer answers, whatever its truth."""

from collections import Counter

from app.judges.rules.analysis import VALUE
from app.judges.rules.material import AnswerSentence, Material
from app.judges.rules.question_types import asked_kind, gives
from app.judges.rules.sentence_rules import WELL_PLACED
from app.judges.rules.vocabulary import ASKING, FRAMING
from app.text.language import detect_language, is_third_language

# An answer that deals with this share of the question's words is on the point.
FULL_COVERAGE = 0.7
ON_TOPIC_FLOOR = 0.2
REFUSAL_UTILITY = 0.15
MISSING_FACTOR = 0.45
# The answer speaks of another thing than the one that the question names.
OTHER_SUBJECT_FACTOR = 0.45
# How much a word counts that stands beside what the answer rests on.
BESIDE = 0.7
OTHER_LANGUAGE_FACTOR = 0.5
SHORT_ANSWER = 2
_SUBJECTS = frozenset({"topic", "who"})


def utility(material: Material) -> float:
    """0 to 1: coverage of the question, lowered where the requested kind is missing (a person,
    a time, a number), for another subject and for a foreign language.

    An answer that only states that the notes have no answer gets REFUSAL_UTILITY.
    """
    claims = [sentence for sentence in material.sentences if not sentence.refusal]
    if not material.sentences:
        return 0.0
    if not claims:
        return REFUSAL_UTILITY
    score = ON_TOPIC_FLOOR + (1 - ON_TOPIC_FLOOR) * min(1, coverage(material) / FULL_COVERAGE)
    if lacks_what_was_asked(material):
        score *= MISSING_FACTOR
    elif is_of_another_subject(material):
        score *= OTHER_SUBJECT_FACTOR
    if speaks_another_language(material):
        score *= OTHER_LANGUAGE_FACTOR
    return round(score, 4)


def lacks_what_was_asked(material: Material) -> bool:
    """Whether the question asks who, when, how many, where or why, and no claim says it."""
    kind = asked_kind(material.question)
    return kind is not None and not any(
        gives(kind, sentence.analysis, material.asked)
        for sentence in material.sentences
        if not sentence.refusal
    )


def is_of_another_subject(material: Material) -> bool:
    """Whether each claim has a subject that the question does not name and passes over what the
    question asks about."""
    wanted = {
        term
        for term in wanted_terms(material) & material.note_terms
        if not term[:1].isdigit() and term in material.asked.words
    }
    claims = [one for one in material.sentences if one.terms and not one.refusal]
    # A longer answer may speak of the parts of a thing.
    return (
        0 < len(claims) <= SHORT_ANSWER
        and bool(wanted)
        and all(
            _begins_elsewhere(one, material) and _passes_over(wanted, one, material)
            for one in claims
        )
    )


def _passes_over(wanted: set[str], sentence: AnswerSentence, material: Material) -> bool:
    """Whether neither a claim nor what it rests on has half of the wanted words, or the one that
    is the subject of the question."""
    held = sentence.analysis.terms | _beside_in_part(sentence, material)
    missing = {term for term in wanted if not any(_same_stem(term, one) for one in held)}
    subjects = {one.term for one in material.asked.tokens if one.role in _SUBJECTS}
    return 2 * len(missing) >= len(wanted) or not missing.isdisjoint(subjects)


def _same_stem(left: str, right: str) -> bool:
    """Whether one word begins with the other: 차 and 차량."""
    return right.startswith(left) or (len(right) > 1 and left.startswith(right))


def _begins_elsewhere(sentence: AnswerSentence, material: Material) -> bool:
    """Whether the subject of a claim is a word that the question does not have."""
    tokens = [one for one in sentence.analysis.tokens if one.kind != VALUE]
    subject = next((one for one in tokens if one.role in _SUBJECTS), None)
    if subject is not None:
        return subject.term not in material.asked.places
    first = [one.term for one in tokens if one.term not in FRAMING][:2]
    return material.answer_lang == "en" and material.asked.words.isdisjoint(first)


def _beside_in_part(sentence: AnswerSentence, material: Material) -> frozenset[str]:
    """The words of that part of the closest sentence of the notes that holds most of a claim."""
    alignment = material.aligned(sentence)
    if not alignment.closest:
        return frozenset()
    note = alignment.notes.sentences[alignment.closest[0]]
    placed = list(zip(note.tokens, note.parts, strict=True))
    held = Counter(part for token, part in placed if token.term in sentence.analysis.places)
    most = max(held.values(), default=0)
    return frozenset(token.term for token, part in placed if held[part] == most)


def coverage(material: Material) -> float:
    """Share of the question's content words that the answer deals with, 0 to 1.

    A short answer need not repeat the question: words of the passages it rests on count, and
    those beside them count nearly as much.
    """
    wanted = wanted_terms(material)
    if not wanted:
        return 1.0
    dealt = wanted - unanswered_terms(material)
    beside = (wanted & _beside(material)) - dealt
    return min(1.0, (len(dealt) + BESIDE * len(beside)) / len(wanted))


def _beside(material: Material) -> frozenset[str]:
    """The words of the sentences before and after those that the answer rests on."""
    found: set[str] = set()
    sentences = material.notes.sentences
    for sentence in material.sentences:
        if not sentence.refusal and material.support(sentence) >= WELL_PLACED:
            aligned = material.aligned(sentence)
            for number in aligned.closest[:1]:
                for one in aligned.beside(number):
                    found |= sentences[one].terms
    return frozenset(found)


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
