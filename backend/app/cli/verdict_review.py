"""`searchqa verdicts review`, and the labelling that it shares with `searchqa review label`."""

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from app.cli.client import Client, connect
from app.cli.label_items import LabelItems
from app.cli.labelling import label_answers
from app.cli.language import translated
from app.cli.options import AsJson, Author
from app.cli.output import View
from app.cli.tables import print_rows

Again = Annotated[
    bool, typer.Option("--again", help="Answers that others have labelled, for a second label.")
]
ShowVerdict = Annotated[
    bool, typer.Option("--show-verdict", help="Show the judge's verdict before your label.")
]
Limit = Annotated[int, typer.Option(min=1, max=100, help="How many to list outside of a terminal.")]


def review(
    limit: Limit = 20,
    author: Author = None,
    again: Again = False,
    show_verdict: ShowVerdict = False,
    json: AsJson = False,
) -> None:
    """Review the verdicts that most need a person, and label each with one key.

    The same as `searchqa review label --source doubtful`. When the output is not a terminal, or
    with --json, the queue is listed with the reasons for doubt.

    Examples:

    searchqa verdicts review --author mina

    searchqa verdicts review --json | jq -r '.[].evaluation.id'
    """
    with connect() as client:
        if json or not at_terminal():
            list_doubtful(client, limit, author, json=json)
        else:
            label_next(client, "doubtful", author, again=again, show_verdict=show_verdict)


def at_terminal() -> bool:
    """Whether somebody can press keys and see what they do."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def label_next(
    client: Client, source: str, author: str | None, *, again: bool, show_verdict: bool
) -> None:
    """One answer of `source` (drawn, doubtful) after another, until the reader has enough."""
    wanted = {"source": source, "again": again, "author": author, "reasons": show_verdict}
    with LabelItems(client, wanted) as items:
        if items.at(0) is None:
            typer.echo(items.why_no_more())
        else:
            label_answers(items, client, author, seen=show_verdict)


def list_doubtful(client: Client, limit: int, author: str | None, *, json: bool) -> None:
    """Prints the review queue."""
    queue: Sequence[View] = client.list_items("/qa-evaluations/review-queue", limit, author=author)
    if not queue and not json:
        typer.echo(translated("The review queue is empty.", "검토할 평가가 없습니다."))
        return
    if not json:
        warn_of_list()
    print_rows(
        queue,
        ("id", lambda item: item["evaluation"]["id"]),
        "score",
        ("correctness", lambda item: item["evaluation"]["correctness"]),
        ("why", lambda item: [reason["reason"] for reason in item["reasons"]]),
        ("question", lambda item: item["evaluation"]["question"]),
        as_json=json,
    )


def warn_of_list() -> None:
    """Says why nobody is asked."""
    typer.echo(
        translated(
            "Labelling takes a terminal; this is the queue. `searchqa verdicts feedback ID --label"
            " right` labels without one.",
            "라벨은 터미널에서 붙일 수 있어 목록만 보여 줍니다. 터미널 없이는 `searchqa verdicts"
            " feedback ID --label right`를 쓰세요.",
        ),
        err=True,
    )
