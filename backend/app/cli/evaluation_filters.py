"""`--where NAME=VALUE`: which verdicts `searchqa evaluations list` and `export` are about."""

import datetime as dt
from typing import Annotated

import typer

from app.verdicts.explorer_queries import CONDITIONS

Where = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help=f"Only those to which this applies; may be repeated. Names: {', '.join(CONDITIONS)}.",
    ),
]


def filters(where: list[str] | None) -> dict[str, str]:
    """Query parameters. A day (2026-01-31) is its first moment on this machine's clock. Raises
    BadParameter."""
    found = {}
    for written in where or ():
        name, equals, value = written.partition("=")
        if name not in CONDITIONS or not equals or not value:
            raise typer.BadParameter(
                f"{written!r} is not NAME=VALUE with one of {', '.join(CONDITIONS)}",
                param_hint="--where",
            )
        found[name] = _moment(value) if name in ("since", "until") else value
    return found


def _moment(written: str) -> str:
    try:
        when = dt.datetime.fromisoformat(written)
    except ValueError:
        raise typer.BadParameter(
            f"{written!r} is no time; write 2026-01-31 or 2026-01-31T09:00:00",
            param_hint="--where",
        ) from None
    return (when if when.tzinfo else when.astimezone()).isoformat()
