"""`searchqa …`: every command of the command line.

A command's module is imported when the command is run, so that help and light commands are
quick.
"""

import atexit
import gc
import sys
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from app.cli.language import LangOption, add_option, choose_language, help_language, language
from app.cli.words import words_of
from app.platform.errors import RequestError, SearchQAError

_RUN, _USE, _OPERATE = "Run", "Ask and read", "Operate"

# name: (help panel, first line of its help)
COMMANDS = {
    "demo": (_RUN, "Run the whole flow once: ask, answer, judge, show the verdicts."),
    "up": (
        _RUN,
        "Run the whole stack locally: PostgreSQL, Redis, API, workers, dispatcher and Flower.",
    ),
    "ask": (_USE, "Ask a question; the answer streams at once, its verdict follows in seconds."),
    "refine": (_USE, "Improve an answer: rewrite the query, search, answer and judge again."),
    "notes": (_USE, "Import, list, delete and embed notes."),
    "verdicts": (_USE, "List, show, watch, label, export and rejudge verdicts."),
    "review": (_USE, "Draw answers at random for people to label, and label them in order."),
    "dataset": (_USE, "Generate, import, review and export questions with known answers."),
    "run": (_USE, "Evaluate search and answers over a dataset, and compare runs."),
    "judge-bench": (
        _USE,
        "Benchmark judges against human labels: precision, recall, F1, AUROC and more.",
    ),
    "prompts": (_USE, "List, show, keep and retire the workspace's own judge prompts."),
    "analytics": (_USE, "Run a named query over all verdicts: quality by day, cost, and so on."),
    "login": (_OPERATE, "Print a one-time login link for a browser."),
    "token": (_OPERATE, "Create, list and revoke API tokens, directly in the database."),
    "judges": (_OPERATE, "List and resume paused judges."),
    "batches": (_OPERATE, "List, show and cancel batches of requests to judges."),
    "webhooks": (_OPERATE, "Send verdicts and alerts to other applications and to Slack."),
    "policy": (_OPERATE, "Show and change the workspace's evaluation policy."),
    "retention": (_OPERATE, "Delete data that is past its retention period."),
    "partitions": (_OPERATE, "List and add the month partitions of the largest tables."),
    "vectors": (_OPERATE, "List and make the indexes of large workspaces' vectors."),
    "traces": (_OPERATE, "Count the traces of other applications by what has become of them."),
    "jobs": (_OPERATE, "List, show and cancel background jobs."),
    "doctor": (_OPERATE, "Check configuration and connections, and suggest fixes."),
    "migrate": (_OPERATE, "Migrate the database at DATABASE_URL to the latest schema."),
    "backup": (_OPERATE, "Back up the database into a file, and read it whole afterwards."),
    "restore": (_OPERATE, "Restore a backup into an empty database."),
    "psql": (_OPERATE, "Open psql on the stack's database."),
}

# Former names, accepted for one release; the first that matches counts.
RENAMED = {
    ("evaluations",): ("verdicts",),
    ("evaluation", "run"): ("run", "start"),
    ("evaluation", "runs"): ("run", "list"),
    ("evaluation", "results"): ("run", "show"),
    ("evaluation", "compare"): ("run", "compare"),
    ("evaluation", "cancel"): ("run", "cancel"),
    ("evaluation",): ("dataset",),
}


class _Lazy(TyperCommand):
    """Represents a command in the help. `app.cli.<name>` holds the real one under its own name:
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
        command = typer.main.get_command(found)
        add_option(command)
        return command.make_context(info_name, args, parent, **extra)


class _Commands(TyperGroup):
    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, (panel, summary) in COMMANDS.items():
            self.add_command(_Lazy(name=name, help=summary, rich_help_panel=panel))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """In the language that --lang or SEARCHQA_LANG names."""
        for name, command in self.commands.items():
            panel, _ = COMMANDS[name]
            command.help = summary(name)
            command.rich_help_panel = _in_words(panel)  # type: ignore[attr-defined]  # _Lazy's
        super().format_help(ctx, formatter)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        return super().resolve_command(ctx, _with_present_name(args))


def _with_present_name(arguments: list[str]) -> list[str]:
    for old, new in RENAMED.items():
        if tuple(arguments[: len(old)]) == old:
            was, is_now = " ".join(old), " ".join(new)
            sys.stderr.write(
                f"searchqa: `{was}` is now `{is_now}`; the next release drops the old name.\n"
            )
            return [*new, *arguments[len(old) :]]
    return arguments


def summary(name: str) -> str:
    """The first line of a command's help."""
    return COMMANDS[name][1] if help_language() == "en" else words_of("commands", "ko")[name]


def _in_words(panel: str) -> str:
    return panel if help_language() == "en" else words_of("commands", "ko")[panel]


cli = typer.Typer(cls=_Commands, no_args_is_help=True, pretty_exceptions_show_locals=False)


@cli.callback()
def searchqa(lang: LangOption = None) -> None:
    """Answers questions from notes and judges every answer in the background."""


def main() -> None:
    """Runs one command. An error that the caller or the operator can fix is one sentence on
    stderr and exit code 1."""
    atexit.register(gc.freeze)  # the collections at exit would walk all that was imported
    choose_language(None)
    try:
        cli()
    except SearchQAError as error:
        told = error.detail[language()] if isinstance(error, RequestError) else str(error)
        sys.stderr.write(f"searchqa: {told}\n")
        sys.exit(1)
