"""`searchqa evaluations review`: one doubtful verdict after the other, labelled by one key."""

import sys
from collections.abc import Mapping
from typing import Annotated, Any

import click
import typer
from rich.console import Console
from rich.text import Text

from app.cli.client import Client, connect
from app.cli.explanation import show_explanation
from app.cli.human_feedback import AsJson, Author, Label, feedback_body
from app.cli.output import console, indented, one_line, print_json, printable, score, table
from app.cli.verdict import show_verdict

_KEYS = {"r": Label.RIGHT, "p": Label.PARTLY, "w": Label.WRONG}
_SKIP, _QUIT = "s", "q"
_PROMPT = "[r]ight  [p]artly  [w]rong  [s]kip  [q]uit: "


def review(
    limit: Annotated[int, typer.Option(min=1, help="How many at most.")] = 20,
    author: Author = None,
    json: AsJson = False,
) -> None:
    """Go through the verdicts that a person should look at first, and label each by one key.

    Doubtful and disputed ones come first, without those that you have labelled. Where the output
    is no terminal, or with --json, the queue is printed instead.

    Examples:

    searchqa evaluations review --author mina

    searchqa evaluations review --json | jq -r '.[].evaluation.id'
    """
    with connect() as client:
        queue = client.newest("/qa-evaluations/review-queue", limit, author=author)
        if json:
            print_json(queue)
        elif not queue:
            typer.echo("Nothing waits for review.")
        elif sys.stdin.isatty() and sys.stdout.isatty():
            go_through(client, queue, author)
        else:
            _list(queue)


def go_through(client: Client, queue: list[dict[str, Any]], author: str | None) -> None:
    """Shows each item and sends what the reader says of it, until the end or `q`."""
    said = 0
    for number, item in enumerate(queue, start=1):
        id_ = item["evaluation"]["id"]
        out = console()
        out.rule(f"{number} / {len(queue)}")
        _show(out, item, client.get(f"/qa-evaluations/{id_}"), _notes(client, id_))
        key = _ask()
        if key == _QUIT:
            break
        if key != _SKIP:
            body = feedback_body(_KEYS[key], author=author)
            client.post(f"/qa-evaluations/{id_}/feedback", body)
            said += 1
    typer.echo(f"{said} labelled.")


def _notes(client: Client, evaluation_id: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get(f"/qa-evaluations/{evaluation_id}/sources")
    return found


def _ask() -> str:
    typer.echo(_PROMPT, nl=False)
    while True:
        key = click.getchar().lower()
        if key in _KEYS or key in (_SKIP, _QUIT):
            typer.echo(key)
            return key


def _show(
    out: Console, item: Mapping[str, Any], view: Mapping[str, Any], notes: list[dict[str, Any]]
) -> None:
    for reason in item["reasons"]:
        out.print(Text(f"? {reason['text']} ({reason['weight']:.2f})", "yellow"))
    out.print(Text(f"\n{printable(view['question'])}", "bold"))
    out.print(f"\n{printable(view['answer'])}\n")
    for note in notes:
        title = f"[{note['note_index']}] {printable(note['title'])}"
        out.print(indented(Text(title, "underline")))
        out.print(indented(Text(printable(note["content"]))))
    show_verdict(out, view, view["lang"])
    show_explanation(out, view, view["lang"])


def _list(queue: list[dict[str, Any]]) -> None:
    shown = table("id", "score", "correct", "why", "question")
    for item in queue:
        evaluation = item["evaluation"]
        shown.add_row(
            evaluation["id"],
            score(item["score"]),
            score(evaluation["correctness"]),
            ", ".join(reason["reason"] for reason in item["reasons"]),
            one_line(evaluation["question"]),
        )
    console().print(shown)
