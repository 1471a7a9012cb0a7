"""`searchqa evaluations feedback` and `agreement`: what people say, and whether judges agree."""

import uuid
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any

import typer
from rich.text import Text

from app.cli.client import connect
from app.cli.output import console, local_time, one_line, print_json, table

EvaluationId = Annotated[uuid.UUID, typer.Argument(help="From `searchqa evaluations list`.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of text.")]
Author = Annotated[str | None, typer.Option(help="Who says it; the token's name if left out.")]


class Label(StrEnum):
    RIGHT = "right"
    PARTLY = "partly"
    WRONG = "wrong"


class UtilityLabel(StrEnum):
    USEFUL = "useful"
    PARTLY = "partly"
    USELESS = "useless"


def feedback(
    evaluation_id: EvaluationId,
    label: Annotated[Label | None, typer.Option(help="What you say of it.")] = None,
    claim: Annotated[
        int | None, typer.Option(min=1, help="Of this claim, not of the whole answer.")
    ] = None,
    utility: Annotated[UtilityLabel | None, typer.Option(help="Of whole answers only.")] = None,
    comment: Annotated[str | None, typer.Option(help="Why, in your words.")] = None,
    author: Author = None,
    take_back: Annotated[
        uuid.UUID | None, typer.Option(help="Take back the feedback with this id.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Say whether an answer, or one of its claims, is right.

    Saying it again replaces it. Without a label it lists what people have said.

    Examples:

    searchqa evaluations feedback 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11 --label wrong

    searchqa evaluations feedback 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11 --label right --claim 2
    """
    path = f"/qa-evaluations/{evaluation_id}/feedback"
    said = {"claim": claim, "utility": utility, "comment": comment, "author": author}
    if label is None and any(value is not None for value in said.values()):
        raise typer.BadParameter("say right, partly or wrong", param_hint="--label")
    if label is not None and take_back is not None:
        raise typer.BadParameter("say something or take it back, not both", param_hint="--label")
    with connect() as client:
        if take_back is not None:
            client.delete(f"{path}/{take_back}")
        elif label is not None:
            client.post(path, feedback_body(label, claim, utility, comment, author))
        found = client.get(path)
    if json:
        print_json(found)
        return
    shown = table("id", "said at", "author", "of", "label", "useful", "comment", last_folds=True)
    for each in found:
        about = "answer" if each["claim_position"] is None else f"claim {each['claim_position']}"
        shown.add_row(
            each["id"],
            local_time(each["updated_at"]),
            one_line(each["author"]),
            about,
            each["label"],
            each["utility_label"] or "-",
            one_line(each["comment"]),
        )
    console().print(shown)


def feedback_body(
    label: Label,
    claim: int | None = None,
    utility: UtilityLabel | None = None,
    comment: str | None = None,
    author: str | None = None,
) -> dict[str, Any]:
    return {
        "label": label,
        "claim_position": claim,
        "utility_label": utility,
        "comment": comment,
        "author": author,
    }


def agreement(
    judge_model: Annotated[
        str | None, typer.Option(help="Of this judge; of the verdicts that count if left out.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Say how far the judge agrees with people: weighted kappa with its 95 % interval.

    Example:

    searchqa evaluations agreement --judge-model openai:gpt-4o-mini
    """
    with connect() as client:
        found = client.get("/qa-evaluations/agreement", judge_model=judge_model)
    if json:
        print_json(found)
        return
    for name, title in (("of_answers", "Whole answers"), ("of_claims", "Single claims")):
        _show_agreement(title, found[name])


def _show_agreement(title: str, found: Mapping[str, Any]) -> None:
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
    shown = table("  judge \\ people", *found["labels"], "")
    for label, counts in zip(found["labels"], found["confusion"], strict=True):
        shown.add_row(f"  {label}", *map(str, counts), "")
    out.print(shown)
