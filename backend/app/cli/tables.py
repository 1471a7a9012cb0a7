"""Lists and query results, as tables or as JSON."""

from collections.abc import Callable, Iterable, Sequence

from rich.table import Table
from rich.text import Text

from app.cli.output import View, console, local_time, one_line, print_json, score, written

# The name of a field, or a header and what it shows of a row.
Column = str | tuple[str, Callable[[View], object]]


def print_rows(
    rows: Sequence[View], *columns: Column, as_json: bool, last_folds: bool = False
) -> None:
    """A list as JSON or as a table; a field `created_at` has the header `created`."""
    if as_json:
        print_json(rows)
        return
    headers = [
        column.removesuffix("_at").replace("_", " ") if isinstance(column, str) else column[0]
        for column in columns
    ]
    shown = table(*headers, last_folds=last_folds)
    for row in rows:
        shown.add_row(*(_cell(row, column) for column in columns))
    out = console()
    # A table that fills the width would shrink all its columns; expanded, only the last one.
    shown.expand = out.measure(shown).maximum >= out.width
    out.print(shown)


def _cell(row: View, column: Column) -> str | Text:
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
            return one_line(",".join(map(str, value)))
        case _:
            return one_line(str(value))


def query_table(names: Sequence[str], rows: Iterable[Iterable[object]]) -> Table:
    """The result of a query, with its figures to the last digit."""
    shown = table(*names)
    for row in rows:
        shown.add_row(*(one_line(written(value)) for value in row))
    return shown


def table(*columns: str, last_folds: bool = False) -> Table:
    """A plain table. Only the last column may be truncated, or folded, to fit the width."""
    made = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    *others, last = columns
    for column in others:
        made.add_column(column, no_wrap=True)
    made.add_column(
        last, no_wrap=not last_folds, overflow="fold" if last_folds else "ellipsis", ratio=1
    )
    return made
