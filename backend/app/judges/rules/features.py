"""In what manner a sentence speaks: hedged, general, advising, adding; as a guess or a plan."""

import math
import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise

from app.judges.rules.align import Alignment
from app.judges.rules.analysis import NAME, NOUN, VALUE, VERB, WORD
from app.judges.rules.find import BY_CHANCE_ALONE, Finding
from app.judges.rules.placement import COPIED, asked_only, stitched
from app.judges.rules.read import AnswerSentence, Material, word_pairs
from app.judges.rules.vocabulary import is_negated

# Of English sentences.
_PATTERNS = {
    "silent": (
        r"\bnot (?:mention|provid|specif|explicit|stat|clear|possib|enough)\w*|\bno (?:mention"
        r"|information|specific)\b|\bunable\b|\bcannot\b|\b(?:ca|do|does)n['’]t\b"
    ),
    "contrast": r"\b(?:however|although|though|but|while|whereas)\b",
    "general": (
        r"\b(?:typically|generally|usually|often|commonly|normally|tend|likely|may|might|could"
        r"|can)\b"
    ),
    "advice": (
        r"\b(?:recommend\w*|consult\w*|important|should|essential|crucial|note that|keep in mind"
        r"|advis\w+|always|best)\b"
    ),
    "conclusion": r"\b(?:overall|in conclusion|in summary|therefore|thus|in short|hence)\b",
    "adding": (
        r"\b(?:additionally|also|furthermore|moreover|in addition|including|such as|for example)\b"
    ),
    "reason": (
        r"\b(?:because|since|due to|as a result|helps?|making|ensur\w+|allow\w*|provid\w+)\b"
    ),
    "framed": r"\b(?:based on|according to|passages?|context)\b",
}
_MANNERS = {name: re.compile(pattern) for name, pattern in _PATTERNS.items()}
MANNERS = frozenset(_PATTERNS)
MOST = 3


def manner(sentence: str) -> dict[str, float]:
    """How often, at most MOST times, an English sentence hedges, adds, concludes and so on."""
    lowered = sentence.lower()
    return {name: float(min(MOST, len(one.findall(lowered)))) for name, one in _MANNERS.items()}


# Of Korean sentences.
_MOODS = {
    "guess": r"추측|추정|것으로 보|것 같|가능성|듯|아마",
    "plan": r"예정|계획|방침|기로 (?:했|하)|[할될을갈올볼줄낼] 것|겠",
    "wish": r"싶|바라|바랍|원한|원하|좋겠",
    "question": r"\?|[인는은한던]가[. ]|[을할될일볼갈]까[. ]",
    "condition": r"다면|라면|으면|[하되]면|경우에",
    "more": r"(?<![가-힣])더 |보다 |가장|제일|(?<![가-힣])덜 ",
    "only": r"만(?=[ 이을은의에])|뿐|밖에|오직",
    "all": r"모두|모든|전부|항상|언제나|누구나",
    "some": r"일부|몇몇|거의|가끔|때때로",
    "past": r"[았었였했됐갔왔났졌]",
    "order": r"처음|첫|두 ?번째|마지막|이전|이후|기 전|[뒤후]에",
}
_MOOD = [(name, re.compile(pattern)) for name, pattern in _MOODS.items()]


@lru_cache(maxsize=4_096)
def moods(sentence: str) -> frozenset[str]:
    """As what a Korean sentence says it: as a guess, plan or wish, of all or some, of the past."""
    return frozenset(name for name, one in _MOOD if one.search(sentence))


MAX_FOUND = 3.0
# Words this near to each other in the notes are a pair there.
PAIR_REACH = 3
# Below the first a share says little; beyond the second a sentence is far from the notes.
SOME, FAR = 0.25, 0.5
_SHARES = ("gap", "wide_gap", "new", "asked", "away", "pairs", "spelling", "any_spelling")
# These say what kind of sentence it is, not what is wrong with it.
FREE = frozenset({"length", "terms", "surplus", *MANNERS})

_KINDS = {VALUE: "value", NAME: "name", NOUN: "noun", WORD: "noun", VERB: "verb"}


def claim_features(
    sentence: AnswerSentence, found: Mapping[str, Finding], material: Material
) -> dict[str, float]:
    """Numbers of one claim: how often each rule applies, how far it is from the notes, and in
    what manner it speaks. They depend on no other sentence of the answer."""
    row = {
        name: min(MAX_FOUND, finding.amount)
        for name, finding in found.items()
        if name not in BY_CHANCE_ALONE
    }
    if not material.comparable:
        return row
    if material.answer_lang == "en":
        row |= manner(sentence.claim)
    row["length"] = math.log1p(len(sentence.analysis.tokens))
    row["terms"] = math.log1p(len(sentence.terms))
    alignment = material.aligned(sentence)
    row |= _shares(sentence, alignment, material)
    row["loose"] = float(bool(row.keys() & found.keys()) or alignment.clause_gap > COPIED)
    row["surplus"] = _surplus(alignment)
    row |= _new_by_kind(alignment)
    row |= _margins(alignment)
    row |= _copied(sentence.claim, material)
    if alignment.closest:
        note = alignment.notes.sentences[alignment.closest[0]]
        row["negation"] = float(is_negated(sentence.claim) != is_negated(note.text))
        if material.answer_lang == "ko":
            ours, theirs = moods(sentence.claim), moods(note.text)
            row |= {f"added_{mood}": 1.0 for mood in ours - theirs}
            row |= {f"lost_{mood}": 1.0 for mood in theirs - ours}
    return row


def _shares(sentence: AnswerSentence, alignment: Alignment, material: Material) -> dict[str, float]:
    """What share of the claim is missing or stands otherwise in the notes, each with what of it
    is below SOME and beyond FAR."""
    count = max(1, len(sentence.terms))
    near, any_near = _spelling(alignment)
    shares = {
        "gap": alignment.clause_gap,
        "wide_gap": _wide_gap(alignment),
        "new": len(sentence.terms - material.note_terms) / count,
        "asked": len(asked_only(sentence, material)) / count,
        "away": stitched(alignment),
        "pairs": _broken_pairs(alignment),
        "spelling": near,
        "any_spelling": any_near,
    }
    row = dict(shares)
    for name in _SHARES:
        row[f"{name}:some"] = min(shares[name], SOME)
        row[f"{name}:far"] = max(0.0, shares[name] - FAR)
    return row


def _copied(claim: str, material: Material) -> dict[str, float]:
    """How much of the wording is the notes' own: the share and number of neighbouring words
    that stand side by side nowhere in them, and the longest run that does."""
    pairs = word_pairs(claim)
    new = [pair not in material.note_pairs for pair in pairs]
    run = best = 0
    for one in new:
        run = 0 if one else run + 1
        best = max(best, run)
    count = max(1, len(pairs))
    return {
        "new_pairs": sum(new) / count,
        "new_pairs:count": math.log1p(sum(new)),
        "uncopied": 1 - best / count,
    }


def _margins(alignment: Alignment) -> dict[str, float]:
    """By how much another value or name of the notes fits better, and how badly ours do."""
    row: dict[str, float] = {}
    for fit in alignment.fits:
        kind = _KINDS.get(fit.token.kind, "")
        if kind in ("value", "name"):
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
            kind = f"new_{_KINDS.get(token.kind, token.kind)}"
            row[kind] = min(MAX_FOUND, row.get(kind, 0.0) + 1)
    if tokens:
        row["first_new"] = float(not alignment.places[0])
        row["last_new"] = float(not alignment.places[-1])
    return row


def _spelling(alignment: Alignment) -> tuple[float, float]:
    """The share of the claim's pairs of letters that its closest sentence, and that all the
    sentences close to it, do not have: other endings of the same words share most of theirs."""
    ours = _letter_pairs(alignment.claim.text, alignment.is_korean)
    if not ours or not alignment.closest:
        return 1.0, 1.0
    sentences = alignment.notes.sentences
    left, missing = ours, []
    for number in alignment.closest:
        note = sentences[number]
        left -= _letter_pairs(note.text, note.is_korean)
        missing.append(len(left) / len(ours))
    return missing[0], missing[-1]


_NO_LETTER = re.compile(r"[\W_]+")


@lru_cache(maxsize=4_096)
def _letter_pairs(text: str, korean: bool) -> frozenset[str]:
    letters = _NO_LETTER.sub("", text.lower())
    size = 2 if korean else 4
    return frozenset([letters[n : n + size] for n in range(len(letters) - size + 1)])


def _wide_gap(alignment: Alignment) -> float:
    """The weight of the claim that neither its closest sentence nor those beside it hold."""
    total = sum(alignment.weights)
    if not total:
        return 0.0
    best = 0.0
    for number in alignment.closest[:2]:
        beside = alignment.held_beside(number)
        held = sum([weight for n, weight in enumerate(alignment.weights) if n in beside])
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
