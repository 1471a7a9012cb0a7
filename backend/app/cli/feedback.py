"""`searchqa verdicts feedback` and `agreement`: human labels, and how far judges agree."""

import uuid
from typing import Annotated, Literal

import typer
from rich.text import Text

from app.cli.client import connect
from app.cli.language import translated, value_title
from app.cli.options import AsJson, Author, VerdictId
from app.cli.output import View, console, print_result
from app.cli.tables import print_rows, print_table

Label = Literal["right", "partly", "wrong"]
UtilityLabel = Literal["useful", "partly", "useless"]


def feedback(
    evaluation_id: VerdictId,
    label: Annotated[Label | None, typer.Option(help="Your label.")] = None,
    claim: Annotated[
        int | None, typer.Option(min=1, help="Label this claim, not the whole answer.")
    ] = None,
    utility: Annotated[UtilityLabel | None, typer.Option(help="For whole answers only.")] = None,
    comment: Annotated[str | None, typer.Option(help="The reason for your label.")] = None,
    author: Author = None,
    delete: Annotated[
        uuid.UUID | None,
        typer.Option("--delete", "--take-back", help="Delete the feedback with this id."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Label an answer, or one of its claims, as right, partly right or wrong.

    A new label replaces your previous one. Without a label it lists all feedback.

    Examples:

    searchqa verdicts feedback 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11 --label wrong

    searchqa verdicts feedback 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11 --label right --claim 2
    """
    path = f"/qa-evaluations/{evaluation_id}/feedback"
    body = {
        "claim_position": claim,
        "utility_label": utility,
        "comment": comment,
        "author": author,
    }
    if label is None and any(value is not None for value in body.values()):
        raise typer.BadParameter("give right, partly or wrong", param_hint="--label")
    if label is not None and delete is not None:
        raise typer.BadParameter("cannot be combined with --delete", param_hint="--label")
    with connect() as client:
        if delete is not None:
            client.delete(f"{path}/{delete}")
        elif label is not None:
            client.post(path, {"label": label, **body})
        found = client.get(path)
    print_rows(
        found,
        *("id", "updated_at", "author", ("of", _subject), "label", "utility_label", "comment"),
        as_json=json,
        last_folds=True,
    )


def _subject(feedback: View) -> str:
    claim = feedback["claim_position"]
    return "answer" if claim is None else f"claim {claim}"


def agreement(
    judge_model: Annotated[
        str | None, typer.Option(help="Only this judge's verdicts; by default the current ones.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Show how far the judge agrees with people: weighted kappa with its 95 % interval.

    Example:

    searchqa verdicts agreement --judge-model openai:gpt-4o-mini
    """
    with connect() as client:
        found = client.get("/qa-evaluations/agreement", judge_model=judge_model)
    print_result(found, _show_agreements, as_json=json)


def _show_agreements(found: View) -> None:
    _show_agreement("Whole answers", found["of_answers"])
    _show_agreement("Single claims", found["of_claims"])


def _show_agreement(title: str, found: View) -> None:
    out = console()
    out.print(Text(f"{title}: {found['pairs']} labels of {found['answers']} answers", "bold"))
    if found["kappa"] is None:
        out.print(f"  kappa: - ({found['why']})")
    else:
        between = "" if found["low"] is None else f" ({found['low']:.2f} to {found['high']:.2f})"
        out.print(f"  kappa: {found['kappa']:.2f}{between}")
    if not found["pairs"]:
        return
    out.print(f"  same label: {found['exact']:.0%}")
    corner = translated("judge \\ people", "평가 \\ 사람")
    rows = zip(found["labels"], found["confusion"], strict=True)
    print_table(
        [corner, *map(value_title, found["labels"])],
        ([value_title(label), *map(str, counts)] for label, counts in rows),
        indent=2,
    )
