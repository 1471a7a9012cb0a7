"""`searchqa verdicts …`: lists, shows and exports verdicts."""

import datetime as dt
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.text import Text

from app.cli import output
from app.cli.language import N_, _, chosen_language
from app.cli.server import connect
from app.cli.tables import print_rows
from app.cli.verdict_view import outcome_of, show_explanation, show_verdict
from app.verdicts.status import Status

# The parameters of GET /qa-evaluations; their own module would load the morpheme analyser.
NAMES = (
    *("status", "reason", "outcome", "confidence", "fault", "answer_id", "min_correctness"),
    *("max_correctness", "correctness_below", "min_utility", "max_utility", "judge_model"),
    *("made_by", "prompt_version", "answer_model", "feature", "lang", "notebook_id", "since"),
    *("app_version", "environment", "user_ref", "session_id", "tag", "attribute"),
    *("until", "first_day", "last_day", "tz", "degraded", "from_cache", "judged_by", "has_issues"),
    "failure_id",
    *("issue_kind", "cited_note", "misquoted_note", "labelled", "current", "criterion"),
    *("criterion_label", "min_criterion", "max_criterion", "question"),
)

Where = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help=f"Only verdicts that match; repeatable. Names: {', '.join(NAMES)}.",
    ),
]


def filters(where: list[str] | None, names: Sequence[str] = NAMES) -> dict[str, str]:
    """Query parameters. A day (2026-01-31) is its midnight in this machine's time zone. Raises
    BadParameter."""
    found = {}
    for written in where or ():
        name, equals, value = written.partition("=")
        if name not in names or not equals or not value:
            raise typer.BadParameter(
                f"{written!r} is not NAME=VALUE with one of {', '.join(names)}",
                param_hint="--where",
            )
        if name in found:
            raise typer.BadParameter(f"{name} is given twice; name it once", param_hint="--where")
        found[name] = parse_moment(value, "--where") if name in ("since", "until") else value
    return found


def parse_moment(written: str, option: str) -> str:
    """As the API reads it; a day is its midnight here. Raises BadParameter."""
    try:
        when = dt.datetime.fromisoformat(written)
    except ValueError:
        raise typer.BadParameter(
            f"{written!r} is not a time; write 2026-01-31 or 2026-01-31T09:00:00", param_hint=option
        ) from None
    return (when if when.tzinfo else when.astimezone()).isoformat()


verdicts = output.command_group("verdicts")


@verdicts.command("list")
def list_(
    status: Annotated[Status | None, typer.Option(help="Only verdicts with this status.")] = None,
    confidence: Annotated[
        Literal["high", "medium", "low"] | None,
        typer.Option(help="Only verdicts with this confidence."),
    ] = None,
    answer: Annotated[
        uuid.UUID | None, typer.Option(help="Only this answer's verdicts, earlier ones included.")
    ] = None,
    where: Where = None,
    order: Annotated[
        Literal["newest", "worst", "slowest", "costliest"],
        typer.Option(help="worst: lowest correctness first."),
    ] = "newest",
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of verdicts.")] = 20,
    json: output.AsJson = False,
) -> None:
    """List verdicts, newest first.

    Examples:

    searchqa verdicts list --confidence low

    searchqa verdicts list --order worst --where lang=ko --where labelled=false

    searchqa verdicts list --status failed --limit 1000 --json | jq -r '.[].error'
    """
    given: dict[str, object] = {"status": status, "confidence": confidence, **filters(where)}
    if answer:
        given["answer_id"] = answer
    if order != "newest":
        given["order"] = order
    with connect() as client:
        found = client.items("/qa-evaluations", limit, **given)
    print_rows(
        found,
        *("id", "created_at", ("verdict", _state)),
        *((name, _score(name)) for name in ("correctness", "utility")),
        *(("checks", _checks), "question"),
        as_json=json,
    )


@verdicts.command()
def export(
    format_: Annotated[
        Literal["csv", "jsonl"], typer.Option("--format", help="CSV or JSON lines.")
    ] = "csv",
    file: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", dir_okay=False, help="The file; standard output by default."
        ),
    ] = None,
    where: Where = None,
) -> None:
    """Export all matching verdicts with their full questions and answers, newest first.

    Examples:

    searchqa verdicts export --output verdicts.csv

    searchqa verdicts export --format jsonl --where since=2026-01-01 | jq .correctness
    """
    with connect() as client:
        chunks = client.pieces("/qa-evaluations/export", format=format_, **filters(where))
        output.save(chunks, file)


@verdicts.command()
def show(evaluation_id: output.VerdictId, json: output.AsJson = False) -> None:
    """Show one verdict with its question and answer.

    Example:

    searchqa verdicts show 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11
    """
    with connect() as client:
        view = client.get(f"/qa-evaluations/{evaluation_id}")
    output.print_result(view, _show, as_json=json)


def _show(view: output.View) -> None:
    out = output.console()
    out.print(Text(output.printable(view["question"]), "bold"))
    out.print(f"\n{output.printable(view['answer'])}\n")
    lang = chosen_language() or view["lang"]
    show_verdict(out, view, lang)
    show_explanation(out, view, lang)


def _state(view: output.View) -> str:
    """The finding of a verdict, or its status until there is one."""
    degraded = _("degraded, ") if view["degraded"] else ""
    found = _found(view) or _(view["status"])
    earlier = "" if view["is_current"] else _(" (not current)")
    return f"{degraded}{found}{earlier}"


def _found(view: output.View) -> str | None:
    """The finding in a word or two; only a model's confidence is called by its name."""
    if view["confidence"] is None:
        return None
    if outcome := outcome_of(view):
        return _(_OUTCOMES[outcome])
    return _(view["confidence"] if view["judged_by"] == "model" else _LOCAL[view["confidence"]])


_OUTCOMES = {
    "matches": N_("rules: match"),
    "mismatch": N_("rules: mismatch"),
    "undecided": N_("rules: cannot tell"),
    "rightly_refused": N_("rightly refused"),
    "falsely_refused": N_("falsely refused"),
}
_LOCAL = {
    "high": N_("local: supported"),
    "medium": N_("local: check parts"),
    "low": N_("local: weak support"),
}


def _score(name: str) -> Callable[[output.View], Any]:
    """The column of a score; those of rules stay in JSON and SQL."""
    return lambda view: None if outcome_of(view) else view[name]


def _checks(view: output.View) -> str:
    quality = view["quality"]
    return f"{quality['met']}/{quality['items']}" if quality else ""
