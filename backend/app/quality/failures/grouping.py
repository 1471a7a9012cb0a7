"""Statements that are nearly equal, and the words that a group of them is called by."""

import datetime as dt
import hashlib
import re
import uuid
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.text.language import NOTE_MARK
from app.text.morphemes import Analysed, analysed_of_many

# Of two sets of terms: the share that they have in common (Jaccard). At half, statements with the
# same verb and unit are one; at two thirds, two words more make two failures of one.
MIN_SIMILARITY = 0.6
# Longer statements are compared by their beginning.
MAX_CHARS = 500
MAX_NAME_CHARS = 60
# Sejong tags of what stands in a name.
_NOUNS = frozenset(("NNG", "NNP", "NNB", "NR", "XR", "UN", "XPN", "XSN", "SH"))
_FOREIGN = frozenset(("SL", "SN"))
_STOP_NOUNS = frozenset(("것", "거", "수", "등", "때문", "경우"))
_WORD = re.compile(r"[a-zA-Z\d](?:[a-zA-Z\d]|[.,'’-](?=[a-zA-Z\d]))*%?|[^\W\d_]+")
# Of a phrase: Latin words, and parts of Korean ones.
_MAX_WORDS, _MAX_PARTS = 2, 4
_MARKS = re.compile(NOTE_MARK)
_RELEASE = re.compile(r"v?(\d+(?:\.\d+)+)", re.IGNORECASE)


class Topic(NamedTuple):
    """What statements must share before their words are compared. note: the id, or the title of
    one without."""

    fault: str
    note: str


@dataclass(frozen=True, slots=True)
class Statement:
    """terms: content morphemes without numbers: an answer says now 30 days and now 14 of the same.
    phrases: of nouns and of values. Both in the order of the text, each once."""

    terms: Sequence[str]
    phrases: Sequence[str]


def analysed_statements(texts: Sequence[str]) -> list[Statement]:
    """Loads the Korean model at the first Korean text."""
    found = analysed_of_many([_MARKS.sub("", text[:MAX_CHARS]) for text in texts])
    return [Statement(_terms(each), list(dict.fromkeys(_phrases(each)))) for each in found]


def _terms(analysed: Analysed) -> Sequence[str]:
    terms = list(dict.fromkeys(term for _, term in analysed.morphemes))
    words = [term for term in terms if not term[0].isdigit()]
    return words or terms or [analysed.text.strip().lower()]


def signature(topic: Topic, terms: Iterable[str]) -> str:
    """The same for the same founding statement, whatever the group becomes."""
    return hashlib.sha256("\0".join([*topic, *sorted(terms)]).encode()).hexdigest()


class _Group(NamedTuple):
    signature: str
    id: uuid.UUID
    terms: Sequence[str]

    def similarity(self, terms: Sequence[str], shared: int) -> float:
        return shared / (len(terms) + len(self.terms) - shared)

    def has_topic_of(self, terms: Sequence[str]) -> bool:
        """Not where each begins with what the other does not have: all the rest of refund and
        exchange periods may be the same."""
        return terms[0] in self.terms or self.terms[0] in terms


class Groups:
    """The groups of a workspace, found by their terms. Of those that are near enough, the nearest
    one counts, of equals the one whose signature comes first: it depends on nothing else."""

    def __init__(self) -> None:
        self._groups: list[_Group] = []
        # Their places: to hash a group is to hash all of its terms.
        self._by_term: defaultdict[tuple[Topic, str], list[int]] = defaultdict(list)

    def add(
        self, id_: uuid.UUID, signature: str, topics: Iterable[Topic], terms: Sequence[str]
    ) -> None:
        """topics: all under which it is looked for."""
        for topic in topics:
            for term in terms:
                self._by_term[topic, term].append(len(self._groups))
        self._groups.append(_Group(signature, id_, terms))

    def nearest(self, topic: Topic, terms: Sequence[str]) -> uuid.UUID | None:
        """None where none is near enough."""
        found = Counter(each for term in terms for each in self._by_term.get((topic, term), ()))
        similar = [(self._groups[each], shared) for each, shared in found.items()]
        near = [
            (-share, group.signature, group.id)
            for group, shared in similar
            if (share := group.similarity(terms, shared)) >= MIN_SIMILARITY
            and group.has_topic_of(terms)
        ]
        return min(near)[2] if near else None


def name_of(statements: Sequence[Statement]) -> str:
    """The commonest phrase of nouns, and the value that most of them have or the next phrase, such
    as "환불 기한 · 30일"; "" without words. statements: at least one, the oldest first."""
    counted = Counter(phrase for each in statements for phrase in each.phrases)
    order = {phrase: place for place, phrase in enumerate(counted)}
    ranked = sorted(counted, key=lambda phrase: (-counted[phrase], order[phrase]))
    values = [phrase for phrase in ranked if _is_value(phrase)]
    topics = [phrase for phrase in ranked if not _is_value(phrase)]
    agreed = [value for value in values if 2 * counted[value] > len(statements)]
    parts = [*topics[:1], *agreed[:1], *topics[1:2], *values[:1]]
    return " · ".join(list(dict.fromkeys(parts))[:2])[:MAX_NAME_CHARS]


def _is_value(phrase: str) -> bool:
    return any(character.isdigit() for character in phrase)


class _Word(NamedTuple):
    start: int
    end: int
    is_value: bool


def _phrases(analysed: Analysed) -> Iterator[str]:
    """Runs of words with nothing but a blank between them. A value begins one, which ends behind
    the word after it."""
    run: list[_Word] = []
    most = _MAX_PARTS if analysed.tokens else _MAX_WORDS
    for word in _words(analysed):
        goes_on = run and not word.is_value and word.start - run[-1].end <= 1
        if not goes_on or len(run) == (2 if run[0].is_value else most):
            yield from _joined(analysed, run)
            run = []
        run.append(word)
    yield from _joined(analysed, run)


def _joined(analysed: Analysed, run: Sequence[_Word]) -> Iterator[str]:
    if run:
        yield analysed.text[run[0].start : run[-1].end]


def _words(analysed: Analysed) -> Iterator[_Word]:
    end = 0
    for place, stop in _places(analysed):
        if place < end:
            continue
        written = _WORD.match(analysed.text, place)
        end = written.end() if stop is None and written else stop or place
        yield _Word(place, end, analysed.text[place].isdigit())


def _places(analysed: Analysed) -> Iterator[tuple[int, int | None]]:
    """Where words begin, and where they end; None for those that _WORD finds."""
    if not analysed.tokens:
        yield from ((place, None) for place, _ in analysed.morphemes)
    for token in analysed.tokens:
        tag = token.tag.split("-")[0]
        if tag in _FOREIGN:
            yield token.start, None
        elif tag in _NOUNS and token.form not in _STOP_NOUNS:
            yield token.start, token.end


def is_older(
    release: str | None, than: str | None, first_seen: dt.datetime, than_seen: dt.datetime
) -> bool:
    """Whether a release came before another: by their numbers where both have some with points,
    else by their first answers. What has no name is not older.

    first_seen, than_seen: of the first answer of each; where the other has none yet, when it was
    named."""
    if release is None or than is None or release == than:
        return False
    one, other = _RELEASE.match(release), _RELEASE.match(than)
    if one and other:
        behind, behind_other = release[one.end() :], than[other.end() :]
        pair = [_numbers(each[1]) for each in (one, other)]
        if pair[0] != pair[1]:
            return pair[0] < pair[1]
        # 1.4.2-rc1 comes before 1.4.2.
        if behind == behind_other or not behind or not behind_other:
            return bool(behind) and not behind_other
    return first_seen < than_seen


def _numbers(written: str) -> list[int]:
    numbers = [int(each) for each in written.split(".")]
    while numbers and not numbers[-1]:
        numbers.pop()
    return numbers
