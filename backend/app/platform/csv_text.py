"""CSV as spreadsheets take it: marked as UTF-8, and with no cell that they would run."""

import csv
import io
import re
from collections.abc import Iterable

# Excel takes CSV without this mark for the system's own encoding, and shows Korean as noise.
BYTE_ORDER_MARK = "\ufeff"
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


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Lines of CSV, their texts escaped."""
    written = io.StringIO()
    csv.writer(written).writerows(map(_cell, row) for row in rows)
    return written.getvalue()


def _cell(value: object) -> object:
    return escape_cell(value) if isinstance(value, str) else value
