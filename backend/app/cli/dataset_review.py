"""`searchqa dataset review`: a person reviews generated questions."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.panel import Panel
from rich.prompt import Prompt
from rich.text import Text

from app.cli.client import connect
from app.cli.language import translated
from app.cli.options import DatasetId
from app.cli.output import View, console, one_line, printable
from app.platform.errors import SetupError

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
    kept, of, edited = f"{stored['cases']:,}", f"{len(cases):,}", f"{len(decided['edit']):,}"
    evaluate = f"searchqa run start {stored['id']}"
    told = translated(
        f"{kept} of {of} test cases, {edited} edited.\nEvaluate with: {evaluate}",
        f"문항 {of}개 중 {kept}개, 수정 {edited}개.\n평가하기: {evaluate}",
    )
    typer.echo(f"{printable(stored['name'])} v{stored['version']}: {told}")


def _named(written: str | None, cases: Sequence[View]) -> list[str]:
    """Ids of the cases that `written` lists by id or by number, from 1. Raises SetupError."""
    known = {str(case["position"] + 1): case["id"] for case in cases}
    known |= {case["id"]: case["id"] for case in cases}
    names = [name.strip() for name in (written or "").split(",") if name.strip()]
    for name in names:
        if name not in known:
            raise SetupError(
                translated(
                    f"There is no case {name!r}; give ids, or numbers from 1 to {len(cases):,}.",
                    f"{name!r} 문항이 없습니다. id나 1부터 {len(cases):,}까지의 번호를 쓰세요.",
                )
            )
    return [known[name] for name in names]


def _ask(out: Console, cases: Sequence[View], passages: Mapping[str, View]) -> Decisions:
    decided: Decisions = {"reject": [], "edit": []}
    try:
        for number, case in enumerate(cases, start=1):
            _show(out, f"{number} / {len(cases)}", case, passages)
            reply = Prompt.ask(
                translated("Accept?", "수락할까요?"),
                choices=["y", "n", "e"],
                default="y",
                console=out,
            )
            if reply == "n":
                decided["reject"].append(case["id"])
            elif reply == "e":
                decided["edit"].append({"id": case["id"]} | _edit(out))
    except (EOFError, KeyboardInterrupt):
        raise SetupError(
            translated(
                "Interrupted before the last question: nothing was stored. Start again, or use"
                " --accept-all or --reject.",
                "마지막 문항 전에 중단되어 저장하지 않았습니다. 다시 시작하거나 --accept-all 또는"
                " --reject를 쓰세요.",
            )
        ) from None
    return decided


def _show(out: Console, title: str, case: View, passages: Mapping[str, View]) -> None:
    for id_ in case["ground_truth_chunk_ids"]:
        if id_ in passages:
            passage = passages[id_]
            text = Text(printable(passage["content"]).strip(), "dim")
            out.print(Panel(text, title=one_line(passage["title"]), expand=False))
        else:
            out.print(
                Text(
                    translated(
                        f"The chunk {id_} no longer exists.", f"구절 {id_}이(가) 더 이상 없습니다."
                    ),
                    "yellow",
                )
            )
    out.print(Text(f"{title}  {printable(case['question'])}", "bold"))
    if case["reference_answer"]:
        out.print(Text(f"  → {printable(case['reference_answer'])}"))


def _edit(out: Console) -> dict[str, str]:
    """The fields a person has entered; those left empty stay as they are."""
    names = {
        "question": translated("Question", "질문"),
        "reference_answer": translated("Reference answer", "모범 답안"),
    }
    keep = translated("(empty: keep)", "(비우면 그대로)")
    entered = {
        name: Prompt.ask(f"{label} {keep}", default="", console=out, show_default=False)
        for name, label in names.items()
    }
    return {name: text for name, text in entered.items() if text.strip()}
