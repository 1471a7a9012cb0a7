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
    if claim is None:
        return translated("answer", "답변")
    return translated(f"claim {claim}", f"주장 {claim}")


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
    corner = translated("judge \\ people", "평가 \\ 사람")
    show_agreement(translated("Whole answers", "답변 전체"), found["of_answers"], corner)
    show_agreement(translated("Single claims", "주장별"), found["of_claims"], corner)


def show_agreement(title: str, found: View, corner: str) -> None:
    """Prints an Agreement of the API. corner: of its table, who is in rows and columns."""
    out = console()
    pairs, answers = found["pairs"], found["answers"]
    counts = translated(
        f"{pairs} labels of {answers} answers", f"답변 {answers}개의 라벨 {pairs}개"
    )
    out.print(Text(f"{title}: {counts}", "bold"))
    if found["kappa"] is None:
        out.print(f"  kappa: - ({found['why']})")
    else:
        low, high = found["low"], found["high"]
        between = "" if low is None else f" ({low:.2f} {translated('to', '~')} {high:.2f})"
        out.print(f"  kappa: {found['kappa']:.2f}{between}")
    if not found["pairs"]:
        return
    out.print(f"  {translated('same label', '같은 라벨')}: {found['exact']:.0%}")
    rows = zip(found["labels"], found["confusion"], strict=True)
    print_table(
        [corner, *map(value_title, found["labels"])],
        ([value_title(label), *map(str, counts)] for label, counts in rows),
        indent=2,
    )
