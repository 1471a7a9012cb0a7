"""A sentence as the rules read it: its content in order, with places, roles and values."""

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from app.judges.rules.numbers import plain_numerals
from app.judges.rules.synonyms import same_word, words_of
from app.judges.rules.values import Value, keys, same, values, written
from app.judges.rules.vocabulary import stands_in
from app.text.language import Bilingual, detect_language
from app.text.morphemes import Analysed, analysed_of_many

if TYPE_CHECKING:
    from kiwipiepy import Token as Morpheme

# Kinds of tokens: a value, a name, another noun, a verb or adjective, an adverb, and an English
# word, which may be any of them.
VALUE, NAME, NOUN, VERB, ADVERB, WORD = "value", "name", "noun", "verb", "adverb", "word"


class Token(NamedTuple):
    """A content word or value. role: the group of its Korean particle or of the English
    preposition before it, "" without one. turn: whether a coordinate clause begins with it."""

    term: str
    kind: str
    role: str
    start: int
    turn: bool = False
    value: Value | None = None


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a sentence says.

    terms: the content morphemes as `app.text.morphemes` gives them, synonyms as one; tokens: the
    same in order, with each value as one token; text: in NFKC with plain numerals; words: those
    that are no values; figures: the numbers of values, in digits; places: of each word; values:
    the places of values; parts: for each token the number of its part between commas and clauses;
    is_korean: rather than English.
    """

    text: str
    terms: frozenset[str]
    tokens: tuple[Token, ...]
    words: frozenset[str]
    figures: frozenset[str]
    places: dict[str, tuple[int, ...]]
    values: tuple[int, ...]
    parts: tuple[int, ...]
    is_korean: bool

    @property
    def held_values(self) -> list[Value]:
        """The values, in their order."""
        return [value for n in self.values if (value := self.tokens[n].value) is not None]


_ROLES = {
    particle: role
    for role, particles in (
        ("who", "이 가 께서 께서는"),
        ("topic", "은 는 도"),
        ("what", "을 를"),
        ("whom", "에게 한테 께 에게서"),
        ("where", "에 에서"),
        ("from", "부터 에서부터"),
        ("to", "까지"),
        ("by", "로 으로 로써 으로써"),
        ("of", "의"),
        ("with", "와 과 랑 이랑 하고"),
        ("than", "보다"),
    )
    for particle in particles.split()
}
_PREPOSITIONS = {"by", "to", "from", "in", "at", "of", "than", "for", "with", "on", "into", "as"}
_PREPOSITION = re.compile(
    rf"\b({'|'.join(sorted(_PREPOSITIONS))}) (the |a |an |its |their |his |her )?"
)
_ENGLISH_TURNS = ("; ", " and ", " but ", " while ", " whereas ")
_KOREAN_TURN = frozenset({"고", "며", "으며", "지만", "으나", "나", "는데", "은데"})
_NAME_TAGS = frozenset({"NNP"})
_VERB_TAGS = frozenset({"VV", "VA"})
_EMPTY_ADVERBS = frozenset({"안", "못", "잘", "또", "또한", "및"})
# Words that order or bind clauses and stand in no list of content morphemes.
_ENGLISH_ADVERB = Bilingual(r"\b(?:first|then|last|finally|next|before|after|later|only)\b")


def analysis_of_many(texts: Sequence[str]) -> list[Analysis]:
    return [_analysis(one) for one in analysed_of_many([plain_numerals(text) for text in texts])]


def _analysis(one: Analysed) -> Analysis:
    text = one.text
    found = values(text)
    tokens = sorted(
        [*_value_tokens(text, found, one), *_word_tokens(text, found, one)],
        key=lambda token: token.start,
    )
    if turns := _turns(one.tokens):
        tokens = list(_with_turns(tokens, turns))
    places = _places(tokens)
    return Analysis(
        text=text,
        terms=frozenset(same_word(term) for _, term in one.morphemes) | (places.keys() & {"a"}),
        tokens=tuple(tokens),
        words=frozenset(places),
        figures=frozenset(written(n) for value in found for n in (value.number, value.amount)),
        places=places,
        values=_values(tokens),
        parts=tuple(_parts(text, tokens)),
        is_korean=detect_language(text) == "ko",
    )


def with_tokens(sentence: Analysis, tokens: Sequence[Token], parts: Sequence[int]) -> Analysis:
    """The sentence with other tokens, each in its part."""
    places = _places(tokens)
    return replace(
        sentence,
        tokens=tuple(tokens),
        words=frozenset(places),
        places=places,
        values=_values(tokens),
        parts=tuple(parts),
    )


def _places(tokens: Sequence[Token]) -> dict[str, tuple[int, ...]]:
    found: dict[str, list[int]] = {}
    for position, token in enumerate(tokens):
        if token.kind != VALUE:
            found.setdefault(token.term, []).append(position)
    return {term: tuple(where) for term, where in found.items()}


def _values(tokens: Sequence[Token]) -> tuple[int, ...]:
    return tuple(n for n, token in enumerate(tokens) if token.kind == VALUE)


_ENDS_PART = re.compile(r"[,;]| / ")


def _parts(text: str, tokens: Sequence[Token]) -> Iterator[int]:
    part, last, listed = 0, 0, False
    for token in tokens:
        between = text[last : token.start]
        if token.turn or listed or _ENDS_PART.search(between):
            part += 1
        listed = token.role == "with"
        last = token.start + (len(token.term) if token.kind == VALUE else 0)
        yield part


def _value_tokens(text: str, found: Sequence[Value], one: Analysed) -> list[Token]:
    roles = _roles_after(one.tokens)
    lowered = text.lower()
    prepositions = _prepositions(lowered) if found else {}
    tokens = []
    ends = {
        left.end: right.start for left, right in pairwise(found) if _is_range(text, left, right)
    }
    for value in found:
        ranged = "from" if value.end in ends else "to" if value.start in ends.values() else ""
        role = roles.get(value.end) or prepositions.get(value.start, "") or ranged
        turn = _begins_clause(lowered, value.start)
        tokens.append(Token(text[value.start : value.end], VALUE, role, value.start, turn, value))
    return tokens


def _is_range(text: str, left: Value, right: Value) -> bool:
    """Whether two times, dates or figures are the ends of one span: "09:00~18:00"."""
    return left.kind == right.kind and text[left.end : right.start].strip() in ("~", "–", "-")


def _word_tokens(text: str, found: Sequence[Value], one: Analysed) -> list[Token]:
    covered = {place for value in found for place in range(value.start, value.end)}
    by_start: dict[int, Morpheme] = {}
    acting: set[int] = set()
    for morpheme in one.tokens:
        by_start.setdefault(morpheme.start, morpheme)
        if morpheme.tag in ("XSV", "XSA"):
            acting.add(morpheme.start)
    roles = _roles_after(one.tokens)
    lowered = text.lower()
    prepositions = _prepositions(lowered)
    tokens = []
    for start, term in one.morphemes:
        if start in covered or term[:1].isdigit():
            continue
        morpheme = by_start.get(start)
        korean = morpheme is not None and "가" <= term[-1] <= "힣"
        term = same_word(term)
        if korean and morpheme is not None:
            kind = VERB if morpheme.end in acting else _korean_kind(morpheme)
            role = roles.get(morpheme.end, "")
        else:
            length = _word_length(text, start)
            kind = _latin_kind(text, start, length)
            role = roles.get(start + length) or prepositions.get(start, "")
        tokens.append(Token(term, kind, role, start, _begins_clause(lowered, start)))
    letters = [Token("a", NAME, roles.get(at + 1, ""), at) for at in _letters(text)]
    if letters:
        tokens = sorted([*tokens, *letters], key=lambda token: token.start)
    tokens = _with_heads(text, tokens) if one.tokens else tokens
    return [*tokens, *_adverbs(text, covered, one.tokens)]


# A thing that is called A, not the article.
_LETTER = re.compile(
    r"(?<![\w'’.-])A(?=[가-힣]|[ ]?(?:$|[,:;=)?!&+/]|\d)| (?:and|or|vs\.?) [B-Z]\b"
    r"| (?:is|was|has|had|gets?|costs?|takes?|needs?|runs?|opens?|starts?|ends?|uses?|holds?)\b)"
    r"|(?<=[a-z] )A(?= [a-z])"
)


def _letters(text: str) -> Iterator[int]:
    return (match.start() for match in _LETTER.finditer(text))


def _with_heads(text: str, tokens: Sequence[Token]) -> list[Token]:
    """A Korean noun without a particle has the role of the noun that follows it at once."""
    found: list[Token] = []
    for token in reversed(tokens):
        if not token.role and token.kind in (NAME, NOUN) and found and found[-1].role:
            between = text[token.start + len(token.term) : found[-1].start]
            korean = "가" <= token.term[-1] <= "힣"
            if korean and found[-1].kind in (NAME, NOUN) and between in ("", " "):
                token = token._replace(role=found[-1].role)
        found.append(token)
    return found[::-1]


def _adverbs(text: str, covered: set[int], morphemes: "Sequence[Morpheme]") -> list[Token]:
    korean = [
        Token(same_word(m.form), ADVERB, "", m.start)
        for m in morphemes
        if m.tag == "MAG" and m.form not in _EMPTY_ADVERBS and m.start not in covered
    ]
    english = [
        Token(m[0].lower(), ADVERB, "", m.start())
        for m in _ENGLISH_ADVERB.finditer(text)
        if m.start() not in covered
    ]
    return [*korean, *english]


def _korean_kind(morpheme: "Morpheme") -> str:
    tag = morpheme.tag.split("-")[0]
    if tag in _VERB_TAGS:
        return VERB
    return NAME if tag in _NAME_TAGS else NOUN


def _latin_kind(text: str, start: int, length: int) -> str:
    if not text[start].isupper():
        return WORD if length == 1 or text[start : start + length].islower() else NAME
    before = text[max(0, start - 4) : start].rstrip(" \"'(“‘")
    begins = not before or before[-1] in ".!?:\n-*"
    if begins and not text[start + 1 : start + length].isupper():
        after = text[start + length : start + length + 2]
        follows_name = len(after) == 2 and after[0] == " " and after[1].isupper()
        return NAME if follows_name else WORD
    return NAME


# Longer words are read no further.
_LATIN_WORD = re.compile(r"[A-Za-z0-9]{1,40}")


def _word_length(text: str, start: int) -> int:
    match = _LATIN_WORD.match(text, start)
    return match.end() - start if match else 1


def _roles_after(morphemes: "Sequence[Morpheme]") -> dict[int, str]:
    """The role that a particle gives to what ends where it begins."""
    roles: dict[int, str] = {}
    end = 0
    for before, m in zip([None, *morphemes], morphemes, strict=False):
        # A closing quotation mark or bracket stands between.
        closing = before is not None and before.tag in ("SS", "SSC") and before.end == m.start
        if m.tag[0] == "J" and m.tag != "JKV":
            roles[m.start] = _ROLES.get(m.form, "")
            if closing:
                roles[end] = roles[m.start]
        end = m.start
    return roles


def _turns(morphemes: "Sequence[Morpheme]") -> frozenset[int]:
    """Where coordinating endings end."""
    return frozenset(m.end for m in morphemes if m.tag == "EC" and m.form in _KOREAN_TURN)


def _begins_clause(text: str, start: int) -> bool:
    return text.endswith(_ENGLISH_TURNS, 0, start)


def _with_turns(tokens: Sequence[Token], turns: frozenset[int]) -> Iterator[Token]:
    """The tokens, those first after a coordinating Korean ending as the beginning of a clause."""
    ends = sorted(turns)
    place = 0
    for token in tokens:
        passed = place
        while place < len(ends) and ends[place] <= token.start:
            place += 1
        yield token._replace(turn=True) if place > passed else token


def _prepositions(text: str) -> dict[int, str]:
    """The prepositions of a text in lower case by where what follows them begins."""
    found: dict[int, str] = {}
    for match in _PREPOSITION.finditer(text):
        found[match.end(1) + 1] = found[match.end()] = match[1]
    return found


_KOREAN_WORD = re.compile(r"[가-힣]{2,20}")
# What may follow a noun in its word.
_NOUN_END = re.compile(
    rf"(?:{'|'.join(_ROLES)}|만|이?[다라며고나]|입|예요|이에요|이었|였|인|님|씨|께)|$"
)


def nouns_of(sentence: Analysis) -> Iterator[str]:
    """The Korean nouns and names of two syllables and more."""
    for token in sentence.tokens:
        if token.kind in (NOUN, NAME) and len(token.term) > 1 and "가" <= token.term[0] <= "힣":
            yield token.term


def with_nouns(sentence: Analysis, nouns: Collection[str], words: Collection[str]) -> Analysis:
    """The sentence with those nouns of other texts that begin one of its words and that the
    analyser took apart there, as "강", "태" and "오" for "강태오", into pieces not all of which
    are words of these texts."""
    if not sentence.is_korean:
        return sentence
    tokens, parts, replaced = list(sentence.tokens), list(sentence.parts), frozenset[str]()
    for match in _KOREAN_WORD.finditer(sentence.text):
        start, word = match.start(), match[0]
        size = next((n for n in range(len(word), 1, -1) if word[:n] in nouns), 0)
        if not size or word[:size] in sentence.places or not _NOUN_END.match(word, size):
            continue
        end = start + size
        inside = [n for n, token in enumerate(tokens) if start <= token.start < end]
        old = [tokens[n] for n in inside]
        pieces = {one.term for one in old}
        if (
            old
            and not pieces.issubset(words)
            and all(one.kind in (NOUN, NAME) and one.start + len(one.term) <= end for one in old)
        ):
            whole = size == len(word) and old[-1].start + len(old[-1].term) == end
            role = old[-1].role if whole else _ROLES.get(word[size:], "")
            merged = Token(word[:size], old[0].kind, role, start, old[0].turn)
            tokens[inside[0] : inside[-1] + 1] = [merged]
            del parts[inside[0] + 1 : inside[-1] + 1]
            replaced |= pieces
    if not replaced:
        return sentence
    found = with_tokens(sentence, tokens, parts)
    return replace(found, terms=(sentence.terms - (replaced - found.words)) | found.words)


def is_written(term: str, claim: Analysis, text: str) -> bool:
    """Whether a text has a word of a claim, or the Korean word that it was taken from up to its
    end."""
    return stands_written(term, text) or is_part_written(term, claim, text)


def stands_written(term: str, text: str) -> bool:
    """Whether a text has a word or a synonym of it."""
    return any(len(word) >= 2 and stands_in(word, text) for word in words_of(term))


def is_part_written(term: str, claim: Analysis, text: str) -> bool:
    """Whether a text has the Korean word of a claim that a term was taken from, up to its end."""
    for place in claim.places.get(term, ()):
        start = claim.tokens[place].start
        word = claim.text[claim.text.rfind(" ", 0, start) + 1 : start + len(term)]
        if len(word) > len(term) >= 1 and word.endswith(term) and stands_in(word, text):
            return True
    return False


# Of a word or value, so many places in a sentence are looked at, and so many sentences: one that
# is repeated without end must not be compared with each of its repetitions.
MAX_PLACES, MAX_SENTENCES = 16, 128
# Seconds.
DAY = 86_400


class Notes:
    """The sentences of the notes, found by their words and values. note_of: of which note each
    is."""

    def __init__(
        self,
        sentences: Sequence[Analysis],
        note_of: Sequence[int],
        titles: Sequence[Analysis] = (),
    ) -> None:
        self.sentences = sentences
        self.note_of = note_of
        self._titles = titles
        self._weights: dict[str, float] = {}
        self._places: dict[str, Sequence[tuple[int, int]]] = {}

    @cached_property
    def postings(self) -> Mapping[str, Sequence[int]]:
        found: dict[str, list[int]] = {}
        for position, sentence in enumerate(self.sentences):
            for term in sentence.places:
                found.setdefault(term, []).append(position)
        return found

    @cached_property
    def _values(self) -> Mapping[object, Sequence[tuple[int, int]]]:
        """By key the (sentence, place) of each value."""
        found: dict[object, list[tuple[int, int]]] = {}
        for number, sentence in enumerate(self.sentences):
            for place in sentence.values:
                value = sentence.tokens[place].value
                if value is not None:
                    for key in keys(value):
                        places = found.setdefault(key, [])
                        full = len(places) >= MAX_PLACES and places[-MAX_PLACES][0] == number
                        if not full:
                            places.append((number, place))
        return found

    def places_of(self, claim: Analysis) -> list[Sequence[tuple[int, int]]]:
        """`places` of each token of a claim; of words that very many sentences have, in those that
        have its rarer ones."""
        common = {
            t.term for t in claim.tokens if len(self.postings.get(t.term, ())) > MAX_SENTENCES
        }
        if not common:
            return [self.places(token) for token in claim.tokens]
        rare = [self.places(token) if token.term not in common else () for token in claim.tokens]
        among = {number for places in rare for number, _ in places}
        return [
            self.places(token, among) if token.term in common else places
            for token, places in zip(claim.tokens, rare, strict=True)
        ]

    def places(
        self, token: Token, among: Collection[int] = frozenset()
    ) -> Sequence[tuple[int, int]]:
        """Where the notes have a word or value, as (sentence, place). among: sentences to look at
        first."""
        if token.value is not None:
            found = {one for key in keys(token.value) for one in self._values.get(key, ())}
            alike = sorted(one for one in found if self._alike(token, *one))
            return alike or self._days_of(token.value)
        if among:
            numbers = self.postings.get(token.term, ())
            first = [number for number in numbers if number in among]
            return self._places_in(token.term, first or numbers)
        known = self._places.get(token.term)
        if known is None:
            known = self._places_in(token.term, self.postings.get(token.term, ()))
            self._places[token.term] = known
        return known

    def _places_in(self, term: str, numbers: Sequence[int]) -> Sequence[tuple[int, int]]:
        return [
            (number, place)
            for number in numbers[:MAX_SENTENCES]
            for place in self.sentences[number].places[term][:MAX_PLACES]
        ]

    def _days_of(self, value: Value) -> list[tuple[int, int]]:
        """Where a note that names the month of a date has its day alone: "6월 3일에 1반, 4일에
        2반"."""
        _, month, day = value.date
        if not month or not day:
            return []
        months = {self.note_of[number] for number, _ in self._values.get(("month", month), ())}
        return [
            (number, place)
            for number, place in self._values.get(("s", float(f"{day * DAY:.3g}")), ())
            if self.note_of[number] in months and self._is_day(number, place)
        ]

    def _is_day(self, number: int, place: int) -> bool:
        value = self.sentences[number].tokens[place].value
        return value is not None and value.amount == value.number * DAY

    def _alike(self, token: Token, number: int, place: int) -> bool:
        other = self.sentences[number].tokens[place].value
        return token.value is not None and other is not None and same(token.value, other)

    def first_of(self, number: int) -> int:
        """The first sentence of the note that a sentence is in."""
        return self._firsts[self.note_of[number]]

    def is_titled(self, number: int, term: str) -> bool:
        """Whether the title of the note that a sentence is in has a word."""
        note = self.note_of[number]
        return note <= len(self._titles) and term in self._titles[note - 1].places

    @cached_property
    def rows(self) -> Mapping[int, int]:
        """The sentences that are rows of tables, whose cells all speak of one thing, each with
        that at the head of its table."""
        found: dict[int, int] = {}
        cells = [" | " in one.text for one in self.sentences]
        for number in range(1, len(cells)):
            below = self.note_of[number - 1] == self.note_of[number]
            if below and cells[number - 1] and cells[number]:
                found[number] = found.get(number - 1, number - 1)
        return found

    @cached_property
    def _firsts(self) -> Mapping[int, int]:
        return {note: number for number, note in reversed(list(enumerate(self.note_of)))}

    def weight(self, term: str) -> float:
        """How telling a term is among these sentences."""
        weight = self._weights.get(term)
        if weight is None:
            share = (len(self.sentences) + 1) / (1 + len(self.postings.get(term, ())))
            weight = self._weights[term] = math.log(1 + share)
        return weight
