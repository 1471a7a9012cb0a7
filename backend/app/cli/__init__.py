"""`searchqa …`: every command of the command line.

A command's module is imported when the command is run, so that help and light commands are
quick.
"""

import atexit
import gc
import getpass
import sys
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from app.cli.language import (
    N_,
    LangOption,
    _,
    add_option,
    choose_language,
    in_help_language,
    language,
)
from app.platform.db.actor import act_as
from app.platform.errors import RequestError, SearchQAError

# By panel of the help: the first line of each command's help.
_SUMMARIES = {
    N_("Run"): {
        "demo": N_("Run the whole flow once: ask, answer, judge, show the verdicts."),
        "up": N_(
            "Run the whole stack locally: PostgreSQL, Redis, API, workers, dispatcher and Flower."
        ),
    },
    N_("Ask and read"): {
        "ask": N_("Ask a question; the answer streams at once, its verdict follows in seconds."),
        "refine": N_("Improve an answer: rewrite the query, search, answer and judge again."),
        "notes": N_("Import, list, delete and embed notes."),
        "verdicts": N_("List, show and export verdicts."),
        "dataset": N_("Generate, import and export questions with known answers."),
        "run": N_("Evaluate search and answers over a dataset, and compare runs."),
        "judge-bench": N_(
            "Benchmark judges against human labels: precision, recall, F1, AUROC and more."
        ),
        "judge": N_("Compare a judge with its successor, and switch to it."),
        "analytics": N_("Run a named query over all verdicts: quality by day, cost, and so on."),
        "api": N_("Call any path of the HTTP API and print its reply."),
        "mcp": N_("Serve SearchQA's tools to a coding agent over stdio (Model Context Protocol)."),
    },
    N_("Operate"): {
        "login": N_("Print a one-time login link for a browser."),
        "token": N_("Create, list and revoke API tokens, directly in the database."),
        "policy": N_("Show and change the workspace's evaluation policy."),
        "retention": N_("Delete data that is past its retention period."),
        "partitions": N_("List and add the month partitions of the largest tables."),
        "vectors": N_("List and make the indexes of large workspaces' vectors."),
        "doctor": N_("Check configuration and connections, and suggest fixes."),
        "audit": N_("List, verify and export the log of who changed what."),
        "migrate": N_("Migrate the database at DATABASE_URL to the latest schema."),
        "backup": N_("Back up the database into a file, and read it whole afterwards."),
        "restore": N_("Restore a backup into an empty database."),
        "psql": N_("Open psql on the stack's database."),
    },
}
# Those of another name than their command.
_MODULES = {
    "judge-bench": "judge_bench",
    "login": "token",
    "mcp": "server",
    **dict.fromkeys(("retention", "partitions", "vectors"), "maintenance"),
    **dict.fromkeys(("migrate", "backup", "restore", "psql"), "database"),
}
# name: (help panel, first line of its help, module)
COMMANDS = {
    name: (panel, summary, _MODULES.get(name, name))
    for panel, commands in _SUMMARIES.items()
    for name, summary in commands.items()
}


class _Lazy(TyperCommand):
    """Represents a command in the help. `app.cli.<name>` holds the real one under its own name:
    a function, or a Typer of several."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any
    ) -> Any:
        module = import_module(f"{__name__}.{COMMANDS[str(self.name)][2]}")
        found = getattr(module, str(self.name).replace("-", "_"))
        if not isinstance(found, typer.Typer):
            alone = typer.Typer(add_completion=False)
            alone.command()(found)
            found = alone
        command = typer.main.get_command(found)
        add_option(command, parent.command)
        given = args[:1] if args and args[0] in getattr(command, "commands", ()) else []
        act_as(_account(), "cli", " ".join(["searchqa", str(self.name), *given]))
        return command.make_context(info_name, args, parent, **extra)


def _account() -> str:
    """Of the operating system, for the audit log."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user without a name
        return "operator"


class _Commands(TyperGroup):
    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, (panel, summary, _module) in COMMANDS.items():
            self.add_command(_Lazy(name=name, help=summary, rich_help_panel=panel))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """In the language that --lang or SEARCHQA_LANG names."""
        for name, command in self.commands.items():
            command.help = summary(name)
            panel = in_help_language(COMMANDS[name][0])
            command.rich_help_panel = panel  # type: ignore[attr-defined]  # _Lazy's
        super().format_help(ctx, formatter)


def summary(name: str) -> str:
    """The first line of a command's help."""
    return in_help_language(COMMANDS[name][1])


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
    except Exception as error:
        sentence = _sentence(error)
        if sentence is None:
            raise
        sys.stderr.write(f"searchqa: {sentence}\n")
        sys.exit(1)


def _sentence(error: Exception) -> str | None:
    """The message of an error that the caller or the operator can fix; None for our own bugs."""
    if isinstance(error, RequestError):
        return error.detail[language()]
    if isinstance(error, SearchQAError):
        return str(error)
    # Imported by the commands that ask a server.
    client = sys.modules.get("searchqa_client.errors")
    if client is None or not isinstance(error, client.SearchQAError):
        return None
    if isinstance(error, client.TimedOut):
        return _("{url} did not answer in full; run `searchqa doctor`.", url=error.url)
    if isinstance(error, client.Unreachable):
        return _(
            "{url} cannot be reached ({reason}); start it with `searchqa up`, or set SEARCHQA_URL"
            " to where it runs.",
            url=error.url,
            reason=error.reason,
        )
    return str(error)
