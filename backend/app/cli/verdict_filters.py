"""`--where NAME=VALUE`: the filter of `searchqa verdicts list` and `export`."""

import datetime as dt
from typing import Annotated

import typer

# The parameters of GET /qa-evaluations; their own module would load the morpheme analyser.
NAMES = (
    *("status", "reason", "outcome", "confidence", "answer_id", "min_correctness"),
    *("max_correctness", "correctness_below", "min_utility", "max_utility", "judge_model"),
    *("made_by", "prompt_version", "answer_model", "feature", "lang", "notebook_id", "since"),
    *("until", "first_day", "last_day", "tz", "degraded", "from_cache", "judged_by", "has_issues"),
    *("issue_kind", "cited_note", "misquoted_note", "labelled", "current", "question"),
)

Where = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help=f"Only verdicts that match; repeatable. Names: {', '.join(NAMES)}.",
    ),
]


def filters(where: list[str] | None) -> dict[str, str]:
    """Query parameters. A day (2026-01-31) is its midnight in this machine's time zone. Raises
    BadParameter."""
    found = {}
    for written in where or ():
        name, equals, value = written.partition("=")
        if name not in NAMES or not equals or not value:
            raise typer.BadParameter(
                f"{written!r} is not NAME=VALUE with one of {', '.join(NAMES)}",
                param_hint="--where",
            )
        found[name] = parse_moment(value, "--where") if name in ("since", "until") else value
    return found


def parse_moment(written: str, option: str) -> str:
    """As the API reads it; a day is its midnight here. Raises BadParameter."""
    try:
        when = dt.datetime.fromisoformat(written)
    except ValueError:
        raise typer.BadParameter(
            f"{written!r} is not a time; write 2026-01-31 or 2026-01-31T09:00:00",
            param_hint=option,
        ) from None
    return (when if when.tzinfo else when.astimezone()).isoformat()
