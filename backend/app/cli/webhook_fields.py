"""The options that say what a webhook is told of, and the bodies that they become."""

import re
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from app.cli.ask import notebook_id
from app.cli.client import Client
from app.cli.language import translated
from app.integrations.webhooks.events import EventName, Metric

_THRESHOLD = re.compile(r"\s*(\w+)\s*([<>])\s*(\d+(?:\.\d+)?)\s*", re.ASCII)
_METRICS = ", ".join(Metric)
# What --clear takes, and the field that becomes null.
FILTERS = {
    "confidence": "confidences",
    "judge": "judges",
    "notebook": "notebook_ids",
    "feature": "features",
}

Events = Annotated[
    list[EventName] | None, typer.Option("--event", help="What to send; repeatable.")
]
Confidences = Annotated[
    list[str] | None,
    typer.Option("--confidence", help="Only verdicts of high, medium or low; repeatable."),
]
Judges = Annotated[
    list[str] | None, typer.Option("--judge", help="Only this judge, provider:model; repeatable.")
]
Notebooks = Annotated[
    list[str] | None,
    typer.Option("--notebook", metavar="NAME", help="Only this notebook; repeatable."),
]
Features = Annotated[
    list[str] | None, typer.Option("--feature", help="Only answers of this feature; repeatable.")
]
Thresholds = Annotated[
    list[str] | None,
    typer.Option(
        "--threshold",
        metavar="METRIC<VALUE",
        help=f"A day's threshold, as in 'high_share<0.5' or 'cost_usd>5'; repeatable. {_METRICS}.",
    ),
]
Minutes = Annotated[
    int | None,
    typer.Option("--backlog-minutes", min=1, help="When a waiting answer makes a backlog."),
]
Content = Annotated[
    bool | None,
    typer.Option("--content/--no-content", help="Also send question, answer and claims."),
]
MessageLang = Annotated[
    str | None,
    typer.Option("--message-lang", metavar="ko|en", help="Language of Slack messages."),
]


def read_url(given: str) -> str:
    """The address; `-` reads it from standard input, out of the sight of `ps` and the history."""
    return sys.stdin.readline().strip() if given == "-" else given


def body_of(
    client: Client,
    *,
    events: Sequence[str] | None,
    confidences: Sequence[str] | None,
    judges: Sequence[str] | None,
    notebooks: Sequence[str] | None,
    features: Sequence[str] | None,
    thresholds: Sequence[str] | None,
    **others: object,
) -> dict[str, Any]:
    """Fields of the API; what was not given is left out. Raises BadParameter."""
    fields: dict[str, object] = {
        "events": events,
        "confidences": confidences,
        "judges": judges,
        "notebook_ids": notebooks and [notebook_id(client, name) for name in notebooks],
        "features": features,
        "thresholds": thresholds and [_threshold(written) for written in thresholds],
        **others,
    }
    return {name: value for name, value in fields.items() if value is not None and value != []}


def cleared(filters: Sequence[str]) -> dict[str, None]:
    """The filters that are taken away. Raises BadParameter."""
    for name in filters:
        if name not in FILTERS:
            known = ", ".join(FILTERS)
            raise typer.BadParameter(
                translated(
                    f"{name!r} is no filter; write one of {known}.",
                    f"{name!r}은(는) 필터가 아닙니다. 다음 가운데 하나를 쓰세요: {known}.",
                ),
                param_hint="--clear",
            )
    return {FILTERS[name]: None for name in filters}


def _threshold(written: str) -> dict[str, object]:
    found = _THRESHOLD.fullmatch(written)
    if found is None or found[1] not in list(Metric):
        raise typer.BadParameter(
            translated(
                f"{written!r} is not METRIC<VALUE or METRIC>VALUE; the metrics are {_METRICS}.",
                f"{written!r}은(는) METRIC<VALUE 형식이 아닙니다. 지표: {_METRICS}.",
            ),
            param_hint="--threshold",
        )
    direction = "below" if found[2] == "<" else "above"
    return {"metric": found[1], "direction": direction, "value": float(found[3])}
