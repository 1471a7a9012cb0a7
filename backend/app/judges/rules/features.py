"""What is found in an answer as numbers, for the learned head (rules.head).

Every number but those of FREE speaks against the answer: the larger, the worse.
"""

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from app.judges.rules.alignment import Alignment
from app.judges.rules.analysis import NAME, NOUN, VALUE, VERB, WORD
from app.judges.rules.material import AnswerSentence, Material
from app.judges.rules.placement import COPIED, asked_only, stitched
from app.judges.rules.sentence_rules import RULES, Finding
from app.judges.rules.vocabulary import is_negated
from app.text.language import detect_language

MOST_FOUND = 3.0
# Words this near to each other in the notes are a pair there.
PAIR_REACH = 3
# From here on a share says that a sentence is far from the notes.
FAR = 0.35
# These say what kind of answer it is, not what is wrong with it.
FREE = frozenset(
    {"sentences", "length", "surplus:mean", "refusals", "words", "source_words", "ratio"}
    | {"framed", "doubts", "first:new", "last:new", "last:pairs"}
)
_FRAMED = re.compile(r"\b(?:based on|according to|passages?|context)\b|노트|문서에", re.IGNORECASE)
_DOUBTS = re.compile(
    r"\b(?:unable|cannot|can['’]t|not (?:mention|provid|specif|clear|possible|enough)\w{0,5}"
    r"|no (?:mention|information)|however|note that|important|overall|may|might|could"
    r"|depend\w{0,5})\b|수 없|않습니다",
    re.IGNORECASE,
)

_KINDS = {VALUE: "value", NAME: "name", NOUN: "noun", WORD: "noun", VERB: "noun"}


def answer_features(
    material: Material,
    found: Sequence[tuple[AnswerSentence, Mapping[str, Finding], bool]],
) -> dict[str, float]:
    """Numbers of the whole answer from those of its claims. found: each sentence with its
    findings and whether it is an issue.

    Sums are divided by the root of the number of sound sentences, so that good sentences thin
    a fault out, but one more bad one never does.
    """
    claims = [one for one in found if one[0].terms and not one[0].refusal]
    rows = [
        (sentence_features(sentence, rules, material), issue) for sentence, rules, issue in claims
    ]
    sound = [row for row, issue in rows if not issue]
    count = max(1, len(sound))
    result = _manner(material, [one[0] for one in found if not one[2]], sound)
    result["issues"] = float(len(sound) < len(rows))
    for name in SENTENCE_FEATURES:
        column = [row.get(name, 0.0) for row, _ in rows]
        top = max(column, default=0.0)
        result[f"{name}:max"] = top
        result[f"{name}:sum"] = sum(column) / math.sqrt(count)
        if name in _SHARES:
            result[f"{name}:high"] = max(0.0, top - 0.5)
            result[f"{name}:some"] = min(top, 0.25)
            result[f"{name}:mean"] = sum(column) / count
            result[f"{name}:far"] = sum(max(0.0, one - FAR) for one in column) / math.sqrt(count)
    return result


def _manner(
    material: Material, sentences: Sequence[AnswerSentence], rows: Sequence[Mapping[str, float]]
) -> dict[str, float]:
    """What kind of answer it is: how long beside its sources, how it is laid out. Of its sound
    sentences only, so that a faulty one more changes none of it."""
    words = sum(len(one.analysis.tokens) for one in sentences)
    sources = sum(len(one.tokens) for one in material.notes.sentences)
    count = max(1, len(sentences))
    surplus = [row.get("surplus", 0.0) for row in rows]
    return {
        "sentences": math.log1p(len(rows)),
        "refusals": sum(one.refusal for one in sentences) / count,
        "length": math.log1p(max((len(one.terms) for one in sentences), default=0)),
        "surplus:mean": sum(surplus) / len(surplus) if surplus else 0.0,
        "first:new": rows[0].get("new", 0.0) if rows else 0.0,
        "last:new": rows[-1].get("new", 0.0) if rows else 0.0,
        "last:pairs": rows[-1].get("pairs", 0.0) if rows else 0.0,
        "words": math.log1p(words),
        "source_words": math.log1p(sources),
        "ratio": min(2.0, words / max(1, sources)),
        "framed": sum(_FRAMED.search(one.text) is not None for one in sentences) / count,
        "doubts": sum(_DOUBTS.search(one.text) is not None for one in sentences) / count,
    }


_SHARES = ("gap", "wide_gap", "new", "asked", "away", "pairs", "misfit", "spelling", "any_spelling")
_WORDS = (
    "new_noun",
    "new_verb",
    "new_adverb",
    "new_name",
    "last_new",
    "first_new",
    "negation",
    "loose",
)
_MARGINS = ("value_margin", "name_margin", "noun_margin", "value_misfit", "name_misfit")
SENTENCE_FEATURES = (*(rule.name for rule in RULES), *_SHARES, *_WORDS, *_MARGINS)


def sentence_features(
    sentence: AnswerSentence, found: Mapping[str, Finding], material: Material
) -> dict[str, float]:
    """Numbers of one claim: how often each rule applies, and how far it is from the notes."""
    row = {name: min(MOST_FOUND, finding.amount) for name, finding in found.items()}
    row["surplus"] = 0.0
    if not material.comparable:
        return row
    alignment = material.aligned(sentence)
    count = max(1, len(sentence.terms))
    row["gap"] = alignment.clause_gap
    row["wide_gap"] = _wide_gap(alignment)
    row["new"] = len(sentence.terms - material.note_terms) / count
    row["asked"] = len(asked_only(sentence, material)) / count
    row["away"] = stitched(alignment)
    row["pairs"] = _broken_pairs(alignment)
    row["loose"] = float(bool(found) or alignment.clause_gap > COPIED)
    row["surplus"] = _surplus(alignment)
    row["spelling"], row["any_spelling"] = _spelling(alignment)
    row |= _new_by_kind(alignment)
    if alignment.closest:
        note = alignment.notes.sentences[alignment.closest[0]]
        row["negation"] = float(is_negated(sentence.claim) != is_negated(note.text))
    fits = [fit for fit in alignment.fits if fit.token.kind in _KINDS]
    if fits:
        row["misfit"] = sum(1 - fit.own for fit in fits) / len(fits)
    for fit in fits:
        kind = _KINDS[fit.token.kind]
        margin = max(0.0, fit.rival - fit.own) if fit.rival else 0.0
        row[f"{kind}_margin"] = max(row.get(f"{kind}_margin", 0.0), margin)
        row[f"{kind}_misfit"] = max(row.get(f"{kind}_misfit", 0.0), 1 - fit.own)
    return row


def _new_by_kind(alignment: Alignment) -> dict[str, float]:
    """How many words of each kind the notes do not have, and whether the first and the last are
    among them."""
    row: dict[str, float] = {}
    tokens = alignment.claim.tokens
    for token, places in zip(tokens, alignment.places, strict=True):
        if not places and token.kind != VALUE:
            kind = "new_noun" if token.kind == WORD else f"new_{token.kind}"
            row[kind] = min(MOST_FOUND, row.get(kind, 0.0) + 1)
    if tokens:
        row["first_new"] = float(not alignment.places[0])
        row["last_new"] = float(not alignment.places[-1])
    return row


def _spelling(alignment: Alignment) -> tuple[float, float]:
    """The share of the claim's pairs of letters that its closest sentence, and that all the
    sentences close to it, do not have: other endings of the same words share most of theirs."""
    ours = _letter_pairs(alignment.claim.text)
    if not ours or not alignment.closest:
        return 1.0, 1.0
    sentences = alignment.notes.sentences
    first = _letter_pairs(sentences[alignment.closest[0]].text)
    others = frozenset().union(*(_letter_pairs(sentences[n].text) for n in alignment.closest))
    return len(ours - first) / len(ours), len(ours - others) / len(ours)


@lru_cache(maxsize=4_096)
def _letter_pairs(text: str) -> frozenset[str]:
    letters = "".join(char for char in text.lower() if char.isalnum())
    size = 2 if detect_language(text) == "ko" else 4
    return frozenset(letters[n : n + size] for n in range(len(letters) - size + 1))


def _wide_gap(alignment: Alignment) -> float:
    """The weight of the claim that neither its closest sentence nor those beside it hold."""
    total = sum(alignment.weights)
    if not total:
        return 0.0
    best = 0.0
    for number in alignment.closest[:2]:
        beside = alignment.beside(number)
        held = sum(
            weight
            for n, weight in enumerate(alignment.weights)
            if any(alignment.holds(one, n) for one in beside)
        )
        best = max(best, held / total)
    return 1 - best


def _broken_pairs(alignment: Alignment) -> float:
    """The share of neighbouring words of the claim that are no neighbours in the notes."""
    places = alignment.places
    if len(places) < 2:
        return 0.0
    broken = 0
    for left, right in pairwise(places):
        there = set(right)
        together = any(
            (number, place + step) in there
            for number, place in left
            for step in range(-PAIR_REACH, PAIR_REACH + 1)
            if step
        )
        broken += not together
    return broken / (len(places) - 1)


def _surplus(alignment: Alignment) -> float:
    """The share of the closest sentence that the claim leaves out."""
    if not alignment.closest:
        return 0.0
    note = alignment.notes.sentences[alignment.closest[0]]
    if not note.places:
        return 0.0
    return sum(term not in alignment.claim.places for term in note.places) / len(note.places)
