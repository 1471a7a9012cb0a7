"""Options, arguments and groups of commands that several modules share."""

import uuid
from typing import Annotated

import typer

from app.cli import COMMANDS

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
    summary = COMMANDS[name][1]
    group = typer.Typer(
        add_completion=False, no_args_is_help=True, help=f"{summary}\n\n{details}".strip()
    )
    # Without a callback Typer takes a single command for the whole group.
    group.callback()(lambda: None)
    return group
