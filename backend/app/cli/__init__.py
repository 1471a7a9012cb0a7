"""`searchqa …`: every command of the command line.

A command's module is imported when the command is run, so that help and light commands are
quick.
"""

import sys
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from app.errors import SearchQAError

_RUN, _USE, _OPERATE = "Run", "Ask and read", "Operate"

# name: (help panel, first line of its help)
COMMANDS = {
    "demo": (_RUN, "Do the main job once and end: ask, answer, judge, show the verdicts."),
    "up": (
        _RUN,
        "Run the whole stack here: PostgreSQL, Redis, API, workers, dispatcher and Flower.",
    ),
    "ask": (_USE, "Ask a question; the answer comes at once, its verdict seconds later."),
    "refine": (_USE, "Look for a better answer: rewrite the query, search, answer, judge again."),
    "notes": (_USE, "Import and list notes."),
    "evaluations": (_USE, "List, show, watch, label, export and renew verdicts."),
    "evaluation": (
        _USE,
        "Datasets of questions with known answers, and runs that measure search and answers.",
    ),
    "judge-bench": (
        _USE,
        "Measure judges against labels of people: precision, recall, F1, AUROC and more.",
    ),
    "analytics": (_USE, "Ask all verdicts a named question: quality by day, cost, and so on."),
    "login": (_OPERATE, "Print a fresh one-time login link for a browser."),
    "token": (_OPERATE, "Make, list and revoke API tokens, directly in the database."),
    "judges": (_OPERATE, "List paused judges and let them work again."),
    "policy": (
        _OPERATE,
        "Show and change what the workspace has judged, by whom and for how much.",
    ),
    "retention": (_OPERATE, "Forget what has been kept long enough, and say how much it was."),
    "jobs": (_OPERATE, "List, show and cancel background jobs."),
    "doctor": (_OPERATE, "Say what is configured, reachable and missing, and how to mend it."),
    "migrate": (_OPERATE, "Bring the database at DATABASE_URL to the newest migration."),
    "psql": (_OPERATE, "Open psql on the database of the stack."),
}


class _Lazy(TyperCommand):
    """Stands for a command in the help. `app.cli.<name>` holds the real one under its own name:
    a function, or a Typer of several."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any
    ) -> Any:
        name = str(self.name).replace("-", "_")
        found = getattr(import_module(f"{__name__}.{name}"), name)
        if not isinstance(found, typer.Typer):
            alone = typer.Typer(add_completion=False)
            alone.command()(found)
            found = alone
        return typer.main.get_command(found).make_context(info_name, args, parent, **extra)


class _Commands(TyperGroup):
    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, (panel, summary) in COMMANDS.items():
            self.add_command(_Lazy(name=name, help=summary, rich_help_panel=panel))


cli = typer.Typer(cls=_Commands, no_args_is_help=True, pretty_exceptions_show_locals=False)


@cli.callback()
def searchqa() -> None:
    """Answers questions from notes and judges every answer in the background."""


def main() -> None:
    """Runs one command. What the caller or the operator can mend is one sentence on stderr and
    exit code 1."""
    try:
        cli()
    except SearchQAError as error:
        sys.stderr.write(f"searchqa: {error}\n")
        sys.exit(1)
