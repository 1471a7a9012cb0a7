"""What the commands print: text for people, JSON for scripts."""

import datetime as dt
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import typer
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.padding import Padding
from rich.text import Text

View = Mapping[str, Any]
Shown = TypeVar("Shown")

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


def print_json(value: Any) -> None:
    """One JSON value, whole and in UTF-8."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))


def print_result(value: Shown, show: Callable[[Shown], object], *, as_json: bool) -> None:
    """Prints the value as JSON, or calls `show` with it."""
    print_json(value) if as_json else show(value)


def print_json_line(value: Any) -> None:
    """One JSON value on one line, so that a stream of them is JSON lines."""
    typer.echo(json.dumps(value, ensure_ascii=False))


def written(value: object) -> str:
    """A value of JSON as people write it; "-" for none."""
    if value is None:
        return "-"
    return str(value).lower() if isinstance(value, bool) else str(value)


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
