"""A claim that copies a sentence of the notes but for one place where it says something else, or
joins what two parts of a sentence say of two things."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from app.judges.rules.align import Alignment
from app.judges.rules.analysis import ADVERB, VALUE, VERB, Analysis, Token
from app.judges.rules.values import same
from app.judges.rules.vocabulary import FRAMING, is_negated

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
    if len(set(ours).difference(theirs)) > LONGEST + ELSEWHERE:
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


# Tokens of a claim and of a sentence: longer ones say more than one thing of each.
SHORT, MAX_TOKENS = 10, 24
# A share, 0 to 1, of a claim that its closest sentence may lack for their words to be compared.
COPIED = 0.3
_BREAK = re.compile(r"[,;\n]| / |\s(?:and|or|but|while|whereas)\s", re.IGNORECASE)


def crossed(alignment: Alignment) -> list[str]:
    """A word of a claim and the one that the closest sentence has in its place, where the claim
    has another word from the part of that one: "A leads Y" of "A leads X and B leads Y". None where
    a sentence bears both in one part."""
    if not alignment.closest or alignment.gap > COPIED or is_negated(alignment.claim.text):
        return []
    pairs = {n: _pairs(alignment, n) for n in alignment.closest}
    for pair, words in pairs[alignment.closest[0]].items():
        holding = (n for n in alignment.closest if all(alignment.holds(n, one) for one in pair))
        if all(pair in pairs[n] for n in holding):
            return [words]
    return []


def _pairs(alignment: Alignment, number: int) -> Mapping[tuple[int, int], str]:
    """The positions of two words of one part of the claim that stand in two parts of a sentence,
    each of which has a word in the role of the other that the claim leaves out."""
    claim, note = alignment.claim, alignment.notes.sentences[number]
    if len(claim.tokens) > SHORT or len(note.tokens) > MAX_TOKENS:
        return {}
    ours, theirs = _parts(claim), _parts(note)
    own = _of_one_part(note, theirs)
    taken = {place for places in alignment.places for one, place in places if one == number}
    held: list[tuple[int, int]] = []
    for position, places in enumerate(alignment.places):
        same_word = [place for one, place in places if one == number]
        if len(same_word) == 1 and same_word[0] in own:
            held.append((position, same_word[0]))
    said = claim.text.lower()
    left = [n for n in own if n not in taken and note.tokens[n].term not in said]
    left = [n for n in left if not any(_is_one_name(note, n, one) for one in taken & own.keys())]
    rivals = {
        place: {theirs[n]: n for n in reversed(left) if _alike(note, place, n, own)}
        for _, place in held
    }
    acts = {theirs[place] for _, place in held if note.tokens[place].kind == VERB}
    found: dict[tuple[int, int], str] = {}
    for (first, one), (second, two) in combinations(held, 2):
        here, there = theirs[one], theirs[two]
        if ours[first] != ours[second] or here == there or {here, there} <= acts:
            continue
        if there in rivals[one] and _acts_otherwise(note, one, two, left, here, theirs):
            instead = note.tokens[rivals[one][there]].term
            found[first, second] = f"{claim.tokens[first].term} ↔ {instead}"
        if there not in rivals[one] or here not in rivals[two]:
            continue
        exchanged = (one, rivals[one][there]), (two, rivals[two][here])
        if any((own[n] and own[m]) or _are_names(note, n, m) for n, m in exchanged):
            instead = note.tokens[rivals[one][there]].term
            found[first, second] = f"{claim.tokens[first].term} ↔ {instead}"
    return found


def _acts_otherwise(
    note: Analysis, one: int, two: int, left: Sequence[int], here: int, theirs: Sequence[int]
) -> bool:
    """Whether a Korean note says of the subject at one place another verb than that of the other
    part: "드럼은 빌리고, 앰프는 가져간다"."""
    subject, verb = note.tokens[one], note.tokens[two]
    return (
        note.is_korean
        and subject.role == "topic"
        and verb.kind == VERB
        and any(theirs[n] == here and note.tokens[n].kind == VERB for n in left)
    )


def _parts(sentence: Analysis) -> Sequence[int]:
    """By token the number of its part, also where "and the" begins one."""
    found, part, end = [], 0, 0
    for place, token in enumerate(sentence.tokens):
        turned = sentence.parts[place] != sentence.parts[max(0, place - 1)]
        part += turned or (place > 0 and _BREAK.search(sentence.text, end, token.start) is not None)
        found.append(part)
        end = token.value.end if token.value is not None else token.start
    return found


def _of_one_part(note: Analysis, parts: Sequence[int]) -> Mapping[int, bool]:
    """The places of what only one part of a sentence has, and whether its part begins with it."""
    where: dict[str, set[int]] = {}
    for token, part in zip(note.tokens, parts, strict=True):
        where.setdefault(token.term, set()).add(part)
    begun: set[int] = set()
    found: dict[int, bool] = {}
    for place, (token, part) in enumerate(zip(note.tokens, parts, strict=True)):
        before = note.text[: token.start]
        # What a bracket adds is said of the word before it.
        added = before.rfind("(") > before.rfind(")")
        telling = token.term not in FRAMING and token.kind != ADVERB and not added
        if len(where[token.term]) == 1 and telling:
            # "보고서 초안은": both begin the part.
            last = note.tokens[place - 1] if found.get(place - 1) else None
            heads = last is not None and note.is_korean and last.role == token.role != ""
            found[place] = part not in begun or heads
            begun.add(part)
    return found


def _alike(note: Analysis, place: int, other: int, begins: Mapping[int, bool]) -> bool:
    """Whether two words have one kind of value, or one role and, where nothing shows that, both
    begin their part or both are names."""
    one, two = note.tokens[place], note.tokens[other]
    if one.value is not None and two.value is not None:
        return one.value.kind == two.value.kind
    if not {one.kind, two.kind}.isdisjoint((VALUE, VERB)):
        return False
    roles = {"who" if token.role == "topic" else token.role for token in (one, two)}
    if len(roles) > 1:
        # "A는 커피, B는 한지로": what is said once holds for both.
        return note.is_korean and "" in roles and not (begins[place] or begins[other])
    level = begins[place] == begins[other] and _has_article(note, one) == _has_article(note, two)
    return bool(one.role) or level or _are_names(note, place, other)


_ARTICLE = re.compile(r"\b(?:the|an?|my|our|your|their|his|her|its) $", re.IGNORECASE)


def _has_article(note: Analysis, token: Token) -> bool:
    return _ARTICLE.search(note.text, max(0, token.start - 6), token.start) is not None


def _are_names(note: Analysis, *places: int) -> bool:
    return all(note.text[note.tokens[place].start].isupper() for place in places)


def _is_one_name(note: Analysis, first: int, second: int) -> bool:
    """Whether two neighbouring places are words of one name."""
    start, end = sorted(note.tokens[n].start for n in (first, second))
    return abs(first - second) == 1 and _NAME.match(note.text, start, end + 1) is not None


_NAME = re.compile(r"[A-Z]\w*[. ]{1,2}[A-Z]$")
