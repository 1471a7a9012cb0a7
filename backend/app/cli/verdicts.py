"""`searchqa verdicts …`: verdicts, listed, shown, watched, labelled and exported."""

import uuid
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.text import Text

from app.cli.client import connect
from app.cli.explanation import show_explanation
from app.cli.feedback import agreement, feedback
from app.cli.files import save
from app.cli.language import chosen_language, translated, value_title
from app.cli.options import AsJson, VerdictId, command_group
from app.cli.output import View, console, print_json_line, print_result, printable
from app.cli.rejudging import rejudge
from app.cli.sse import Event
from app.cli.tables import print_rows
from app.cli.timeline import timeline
from app.cli.verdict_filters import Where, filters
from app.cli.verdict_review import review
from app.cli.verdict_view import show_verdict
from app.verdicts.status import Status

verdicts = command_group("verdicts")


@verdicts.command("list")
def list_(
    status: Annotated[Status | None, typer.Option(help="Only verdicts with this status.")] = None,
    confidence: Annotated[
        Literal["high", "medium", "low"] | None,
        typer.Option(help="Only verdicts with this confidence."),
    ] = None,
    answer: Annotated[
        uuid.UUID | None, typer.Option(help="Only this answer's verdicts, earlier ones included.")
    ] = None,
    where: Where = None,
    order: Annotated[
        Literal["newest", "worst", "slowest", "costliest"],
        typer.Option(help="worst: lowest correctness first."),
    ] = "newest",
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of verdicts.")] = 20,
    json: AsJson = False,
) -> None:
    """List verdicts, newest first.

    Examples:

    searchqa verdicts list --confidence low

    searchqa verdicts list --order worst --where lang=ko --where labelled=false

    searchqa verdicts list --status failed --limit 1000 --json | jq -r '.[].error'
    """
    given: dict[str, object] = {"status": status, "confidence": confidence, **filters(where)}
    if answer:
        given["answer_id"] = answer
    if order != "newest":
        given["order"] = order
    with connect() as client:
        found = client.list_items("/qa-evaluations", limit, **given)
    print_rows(
        found,
        *("id", "created_at", ("verdict", _state), "correctness", "utility"),
        *(("checks", _checks), "question"),
        as_json=json,
    )


@verdicts.command()
def export(
    format_: Annotated[
        Literal["csv", "jsonl"], typer.Option("--format", help="CSV or JSON lines.")
    ] = "csv",
    output: Annotated[
        Path | None, typer.Option(dir_okay=False, help="The file; standard output by default.")
    ] = None,
    where: Where = None,
) -> None:
    """Export all matching verdicts with their full questions and answers, newest first.

    Examples:

    searchqa verdicts export --output verdicts.csv

    searchqa verdicts export --format jsonl --where since=2026-01-01 | jq .correctness
    """
    with connect() as client:
        chunks = client.chunks("/qa-evaluations/export", format=format_, **filters(where))
        save(chunks, output)


@verdicts.command()
def show(evaluation_id: VerdictId, json: AsJson = False) -> None:
    """Show one verdict with its question and answer.

    Example:

    searchqa verdicts show 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11
    """
    with connect() as client:
        view = client.get(f"/qa-evaluations/{evaluation_id}")
    print_result(view, _show, as_json=json)


def _show(view: View) -> None:
    out = console()
    out.print(Text(printable(view["question"]), "bold"))
    out.print(f"\n{printable(view['answer'])}\n")
    lang = chosen_language() or view["lang"]
    show_verdict(out, view, lang)
    show_explanation(out, view, lang)


@verdicts.command()
def watch(
    evaluation_id: Annotated[
        uuid.UUID | None, typer.Argument(help="One verdict; by default all in the workspace.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON lines instead of text.")] = False,
) -> None:
    """Print every change of a verdict as it happens; no change is lost when a connection drops.

    With an id it exits after the final state, with code 1 when judging failed. Without an id it
    runs until Ctrl-C.

    Examples:

    searchqa verdicts watch

    searchqa verdicts watch 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11 --json
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
                about = data["evaluation_id"] if "evaluation_id" in data else data["id"]
                console().print(Text(f"{about}  {printable(_description(event, data))}"))
    if evaluation_id and status == Status.FAILED:
        raise typer.Exit(1)


def _state(view: View) -> str:
    """What was found, or where the verdict stands until something is."""
    degraded = translated("degraded, ", "규칙 대체, ") if view["degraded"] else ""
    found = _found(view) or value_title(view["status"])
    earlier = "" if view["is_current"] else translated(" (not current)", " (이전)")
    return f"{degraded}{found}{earlier}"


def _found(view: View) -> str | None:
    """What was found in a word or two; only a model's confidence is called by its name."""
    if view["confidence"] is None:
        return None
    if view["judged_by"] == "model":
        return value_title(view["confidence"])
    by, words = _FOUND[view["judged_by"]]
    return f"{translated(*by)}: {translated(*words[view['confidence']])}"


_DOUBTFUL = {"medium": ("check parts", "일부 확인 필요"), "low": ("weak support", "근거 부족")}
_FOUND = {
    "rules": (("rules", "규칙"), {"high": ("no mismatch", "어긋남 없음"), **_DOUBTFUL}),
    "local": (("local", "로컬 모델"), {"high": ("supported", "근거 있음"), **_DOUBTFUL}),
}


def _checks(view: View) -> str:
    quality = view["quality"]
    return f"{quality['met']}/{quality['items']}" if quality else ""


def _description(event: Event, data: View) -> str:
    match event.event:
        case "evaluation":
            why = data["error"] or data["reason"]
            status = value_title(data["status"])
            return f"{status}: {why}" if why else status
        case "quality":
            passed = sum(item["passed"] for item in data["items"])
            by_rules = translated(" by rules", " (규칙)") if data["source"] == "rules" else ""
            return (
                f"{translated('checklist', '체크리스트')} {passed}/{len(data['items'])}{by_rules}"
            )
        case "feedback":
            overall = data["overall_score"]
            if overall is None:
                return translated("phases: nothing to check", "단계별 평가: 확인할 것 없음")
            return translated(f"phases: overall {overall:.2f}", f"단계별 평가: 종합 {overall:.2f}")
        case "refinement":
            why = f" ({data['stop_reason']})" if data["stop_reason"] else ""
            return f"{translated('refinement', '개선')} {value_title(data['status'])}{why}"
        case "refined_answer":
            lift = f"{data['lift']:.2f}"
            return f"{translated(f'better by {lift}', f'{lift} 나아짐')}: {data['answer']}"
    correctness, utility = f"{data['correctness']:.2f}", f"{data['utility']:.2f}"
    band = _found(data) or ""
    if data["judged_by"] == "model":
        band = translated(f"{band} confidence", f"신뢰도 {band}")
    failed = translated("the model failed; ", "모델 평가 실패, ") if data["degraded"] else ""
    scores = translated(
        f"{failed}{band}, correctness {correctness}, utility {utility}",
        f"{failed}{band}, 정확성 {correctness}, 유용성 {utility}",
    )
    return f"{scores}: {data['summary']}"


for command in (timeline, rejudge, feedback, review, agreement):
    verdicts.command()(command)
