"""`searchqa evaluation run …`: runs over datasets, watched, read, compared."""

import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from app.cli.client import Client, connect
from app.cli.output import console, local_time, one_line, print_json, printable, score, table
from app.cli.run_comparison import show_comparison
from app.cli.run_report import show_run
from app.errors import SetupError
from app.jobs.parts import RunStatus
from app.runs.evaluation_type import EvaluationType, Retrieval
from app.runs.gates import check_gates, parse_gates
from app.runs.reading import judged
from app.runs.reports import ReportFormat

AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of text.")]
DatasetId = Annotated[uuid.UUID, typer.Argument(help="From `searchqa evaluation list`.")]
RunId = Annotated[uuid.UUID, typer.Argument(help="From `searchqa evaluation runs`.")]
FailUnder = Annotated[
    str | None, typer.Option(metavar="NAME=VALUE,…", help="Exit code 1 below these means.")
]
ReportFile = Annotated[
    Path | None,
    typer.Option("--report", dir_okay=False, help="Write a report: .xml for JUnit, or .md."),
]

_TITLES = {
    EvaluationType.RETRIEVAL_ONLY: "Retrieval",
    EvaluationType.FULL_RAG: "Full RAG",
}
_REPORTS = {".xml": ReportFormat.JUNIT, ".md": ReportFormat.MARKDOWN}


def run(
    dataset_id: DatasetId,
    k: Annotated[int, typer.Option("-k", "--k", min=1, max=50, help="Chunks to look at.")] = 5,
    type_: Annotated[
        EvaluationType, typer.Option("-t", "--type", help="full_rag also answers and judges.")
    ] = EvaluationType.RETRIEVAL_ONLY,
    retrieval: Annotated[
        Retrieval | None,
        typer.Option(help="The search; hybrid where there is an embedding model, else text."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before spending.")] = False,
    fail_under: FailUnder = None,
    report: ReportFile = None,
    json: AsJson = False,
) -> None:
    """Measure the search, and with full_rag the answers, over a dataset.

    Exit code 1 when the run does not complete, or when a mean lies below --fail-under.

    Examples:

    searchqa evaluation run 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11 -k 5 -t full_rag

    searchqa evaluation run 019a1f0e-… --yes --fail-under recall=0.85 --report junit.xml
    """
    gates = parse_gates(fail_under) if fail_under else {}
    format_ = _report_format(report)
    body = {"k": k, "evaluation_type": type_.value, "retrieval": retrieval and retrieval.value}
    with connect() as client:
        cost = client.post(f"/evaluation/datasets/{dataset_id}/estimate", body)
        costs = cost["calls"] and cost["cost_usd"] != 0
        if costs and not yes and not json:
            typer.confirm(_price(cost), abort=True)
        begun = client.post(f"/evaluation/datasets/{dataset_id}/runs", body)
        _follow(client, begun, type_, quiet=json)
        ended = client.get(f"/evaluation/runs/{begun['id']}")
        _show(client, ended, json=json)
        _write_report(client, ended["id"], report, format_, fail_under)
    _exit_by(ended, gates)


def results(
    run_id: RunId,
    fail_under: FailUnder = None,
    report: ReportFile = None,
    json: AsJson = False,
) -> None:
    """Show what a run has measured, what that means, and the worst cases.

    Exit code 1 when a mean lies below --fail-under.

    Example:

    searchqa evaluation results 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11 --report run.md
    """
    gates = parse_gates(fail_under) if fail_under else {}
    format_ = _report_format(report)
    with connect() as client:
        found = client.get(f"/evaluation/runs/{run_id}")
        _show(client, found, json=json)
        _write_report(client, found["id"], report, format_, fail_under)
    if gates:
        _exit_by(found, gates)


def runs(json: AsJson = False) -> None:
    """List runs, newest first."""
    with connect() as client:
        found = client.newest("/evaluation/runs", 200)
    if json:
        print_json(found)
        return
    shown = table(
        *("id", "started at", "status", "type", "search", "k", "recall", "faithful", "dataset")
    )
    for each in found:
        generation = each["summary"] and each["summary"]["generation"]
        shown.add_row(
            each["id"],
            local_time(each["created_at"]),
            each["status"],
            each["evaluation_type"],
            each["retrieval"],
            str(each["k"]),
            score((each["metrics"] or {}).get("recall_at_k")),
            score(each["mean_faithfulness"] if generation and judged(generation) else None),
            one_line(f"{each['dataset_name']} v{each['dataset_version']}"),
        )
    console().print(shown)


def compare(run_id: RunId, other_id: RunId, json: AsJson = False) -> None:
    """Compare two runs over the same questions: differences, significance, flipped cases.

    Example:

    searchqa evaluation compare 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11 019a1f0f-…
    """
    with connect() as client:
        comparison = client.get(f"/evaluation/runs/{run_id}/compare/{other_id}")
    if json:
        print_json(comparison)
    else:
        show_comparison(console(), comparison)


def cancel(run_id: RunId) -> None:
    """End a run that is under way; what it has measured stays."""
    with connect() as client:
        ended = client.post(f"/evaluation/runs/{run_id}/cancel")
    typer.echo(f"Cancelled after {ended['done']:,} of {ended['cases']:,} cases.")


def _price(cost: Mapping[str, Any]) -> str:
    dollars = "an unknown price" if cost["cost_usd"] is None else f"about ${cost['cost_usd']:.4f}"
    tokens = cost["prompt_tokens"] + cost["completion_tokens"]
    return f"{cost['calls']:,} model calls, about {tokens:,} tokens, {dollars}. Go on?"


def _follow(client: Client, run: Mapping[str, Any], type_: EvaluationType, *, quiet: bool) -> None:
    """Waits for the end of the run."""
    out = console()
    if not quiet:
        name = printable(f"{run['dataset_name']} v{run['dataset_version']}")
        out.print(f"Running {_TITLES[type_]} evaluation (k={run['k']})...")
        out.print(f"  Dataset: {name} ({run['cases']:,} test cases)")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=out, disable=quiet) as progress:
        bar = progress.add_task(f"  Search: {run['retrieval']}", total=run["cases"])
        for event in client.follow_to_end(f"/evaluation/runs/{run['id']}/events"):
            progress.update(bar, completed=event.json()["done"])


def _show(client: Client, run: Mapping[str, Any], *, json: bool) -> None:
    if json:
        print_json(run)
    else:
        show_run(console(), run, client.lang)


def _report_format(file: Path | None) -> ReportFormat | None:
    """Told from the file's name, before anything is spent. Raises SetupError."""
    if file is None:
        return None
    if file.suffix.lower() not in _REPORTS:
        raise SetupError(f"The report {file.name} must end with .xml or .md; change its name.")
    return _REPORTS[file.suffix.lower()]


def _write_report(
    client: Client,
    run_id: str,
    file: Path | None,
    format_: ReportFormat | None,
    fail_under: str | None,
) -> None:
    if file is None or format_ is None:
        return
    gates = {"fail_under": fail_under} if fail_under else {}
    path = f"/evaluation/runs/{run_id}/report"
    file.write_bytes(client.download(path, format=format_.value, **gates))


def _exit_by(run: Mapping[str, Any], gates: Mapping[str, float]) -> None:
    failed = [gate.told for gate in check_gates(run, gates) if not gate.passed]
    for told in failed:
        typer.echo(told, err=True)
    if failed or run["status"] != RunStatus.COMPLETED:
        raise typer.Exit(1)
