"""Where in the notes a claim stands, and whether each of its values stands there in its place.

A value of the claim is compared with what the notes say at the same place: `own` is how well
the words around it agree with those around it in the notes, `rival` how well they agree with
those around another value of its kind. A rival that fits better says that the notes give the
other value.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from app.judges.rules.analysis import ADVERB, NAME, NOUN, VALUE, VERB, Analysis, Notes, Token
from app.judges.rules.members import favoured
from app.judges.rules.values import Value, is_denied
from app.judges.rules.vocabulary import FRAMING, opposites

# Words further apart than this say nothing of each other.
REACH = 6
# Sentences that are looked at for a claim, and places of one value.
SENTENCES, PLACES = 4, 6
# Values of a sentence that enumerates: with more each comparison takes too long.
MAX_MEMBERS = 16
# How much a particle or preposition weighs beside the words around, and a word on the other side.
ROLE_WEIGHT, OTHER_SIDE = 0.5, 0.6
# What is in another part of the sentence, and what shares this much of the best, is near too.
OTHER_PART, NEARLY = 0.5, 0.6
LABEL = 1.6
# A share of the best possible fit, 0 to 1: a rival below it is ignored.
MIN_RIVAL_SHARE = 0.3
# What fits this well has no rival.
AT_HOME = 0.9
# An English claim further from the notes than this says it in its own words: what stands beside
# its words is weak evidence, but for values.
REWORDED = 0.4
_SUBJECTS = frozenset({"who", "topic"})
# The places of a token in a sentence of the notes, its distance in the claim, and its weight.
_Present = tuple[Sequence[int], int, float]


class Fit(NamedTuple):
    """How a token of the claim fits the notes.

    own, rival: 0 to 1; known: whether the notes have it at all; near: whether one of the closest
    sentences does; other: the rival, as it is written; sentence: the position of the note
    sentence that has it; exchanged: whether the claim has the rival too, at another place.
    """

    position: int
    token: Token
    own: float
    known: bool
    near: bool
    rival: float = 0.0
    other: str = ""
    sentence: int = -1
    exchanged: bool = False


class Alignment:
    """A claim beside the notes."""

    def __init__(
        self,
        claim: Analysis,
        notes: Notes,
        names: frozenset[str],
        asked: frozenset[str] = frozenset(),
    ) -> None:
        """asked: words of the question that count as said."""
        self.claim = claim
        self.notes = notes
        self._names = names
        self._asked = asked
        self._text = claim.text.lower()
        self._said: dict[int, tuple[frozenset[int], frozenset[str]]] = {}
        self.places = notes.places_of(claim)
        self.is_korean = claim.is_korean
        # For each sentence that shares a token: the places there of the tokens of the claim.
        self._matches: dict[int, dict[int, list[int]]] = {}
        for position, places in enumerate(self.places):
            for number, place in places:
                found = self._matches.get(number)
                if found is None:
                    self._matches[number] = {position: [place]}
                elif position in found:
                    found[position].append(place)
                else:
                    found[position] = [place]
        self._add_heads()

    def _add_heads(self) -> None:
        """What the head of a table has, each of its rows has too, without a place of its own."""
        rows = self.notes.rows.keys() & self._matches.keys()
        for number in rows:
            for position in self._matches.get(self.notes.rows[number], ()):
                if self.claim.tokens[position].value is None:
                    self._matches[number].setdefault(position, [])

    @cached_property
    def weights(self) -> Sequence[float]:
        """The weight of each token of the claim; what only frames an answer has none."""
        return [
            0.0 if token.term in FRAMING else self.notes.weight(token.term)
            for token in self.claim.tokens
        ]

    @cached_property
    def _shared(self) -> Mapping[int, float]:
        """The weight that the claim shares with each sentence of the notes."""
        return {
            number: sum(self.weights[position] for position in found)
            for number, found in self._matches.items()
        }

    @cached_property
    def _taken(self) -> frozenset[tuple[int, int]]:
        """The places of the notes that some token of the claim has."""
        return frozenset().union(*self.places)

    @cached_property
    def nearest(self) -> Sequence[int]:
        """The closest sentences that share nearly as much with the claim as the closest one."""
        shared = self._shared
        return [n for n in self.closest if shared[n] >= NEARLY * shared[self.closest[0]]]

    @cached_property
    def closest(self) -> Sequence[int]:
        """The sentences of the notes that share most with the claim, best first."""
        shared, sizes = self._shared, self.notes.sentences
        order = sorted(shared, key=lambda n: (-shared[n], len(sizes[n].tokens), n))
        return order[:SENTENCES]

    def beside(self, number: int) -> list[int]:
        """A sentence of the notes with those before and after it in its note."""
        note_of = self.notes.note_of
        return [
            one
            for one in (number, number - 1, number + 1)
            if 0 <= one < len(note_of) and note_of[one] == note_of[number]
        ]

    def held_beside(self, number: int) -> set[int]:
        """The positions of the claim whose token a sentence of the notes has or one beside it."""
        return set().union(*(self._matches.get(one, ()) for one in self.beside(number)))

    def is_asked(self, term: str) -> bool:
        """Whether a brief answer takes a word from its question."""
        return term in self._asked

    def holds(self, number: int, position: int) -> bool:
        """Whether a sentence of the notes has the token at this position of the claim."""
        return position in self._matches.get(number, ())

    @cached_property
    def gap(self) -> float:
        """The weight of the claim that its closest sentence does not hold, 0 to 1."""
        total = sum(self.weights)
        if not total:
            return 0.0
        if not self.closest:
            return 1.0
        return 1 - self._shared[self.closest[0]] / total

    @cached_property
    def held(self) -> float:
        """The share of the claim's words, 0 to 1, that its closest sentence holds."""
        if not self.closest:
            return 0.0
        return len(self._matches[self.closest[0]]) / len(self.claim.tokens)

    @cached_property
    def clauses(self) -> Sequence[Sequence[int]]:
        """The places of the tokens of each coordinate clause, single words going with the next."""
        found: list[list[int]] = [[]]
        for position, token in enumerate(self.claim.tokens):
            if token.turn and len(found[-1]) > 1:
                found.append([])
            found[-1].append(position)
        if len(found) > 1 and len(found[-1]) == 1:
            last = found.pop()
            found[-1] += last
        return found

    @cached_property
    def clause_gap(self) -> float:
        """The weight, 0 to 1, that is missing when each clause rests on a sentence of its own."""
        weights = self.weights
        total = sum(weights)
        if not total:
            return 0.0
        if len(self.clauses) == 1:
            return 1 - max(self._shared.values(), default=0.0) / total
        clause_of = [number for number, clause in enumerate(self.clauses) for _ in clause]
        most = [0.0] * len(self.clauses)
        for found in self._matches.values():
            held = [0.0] * len(most)
            for position in found:
                held[clause_of[position]] += weights[position]
            most = list(map(max, most, held))
        return 1 - sum(most) / total

    @cached_property
    def fits(self) -> Sequence[Fit]:
        """How each value and name of the claim fits the notes, and each other noun that stands
        in none of the closest sentences: one that does has no rival."""
        return list(self._fits())

    def _fits(self) -> Iterator[Fit]:
        values_only = not self.is_korean and self.clause_gap > REWORDED
        for position, token in enumerate(self.claim.tokens):
            if values_only and token.kind != VALUE:
                continue
            if token.kind in (ADVERB, VERB) and not opposites(token.term):
                continue
            near = any(self.holds(number, position) for number in self.nearest)
            if near and not self._is_telling(token):
                continue
            around = self._around(position)
            total = sum(weight for _, _, weight in around) + ROLE_WEIGHT * bool(token.role)
            if not total:
                continue
            fit = self._own(position, token, around, total, near=near)
            if other := self._other_member(fit):
                fit = self._against(fit._replace(own=OTHER_PART * fit.own), *other, 1.0)
            elif fit.own < AT_HOME:
                fit = self._with_rival(fit, around, total)
            yield fit

    def _is_telling(self, token: Token) -> bool:
        """Whether a token may stand near and yet in another's place; a common word may not."""
        return token.kind in (VALUE, VERB, ADVERB) or self._is_name(token)

    def _own(
        self,
        position: int,
        token: Token,
        around: Sequence[tuple[int, int, float]],
        total: float,
        *,
        near: bool,
    ) -> Fit:
        places = self.places[position]
        if len(places) > 1:
            rank = {number: n for n, number in enumerate(self.closest)}
            places = sorted(places, key=lambda one: rank.get(one[0], SENTENCES))[:PLACES]
        own, known = 0.0, {}
        for number, place in places:
            if number not in known:
                known[number] = self._present(around, number)
            own = max(own, self._agreement(token, known[number], number, place))
            if own >= total:
                break
        return Fit(position, token, own / total, bool(places), near)

    def _with_rival(
        self,
        fit: Fit,
        around: Sequence[tuple[int, int, float]],
        total: float,
    ) -> Fit:
        best, where = fit.own * total, (-1, -1)
        matched = set(self.places[fit.position])
        # The head of a table names what its rows do not.
        named = fit.token.kind in (VALUE, NAME)
        for number in self.closest:
            if not named and number in self.notes.rows:
                continue
            present = self._present(around, number)
            most = sum(weight for _, _, weight in present)
            if most + ROLE_WEIGHT * bool(fit.token.role) <= max(best, MIN_RIVAL_SHARE * total):
                continue
            for place in self._candidates(fit, number):
                if (number, place) in matched or not self._can_stand(fit, number, place):
                    continue
                score = self._agreement(fit.token, present, number, place)
                if score > best and not self._favours(fit, number, place):
                    best, where = score, (number, place)
        number, place = where
        if number < 0 or best < MIN_RIVAL_SHARE * total or self._moved(fit, number):
            return fit
        return self._against(fit, number, place, best / total)

    def _against(self, fit: Fit, number: int, place: int, rival: float) -> Fit:
        """The fit with what stands at a place of the notes for its rival."""
        sentence = self.notes.sentences[number]
        other = sentence.tokens[place]
        written = other.term if other.kind == VALUE else sentence.text[other.start :].split()[0]
        return fit._replace(
            rival=rival,
            other=written.strip(".,;:!?\"'()"),
            sentence=number,
            exchanged=other.term in self.claim.places or (number, place) in self._taken,
        )

    def _other_member(self, fit: Fit) -> tuple[int, int] | None:
        """Where a sentence that enumerates gives the value of the member that the claim is about,
        while the claim has that of another one."""
        ours = fit.token.value
        if ours is None:
            return None
        for number in self.nearest:
            sentence = self.notes.sentences[number]
            own = min(self._matches[number].get(fit.position, (0,)))
            for place in sentence.values[:MAX_MEMBERS]:
                value = sentence.tokens[place].value
                # The unit is often said once, with the first: "adults pay 12 euros, children 7".
                if (
                    value is not None
                    and _is_year(sentence.tokens[place]) == _is_year(fit.token)
                    and (number, place) not in self._taken
                    and _can_replace(value, ours, near=bool(value.kind) or place < own)
                    and not is_denied(value, sentence.text)
                    and self._favours(fit, number, place) < 0
                ):
                    return number, place
        return None

    def _favours(self, fit: Fit, number: int, rival: int) -> int:
        """`favoured` between the place of a token in a sentence of the notes and another one."""
        own = self._matches[number].get(fit.position)
        if not own or len(own) > 1 or rival in own:
            return 0
        if not 1 < len(self.notes.sentences[number].values) <= MAX_MEMBERS:
            return 0
        matched, said = self._said_of(number)
        return favoured(self.notes.sentences[number], own[0], rival, matched, said)

    def _said_of(self, number: int) -> tuple[frozenset[int], frozenset[str]]:
        """The places of a sentence of the notes that the claim has, and the words that count as
        said."""
        found = self._said.get(number)
        if found is None:
            places = self._matches[number].values()
            tokens = self.notes.sentences[number].tokens
            # A name that the analyser takes apart in another way is said all the same.
            written = {t.term for t in tokens if len(t.term) > 1 and t.term in self._text}
            found = frozenset().union(*places), self._asked | written
            self._said[number] = found
        return found

    def _can_stand(self, fit: Fit, number: int, place: int) -> bool:
        """Whether a rival has a role that the token of the claim could have."""
        rival = self.notes.sentences[number].tokens[place]
        ours, theirs = fit.token.role, rival.role
        if self.is_korean and fit.token.kind == NAME and not self._is_name(rival):
            return ours != "" and ours == theirs
        if not ours or not theirs or _same_role(ours, theirs) >= 1:
            return True
        if fit.token.value is None:
            return _same_role(ours, theirs) > 0
        return not any(
            holder in self.nearest and self.notes.sentences[holder].tokens[own].role == ours
            for holder, own in self.places[fit.position]
        )

    def _moved(self, fit: Fit, number: int) -> bool:
        """Whether the sentence that has the rival has the token too, in the same role and beside
        the same word: then its phrase stands elsewhere, as it may in Korean."""
        sentence = self.notes.sentences[number]
        if fit.token.value is None and len(fit.token.term) > 1 and fit.token.term in sentence.text:
            written = not fit.known
            if written:
                return True
        if not fit.token.role:
            return False
        before = set(self._matches[number].get(fit.position - 1, ()))
        return any(
            holder == number
            and sentence.tokens[place].role == fit.token.role
            and place - 1 in before
            for holder, place in self.places[fit.position]
        )

    def _candidates(self, fit: Fit, number: int) -> Iterator[int]:
        """Places of a sentence that could hold what the claim says with this token. A value that
        stands near with its unit has no rival of another unit."""
        token, sentence = fit.token, self.notes.sentences[number]
        if token.value is not None:
            ours = token.value
            for place in sentence.values:
                value = sentence.tokens[place].value
                # The cells of a column have one unit.
                near = fit.near or number in self.notes.rows
                if value is None or not _can_replace(value, ours, near=near):
                    continue
                # What the notes deny there they do not give instead, unless the claim denies too.
                if not is_denied(value, sentence.text) or is_denied(ours, self.claim.text):
                    yield place
            return
        if token.kind in (ADVERB, VERB):
            for term in opposites(token.term):
                yield from sentence.places.get(term, ())
            return
        name = self._is_name(token)
        for place, one in enumerate(sentence.tokens):
            if one.term == token.term or one.kind in (VALUE, ADVERB, VERB):
                continue
            if self._is_name(one) == name or NOUN in (one.kind, token.kind):
                yield place

    def _is_name(self, token: Token) -> bool:
        return token.kind == NAME or token.term in self._names

    def _around(self, position: int) -> list[tuple[int, int, float]]:
        """The places near one with their signed distance and weight."""
        first = max(0, position - REACH)
        last = min(len(self.claim.tokens), position + REACH + 1)
        # What a Korean value belongs to stands before it.
        token = self.claim.tokens[position]
        label = LABEL if token.value is not None and self.is_korean else 1.0
        return [
            (
                other,
                other - position,
                (label if other < position else 1.0) * self.weights[other] / abs(other - position),
            )
            for other in range(first, last)
            if other != position
        ]

    def _present(self, around: Sequence[tuple[int, int, float]], number: int) -> Sequence[_Present]:
        """Of the places near one those of which a sentence of the notes has the token."""
        found = self._matches[number]
        return [(found[n], distance, weight) for n, distance, weight in around if n in found]

    def _agreement(
        self, token: Token, present: Sequence[_Present], number: int, place: int
    ) -> float:
        parts = self.notes.sentences[number].parts
        part, total = parts[place], 0.0
        if number in self.notes.rows:
            total = sum([weight for found, _, weight in present if place not in found])
        else:
            for found, distance, weight in present:
                total += weight * _nearness(found, place, distance, parts, part)
        if token.role:
            role = self.notes.sentences[number].tokens[place].role
            total += ROLE_WEIGHT * _same_role(token.role, role)
        return total


def _nearness(
    found: Sequence[int], place: int, distance: int, parts: Sequence[int], part: int
) -> float:
    """How near, 0 to 1, a word stands to a place that in the claim is `distance` away."""
    best = 0.0
    for there in found:
        away = there - place
        if away:
            near = distance / away
            near = (1.0 if near > 1 else near) if near > 0 else OTHER_SIDE * min(1.0, -near)
            if parts[there] != part:
                near *= OTHER_PART
            if near > best:
                best = near
    return best


def _can_replace(value: Value, ours: Value, *, near: bool) -> bool:
    """Whether a value is another one that the notes may give in place of ours. near: whether ours
    stands near with its unit."""
    if value[:3] == ours[:3] and value.date == ours.date:
        return False
    if _family(value) != _family(ours) and (_family(ours) or _family(value) != "when"):
        return False
    return not (near and ours.kind and value.kind != ours.kind)


def _family(value: Value) -> str:
    """Of what may stand in place of each other: a day or hour, a share, a telephone number, or an
    amount. A year may be written as a bare number."""
    if value.kind in ("date", "time", "weekday"):
        return "" if value.kind == "date" and not any(value.date[1:]) else "when"
    return value.kind if value.kind in ("share", "code") else ""


def _is_year(token: Token) -> bool:
    """Whether a value is a year without more, such as "2024" in "2024: 38 %"."""
    value = token.value
    return (
        value is not None
        and not value.kind
        and re.fullmatch(r"(?:19|20)\d\d", token.term) is not None
    )


def _same_role(left: str, right: str) -> float:
    if left == right or (left in _SUBJECTS and right in _SUBJECTS):
        return 1.0
    if right == "with":
        return 0.8
    if not right:
        return 0.7
    return 0.5 if "topic" in (left, right) else 0.0
