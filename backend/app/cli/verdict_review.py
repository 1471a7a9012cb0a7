"""`searchqa verdicts review`: doubtful verdicts one by one, each labelled with one key."""

import sys
from collections.abc import Collection, Sequence
from typing import Annotated

import click
import typer
from rich.console import Console
from rich.text import Text

from app.cli.client import Client, connect
from app.cli.explanation import show_explanation
from app.cli.language import chosen_language, translated
from app.cli.options import AsJson, Author
from app.cli.output import View, console, indented, printable
from app.cli.tables import print_rows
from app.cli.verdict_view import show_verdict

_KEYS = {"r": "right", "p": "partly", "w": "wrong"}
_UTILITY_KEYS = {"u": "useful", "p": "partly", "n": "useless"}
_SKIP, _QUIT = "s", "q"
_PROMPT = "[r]ight  [p]artly  [w]rong  [s]kip  [q]uit: "
_PROMPT_KO = "[r] 맞음  [p] 일부 맞음  [w] 틀림  [s] 건너뜀  [q] 끝: "
_UTILITY_PROMPT = "[u]seful  [p]artly  [n]ot useful  [s]kip: "
_UTILITY_PROMPT_KO = "[u] 유용함  [p] 일부 유용함  [n] 유용하지 않음  [s] 건너뜀: "


def review(
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of verdicts.")] = 20,
    author: Author = None,
    json: AsJson = False,
) -> None:
    """Review the verdicts that most need a person, and label each with one key.

    Doubtful and disputed verdicts come first; those you have labelled are left out. When the
    output is not a terminal, or with --json, the queue is printed instead.

    Examples:

    searchqa verdicts review --author mina

    searchqa verdicts review --json | jq -r '.[].evaluation.id'
    """
    with connect() as client:
        queue = client.list_items("/qa-evaluations/review-queue", limit, author=author)
        if not queue and not json:
            typer.echo(translated("The review queue is empty.", "검토할 평가가 없습니다."))
        elif not json and sys.stdin.isatty() and sys.stdout.isatty():
            go_through(client, queue, author)
        else:
            _print_queue(queue, json=json)


def go_through(
    client: Client, queue: Sequence[View], author: str | None, *, blind: bool = False
) -> None:
    """Shows each item and stores the reader's label, until the end or `q`.

    blind: the verdict is shown after the label, so that it does not influence it, and whether the
    answer is useful is asked too.
    """
    labelled = 0
    out = console()
    for number, item in enumerate(queue, start=1):
        path = f"/qa-evaluations/{item['evaluation']['id']}"
        out.rule(f"{number} / {len(queue)}")
        view = client.get(path)
        _show(out, item, view, client.get(f"{path}/sources"))
        if not blind:
            _show_verdict(out, view)
        key = _ask(translated(_PROMPT, _PROMPT_KO), {*_KEYS, _SKIP, _QUIT})
        if key == _QUIT:
            break
        if key == _SKIP:
            continue
        said = {"label": _KEYS[key], "author": author}
        if blind:
            asked = translated(_UTILITY_PROMPT, _UTILITY_PROMPT_KO)
            said["utility_label"] = _UTILITY_KEYS.get(_ask(asked, {*_UTILITY_KEYS, _SKIP}))
        client.post(f"{path}/feedback", said)
        labelled += 1
        if blind:
            _show_verdict(out, view)
    typer.echo(translated(f"{labelled} labelled.", f"{labelled}개에 라벨을 붙였습니다."))


def _ask(prompt: str, keys: Collection[str]) -> str:
    typer.echo(prompt, nl=False)
    while True:
        key = click.getchar().lower()
        if key in keys:
            typer.echo(key)
            return key


def _show(out: Console, item: View, view: View, notes: Sequence[View]) -> None:
    for reason in item.get("reasons", ()):
        out.print(Text(f"? {reason['text']} ({reason['weight']:.2f})", "yellow"))
    out.print(Text(f"\n{printable(view['question'])}", "bold"))
    out.print(f"\n{printable(view['answer'])}\n")
    for note in notes:
        title = f"[{note['note_index']}] {printable(note['title'])}"
        out.print(indented(Text(title, "underline")))
        out.print(indented(Text(printable(note["content"]))))


def _show_verdict(out: Console, view: View) -> None:
    lang = chosen_language() or view["lang"]
    show_verdict(out, view, lang)
    show_explanation(out, view, lang)


def _print_queue(queue: Sequence[View], *, json: bool) -> None:
    print_rows(
        queue,
        ("id", lambda item: item["evaluation"]["id"]),
        "score",
        ("correctness", lambda item: item["evaluation"]["correctness"]),
        ("why", lambda item: [reason["reason"] for reason in item["reasons"]]),
        ("question", lambda item: item["evaluation"]["question"]),
        as_json=json,
    )
