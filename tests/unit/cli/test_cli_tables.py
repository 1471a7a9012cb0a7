"""Tables on terminals of 80 columns, in both languages, and outside a terminal."""

import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from rich.cells import cell_len

from app.cli import tables
from app.cli.language import choose_language

Terminal = Callable[[], None]

ID = "019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11"
VERDICT: dict[str, Any] = {
    "id": ID,
    "created_at": "2026-03-02T08:00:00Z",
    "status": "succeeded",
    "confidence": "high",
    "correctness": 0.875,
    "utility": None,
    "question": "배양기의 온도와 습도는 어떻게 맞추나요? " * 5,
}
COLUMNS = tuple(VERDICT)
NAMES = ["day", "correctness", "utility", *(f"count_{number}" for number in range(9)), "title"]
ROWS = [["2026-03-02", 0.9745, 0.8984, *[0] * 8, 12, "t"], ["2026-03-03", None, 1, *[0] * 9, "t"]]


@pytest.fixture(autouse=True)
def _language() -> Iterator[None]:
    choose_language("en")
    yield
    choose_language(None)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """To be called by the test: its standard output is a terminal of 80 columns from then on."""

    def begin() -> None:
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        monkeypatch.setenv("COLUMNS", "80")
        monkeypatch.setenv("TERM", "dumb")

    return begin


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_a_row_that_is_too_wide_goes_on_in_the_next_line(terminal, capsys, lang):
    terminal()
    choose_language(lang)
    tables.print_rows([VERDICT], *COLUMNS, as_json=False)

    header, more, row, rest = lines(capsys)
    assert max(cell_len(line) for line in (header, more, row, rest)) <= 80
    assert row.startswith(ID)
    assert rest.startswith("  ")
    assert "0.88" in row + rest
    assert rest.endswith("…")
    words = {"ko": ("신뢰도", "높음", "완료"), "en": ("confidence", "high", "succeeded")}[lang]
    assert all(word in header + more + row + rest for word in words)


def test_outside_a_terminal_a_row_is_one_line_in_full(capsys):
    tables.print_rows([VERDICT], *COLUMNS, as_json=False)

    _, row = lines(capsys)
    assert row.endswith(VERDICT["question"].strip())


def test_a_last_column_that_folds_keeps_its_place(terminal, capsys):
    terminal()
    tables.print_table(["a", "b"], [["1", "word " * 40]], last="fold")

    _, first, *more = lines(capsys)
    assert first.startswith("1  word")
    assert all(line.startswith("   word") for line in more)
    assert " ".join(first[1:].split() + " ".join(more).split()) == ("word " * 40).strip()


def test_a_narrow_query_leaves_out_columns_without_a_value_and_names_them(terminal, capsys):
    terminal()
    tables.print_query(NAMES, ROWS)

    header, first, second, note, *more = lines(capsys)
    assert header.split() == ["day", "correctness", "utility", "count_8", "title"]
    assert first.split() == ["2026-03-02", "0.9745", "0.8984", "12", "t"]
    assert second.split() == ["2026-03-03", "-", "1", "0", "t"]
    assert "count_0, count_1" in note
    assert "--wide" in "".join([note, *more])


@pytest.mark.parametrize("wide", [True, False])
def test_every_column_is_shown_wide_or_without_a_terminal(terminal, capsys, *, wide):
    if wide:
        terminal()
    tables.print_query(NAMES, ROWS, wide=wide)

    header, first, _ = lines(capsys)
    assert header.split() == NAMES
    assert first.split() == ["2026-03-02", "0.9745", "0.8984", *["0"] * 8, "12", "t"]


def test_a_query_that_fits_keeps_columns_of_zeros(terminal, capsys):
    terminal()
    tables.print_query(["day", "failed"], [["2026-03-02", 0]])

    assert lines(capsys)[1].split() == ["2026-03-02", "0"]


def test_no_text_turns_the_direction_of_its_neighbours(capsys):
    row = VERDICT | {"question": "\u202eabc\u2066\x1b[2J가"}
    tables.print_rows([row], "id", "question", as_json=False)
    assert f"{ID}  abc[2J가" in capsys.readouterr().out
