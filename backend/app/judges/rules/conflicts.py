"""Sentences of two notes that may contradict each other: they say the same of the same subject, but
for one value, or one of them denies it. What may be about different things is left out: a warning
without cause teaches readers to pass over the others.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise, product
from typing import Literal, NamedTuple, Self

from app.judges.rules.analysis import Analysis, Token, analysis_of_many
from app.judges.rules.events import is_denying, modes_clash
from app.judges.rules.values import Value, same
from app.judges.rules.vocabulary import FRAMING, is_hedged, opposites
from app.text.morphemes import SentenceCache
from app.text.passages import stem, under_headings

# Beyond these nothing is read: characters of a note, sentences of it, pairs of sentences of two
# notes, and conflicts of one note.
MAX_NOTE_CHARS = 20_000
MAX_SENTENCES, MAX_NEAR = 150, 200
MAX_CONFLICTS = 20
# Characters: what is longer says more than one thing, what is shorter nothing by itself.
MIN_CHARS, MAX_CHARS = 8, 300
# The share of a shorter sentence's words, as they begin, 0 to 1, below which none is analysed.
ALIKE = 0.6
# Content words that two sentences must share: by themselves, and where the title of one names what
# the other note never speaks of.
MIN_SHARED, UNTITLED = 2, 3
# The share of neighbouring words, 0 to 1, from which two notes have nearly the same text.
SAME_TEXT = 0.9

Kind = Literal["value", "negation"]

_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d+")
# What one day of a log says holds of that day.
_PAST = re.compile(
    r"[았었였했됐갔왔났졌렸][다습음고으는지]|\b(?:was|were|had|did|held|took)\b"
    r"|(?<!\bis )(?<!\bare )(?<!\bbe )(?<!\bnot )\b\w{3,}ed\b",
    re.IGNORECASE,
)
_ENGLISH_PREDICATE = re.compile(
    r"\b(?:is|are|has|have|must|may|can|shall|should|will|needs?|takes?|costs?|lasts?|opens?"
    r"|closes?|starts?|ends?|expires?|allows?|gets?|pays?|within|after|by|until|for|up to|at"
    r"|every|to|in)\b",
    re.IGNORECASE,
)
# Kinds of documents and whom they are for, which name no subject.
_DOCUMENT_WORDS = """
규정 규칙 안내 안내서 정책 지침 매뉴얼 공지 공지사항 회의록 개정 개정판 요약 정리 사본
    초안 기준 방법 절차 사항 노트 메모 문서 질문 faq 가이드 핸드북 자주 전체 전사 사내 회사 새롭다
    바꾸다 최신 쓰다 고객 응대 직원 신입 업무 운영 인사 시설 보안 위키 온보딩 팀
    guid polici handbook rule note notic faq manual draft copi summari procedur updat revis new old
    version document general overview wiki support custom employee staff team compani offic secur
    onboard process
"""
_DOCUMENTS = frozenset(_DOCUMENT_WORDS.split())
# Predicates that add nothing to a value or say whether something is so.
_LIGHT_WORDS = """
가능 되다 하다 있다 이다 수 이내 제한 최대 기준 정하다 없다 않다 아니다 못하다 말다
불가 불가능 금지 허용 possibl
"""
_LIGHT = frozenset(_LIGHT_WORDS.split())
_analyses: SentenceCache[Analysis] = SentenceCache(analysis_of_many)


@dataclass(frozen=True)
class NoteText:
    """A note as it is compared."""

    title: str
    content: str

    @cached_property
    def sentences(self) -> Sequence["_Sentence"]:
        """Those that say something of their own; no rows of tables."""
        found = (
            _Sentence.of(sentence.text, heading)
            for sentence, heading in under_headings(self.content[:MAX_NOTE_CHARS])
            if MIN_CHARS <= len(sentence.text) <= MAX_CHARS and sentence.text[0] != "|"
        )
        return list(islice(found, MAX_SENTENCES))

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """Its neighbouring words."""
        return frozenset(pairwise(_WORD.findall(self.content[:MAX_NOTE_CHARS].lower())))


class _Sentence(NamedTuple):
    """beginnings: of its words, without what inflects them, and without figures."""

    text: str
    heading: str
    beginnings: frozenset[str]

    @classmethod
    def of(cls, text: str, heading: str) -> Self:
        words = (word for word in _WORD.findall(text.lower()) if not word[0].isdigit())
        beginnings = frozenset(word[:4] if word.isascii() else word[:2] for word in words)
        return cls(text, heading.strip("#>*_:： "), beginnings)


class Conflict(NamedTuple):
    """other: the position of the other note. ours, theirs: the sentences; words: what differs, as
    "3일 ↔ 5일", empty where one denies what the other says."""

    other: int
    kind: Kind
    ours: str
    theirs: str
    words: str


class Compared(NamedTuple):
    """copies: positions of the notes that have nearly the same text."""

    conflicts: Sequence[Conflict]
    copies: Sequence[int]


def compare(note: NoteText, others: Sequence[NoteText]) -> Compared:
    """What other notes say otherwise, and which of them say the same. Blocks; the texts are cut to
    MAX_NOTE_CHARS and MAX_SENTENCES."""
    copies = [n for n, other in enumerate(others) if _is_copy(note, other)]
    found: dict[tuple[str, str], Conflict] = {}
    for number, other in enumerate(others):
        for conflict in _conflicts(note, other, number):
            found.setdefault((conflict.ours, conflict.theirs), conflict)
    return Compared(list(found.values())[:MAX_CONFLICTS], copies)


def _is_copy(note: NoteText, other: NoteText) -> bool:
    every = note.pairs | other.pairs
    return bool(every) and len(note.pairs & other.pairs) >= SAME_TEXT * len(every)


def _conflicts(note: NoteText, other: NoteText, number: int) -> Iterator[Conflict]:
    known = {sentence.text for sentence in note.sentences}
    known &= {sentence.text for sentence in other.sentences}
    pairs = product(note.sentences, other.sentences)
    alike = (pair for pair in pairs if _alike(*pair) and known.isdisjoint(one.text for one in pair))
    near = list(islice(alike, MAX_NEAR))
    if not near or _are_of_other_days(note, other):
        return
    texts = [text for pair in near for one in pair for text in (one.text, one.heading)]
    titles = [_subject(title) for title in _analyses.of_many([note.title, other.title])]
    least = _least_shared(note, other, *titles)
    read = dict(zip(texts, _analyses.of_many(texts), strict=True))
    for ours, theirs in near if least else ():
        left, right = read[ours.text], read[theirs.text]
        below = [_subject(read[one.heading]) for one in (ours, theirs)]
        # What a heading confines a sentence to, the other must be about too.
        if below[0] - titles[0] - titles[1] - below[1] - _words(right):
            continue
        if below[1] - titles[1] - titles[0] - below[0] - _words(left):
            continue
        context = frozenset().union(*titles, *below)
        if difference := _difference(left, right, context, least):
            yield Conflict(number, difference[0], ours.text, theirs.text, difference[1])


def _alike(ours: _Sentence, theirs: _Sentence) -> bool:
    left, right = ours.beginnings, theirs.beginnings
    return len(left & right) >= max(1.0, ALIKE * min(len(left), len(right)))


def _subject(analysis: Analysis) -> frozenset[str]:
    return analysis.words - FRAMING - _DOCUMENTS


def _words(analysis: Analysis) -> frozenset[str]:
    return analysis.words - FRAMING - _LIGHT


def _are_of_other_days(note: NoteText, other: NoteText) -> bool:
    """Whether the titles name different days, years or numbers."""
    ours, theirs = (set(_NUMBER.findall(one.title)) for one in (note, other))
    return bool(ours and theirs) and ours != theirs


def _least_shared(
    note: NoteText, other: NoteText, ours: frozenset[str], theirs: frozenset[str]
) -> int:
    """How many words sentences must share to be about one thing; 0 where the titles name two
    subjects, or one a special case of the other: "회의실" and "부산 회의실"."""
    own = {term for term in ours - theirs if stem(term) not in other.content.lower()}
    others = {term for term in theirs - ours if stem(term) not in note.content.lower()}
    if not own and not others:
        return MIN_SHARED
    return 0 if (own and others) or ours & theirs else UNTITLED


def _difference(
    left: Analysis, right: Analysis, context: frozenset[str], least: int
) -> tuple[Kind, str] | None:
    """In what two sentences differ that else say the same; None where they may not differ, or not
    about one thing. context: words of titles and headings, which a sentence need not repeat; least:
    how many words they must share."""
    if left.is_korean != right.is_korean or is_hedged(left.text) or is_hedged(right.text):
        return None
    if _PAST.search(left.text) or _PAST.search(right.text):
        return None
    ours, theirs = _words(left), _words(right)
    shared = ours & theirs
    if len(shared) < least:
        return None
    odd = (ours ^ theirs) - context
    values = [_unknown(left, right), _unknown(right, left)]
    if not values[0] and not values[1]:
        turned = [(one, opposites(one) & (theirs - ours)) for one in sorted(ours - theirs)]
        turned = [(one, two) for one, two in turned if two]
        if len(turned) == 1 and len(odd) == 2 and not _denies_otherwise(left, right):
            return "negation", f"{turned[0][0]} ↔ {min(turned[0][1])}"
        return ("negation", "") if not odd and _denies_otherwise(left, right) else None
    if odd or len(values[0]) != 1 or len(values[1]) != 1 or _denies_otherwise(left, right):
        return None
    [one], [two] = values
    if not _are_rivals(one.value, two.value):
        return None
    if not (_is_predicate(one, left) and _is_predicate(two, right)):
        return None
    return "value", f"{one.term} ↔ {two.term}"


def _denies_otherwise(left: Analysis, right: Analysis) -> bool:
    denying = is_denying(left.text) != is_denying(right.text)
    return denying or modes_clash(left.text, right.text)


def _unknown(sentence: Analysis, other: Analysis) -> list[Token]:
    """The values that the other sentence does not have."""
    tokens = [sentence.tokens[place] for place in sentence.values]
    return [
        token
        for token in tokens
        if token.value is not None and not any(same(token.value, one) for one in other.held_values)
    ]


def _are_rivals(one: Value | None, two: Value | None) -> bool:
    """Whether two values answer one question: of one kind and, with a unit, of one dimension."""
    return one is not None and two is not None and one.kind == two.kind and one.kind != "nth"


def _is_predicate(token: Token, sentence: Analysis) -> bool:
    """Whether a value is what the sentence says of its subject, rather than a part of its name, as
    in "2층 회의실은 …"."""
    before = [one for one in sentence.tokens if one.start < token.start]
    if not before:
        return False
    if sentence.is_korean:
        return any(one.role in ("topic", "who") for one in before)
    text = sentence.text[before[0].start : token.start]
    return _ENGLISH_PREDICATE.search(text) is not None
