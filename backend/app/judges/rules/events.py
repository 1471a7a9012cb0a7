"""Order and cause: whether a claim puts events in the order, and on the grounds, of the notes."""

import re
from itertools import pairwise

from app.judges.rules.alignment import Alignment
from app.judges.rules.analysis import NAME, NOUN, WORD, Analysis
from app.judges.rules.clauses import cause_at, contrast_at, in_order, order_marks

# Half of the claim must stand in the sentence with which its order is compared.
SAME_EVENTS = 0.5
_MARKS = frozenset(
    [
        "먼저",
        "우선",
        "처음",
        "다음",
        "그다음",
        "마지막",
        "나중",
        "끝",
        "first",
        "then",
        "last",
        "final",
        "next",
    ]
)


def turned(alignment: Alignment) -> bool:
    """Whether first and second of the claim are second and first in its closest sentence."""
    if not alignment.closest or alignment.gap > SAME_EVENTS:
        return False
    note = alignment.notes.sentences[alignment.closest[0]]
    ours, theirs = _halves(alignment.claim), _halves(note)
    if ours is not None and theirs is not None:
        straight = len(ours[0] & theirs[0]) + len(ours[1] & theirs[1])
        crossed = len(ours[0] & theirs[1]) + len(ours[1] & theirs[0])
        return crossed > straight or (crossed >= 2 and crossed * 2 > straight)
    return _marks_turned(alignment, note) or _contrast_turned(alignment, note)


def _contrast_turned(alignment: Alignment, note: Analysis) -> bool:
    """Whether "not A but B" of the notes has become "not B but A"."""
    ours, theirs = contrast_at(alignment.claim.text), contrast_at(note.text)
    if ours is None or theirs is None:
        return False
    denied, held = _beside(alignment.claim, ours)
    note_denied, note_held = _beside(note, theirs)
    straight = len(denied & note_denied) + len(held & note_held)
    return len(denied & note_held) + len(held & note_denied) > straight


def _beside(sentence: Analysis, at: int) -> tuple[set[str], set[str]]:
    """The words just before and just after a place."""
    before = [token.term for token in sentence.tokens if token.start < at]
    after = [token.term for token in sentence.tokens if token.start >= at]
    words = set(before[-2:]), set(after[:4])
    return words[0] - words[1], words[1] - words[0]


def _halves(sentence: Analysis) -> tuple[frozenset[str], frozenset[str]] | None:
    """The words of what comes first and of what comes second, without those in both."""
    halves = in_order(sentence.text)
    if halves is None:
        return None
    first, second = (_words_of(half, sentence) for half in halves)
    return first - second, second - first


def _words_of(half: str, sentence: Analysis) -> frozenset[str]:
    begin = sentence.text.find(half)
    end = begin + len(half)
    return frozenset(token.term for token in sentence.tokens if begin <= token.start < end)


def _marks_turned(alignment: Alignment, note: Analysis) -> bool:
    """Whether the words between "first" and "last" stand the other way round."""
    ours = order_marks(alignment.claim.text)
    if ours is None or order_marks(note.text) is None:
        return False
    order = [
        note.places[token.term][0]
        for token in alignment.claim.tokens
        if len(note.places.get(token.term, ())) == 1
        and token.kind in (NOUN, NAME, WORD)
        and token.term not in _MARKS
    ]
    return any(before > after for before, after in pairwise(order))


def cause_added(alignment: Alignment) -> bool:
    """Whether the claim gives a cause, and no sentence of the notes has that cause with its
    effect."""
    claim = alignment.claim
    at = cause_at(claim.text)
    if at is None or not alignment.closest:
        return False
    cause, effect = _sides(claim, at)
    if not cause or not effect:
        return False
    # Where the words are new, other rules tell; here the effect must be that of the notes.
    with_effect = [one for one in alignment.closest if _held(alignment, one, effect) >= 0.5]
    return bool(with_effect) and not any(
        _held(alignment, place, cause) >= 0.5
        for one in with_effect
        for place in _with_reason(alignment, one)
    )


def _with_reason(alignment: Alignment, number: int) -> list[int]:
    """A sentence of the notes, with the next where that says nothing but why."""
    sentences = alignment.notes.sentences
    said_after = number + 1 < len(sentences) and _THAT_IS_WHY.search(sentences[number + 1].text)
    return [number, number + 1] if said_after else [number]


_THAT_IS_WHY = re.compile(r"때문(?:이다|입니다|이었다|이었습니다|이에요)\W*$")


def _sides(claim: Analysis, at: int) -> tuple[list[int], list[int]]:
    """The places of the tokens of the cause and of the effect."""
    english = claim.text[at : at + 1].isascii()
    before = [n for n, token in enumerate(claim.tokens) if token.start < at]
    after = [n for n, token in enumerate(claim.tokens) if token.start >= at]
    if english:
        return (after, before) if before else (after[: len(after) // 2], after[len(after) // 2 :])
    # What the sentence is about belongs to its effect.
    topic = max((n for n in before if claim.tokens[n].role == "topic"), default=-1)
    return [n for n in before if n > topic], [*(n for n in before if n <= topic), *after]


def _held(alignment: Alignment, number: int, side: list[int]) -> float:
    return sum(alignment.holds(number, n) for n in side) / len(side)
