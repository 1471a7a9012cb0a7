"""The language of a text, text folded for comparison with keywords, and marks of citations."""

import re
import sys
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal

Lang = Literal["ko", "en"]

# A Hangul syllable spells about what two or three Latin letters do.
_HANGUL_WEIGHT = 2
SAMPLE_CHARS = 2_000
_HANGUL = re.compile(r"[가-힣ㄱ-ㆎ]")
_LATIN = re.compile(r"[A-Za-z]")


class Bilingual:
    """A pattern of Korean or English alternatives, in any case. Where a text is ASCII, only those
    without Hangul are tried, on the text in lower case: a third of the time."""

    def __init__(self, pattern: str, flags: re.RegexFlag = re.IGNORECASE) -> None:
        """pattern: each alternative with Hangul needs some, and none has a capital letter, unless
        a part is case-sensitive, by (?-i:…)."""
        english = [one for one in alternatives(pattern) if not _HANGUL.search(one)]
        self._both = re.compile(pattern, flags)
        self._fold = bool(flags & re.IGNORECASE) and "(?-i:" not in pattern
        pattern = "|".join(english) or "(?!)"
        self._english = re.compile(pattern, re.NOFLAG if self._fold else flags)

    @property
    def patterns(self) -> tuple[re.Pattern[str], ...]:
        return self._both, self._english

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        if text.isascii():
            return self._english.search(text.lower() if self._fold else text, start, end)
        return self._both.search(text, start, end)

    def finditer(
        self, text: str, start: int = 0, end: int = sys.maxsize
    ) -> Iterator[re.Match[str]]:
        if text.isascii():
            return self._english.finditer(text.lower() if self._fold else text, start, end)
        return self._both.finditer(text, start, end)


_PIECE = re.compile(r"\\.|.", re.DOTALL)


def alternatives(pattern: str) -> list[str]:
    """The outermost alternatives of a regular expression."""
    found, depth, in_class = [""], 0, False
    for piece in _PIECE.findall(pattern):
        if in_class:
            in_class = piece != "]"
        else:
            in_class = piece == "["
            depth += (piece == "(") - (piece == ")")
            if piece == "|" and not depth:
                found.append("")
                continue
        found[-1] += piece
    return found


def detect_language(text: str) -> Lang:
    """The language most of the letters belong to; Korean on a tie and when there are none."""
    hangul = 0 if text.isascii() else len(_HANGUL.findall(text))
    if not hangul:
        return "en" if _LATIN.search(text) else "ko"
    latin = len(_LATIN.findall(text))
    return "ko" if hangul * _HANGUL_WEIGHT >= latin else "en"


# Common words of German, French, Spanish, Italian and Portuguese that English does not have.
_FOREIGN = """
aber auch auf das dass dem den der ein eine einen einer es für ist mit nicht oder sich sie sind
und von werden wird zu zum zur
au aux avec ce cette dans des du elle est et il la le les leur mais ne nous ou par pas que
qui sont sur un une
al como con de del el en entre esta este las los más muy para pero por se su también una y
che della delle di è gli nel non più
ao com da das do dos em foi mais na não no nos o os pela pelo são uma
"""
_ENGLISH = """
a an and are as at be by can for from has have if in is it not of on or that the this to was were
which will with you
"""
_WORD = re.compile(r"[^\W\d_]+")
_FOREIGN_WORDS = frozenset(_FOREIGN.split()) - frozenset(_ENGLISH.split()) - {"do", "no"}
_ENGLISH_WORDS = frozenset(_ENGLISH.split())
_LATIN_END = "\u024f"
_GREEK = ("\u0370", "\u03ff")


def lang_of(stored: str) -> Lang:
    """The language that a column names."""
    return "en" if stored == "en" else "ko"


def is_third_language(text: str) -> bool:
    """Whether a text is clearly neither Korean nor English.

    Told by its letters, or, among the languages that write with Latin letters, by its most
    common words. Doubtful texts, such as a name or a few words, count as one of the two. The
    first SAMPLE_CHARS characters decide.
    """
    return _is_third_language(text[:SAMPLE_CHARS])


@lru_cache(maxsize=256)
def _is_third_language(text: str) -> bool:
    if text.isascii():
        return _is_foreign_in_latin(text)
    hangul = latin = other = 0
    for char in text:
        if char.isalpha():
            if "가" <= char <= "힣" or "ㄱ" <= char <= "ㆎ" or "ᄀ" <= char <= "ᇿ":
                hangul += 1
            elif char <= _LATIN_END:
                latin += 1
            elif not _GREEK[0] <= char <= _GREEK[1]:
                other += 1
    if other * _HANGUL_WEIGHT > hangul * _HANGUL_WEIGHT + latin:
        return True
    if latin <= hangul * _HANGUL_WEIGHT:
        return False
    return _is_foreign_in_latin(text)


def _is_foreign_in_latin(text: str) -> bool:
    words = _WORD.findall(text.lower())
    foreign = sum(word in _FOREIGN_WORDS for word in words)
    return foreign >= 3 and foreign > 2 * sum(word in _ENGLISH_WORDS for word in words)


def folded(text: str) -> str:
    """The text without letter case and with its Hangul put together: files from macOS come with
    Hangul taken apart into letters."""
    return unicodedata.normalize("NFC", text).casefold()


# How lists of numbers in citation marks are written, as [노트 1, 2] and [Note 1 & Note 3]. Every
# pattern of marks is built of these pieces. In them each character can be read in one way only:
# where blanks may belong to either of two parts, a list that is not closed is tried in 2 ** n ways.
def number_list(number: str, between: str, label: str = "") -> str:
    """A pattern of numbers with one of the characters `between` and blanks between them.

    number: the pattern of one, which neither begins nor ends with a blank; label: a pattern of
    words that may stand before each further number, with or without blanks behind them.
    """
    labelled = rf"(?:{label}\s*)?" if label else ""
    return rf"{number}(?:\s*[{between}]\s*{labelled}{number})*"


_NOTE: Mapping[Lang, str] = {"ko": "노트", "en": "Note"}


def note_mark(number: int, lang: Lang) -> str:
    """The mark of a note in an answer of this language."""
    return f"[{_NOTE[lang]} {number}]"


# The marks that answers carry. Callers decide which numbers are marks.
_LABEL = r"(?:노트|[Nn]otes?)"
_NUMBERS = number_list(r"\d+", ",·&~-", _LABEL)
NOTE_MARK = rf"[\[(]{_LABEL}\s*{_NUMBERS}[\])]"
