"""`searchqa dataset review`: a person reviews generated questions."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.panel import Panel
from rich.prompt import Prompt
from rich.text import Text

from app.cli.client import connect
from app.cli.options import DatasetId
from app.cli.output import View, console, one_line, printable
from app.errors import SetupError

Decisions = dict[str, list[Any]]


def review(
    dataset_id: DatasetId,
    accept_all: Annotated[
        bool, typer.Option("--accept-all", help="Accept every question.")
    ] = False,
    reject: Annotated[
        str | None,
        typer.Option(
            metavar="IDS", help="Accept all but these: comma-separated ids or case numbers."
        ),
    ] = None,
) -> None:
    """Review generated questions one by one: y accepts, n rejects, e edits.

    The accepted questions become the dataset's next version. Nothing is stored before the end.

    Examples:

    searchqa dataset review 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11

    searchqa dataset review 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11 --reject 3,17
    """
    path = f"/evaluation/datasets/{dataset_id}"
    with connect() as client:
        cases = client.get(path)["test_cases"]
        if accept_all or reject:
            decided: Decisions = {"reject": _named(reject, cases), "edit": []}
        else:
            passages = {each["id"]: each for each in client.get(f"{path}/passages")}
            decided = _ask(console(), cases, passages)
        stored = client.post(f"{path}/review", decided)
    typer.echo(
        f"{printable(stored['name'])} v{stored['version']}: {stored['cases']:,} of {len(cases):,}"
        f" test cases, {len(decided['edit']):,} edited."
        f"\nEvaluate with: searchqa run start {stored['id']}"
    )


def _named(written: str | None, cases: Sequence[View]) -> list[str]:
    """Ids of the cases that `written` lists by id or by number, from 1. Raises SetupError."""
    known = {str(case["position"] + 1): case["id"] for case in cases}
    known |= {case["id"]: case["id"] for case in cases}
    names = [name.strip() for name in (written or "").split(",") if name.strip()]
    for name in names:
        if name not in known:
            raise SetupError(
                f"There is no case {name!r}; give ids, or numbers from 1 to {len(cases):,}."
            )
    return [known[name] for name in names]


def _ask(out: Console, cases: Sequence[View], passages: Mapping[str, View]) -> Decisions:
    decided: Decisions = {"reject": [], "edit": []}
    try:
        for number, case in enumerate(cases, start=1):
            _show(out, f"{number} / {len(cases)}", case, passages)
            reply = Prompt.ask("Accept?", choices=["y", "n", "e"], default="y", console=out)
            if reply == "n":
                decided["reject"].append(case["id"])
            elif reply == "e":
                decided["edit"].append({"id": case["id"]} | _edit(out))
    except (EOFError, KeyboardInterrupt):
        raise SetupError(
            "Interrupted before the last question: nothing was stored. Start again, or use"
            " --accept-all or --reject."
        ) from None
    return decided


def _show(out: Console, title: str, case: View, passages: Mapping[str, View]) -> None:
    for id_ in case["ground_truth_chunk_ids"]:
        if id_ in passages:
            passage = passages[id_]
            text = Text(printable(passage["content"]).strip(), "dim")
            out.print(Panel(text, title=one_line(passage["title"]), expand=False))
        else:
            out.print(Text(f"The chunk {id_} no longer exists.", "yellow"))
    out.print(Text(f"{title}  {printable(case['question'])}", "bold"))
    if case["reference_answer"]:
        out.print(Text(f"  → {printable(case['reference_answer'])}"))


def _edit(out: Console) -> dict[str, str]:
    """The fields a person has entered; those left empty stay as they are."""
    names = {"question": "Question", "reference_answer": "Reference answer"}
    entered = {
        name: Prompt.ask(f"{label} (empty: keep)", default="", console=out, show_default=False)
        for name, label in names.items()
    }
    return {name: text for name, text in entered.items() if text.strip()}
