"""Output of the commands, and the options they share."""

import datetime as dt
import json
import re
import sys
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import typer
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.padding import Padding
from rich.text import Text

from app.cli import summary
from app.cli.language import _
from app.platform.errors import SetupError

View = Mapping[str, Any]

Shown = TypeVar("Shown")

# Wide enough for a row with an id in it; pipes and files have no width of their own.
_PIPE_WIDTH = 140

# Notes, answers and verdicts are untrusted text; no control sequence of theirs reaches a terminal,
# and none that turns the direction of what stands beside it.
_TURNING = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
_CODES = (*range(32), *range(127, 160), *_TURNING)
_CONTROL = {code: None for code in _CODES if chr(code) not in "\t\n"}


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


Format = TypeVar("Format")


def format_of(file: Path, formats: Mapping[str, Format], otherwise: str = "") -> Format:
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


def estimate(cost: View) -> str:
    """The expected cost of a job's calls, in a sentence."""
    tokens = cost["prompt_tokens"] + cost["completion_tokens"]
    if cost["cost_usd"] is None:
        why = f" ({cost['unpriced']})" if cost.get("unpriced") else ""
        price = _("at an unknown price{why}", why=why)
    else:
        price = f"${cost['cost_usd']:.4f}"
        if cost.get("batch_cost_usd") is not None:
            price = _(
                "{calls} by calls, {batch} in batches (the policy has bulk_by={bulk_by})",
                calls=price,
                batch=f"${cost['batch_cost_usd']:.4f}",
                bulk_by=cost["bulk_by"],
            )
    return _(
        "About {calls:,} model calls, {tokens:,} tokens, {price}.",
        calls=cost["calls"],
        tokens=tokens,
        price=price,
    )


def confirm_cost(text: str, cost: View, *, ask: bool) -> None:
    """Prints what a job is about and would cost; `ask` lets it be refused where it costs money."""
    typer.echo(f"{text} {estimate(cost)}", err=True)
    if ask and cost["calls"] and cost["cost_usd"] != 0:
        typer.confirm(_("Continue?"), abort=True, err=True)


@contextmanager
def progress_bar(
    title: str, total: int, *, hidden: bool, after_ctrl_c: str | None = None
) -> Iterator[Callable[[int], None]]:
    """A bar of work, advanced by calling what it gives. after_ctrl_c: the hint for work that the
    server goes on with; it is printed on Ctrl-C, with exit code 130."""
    from rich import progress as bars

    columns = (
        *(bars.TextColumn("{task.description}"), bars.BarColumn(), bars.MofNCompleteColumn()),
        *(bars.TimeElapsedColumn(), bars.TimeRemainingColumn()),
    )
    try:
        with bars.Progress(*columns, console=console(), disable=hidden) as progress:
            bar = progress.add_task(title, total=total)
            yield lambda done: progress.update(bar, completed=done)
    except KeyboardInterrupt:
        if after_ctrl_c is None:
            raise
        goes_on = _("It continues on the server.")
        typer.echo(f"\n{goes_on} {after_ctrl_c}", err=True)
        raise typer.Exit(130) from None


def follow(title: str, begun: View, seen: Iterable[View], *, quiet: bool, again: str) -> View:
    """Shows how far work is that has begun, and gives it as it was seen last. again: the command
    that comes back to it."""
    hint = _("Come back with: {command}", command=again)
    last = begun
    with progress_bar(printable(title), begun["total"], hidden=quiet, after_ctrl_c=hint) as advance:
        for last in seen:
            advance(last["done"])
    return last


AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")]
ExportFormat = Annotated[
    Literal["csv", "jsonl"], typer.Option("--format", help="CSV or JSON lines.")
]
ExportFile = Annotated[
    Path | None,
    typer.Option("--output", "-o", dir_okay=False, help="The file; standard output by default."),
]
NotebookName = Annotated[
    str | None, typer.Option("--notebook", metavar="NAME", help="Only this notebook.")
]
DatasetId = Annotated[uuid.UUID, typer.Argument(help="An id from `searchqa dataset list`.")]
RunId = Annotated[uuid.UUID, typer.Argument(help="An id from `searchqa run list`.")]
VerdictId = Annotated[uuid.UUID, typer.Argument(help="An id from `searchqa verdicts list`.")]


def command_group(name: str, details: str = "") -> typer.Typer:
    """The commands below `searchqa NAME`."""
    text = f"{summary(name)}\n\n{details}".strip()
    group = typer.Typer(add_completion=False, no_args_is_help=True, help=text)
    # Without a callback Typer takes a single command for the whole group.
    group.callback()(lambda: None)
    return group


_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_MAX_LENGTH = dt.timedelta(days=36_500)


def parse_duration(written: str) -> dt.timedelta:
    """`15m`, `12h`, `30d` or `2w`, up to a hundred years. Raises SetupError."""
    match = re.fullmatch(r"([1-9][0-9]{0,6})([mhdw])", written.strip().lower(), re.ASCII)
    if match:
        duration = dt.timedelta(**{_UNITS[match[2]]: int(match[1])})
        if duration <= _MAX_LENGTH:
            return duration
    raise SetupError(f"{written!r} is not a duration; write 15m, 12h, 30d or 2w.")
