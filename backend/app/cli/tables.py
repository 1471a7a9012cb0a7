"""Lists and query results, as tables or as JSON.

Outside a terminal each row is one line with every value in full. On a terminal, columns that do not
fit go to a further, indented line of the row, and only the last column is cut or folded.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rich.cells import cell_len
from rich.text import Text

from app.cli.language import N_, _
from app.cli.output import View, console, local_time, one_line, print_json, score, written

# The name of a field, or a name for a header and what is shown of a row.
Column = str | tuple[str, Callable[[View], object]]

# Headers and values of tables, which are translated by their names.
WORDS = (
    *(N_("created"), N_("updated"), N_("expires"), N_("last used"), N_("status"), N_("state")),
    *(N_("type"), N_("name"), N_("title"), N_("lang"), N_("version"), N_("review")),
    *(N_("scopes"), N_("cases"), N_("question"), N_("verdict"), N_("checks")),
    *(N_("correctness"), N_("utility"), N_("confidence"), N_("retrieval"), N_("recall")),
    *(N_("faithful"), N_("faithfulness"), N_("answer relevancy"), N_("worst cases")),
    *(N_("change"), N_("mean"), N_("first"), N_("second"), N_("baseline"), N_("difference")),
    *(N_("95 % interval"), N_("field"), N_("from"), N_("value")),
    *(N_("queued"), N_("running"), N_("retrying"), N_("pending"), N_("succeeded")),
    *(N_("completed"), N_("failed"), N_("skipped"), N_("cancelled"), N_("high"), N_("medium")),
    *(N_("low"), N_("valid"), N_("expired"), N_("revoked"), N_("server"), N_("workspace")),
    *(N_("highest"), N_("lowest"), N_("now fails"), N_("now passes")),
    *(N_("mended in"), N_("not mended"), N_("generated answer")),
    *(N_("position"), N_("when"), N_("who"), N_("from where"), N_("about"), N_("before")),
    N_("after"),
)

_GAP = 2
# Cells of text; a column that is cut is not cut shorter than this, but goes to the next line.
_MIN_LAST = 20
_MAX_TEXT = 40
# Fields whose values are words of ours, which have a translation.
_NAMED_VALUES = frozenset({"status", "confidence", "label", "utility_label", "state", "from"})


def print_rows(
    rows: Sequence[View], *columns: Column, as_json: bool, last_folds: bool = False
) -> None:
    """A list as JSON or as a table; a field `created_at` has the header `created`."""
    if as_json:
        print_json(rows)
        return
    names = [column if isinstance(column, str) else column[0] for column in columns]
    headers = [_(name.removesuffix("_at").replace("_", " ")) for name in names]
    cells = ([_cell(row, column) for column in columns] for row in rows)
    print_table(headers, cells, last="fold" if last_folds else "cut")


def _cell(row: View, column: Column) -> str:
    if isinstance(column, str) and column.endswith("_at"):
        return local_time(row[column])
    value = row[column] if isinstance(column, str) else column[1](row)
    match value:
        case None | "":
            return "-"
        case float():
            return score(value)
        case int():
            return f"{value:,}"
        case list():
            return one_line(",".join(map(str, value))).plain
        case str() if column in _NAMED_VALUES:
            return _(value)
        case _:
            return one_line(str(value)).plain


def print_query(
    names: Sequence[str], rows: Iterable[Iterable[object]], *, wide: bool = False, indent: int = 0
) -> None:
    """The result of a query, with its figures to the last digit. A terminal that is too narrow
    shows the columns that say something, from the left, and names the others, unless `wide`."""
    cells = [[one_line(written(value)).plain for value in row] for row in rows]
    room = _room(indent)
    if wide or room is None:
        print_table(names, cells, last="whole", indent=indent, width=None)
        return
    widths = [min(width, _MAX_TEXT) for width in _widths(names, cells)]
    shown = _columns_that_fit(widths, cells, room)
    picked = [[_cut(row[index], widths[index]) for index in shown] for row in cells]
    print_table([names[index] for index in shown], picked, last="whole", indent=indent)
    if hidden := [name for index, name in enumerate(names) if index not in shown]:
        listed = ", ".join(hidden)
        note = _("Not shown: {listed}. --wide shows every column in full.", listed=listed)
        console().print(Text(" " * indent + note, "dim"))


def _columns_that_fit(
    widths: Sequence[int], cells: Sequence[Sequence[str]], room: int
) -> list[int]:
    """Positions of the columns to show: all if they fit; else first those without a value other
    than 0 are left out, then the last ones."""
    shown = list(range(len(widths)))

    def total() -> int:
        return sum(widths[index] + _GAP for index in shown) - _GAP

    if total() > room:
        shown = [
            index
            for index in shown
            if index == 0 or any(row[index] not in {"-", "0", "0.0", ""} for row in cells)
        ]
    while len(shown) > 1 and total() > room:
        shown.pop()
    return shown


@dataclass(frozen=True)
class _Layout:
    """Which columns stand on which line of a row, and how wide each is."""

    lines: Sequence[Sequence[int]]
    widths: Sequence[int]


_Last = Literal["cut", "fold", "whole"]
_AS_TERMINAL = -1


def print_table(
    headers: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    last: _Last = "cut",
    indent: int = 0,
    width: int | None = _AS_TERMINAL,
) -> None:
    """Prints a plain table. width: cells of a line, None for no limit; the terminal's by default.
    last: what becomes of the last column where it does not fit."""
    cells = [list(row) for row in rows]
    room = _room(indent) if width == _AS_TERMINAL else width
    layout = _layout(_widths(headers, cells), room, last)
    out = console()
    for number, row in enumerate([list(headers), *cells]):
        for line in _lines_of(row, layout, room, last):
            text = Text(" " * indent + line, "bold" if number == 0 else "")
            out.print(text, soft_wrap=True)


def _room(indent: int) -> int | None:
    """Cells of a line beside the indent; None outside a terminal."""
    return console().width - indent if sys.stdout.isatty() else None


def _widths(headers: Sequence[str], cells: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(cell_len, column)) for column in zip(headers, *cells, strict=True)]


def _layout(widths: Sequence[int], room: int | None, last: _Last) -> _Layout:
    if room is None:
        return _Layout([range(len(widths))], widths)
    lines: list[list[int]] = [[]]
    used = 0
    for index, width in enumerate(widths):
        is_last = index == len(widths) - 1 and last != "whole"
        needed = min(width, _MIN_LAST) if is_last else width
        if lines[-1] and used + needed > room:
            lines.append([])
            used = _GAP
        lines[-1].append(index)
        used += width + _GAP
    return _Layout(lines, widths)


def _lines_of(row: Sequence[str], layout: _Layout, room: int | None, last: _Last) -> Iterator[str]:
    final = len(row) - 1
    for number, columns in enumerate(layout.lines):
        line = "" if number == 0 else " " * _GAP
        for index in columns:
            if index == final and room is not None and last != "whole":
                yield from _with_last(line, row[index], room, last)
                return
            line += row[index] + " " * (layout.widths[index] - cell_len(row[index]) + _GAP)
        yield line.rstrip()


def _with_last(line: str, value: str, room: int, last: _Last) -> Iterator[str]:
    start = cell_len(line)
    left = max(room - start, _GAP)
    if last == "cut":
        yield (line + _cut(value, left)).rstrip()
        return
    for number, part in enumerate(Text(value).wrap(console(), left)):
        part.rstrip()
        yield ((line if number == 0 else " " * start) + part.plain).rstrip()


def _cut(value: str, width: int) -> str:
    text = Text(value)
    text.truncate(width, overflow="ellipsis")
    return text.plain
