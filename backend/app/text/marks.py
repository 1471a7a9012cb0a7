"""How lists of numbers in citation marks are written, as [노트 1, 2] and [Note 1 & Note 3]; and the
apostrophe before CSV cells.

Every pattern of marks is built of these pieces. In them each character can be read in one way
only: where blanks may belong to either of two parts, a list that is not closed is tried in
2 ** n ways.
"""

import re
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


# Text in CSV cells that spreadsheets must not run as a formula: see OWASP, "CSV Injection". Excel
# and LibreOffice ask what a cell begins with, and in East Asian locales take the full-width forms
# for the plain ones.
# Blanks and invisible characters before it do not make it text everywhere. A cell that begins with
# a line break or a tab may be split, and what follows it is then the beginning of another one.
_FORMULA = re.compile(
    r"'*(?:[\t\r\n\v\f\x00\x85\u2028\u2029]|[\s\ufeff\u200b-\u200f\u2060]*[=+\-@＝＋－＠﹦﹢﹣﹫])"
)


def escape_cell(text: str) -> str:
    """The text, with an apostrophe before it if a spreadsheet might run it. `unescape_cell` gives
    back what was given, apostrophes and all."""
    return f"'{text}" if _FORMULA.match(text) else text


def unescape_cell(text: str) -> str:
    """What `escape_cell` was given."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text
