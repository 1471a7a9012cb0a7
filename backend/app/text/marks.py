"""How lists of numbers in citation marks are written: [노트 1, 2], [Note 1 & Note 3].

Every pattern of marks is built of these pieces. In them each character can be read in one way
only: where blanks may belong to either of two parts, a list that is not closed is tried in
2 ** n ways.
"""

from collections.abc import Mapping

from app.text.language import Lang


def number_list(number: str, between: str, label: str = "") -> str:
    """A pattern of numbers with one of the characters `between` and blanks between them.

    number: the pattern of one, which neither begins nor ends with a blank; label: a pattern of
    words that may stand before each further number, with or without blanks behind them.
    """
    labelled = rf"(?:{label}\s*)?" if label else ""
    return rf"{number}(?:\s*[{between}]\s*{labelled}{number})*"


_WORDS: Mapping[Lang, str] = {"ko": "노트", "en": "Note"}


def note_mark(number: int, lang: Lang) -> str:
    """The mark of a note in an answer of this language."""
    return f"[{_WORDS[lang]} {number}]"


# The marks that answers carry. Callers decide which numbers are marks.
_LABEL = r"(?:노트|[Nn]otes?)"
_NUMBERS = number_list(r"\d+", ",·&~-", _LABEL)
NOTE_MARK = rf"[\[(]{_LABEL}\s*{_NUMBERS}[\])]"
