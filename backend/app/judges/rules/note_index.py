"""The sentences of the notes, found by what they hold."""

import math
from collections.abc import Mapping, Sequence
from functools import cached_property

from app.judges.rules.analysis import Analysis, Token
from app.judges.rules.values import keys, same

# Of a word or value, so many places in a sentence are looked at, and so many sentences: one that
# is repeated without end must not be compared with each of its repetitions.
MOST_PLACES, MOST_SENTENCES = 16, 400


class Notes:
    """The sentences of the notes, found by their words and values. note_of: of which note each
    is."""

    def __init__(self, sentences: Sequence[Analysis], note_of: Sequence[int]) -> None:
        self.sentences = sentences
        self.note_of = note_of
        self._weights: dict[str, float] = {}

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
                        full = len(places) >= MOST_PLACES and places[-MOST_PLACES][0] == number
                        if not full:
                            places.append((number, place))
        return found

    def places(self, token: Token) -> list[tuple[int, int]]:
        """Where the notes have a word or value, as (sentence, place)."""
        if token.value is None:
            return [
                (number, place)
                for number in self.postings.get(token.term, ())[:MOST_SENTENCES]
                for place in self.sentences[number].places[token.term][:MOST_PLACES]
            ]
        found = {one for key in keys(token.value) for one in self._values.get(key, ())}
        return sorted(one for one in found if self._alike(token, *one))

    def _alike(self, token: Token, number: int, place: int) -> bool:
        other = self.sentences[number].tokens[place].value
        return token.value is not None and other is not None and same(token.value, other)

    def first_of(self, number: int) -> int:
        """The first sentence of the note that a sentence is in."""
        return self._firsts[self.note_of[number]]

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
