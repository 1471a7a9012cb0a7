"""`searchqa review …`: random draws of answers, and the labels that estimates rest on."""

import sys
from typing import Annotated

import typer
from rich.text import Text

from app.cli.ask import notebook_id
from app.cli.client import connect
from app.cli.language import translated
from app.cli.options import AsJson, Author, NotebookName, command_group
from app.cli.output import View, console, local_time, print_result
from app.cli.tables import print_rows
from app.cli.verdict_filters import parse_moment
from app.cli.verdict_review import go_through

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
    limit: Annotated[int, typer.Option(min=1, max=100, help="Maximum number of answers.")] = 20,
    author: Author = None,
    again: Annotated[
        bool, typer.Option("--again", help="Also answers that others have labelled.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Label the drawn answers in their random order, with one key each.

    The judge's verdict is shown after your label. Estimates count labels from the front of a draw,
    so skip little. When the output is not a terminal, or with --json, the queue is printed.

    Examples:

    searchqa review label --author mina

    searchqa review label --again --limit 50
    """
    with connect() as client:
        found = client.get("/review/sampled", author=author, again=again, limit=limit)
        queue = found["queue"]
        if not json and queue and sys.stdin.isatty() and sys.stdout.isatty():
            go_through(client, queue, author, blind=True)
            return
    if not queue and not json:
        typer.echo(_nothing_left(found))
        return
    print_rows(
        queue,
        "position",
        ("id", lambda item: item["evaluation"]["id"]),
        ("question", lambda item: item["evaluation"]["question"]),
        as_json=json,
    )


def _nothing_left(found: View) -> str:
    if not found["drawn"]:
        return translated(
            "Nothing is drawn yet; draw with `searchqa review sample`.",
            "아직 추출한 답변이 없습니다. `searchqa review sample`로 추출하세요.",
        )
    return translated(
        f"All {found['drawn']} drawn answers are labelled.",
        f"추출한 답변 {found['drawn']}개에 모두 라벨이 있습니다.",
    )


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
