"""`searchqa ask`: a question, its answer and its verdict."""

from dataclasses import asdict
from typing import Annotated, Literal

import typer

from app.ai_router.types import Lang
from app.answering.chat.feature import Feature
from app.cli.asking import (
    Asked,
    Classified,
    Profile,
    SlotValues,
    ask_question,
    classification_of,
    slots_of,
)
from app.cli.language import _, choose_language, chosen_language
from app.cli.options import AsJson, NotebookName
from app.cli.output import console, print_json, printable
from app.cli.server import connect, notebook_id
from app.cli.verdict_view import not_stored, show_explanation, show_verdict
from app.text.language import detect_language
from app.verdicts.status import Status

_FINE = frozenset({Status.SUCCEEDED, Status.SKIPPED})


def ask(
    question: Annotated[str, typer.Argument(help="The question.")],
    feature: Annotated[
        Feature, typer.Option(help="search_qa answers from notes.")
    ] = Feature.SEARCH_QA,
    mode: Annotated[
        Literal["search"] | None, typer.Option(help="With --feature insight: answer from notes.")
    ] = None,
    notebook: NotebookName = None,
    lang: Annotated[
        Lang | None,
        typer.Option(help="Language of the answer and of messages; by default the question's."),
    ] = None,
    profile: Profile = None,
    slot: SlotValues = None,
    classification: Classified = None,
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

    searchqa ask "메트포르민의 부작용은?" --slot 나이=60 --slot 질환=당뇨병 --profile "운동을 즐김"

    searchqa ask "어떻게 버리나요?" --classification 재활용폐기물/플라스틱

    searchqa ask "Summarise my notes on yeast" --feature insight --mode search --no-wait
    """

    def print_piece(piece: str) -> None:
        if not json:
            typer.echo(printable(piece), nl=False)

    slots, classified = slots_of(slot), classification_of(classification)
    if lang is not None:
        choose_language(lang)
    asked_in = chosen_language() or detect_language(question)
    with connect(lang=asked_in) as client:
        options = {
            "mode": mode,
            "notebook_id": notebook and notebook_id(client, notebook),
            "profile": profile,
            "slots": slots,
            "classification": classified,
        }
        body = {
            "feature": feature.value,
            "content": question,
            "options": {name: value for name, value in options.items() if value},
            **({"lang": lang} if lang else {}),
        }
        asked = ask_question(
            client, body, wait=wait, on_chunk=print_piece, on_answered=lambda _: print_piece("\n\n")
        )
    if json:
        print_json({"question": question, **asdict(asked)})
    else:
        _show(asked, asked_in, explain=explain)
    if asked.evaluation and asked.evaluation["status"] not in _FINE:
        raise typer.Exit(1)


def _show(asked: Asked, lang: Lang, *, explain: bool) -> None:
    if asked.evaluation:
        show_verdict(console(), asked.evaluation, lang)
        if asked.judge_paused:
            typer.echo(f"  {asked.evaluation['judge_model']}: {printable(asked.judge_paused)}")
        if explain:
            show_explanation(console(), asked.evaluation, lang)
    elif asked.evaluation_id:
        verdict = _("Verdict")
        typer.echo(f"{verdict}: searchqa verdicts watch {asked.evaluation_id}")
    else:
        typer.echo(not_stored(lang))
