"""Options, arguments and groups of commands that several modules share."""

import uuid
from typing import Annotated

import typer

from app.cli import summary

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
