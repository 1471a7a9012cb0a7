"""`searchqa review …`: random draws of answers, and the labels that estimates rest on."""

from typing import Annotated, Literal

import typer
from rich.text import Text

from app.cli.ask import notebook_id
from app.cli.client import connect
from app.cli.feedback import show_agreement
from app.cli.label_items import no_more
from app.cli.language import translated
from app.cli.options import AsJson, Author, NotebookName, command_group
from app.cli.output import View, console, local_time, print_result, printable
from app.cli.tables import print_rows
from app.cli.verdict_filters import parse_moment
from app.cli.verdict_review import (
    Again,
    Limit,
    ShowVerdict,
    at_terminal,
    label_next,
    list_doubtful,
    warn_of_list,
)

review = command_group("review")


@review.command()
def sample(
    size: Annotated[int, typer.Option(min=1, help="How many answers to draw.")] = 200,
    stratify: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="Draw from each part: confidence, lang, judge, model, notebook, feature"
            " (comma-separated).",
        ),
    ] = "",
    since: Annotated[
        str | None, typer.Option(help="First moment; by default 30 days before --until.")
    ] = None,
    until: Annotated[str | None, typer.Option(help="Moment before which; by default now.")] = None,
    notebook: NotebookName = None,
    judge_model: Annotated[str | None, typer.Option(help="Only this judge's verdicts.")] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Repeats an earlier draw over the same answers.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Draw judged answers at random for people to label.

    The chance of each answer is stored with it; `searchqa analytics true-quality` needs it. Small
    parts get more than their share. Answers of earlier draws are not drawn again.

    Examples:

    searchqa review sample --size 200

    searchqa review sample --size 300 --stratify confidence,lang --since 2026-03-01
    """
    with connect() as client:
        body = {
            "size": size,
            "stratify": [name.strip() for name in stratify.split(",") if name.strip()],
            "since": parse_moment(since, "--since") if since else None,
            "until": parse_moment(until, "--until") if until else None,
            "notebook_id": notebook_id(client, notebook) if notebook else None,
            "judge_model": judge_model,
            "seed": seed,
        }
        found = client.post("/review/samples", body)
    print_result(found, _show, as_json=json)


@review.command("list")
def list_(json: AsJson = False) -> None:
    """List draws, newest first, with how much of each is labelled.

    Example:

    searchqa review list
    """
    with connect() as client:
        found = client.get("/review/samples")
    print_rows(
        found,
        *("id", "created_at", "answers", "drawn", "labelled"),
        *("stratify", "seed", ("period", _period)),
        as_json=json,
    )


@review.command()
def label(
    source: Annotated[
        Literal["drawn", "doubtful"],
        typer.Option(
            help="drawn: at random, which estimates rest on; doubtful: verdicts to check first."
        ),
    ] = "drawn",
    limit: Limit = 20,
    author: Author = None,
    again: Again = False,
    show_verdict: ShowVerdict = False,
    json: AsJson = False,
) -> None:
    """Label one answer at a time, with one key each: 1 right, 2 partly, 3 wrong.

    j and k go on and back, u undoes the last label, ? lists all keys. The judge's verdict is shown
    after your label. Estimates count labels from the front of a draw, so skip little. Who labels at
    the same time gets other answers. When the output is not a terminal, or with --json, the
    queue is listed and nothing is labelled; scripts label by `searchqa verdicts feedback`.

    Examples:

    searchqa review label --author mina

    searchqa review label --again --author jun

    searchqa review label --source doubtful
    """
    with connect() as client:
        if not json and at_terminal():
            label_next(client, source, author, again=again, show_verdict=show_verdict)
        elif source == "doubtful":
            list_doubtful(client, limit, author, json=json)
        else:
            found = client.get("/review/sampled", author=author, again=again, limit=limit)
            _list_drawn(found, again=again, json=json)


def _list_drawn(found: View, *, again: bool, json: bool) -> None:
    if not found["queue"] and not json:
        typer.echo(no_more(found["drawn"], found["remaining"], again=again))
        return
    if not json:
        warn_of_list()
    print_rows(
        found["queue"],
        "position",
        ("id", lambda item: item["evaluation"]["id"]),
        ("question", lambda item: item["evaluation"]["question"]),
        as_json=json,
    )


@review.command()
def agreement(json: AsJson = False) -> None:
    """Show how far people agree with each other: weighted kappa for each two of them.

    It takes ten answers that both have labelled; `searchqa review label --again` gives answers
    a second label.

    Example:

    searchqa review agreement
    """
    with connect() as client:
        found = client.get("/review/agreement")
    print_result(found, _show_people, as_json=json)


def _show_people(found: View) -> None:
    twice = found["twice"]
    head = translated(
        f"{twice} answers have labels by two people or more.",
        f"두 사람 이상이 라벨을 붙인 답변이 {twice}개 있습니다.",
    )
    console().print(Text(head))
    for pair in found["pairs"]:
        first, second = printable(pair["first"]), printable(pair["second"])
        show_agreement(f"{first} · {second}", pair["agreement"], f"{first} \\ {second}")


def _period(draw: View) -> str:
    return f"{local_time(draw['since'])} - {local_time(draw['until'])}"


def _show(draw: View) -> None:
    drawn, answers, seed = draw["drawn"], draw["answers"], draw["seed"]
    head = translated(
        f"Drew {drawn} of {answers} answers (seed {seed}).",
        f"답변 {answers}개에서 {drawn}개를 추출했습니다(시드 {seed}).",
    )
    console().print(Text(head))
    print_rows(
        draw["strata"],
        *("name", "answers", "drawn", ("chance", lambda part: part["inclusion_probability"])),
        as_json=False,
    )
    typer.echo(
        translated(
            "Label them with `searchqa review label`.",
            "`searchqa review label`로 라벨을 붙이세요.",
        )
    )
