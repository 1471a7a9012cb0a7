"""A claim that copies a sentence of the notes but for one place where it says something else."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from app.judges.rules.analysis import VERB, Analysis, Token
from app.judges.rules.values import same
from app.judges.rules.vocabulary import FRAMING

# Words: what is exchanged, and what must stand unchanged on each side of it, unless the sentence
# ends there.
LONGEST, BESIDE = 3, 1
# Words of the claim, beyond the place itself, that may differ elsewhere.
ELSEWHERE = 1
# Words: beyond this a comparison takes too long, and a swap inside is not to be seen anyway.
MAX_WORDS = 80
# Letters that inflected forms of one word share.
STEM = 4

_WORD = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?|\d+(?:[.,:]\d+)*|[^\W\d_]+|[%$€£₩]")

Span = tuple[int, int]


class Place(NamedTuple):
    """ours, theirs: what the claim says in place of what. new: whether each sentence lacks some of
    what the other one says there, or the note all of it. acts: whether both are Korean verbs."""

    ours: str
    theirs: str
    new: bool
    acts: bool


@lru_cache(maxsize=4_096)
def _words(text: str) -> tuple[tuple[str, ...], tuple[Span, ...]]:
    found = tuple(match.span() for match in _WORD.finditer(text))
    return tuple(text[start:end].lower() for start, end in found), found


def replaced(claim: Analysis, notes: Sequence[Analysis]) -> Place | None:
    """The one place in which the claim differs from a sentence of the notes."""
    for note in notes:
        for ours, theirs in _spans(claim.text, note.text):
            left, right = _content(claim, ours), _content(note, theirs)
            if left and right and not _say_the_same(left, right):
                lacking = _lacking(note, left)
                new = lacking == len(left) or (lacking > 0 and _lacking(claim, right) > 0)
                acts = claim.is_korean and all(one.kind == VERB for one in (*left, *right))
                return Place(claim.text[slice(*ours)], note.text[slice(*theirs)], new, acts)
    return None


def _content(sentence: Analysis, span: Span) -> list[Token]:
    """The words and values in a span that say something."""
    start, end = span
    return [
        one
        for one in sentence.tokens
        if one.start < end
        and start < (one.value.end if one.value else one.start + 1)
        and one.term not in FRAMING
    ]


def _say_the_same(ours: Sequence[Token], theirs: Sequence[Token]) -> bool:
    """Whether both have one value or one Korean verb, and so are other words around it."""
    verbs = {one.term for one in theirs if one.kind == VERB}
    known = [one.value for one in theirs if one.value is not None]
    return any(
        one.term in verbs if one.value is None else any(same(one.value, other) for other in known)
        for one in ours
    )


def _lacking(sentence: Analysis, tokens: Sequence[Token]) -> int:
    """How many of the words and values a sentence does not have."""
    return sum(
        one.term not in sentence.places
        if one.value is None
        else not any(same(one.value, other) for other in sentence.held_values)
        for one in tokens
    )


def strength(place: Place | None) -> float:
    """How much the exchange says, 0 to 1: 1 for names and figures, and for any Korean words but
    verbs, whose inflected forms are left out; .5 for the others, which may be synonyms."""
    if place is None:
        return 0.0
    if place.acts:
        return 0.5
    return 1.0 if all(map(_names_something, (place.ours, place.theirs))) else 0.5


def _names_something(words: str) -> bool:
    return any(not char.isascii() or char.isdigit() or char.isupper() for char in words)


def _spans(claim: str, note: str) -> Iterator[tuple[Span, Span]]:
    ours, our_places = _words(claim)
    theirs, their_places = _words(note)
    if not 3 <= len(ours) <= MAX_WORDS or len(theirs) > MAX_WORDS:
        return
    if len(ours) - (Counter(ours) & Counter(theirs)).total() > LONGEST + ELSEWHERE:
        return
    blocks = SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
    kept = sum(i2 - i1 for tag, i1, i2, _, _ in blocks if tag == "equal")
    for number, (tag, i1, i2, j1, j2) in enumerate(blocks):
        if tag != "replace" or i2 - i1 > LONGEST or j2 - j1 > LONGEST + 2:
            continue
        if kept + (i2 - i1) + ELSEWHERE < len(ours):
            continue
        left = _length(blocks[number - 1]) if number else BESIDE if i1 == 0 else 0
        right = _length(blocks[number + 1]) if number + 1 < len(blocks) else BESIDE
        if left >= BESIDE and right >= BESIDE and not _same(ours[i1:i2], theirs[j1:j2]):
            yield (
                (our_places[i1][0], our_places[i2 - 1][1]),
                (their_places[j1][0], their_places[j2 - 1][1]),
            )


def _length(block: tuple[str, int, int, int, int]) -> int:
    tag, first, last, _, _ = block
    return last - first if tag == "equal" else 0


def _same(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether both are forms of the same words: late and later, lemongrass and lemon grass."""
    left, right = "".join(ours), "".join(theirs)
    if left.isascii() and left.isalpha() and right.isascii():
        return left[:STEM] == right[:STEM]
    if any(char.isdigit() for char in left + right):
        return left == right
    return _stem(left) == _stem(right)


def _stem(word: str) -> int:
    """The first syllable without its final consonant: 합니다 and 한다 begin alike."""
    return (ord(word[0]) - _FIRST_SYLLABLE) // _FINALS


# Of Hangul in Unicode.
_FIRST_SYLLABLE, _FINALS = 0xAC00, 28
