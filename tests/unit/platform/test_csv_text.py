"""No text of ours is run by a spreadsheet, and none is changed for good."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.platform.csv_text import escape_cell, unescape_cell
from cases import for_each

STARTS = [
    *("=", "+", "-", "@", "＝", "＋", "－", "＠"),
    *("\t", "\r", "\n", "\r\n=", " =", "\u3000＝", "\ufeff=", "\u200b@"),
]


@for_each("start", STARTS)
def test_formulas_begin_with_an_apostrophe(start):
    evil = f'{start}HYPERLINK("http://x")'

    assert escape_cell(evil) == f"'{evil}"
    assert unescape_cell(escape_cell(evil)) == evil


@pytest.mark.parametrize("text", ["", "95도", "'quoted'", "a=b", "1-2", "답: ＝", " 95"])
def test_other_text_stays_as_it_is(text):
    assert escape_cell(text) == text


@given(st.text(alphabet="'=＝@ \n\u200ba가1"))
def test_every_text_comes_back(text):
    assert unescape_cell(escape_cell(text)) == text
