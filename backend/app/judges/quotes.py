"""Checks the quotes that a judge gives as evidence against the text they are attributed to.

Two questions are kept apart: whether a text holds a passage (`stands_in`), and whether a passage
says enough to be evidence of anything (`is_evidence`). A particle or a unit stands in every note.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cached_property

from app.judges.answer_parts import mark_spans
from app.judges.rules.vocabulary import measures
from app.text.morphemes import morphemes

SENTENCE_MARKS = ".,;:!?。"

# A passage with so many letters and digits says something, whatever its words.
LONG_QUOTE = 24
# Two content words of less together are as likely chance: "때 곳", "3, 4".
SHORT_QUOTE = 4
# A number alone is evidence from so many digits on: 1,250,000 is distinctive, 30 and 2024 are not.
DISTINCTIVE_DIGITS = 5

_MARKS = r"[\s\"'`*´‘’‚“”„«»‹›「」『』《》〈〉＂＇]"
# Numbers that NFKC makes digits of, and that are no digits of the number beside them: 10², 1½, 3②.
_SMALL = "²³¹¼-¾⁰⁴-⁹₀-₉⅐-⅟↉①-⒛⓪-⓿❶-➓㉑-㉟㊱-㊿"
_DIGIT = rf"[\d{_SMALL}]"
_QUOTE_MARKS = re.compile(f"{_MARKS}+")
_SMALL_NUMBER = re.compile(rf"(?<=\d)(?=[{_SMALL}])|(?<=[{_SMALL}])(?=\d)")
_HAS_SMALL = re.compile(f"[{_SMALL}]")
# It begins with what it looks for, which `re` finds faster than what must stand before it.
_BETWEEN_NUMBERS = re.compile(
    rf"{_MARKS}(?:(?<={_DIGIT}{_MARKS})|(?<={_DIGIT}[.,]{_MARKS})){_MARKS}*+(?=[.,]?{_DIGIT})"
)
# Soft hyphens, joiners, marks and overrides of direction, tag characters.
_UNSEEN = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]+"
)
_BLANK_LETTERS = re.compile("[\u115f\u1160\u2800\u3164\uffa0]+")
# What shows other text than it holds: overrides of direction and tag characters.
_DISGUISE = re.compile("[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
_ELLIPSIS = re.compile(r"\.{3,}|…|⋯|\[\.\.\.\]")
# What keeps numbers apart in a comparable text, and what stands inside of one.
_RAISED, _GAP = "^", "␣"
_IN_NUMBERS = ".,^⁄"
# As `morphemes` gives them.
_UNIT_TERMS = """
degre degree min minut sec second hr hour day week month year mg gram kg ug µg ml mm cm km liter
litr meter percent dollar usd
도 분 초 시간 시 일 주 개월 월 년 원 명 개 회 번 배 그램 킬로그램 밀리리터 리터 밀리미터 센티미터
미터 킬로미터 퍼센트 달러
"""
_UNITS = frozenset(_UNIT_TERMS.split())


def quote_found(quote: str, note: str) -> bool:
    """Whether the quote is evidence and `note` holds it."""
    return is_evidence(quote) and stands_in(quote, note)


class QuotedSources:
    """Texts in which the quotes of one verdict are looked up."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._comparable: dict[int, str] = {}

    def holder(self, quote: str, named: int) -> int | None:
        """The number, from 1, of the source that holds the quote: the one that was `named` (0 for
        none), or else the first. None where none does, or the quote is evidence of nothing."""
        if not is_evidence(quote):
            return None
        numbers = [named] * bool(named) + [n for n in range(1, len(self._texts) + 1) if n != named]
        return next((number for number in numbers if self._holds(quote, number)), None)

    def are_apart(self, quote: str) -> bool:
        """Whether the parts of a quote, at its ellipses, are evidence that no source holds as a
        whole, but several in part."""
        parts = [part for part in _ELLIPSIS.split(quote) if part.strip()]
        if len(parts) < 2 or not all(map(is_evidence, parts)):
            return False
        numbers = range(1, len(self._texts) + 1)
        held = [{number for number in numbers if self._holds(part, number)} for part in parts]
        return all(held) and not set.intersection(*held)

    def _holds(self, quote: str, number: int) -> bool:
        text = self._texts[number - 1]
        if _is_copied(quote, text):
            return True
        if number not in self._comparable:
            self._comparable[number] = comparable(text)
        return stands_in_comparable(quote, self._comparable[number])


def is_evidence(quote: str) -> bool:
    """Whether a quote says enough to bear a claim: it is long, names a value with its unit, or
    has two content words that are no units, a number counting as one. One that shows other text
    than it holds is none."""
    if _DISGUISE.search(quote):
        return False
    quote = _seen(quote)
    alnum = [char for char in quote if char.isalnum()]
    if len(alnum) >= LONG_QUOTE or measures(unicodedata.normalize("NFKC", quote)):
        return True
    terms = set(morphemes(quote))
    numbers = {term for term in terms if term[0].isdigit()}
    if numbers and terms > numbers:
        return True
    if len(terms - _UNITS) >= 2:
        return len(alnum) >= SHORT_QUOTE
    return any(sum(map(str.isdigit, number)) >= DISTINCTIVE_DIGITS for number in numbers)


def stands_in(passage: str, text: str) -> bool:
    """Whether `text` holds the passage, whatever its spacing, quote marks and emphasis.

    A passage with ellipses is found when all its parts stand in the text in that order. One
    without any letter or digit is never found, nor is a number inside of a longer one.
    """
    return _is_copied(passage, text) or stands_in_comparable(passage, comparable(text))


def _is_copied(passage: str, text: str) -> bool:
    """Letter by letter, as most are, where it certainly cuts no number in two: a passage begins and
    ends with a letter, or with a digit that a letter or blank follows on the outside."""
    copied = passage.strip().strip(SENTENCE_MARKS)
    start = text.find(copied) if copied else -1
    if start < 0:
        return False
    end = start + len(copied)
    return _begins_apart(copied[0], text[start - 1 : start]) and _begins_apart(
        copied[-1], text[end : end + 1]
    )


def _begins_apart(edge: str, outside: str) -> bool:
    """Whether a number at the edge of a passage, if one is there, ends with the passage."""
    if edge.isalpha():
        return True
    digit = edge.isascii() and edge.isdigit()
    return digit and (not outside or outside.isspace() or outside.isalpha())


def stands_in_comparable(passage: str, text: str) -> bool:
    """`stands_in` for a text that went through `comparable` before, once for many passages."""
    parts = [comparable(part).strip(SENTENCE_MARKS) for part in _ELLIPSIS.split(passage)]
    if not any(char.isalnum() for part in parts for char in part):
        return False
    position = 0
    for part in parts:
        end = _find(part, text, position)
        if end is None:
            return False
        position = end
    return True


def _find(part: str, text: str, start: int) -> int | None:
    """Where the first place of `part` from `start` on ends that cuts no number in two."""
    while (found := text.find(part, start)) >= 0:
        end = found + len(part)
        if not (_cuts_number(text, found) or _cuts_number(text, end)):
            return end
        start = found + 1
    return None


def _cuts_number(text: str, at: int) -> bool:
    before, after = text[max(0, at - 2) : at], text[at : at + 2]
    if not before or not after:
        return False
    if before[-1].isdigit():
        # "37" of "37.5", "1" of "1,250", "10" of "10^2".
        return after[0].isdigit() or (after[0] in _IN_NUMBERS and after[1:].isdigit())
    return before[-1] in _IN_NUMBERS and before[:-1].isdigit() and after[0].isdigit()


def comparable(text: str) -> str:
    """The text as quotes are looked up in it: without spacing, quote marks, emphasis, case and
    what is not seen. Numbers that stand apart stay apart: "CO2 5%" does not hold "25%", nor does
    "10²" hold "102"."""
    seen = _seen(text)
    if _HAS_SMALL.search(seen):
        seen = _SMALL_NUMBER.sub(_RAISED, seen)
    apart = _BETWEEN_NUMBERS.sub(_GAP, seen)
    return _QUOTE_MARKS.sub("", unicodedata.normalize("NFKC", apart).casefold())


def _seen(text: str) -> str:
    return text if text.isascii() else _BLANK_LETTERS.sub(" ", _UNSEEN.sub("", text))


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
