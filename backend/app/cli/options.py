"""Options, arguments and groups of commands that several modules share."""

import datetime as dt
import re
import uuid
from typing import Annotated

import typer

from app.cli import summary
from app.platform.errors import SetupError

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")]
NotebookName = Annotated[
    str | None, typer.Option("--notebook", metavar="NAME", help="Only this notebook.")
]
DatasetId = Annotated[uuid.UUID, typer.Argument(help="An id from `searchqa dataset list`.")]
RunId = Annotated[uuid.UUID, typer.Argument(help="An id from `searchqa run list`.")]
VerdictId = Annotated[uuid.UUID, typer.Argument(help="An id from `searchqa verdicts list`.")]
Author = Annotated[
    str | None, typer.Option(help="Who gives the label; the token's name by default.")
]


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
