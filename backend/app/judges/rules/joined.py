"""A short answer joined with its question, since only both together make a claim.

"Yes" claims what the question asks, and "£84" that the deposit is £84.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from app.judges.rules.align import Alignment, Fit
from app.judges.rules.analysis import Analysis, Notes, Token, with_tokens
from app.judges.rules.values import values
from app.judges.rules.vocabulary import ASKING, FRAMING

# Tokens: a longer answer makes a claim of its own.
SHORT_CLAIM = 8
# Words after yes or no beside those of the question: with more it stands alone.
OWN_WORDS = 2
_ECHOES = FRAMING | {
    "그렇다",
    "그러하다",
    "맞다",
    "아니다",
    "되다",
    "하다",
    "correct",
    "right",
    "않다",
    "그렇",
}
# Words of a bare answer, and the share of them that a sentence of the notes must hold to bear it.
BARE, MIN_TERM_SHARE = 5, 0.6
# The least share of the question's words, 0 to 1, that says so.
LEAST_AWAY = 0.12
# How much the question's words in the next sentence count.
BESIDE = 0.6
# A share of the best possible fit, 0 to 1; see align.Fit. Found on the tuning half of
# question-and-answer pairs of KorQuAD (benchmarks/pairs.py).
ASKED_MARGIN, ASKED_RIVAL = 0.08, 0.3

_YES = re.compile(
    r"^[\W_]*(?:네|예|응|그럼요|맞습니다|맞아요|그렇습니다|그래요|물론(?:입니다|이죠)?|됩니다|돼요|가능(?:합니다|해요)|괜찮(?:습니다|아요)"
    r"|yes|yeah|yep|correct|certainly)"
    r"(?=[\s.,!~;:–-]|$)",
    re.IGNORECASE,
)
_NO = re.compile(
    r"^[\W_]*(?:(?:아직(?:은|도)? )?아니(?:[요오]|에요|예요)?|아뇨|아닙니다"
    r"|(?:그렇|괜찮)지 않(?:습니다|아요)|안 ?(?:됩니다|돼요|된다)"
    r"|불가(?:능)?(?:합니다|해요)|no|nope)(?=[\s.,!~;:–-]|$)",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"무엇|무슨|뭐|뭘|뭔|어떤|어떻|어느|어디|언제|누구|누가|왜|몇|얼마|며칠|어째서"
    r"|^\W*(?:what|which|who|whose|whom|when|where|why|how)\b",
    re.IGNORECASE,
)


def polarity(answer: str) -> int:
    """1 where a sentence begins with yes, -1 where it begins with no, else 0."""
    if _YES.match(answer):
        return 1
    return -1 if _NO.match(answer) else 0


def is_polar(question: str) -> bool:
    """Whether yes or no answers the question."""
    return bool(question.strip()) and _OPEN.search(question) is None


def without_polarity(answer: str) -> str:
    """A sentence without the yes or no that it begins with."""
    match = _YES.match(answer) or _NO.match(answer)
    return answer[match.end() :].lstrip(" ,.!:;–-") if match else answer


def needs_its_question(question: Analysis, claim: Analysis) -> bool:
    """Whether what follows yes or no says too little to stand alone."""
    return _own_words(question, claim) <= OWN_WORDS


def says_more(claim: Analysis) -> bool:
    """Whether what follows yes or no has a word that is no echo of it."""
    return any(token.term not in _ECHOES for token in claim.tokens)


def _own_words(question: Analysis, claim: Analysis) -> int:
    own = [token for token in claim.tokens if token.term not in question.places]
    return len([token for token in own if token.term not in _ECHOES])


def joined(question: Analysis, claim: Analysis) -> Analysis:
    """The question's words before those of the claim that it lacks, as one sentence."""
    shift = len(question.text) + 1
    asked = [
        token
        for token in question.tokens
        if token.term not in ASKING and token.term not in FRAMING and token.term not in claim.places
    ]
    moved = [token._replace(start=token.start + shift, turn=False) for token in claim.tokens]
    whole = _as_one(f"{question.text} {claim.text}", claim, [*asked, *moved])
    return replace(
        whole, terms=question.terms | claim.terms, figures=question.figures | claim.figures
    )


def _as_one(text: str, claim: Analysis, tokens: Sequence[Token]) -> Analysis:
    """The claim with other tokens and text."""
    return replace(with_tokens(claim, tokens, (0,) * len(tokens)), text=text)


def misfits(
    question: Analysis, claim: Analysis, notes: Notes, names: frozenset[str]
) -> Sequence[Fit]:
    """The values of a short claim in whose place the notes give another, judged by the words of
    the question."""
    if len(claim.tokens) > SHORT_CLAIM or not question.tokens:
        return []
    known = [
        token
        for token in question.tokens
        if token.term not in ASKING and token.term not in FRAMING and notes.places(token)
    ]
    found = []
    for token in claim.tokens:
        if token.value is None or any(one.term == token.term for one in question.tokens):
            continue
        whole = _as_one(f"{question.text} {claim.text}", claim, [*known, token])
        found += [
            fit
            for fit in Alignment(whole, notes, names, claim.terms).fits
            if fit.position == len(known)
            and not fit.exchanged
            and fit.rival >= ASKED_RIVAL
            and fit.rival - fit.own > ASKED_MARGIN
            and any(map(str.isdigit, token.term)) == any(map(str.isdigit, fit.other))
            # "Lane 3" has no rival in "700 bp".
            and not (fit.known and len({_has_unit(token.term), _has_unit(fit.other)}) > 1)
        ]
    return found


def _has_unit(written: str) -> bool:
    return any(value.kind for value in values(written))


def distance_from_asked(question: Analysis, claim: Analysis, notes: Notes) -> float:
    """By how much, 0 to 1, another sentence of the notes holds more of the question than those
    that hold a bare answer; 0 where the answer says more or stands nowhere."""
    own = [
        token
        for token in claim.tokens
        if token.term not in question.places and token.term not in FRAMING
    ]
    asked = [t for t in question.tokens if t.term not in ASKING and t.term not in FRAMING]
    if not own or not asked or len(claim.tokens) > BARE:
        return 0.0
    held: dict[int, float] = {}
    weights = [notes.weight(token.term) for token in asked]
    for token, weight in zip(asked, weights, strict=True):
        for number in {number for number, _ in notes.places(token)}:
            held[number] = held.get(number, 0.0) + weight
    bearing = Counter(number for token in own for number in {n for n, _ in notes.places(token)})
    ours = [number for number, count in bearing.items() if count >= MIN_TERM_SHARE * len(own)]
    if not ours or not held:
        return 0.0
    here = max(_with_neighbours(number, held, notes) for number in ours)
    best = max(_with_neighbours(number, held, notes) for number in held)
    away = (best - here) / sum(weights)
    return away if away >= LEAST_AWAY else 0.0


def _with_neighbours(number: int, held: dict[int, float], notes: Notes) -> float:
    """What a sentence holds of the question, with part of what the sentences beside it hold. What
    its note says first, it says of all of it."""
    beside = [
        held.get(one, 0.0)
        for one in (number - 1, number + 1)
        if 0 <= one < len(notes.note_of) and notes.note_of[one] == notes.note_of[number]
    ]
    ours = held.get(number, 0.0)
    return ours + max(BESIDE * max(beside, default=0.0), held.get(notes.first_of(number), 0.0))
