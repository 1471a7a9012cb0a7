"""What the commands print: text for people, JSON for scripts."""

import datetime as dt
import json
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import typer
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from app.ai_router.types import Lang
from app.errors import SetupError

View = Mapping[str, Any]
Shown = TypeVar("Shown")

_WORDS = Path(__file__).with_name("words.toml")

# Wide enough for a row with an id in it; pipes and files have no width of their own.
_PIPE_WIDTH = 140

# Notes, answers and verdicts are untrusted text; no control sequence of theirs reaches a terminal.
_CONTROL = {code: None for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n"}


def console() -> Console:
    """For text. Markup is off because `[노트 1]` is none; output is plain outside a terminal."""
    width = None if sys.stdout.isatty() else _PIPE_WIDTH
    return Console(highlight=False, markup=False, emoji=False, width=width)


def printable(text: str) -> str:
    """Without control characters but tabs and line ends."""
    return text.translate(_CONTROL)


def words_of(section: str, lang: Lang) -> dict[str, str]:
    """The texts of one section of words.toml."""
    texts = tomllib.loads(_WORDS.read_text(encoding="utf-8"))[section]
    return {name: both[lang] for name, both in texts.items()}


def print_json(value: Any) -> None:
    """One JSON value, whole and in UTF-8."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))


def print_result(value: Shown, show: Callable[[Shown], object], *, as_json: bool) -> None:
    """Prints the value as JSON, or calls `show` with it."""
    print_json(value) if as_json else show(value)


def print_json_line(value: Any) -> None:
    """One JSON value on one line, so that a stream of them is JSON lines."""
    typer.echo(json.dumps(value, ensure_ascii=False))


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
    console().print(shown)


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


def written(value: object) -> str:
    """A value of JSON as people write it; "-" for none."""
    if value is None:
        return "-"
    return str(value).lower() if isinstance(value, bool) else str(value)


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


def indented(content: RenderableType, by: int = 2) -> RenderableType:
    """The content `by` columns further right; continuation lines of a text two more."""
    if isinstance(content, Text):
        return _HangingText(content, by)
    return Padding(content, (0, 0, 0, by), expand=False)


@dataclass(frozen=True)
class _HangingText:
    """Leading spaces of the text add to its indent; no line ends with spaces."""

    text: Text
    by: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        spaces = len(self.text.plain) - len(self.text.plain.lstrip(" "))
        indent = self.by + spaces
        width = max(1, options.max_width - indent - 2)
        for number, line in enumerate(self.text[spaces:].wrap(console, width)):
            line.rstrip()
            yield Text(" " * (indent if number == 0 else indent + 2)) + line


def one_line(text: str | None) -> Text:
    return Text(" ".join(printable(text or "").split()))


def local_time(written: str | None) -> str:
    """An ISO 8601 time as this machine's clock shows it; "-" for none."""
    if written is None:
        return "-"
    return dt.datetime.fromisoformat(written).astimezone().strftime("%Y-%m-%d %H:%M:%S")


def score(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def format_of(file: Path, formats: Mapping[str, Shown], otherwise: str = "") -> Shown:
    """The format for the file's extension. Raises SetupError."""
    if file.suffix.lower() not in formats:
        raise SetupError(
            f"The format of {file.name} is unknown; end it with one of {', '.join(formats)}"
            f"{otherwise}."
        )
    return formats[file.suffix.lower()]


def save(chunks: Iterable[bytes], file: Path | None) -> None:
    """Writes the file, or leaves it as it was; to standard output without one. Raises
    SetupError."""
    if file is None:
        sys.stdout.buffer.writelines(chunks)
        sys.stdout.buffer.flush()
        return
    part = file.with_name(f"{file.name}.part")
    try:
        with part.open("wb") as opened:
            opened.writelines(chunks)
        part.replace(file)
    except OSError as error:
        raise SetupError(f"{file} cannot be written: {error.strerror}.") from None
    finally:
        part.unlink(missing_ok=True)
