"""Words of a claim that have changed places with others of the notes."""

import re
from itertools import combinations

from app.judges.rules.alignment import Alignment
from app.judges.rules.analysis import NAME
from app.judges.rules.material import AnswerSentence, Material, word_pairs

_LATIN_WORD = re.compile(r"\w+")
# Longer English sentences join what they have read as a matter of course.
SHORT = 10


def implanted_words(sentence: AnswerSentence, material: Material) -> list[str]:
    """English words of the notes in the midst of others that are copied on both sides, beside
    neither of which the notes have them: names, in short claims also other words."""
    if material.answer_lang != "en":
        return []
    words = [match[0] for match in _LATIN_WORD.finditer(sentence.claim)]
    copied = [pair in material.note_pairs for pair in word_pairs(sentence.claim)]
    short = len(sentence.analysis.tokens) <= SHORT
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


def exchanged_names(alignment: Alignment) -> list[str]:
    """Two Korean names of one role that stand in each other's place in the closest sentence,
    while all other words stand in its order."""
    if not alignment.closest or not alignment.is_korean:
        return []
    number = alignment.closest[0]
    order: list[tuple[int, int]] = []
    for position, places in enumerate(alignment.places):
        there = [place for one, place in places if one == number]
        if len(there) == 1:
            order.append((position, there[0]))
    tokens, ranks = alignment.claim.tokens, [place for _, place in order]
    names = [n for n, (position, _) in enumerate(order) if tokens[position].kind == NAME]
    if ranks == sorted(ranks) or len(ranks) < 4:
        return []
    for left, right in combinations(names, 2):
        one, other = tokens[order[left][0]], tokens[order[right][0]]
        changed = list(ranks)
        changed[left], changed[right] = changed[right], changed[left]
        if one.role == other.role and changed == sorted(ranks):
            return [f"{one.term} ↔ {other.term}"]
    return []
