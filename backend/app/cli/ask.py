"""`searchqa ask`: a question, its answer and its verdict."""

from enum import StrEnum
from typing import Annotated, Any

import typer

from app.chat.question import Feature
from app.cli.asking import Asked, ask_question
from app.cli.client import Client, connect
from app.cli.explanation import show_explanation
from app.cli.options import AsJson
from app.cli.output import console, print_json, printable
from app.cli.verdict_view import not_stored, show_verdict
from app.errors import SetupError
from app.text.language import detect_language
from app.verdicts.status import Status

_FINE = frozenset({Status.SUCCEEDED, Status.SKIPPED})


class _Lang(StrEnum):
    KO = "ko"
    EN = "en"


class _Mode(StrEnum):
    SEARCH = "search"


def ask(
    question: Annotated[str, typer.Argument(help="The question.")],
    feature: Annotated[
        Feature, typer.Option(help="search_qa answers from notes.")
    ] = Feature.SEARCH_QA,
    mode: Annotated[
        _Mode | None, typer.Option(help="With --feature insight: answer from notes.")
    ] = None,
    notebook: Annotated[
        str | None, typer.Option(metavar="NAME", help="Search this notebook only.")
    ] = None,
    lang: Annotated[
        _Lang | None, typer.Option(help="The answer's language; by default the question's.")
    ] = None,
    wait: Annotated[bool, typer.Option(help="Wait for the verdict after the answer.")] = True,
    explain: Annotated[
        bool, typer.Option("--explain", help="Also show search, phases, claims and next steps.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Ask a question; the answer streams at once, its verdict follows in seconds.

    Exit code 1 when there is no answer, when judging failed, or when the verdict waits for a
    paused judge or for tomorrow's budget.

    Examples:

    searchqa ask "PCR 변성 온도는 몇 도인가요?"

    searchqa ask --explain "플라스틱 용기는 어떻게 버리나요?"

    searchqa ask "How long is the annealing step?" --notebook "Lab" --json

    searchqa ask "Summarise my notes on yeast" --feature insight --mode search --no-wait
    """
    asked_in = lang.value if lang else detect_language(question)
    with connect(lang=asked_in) as client:
        body = _body(client, question, feature, mode, notebook, lang)
        if json:
            asked = ask_question(client, body, wait=wait)
            print_json(
                {
                    "question": question,
                    "answer": asked.answer,
                    "matched_notes": asked.matched_notes,
                    "evaluation_id": asked.evaluation_id,
                    "evaluation": asked.evaluation,
                    "judge_paused": asked.paused,
                }
            )
        else:
            asked = ask_question(
                client,
                body,
                wait=wait,
                on_chunk=lambda piece: typer.echo(printable(piece), nl=False),
                on_answered=lambda _: typer.echo("\n"),
            )
            _show(asked, asked_in)
            if explain and asked.evaluation:
                show_explanation(console(), asked.evaluation, asked_in)
    if asked.evaluation and asked.evaluation["status"] not in _FINE:
        raise typer.Exit(1)


def _body(
    client: Client,
    question: str,
    feature: Feature,
    mode: _Mode | None,
    notebook: str | None,
    lang: _Lang | None,
) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if mode:
        options["mode"] = mode.value
    if notebook:
        options["notebook_id"] = notebook_id(client, notebook)
    body = {"feature": feature.value, "content": question, "options": options}
    return body | ({"lang": lang.value} if lang else {})


def notebook_id(client: Client, name: str) -> str:
    """The id of the notebook with this name or id. Raises SetupError that lists the notebooks."""
    notebooks = {notebook["name"]: notebook["id"] for notebook in client.get("/notebooks")}
    if name in notebooks.values():
        return name
    if name not in notebooks:
        there = ", ".join(sorted(notebooks)) or "none yet"
        raise SetupError(f"There is no notebook {name!r}; there are: {there}.")
    return str(notebooks[name])


def _show(asked: Asked, lang: Any) -> None:
    if asked.evaluation:
        show_verdict(console(), asked.evaluation, lang)
        if asked.paused:
            typer.echo(f"  {asked.evaluation['judge_model']}: {printable(asked.paused)}")
    elif asked.evaluation_id:
        typer.echo(f"Verdict: searchqa verdicts watch {asked.evaluation_id}")
    else:
        typer.echo(not_stored(lang))
