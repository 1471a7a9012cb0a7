"""`searchqa evaluations …`: verdicts, listed, shown, watched, labelled and exported."""

import sys
import uuid
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from app.cli.client import connect
from app.cli.evaluation_filters import Where, filters
from app.cli.explanation import show_explanation
from app.cli.human_feedback import agreement, feedback
from app.cli.output import (
    console,
    local_time,
    one_line,
    print_json,
    print_json_line,
    printable,
    score,
    table,
)
from app.cli.rejudging import rejudge
from app.cli.review import review
from app.cli.sse import Event
from app.cli.verdict import show_verdict
from app.errors import SetupError
from app.verdicts.status import Status

evaluations = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="List, show, watch, label, export and renew verdicts.",
)

evaluations.command()(rejudge)

AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of text.")]


class Order(StrEnum):
    NEWEST = "newest"
    WORST = "worst"


class Format(StrEnum):
    CSV = "csv"
    JSONL = "jsonl"


class Confidence(StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@evaluations.command("list")
def list_(
    status: Annotated[Status | None, typer.Option(help="Only those in this state.")] = None,
    confidence: Annotated[Confidence | None, typer.Option(help="Only these verdicts.")] = None,
    answer: Annotated[
        uuid.UUID | None, typer.Option(help="Only those of this answer, old ones too.")
    ] = None,
    where: Where = None,
    order: Annotated[Order, typer.Option(help="Worst: the lowest correctness first.")] = (
        Order.NEWEST
    ),
    limit: Annotated[int, typer.Option(min=1, help="How many.")] = 20,
    json: AsJson = False,
) -> None:
    """List verdicts, newest first.

    Examples:

    searchqa evaluations list --confidence low

    searchqa evaluations list --order worst --where lang=ko --where labelled=false

    searchqa evaluations list --status failed --limit 1000 --json | jq -r '.[].error'
    """
    given: dict[str, object] = {"status": status, "confidence": confidence, **filters(where)}
    if answer:
        given["answer_id"] = answer
    if order is not Order.NEWEST:
        given["order"] = order
    with connect() as client:
        found = client.newest("/qa-evaluations", limit, **given)
    if json:
        print_json(found)
        return
    shown = table("id", "asked at", "status", "confidence", "correct", "useful", "question")
    for view in found:
        shown.add_row(
            view["id"],
            local_time(view["created_at"]),
            _state(view),
            view["confidence"] or "-",
            score(view["correctness"]),
            score(view["utility"]),
            one_line(view["question"]),
        )
    console().print(shown)


@evaluations.command()
def export(
    format_: Annotated[Format, typer.Option("--format", help="CSV or JSON lines.")] = Format.CSV,
    output: Annotated[
        Path | None, typer.Option(dir_okay=False, help="The file; standard output if left out.")
    ] = None,
    where: Where = None,
) -> None:
    """Write all verdicts that match, with whole questions and answers, newest first.

    Examples:

    searchqa evaluations export --output verdicts.csv

    searchqa evaluations export --format jsonl --where since=2026-01-01 | jq .correctness
    """
    with connect() as client:
        chunks = client.chunks("/qa-evaluations/export", format=format_, **filters(where))
        if output is None:
            for chunk in chunks:
                sys.stdout.buffer.write(chunk)
            sys.stdout.buffer.flush()
            return
        # Under its own name it is whole.
        part = output.with_name(f"{output.name}.part")
        try:
            with part.open("wb") as file:
                file.writelines(chunks)
            part.replace(output)
        except OSError as error:
            raise SetupError(f"{output} cannot be written: {error.strerror}.") from None
        finally:
            part.unlink(missing_ok=True)


@evaluations.command()
def show(
    evaluation_id: Annotated[uuid.UUID, typer.Argument(help="From `searchqa evaluations list`.")],
    json: AsJson = False,
) -> None:
    """Show one verdict with its question and answer.

    Example:

    searchqa evaluations show 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11
    """
    with connect() as client:
        view = client.get(f"/qa-evaluations/{evaluation_id}")
    if json:
        print_json(view)
        return
    out = console()
    out.print(Text(printable(view["question"]), "bold"))
    out.print(f"\n{printable(view['answer'])}\n")
    show_verdict(out, view, view["lang"])
    show_explanation(out, view, view["lang"])


@evaluations.command()
def watch(
    evaluation_id: Annotated[
        uuid.UUID | None, typer.Argument(help="One verdict; all of the workspace if left out.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="JSON lines instead of text.")] = False,
) -> None:
    """Print every change of a verdict as it happens; a dropped connection misses none.

    With an id it ends with the final state, and its exit code is 1 when judging failed. Without
    an id it goes on until Ctrl-C.

    Examples:

    searchqa evaluations watch

    searchqa evaluations watch 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11 --json
    """
    path = f"/qa-evaluations/{evaluation_id}/events" if evaluation_id else "/qa-evaluations/events"
    status = None
    with connect() as client:
        for event in client.follow(path, until_final=evaluation_id is not None):
            data = event.json()
            status = data.get("status", status)
            if json:
                print_json_line({"event": event.event, "id": event.id, "data": data})
            else:
                console().print(_line(event, data))
    if evaluation_id and status == Status.FAILED:
        raise typer.Exit(1)


def _state(view: dict[str, Any]) -> str:
    degraded = " (degraded)" if view["degraded"] else ""
    return f"{view['status']}{degraded}{'' if view['is_current'] else ' (not current)'}"


def _line(event: Event, data: dict[str, Any]) -> Text:
    about = data["evaluation_id"] if "evaluation_id" in data else data["id"]
    return Text(f"{about}  {printable(_happened(event, data))}")


def _happened(event: Event, data: dict[str, Any]) -> str:
    if event.event == "evaluation":
        why = data["error"] or data["reason"]
        return f"{data['status']}: {why}" if why else str(data["status"])
    if event.event == "quality":
        passed = sum(item["passed"] for item in data["items"])
        return f"checklist {passed}/{len(data['items'])}"
    if event.event == "feedback":
        overall = data["overall_score"]
        return "phases: nothing to check" if overall is None else f"phases: overall {overall:.2f}"
    if event.event == "refinement":
        return f"refinement {data['status']}" + (
            f" ({data['stop_reason']})" if data["stop_reason"] else ""
        )
    if event.event == "refined_answer":
        return f"better by {data['lift']:.2f}: {data['answer']}"
    return (
        f"{data['confidence']} confidence, correctness {data['correctness']:.2f},"
        f" utility {data['utility']:.2f}: {data['summary']}"
    )


for command in (feedback, review, agreement):
    evaluations.command()(command)
