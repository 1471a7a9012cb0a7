"""Where in an answer a claim stands that a judge has copied from it."""

import re
from functools import cached_property

from app.judges.quotes import SENTENCE_MARKS, comparable
from app.judges.rules.marks import mark_spans

# A character with what combines with it: accents, and the letters of taken-apart Hangul.
_CLUSTER = re.compile(r".[\u0300-\u036f\u1160-\u11ff\u3099\u309a]*", re.DOTALL)

Place = tuple[int, int]


class Locator:
    """Finds passages of one text, each time at a place not given before.

    Copies are found whatever their spacing, letter case, quote marks, emphasis and citation
    marks. A passage that stands several times is found after the one that was found last, so
    that claims in the order of the answer get places in that order.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._given: set[Place] = set()
        self._after = 0

    def find(self, passage: str) -> Place | None:
        """(start, end) with `text[start:end]` being the passage, None when it is not there.

        A passage that is requested more often than it occurs is found at its first place.
        """
        places = self._exact(passage.strip()) or self._loose(passage)
        if not places:
            return None
        fresh = [place for place in places if place not in self._given]
        later = [place for place in fresh if place[0] >= self._after]
        place = (later or fresh or places)[0]
        self._given.add(place)
        self._after = place[1]
        return place

    def _exact(self, passage: str) -> list[Place]:
        if not passage:
            return []
        found = re.finditer(re.escape(passage), self._text)
        return [match.span() for match in found]

    def _loose(self, passage: str) -> list[Place]:
        wanted = "".join(char for char, _ in _folded(passage)).strip(SENTENCE_MARKS)
        if not any(char.isalnum() for char in wanted):
            return []
        text, places = self._comparable
        found = re.finditer(re.escape(wanted), text)
        return [(places[m.start()][0], places[m.end() - 1][1]) for m in found]

    @cached_property
    def _comparable(self) -> tuple[str, list[Place]]:
        folded = _folded(self._text)
        return "".join(char for char, _ in folded), [place for _, place in folded]


def _folded(text: str) -> list[tuple[str, Place]]:
    """The characters that quotes are compared by, each with its place in the text."""
    marked = {index for start, end in mark_spans(text) for index in range(start, end)}
    return [
        (char, cluster.span())
        for cluster in _CLUSTER.finditer(text)
        if cluster.start() not in marked
        for char in comparable(cluster[0])
    ]
