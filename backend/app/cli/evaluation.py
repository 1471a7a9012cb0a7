"""`searchqa evaluation …`: datasets of questions with known answers, and runs over them."""

import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from app.cli.ask import notebook_id
from app.cli.client import Client, connect
from app.cli.output import console, local_time, one_line, print_json, score, table
from app.cli.run_comparison import show_comparison
from app.cli.run_report import show_run
from app.datasets.evaluation_type import EvaluationType
from app.datasets.files import Format
from app.datasets.gates import failed_gates, parse_gates
from app.datasets.status import RunStatus
from app.errors import SetupError

evaluation = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Datasets of questions with known answers, and runs that measure search and answers.",
)

_POLL_SECONDS = 0.3

AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of text.")]
DatasetId = Annotated[uuid.UUID, typer.Argument(help="From `searchqa evaluation list`.")]
RunId = Annotated[uuid.UUID, typer.Argument(help="From `searchqa evaluation runs`.")]


@evaluation.command()
def generate(
    notebook: Annotated[str, typer.Argument(help="Name of the notebook to ask about.")],
    name: Annotated[str, typer.Option("--name", "-n", help="Name of the dataset.")],
    questions_per_chunk: Annotated[int, typer.Option("-q", min=1, max=10)] = 2,
    max_chunks_sample: Annotated[int, typer.Option("-m", min=1, max=2000)] = 50,
    seed: Annotated[int, typer.Option(help="The same seed samples the same chunks.")] = 0,
) -> None:
    """Make questions from a notebook's chunks, by the answer model or, offline, by rules.

    Example:

    searchqa evaluation generate Lab -n quick-test -q 1 -m 20
    """
    with connect() as client:
        body = {
            "name": name,
            "notebook_id": notebook_id(client, notebook),
            "questions_per_chunk": questions_per_chunk,
            "max_chunks_sample": max_chunks_sample,
            "seed": seed,
        }
        begun = client.post("/evaluation/datasets/generate", body)
        *_, ended = _watched(client, f"/jobs/{begun['id']}")
        if ended["status"] != "succeeded":
            raise SetupError(f"No dataset was made: {ended['error'] or ended['status']}.")
        datasets = client.newest("/evaluation/datasets", 200)
    found = [each for each in datasets if each["name"] == name]
    _say_stored(found[0])
    rejected = found[0]["origin"].get("rejected", {})
    if rejected:
        told = ", ".join(f"{reason} {count:,}" for reason, count in sorted(rejected.items()))
        typer.echo(f"Left out: {told}.")


@evaluation.command("import")
def import_(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False)],
    name: Annotated[str, typer.Option("--name", "-n", help="Name of the dataset.")],
    format_: Annotated[
        Format | None, typer.Option("--format", help="Found from the file's name.")
    ] = None,
    notebook: Annotated[
        str | None, typer.Option(metavar="NAME", help="The only notebook to search.")
    ] = None,
) -> None:
    """Store test cases from a file as the next version of a dataset.

    Example:

    searchqa evaluation import cases.jsonl -n baseline
    """
    kind = format_ or _format_of(file)
    with connect() as client, file.open("rb") as content:
        fields = {"name": name, "format": kind.value}
        if notebook:
            fields["notebook_id"] = notebook_id(client, notebook)
        stored = client.upload("/evaluation/datasets/import", file.name, content, fields)
    _say_stored(stored)


@evaluation.command()
def export(
    dataset_id: DatasetId,
    file: Annotated[Path, typer.Argument(dir_okay=False, help="Where to; - for the screen.")],
    format_: Annotated[
        Format | None, typer.Option("--format", help="Found from the file's name.")
    ] = None,
) -> None:
    """Write a dataset's test cases to a file that can be imported again.

    Example:

    searchqa evaluation export 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11 cases.csv
    """
    kind = format_ or (Format.JSONL if str(file) == "-" else _format_of(file))
    with connect() as client:
        content = client.download(f"/evaluation/datasets/{dataset_id}/export", format=kind.value)
    if str(file) == "-":
        typer.echo(content, nl=False)
    else:
        file.write_bytes(content)


@evaluation.command("list")
def list_(json: AsJson = False) -> None:
    """List datasets, newest first."""
    with connect() as client:
        found = client.newest("/evaluation/datasets", 200)
    if json:
        print_json(found)
        return
    shown = table("id", "made at", "version", "cases", "name")
    for each in found:
        shown.add_row(
            each["id"],
            local_time(each["created_at"]),
            str(each["version"]),
            f"{each['cases']:,}",
            one_line(each["name"]),
        )
    console().print(shown)


@evaluation.command()
def run(
    dataset_id: DatasetId,
    k: Annotated[int, typer.Option("-k", "--k", min=1, max=50, help="Chunks to look at.")] = 5,
    type_: Annotated[
        EvaluationType, typer.Option("-t", "--type", help="full_rag also answers and judges.")
    ] = EvaluationType.RETRIEVAL_ONLY,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before spending.")] = False,
    fail_under: Annotated[
        str | None, typer.Option(metavar="NAME=VALUE,…", help="Exit code 1 below these means.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Measure the search, and with full_rag the answers, over a dataset.

    Exit code 1 when the run does not complete, or when a mean lies below --fail-under.

    Examples:

    searchqa evaluation run 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11 -k 5 -t full_rag

    searchqa evaluation run 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11 --yes --fail-under recall=0.85
    """
    gates = parse_gates(fail_under) if fail_under else {}
    body = {"k": k, "evaluation_type": type_.value}
    with connect() as client:
        cost = client.post(f"/evaluation/datasets/{dataset_id}/estimate", body)
        costs = cost["calls"] and cost["cost_usd"] != 0
        if costs and not yes and not json:
            typer.confirm(_price(cost), abort=True)
        begun = client.post(f"/evaluation/datasets/{dataset_id}/runs", body)
        _follow(client, begun, quiet=json)
        ended = client.get(f"/evaluation/runs/{begun['id']}")
        lang = client.lang
    if json:
        print_json(ended)
    else:
        show_run(console(), ended, lang)
    failed = failed_gates(ended, gates)
    for told in failed:
        typer.echo(told, err=True)
    if failed or ended["status"] != RunStatus.COMPLETED:
        raise typer.Exit(1)


@evaluation.command()
def runs(json: AsJson = False) -> None:
    """List runs, newest first."""
    with connect() as client:
        found = client.newest("/evaluation/runs", 200)
    if json:
        print_json(found)
        return
    shown = table("id", "started at", "status", "type", "k", "recall", "faithful", "dataset")
    for each in found:
        shown.add_row(
            each["id"],
            local_time(each["created_at"]),
            each["status"],
            each["evaluation_type"],
            str(each["k"]),
            score((each["metrics"] or {}).get("recall_at_k")),
            score(each["mean_faithfulness"]),
            one_line(f"{each['dataset_name']} v{each['dataset_version']}"),
        )
    console().print(shown)


@evaluation.command()
def results(run_id: RunId, json: AsJson = False) -> None:
    """Show what a run has measured, what that means, and the worst cases."""
    with connect() as client:
        found = client.get(f"/evaluation/runs/{run_id}")
        lang = client.lang
    if json:
        print_json(found)
    else:
        show_run(console(), found, lang)


@evaluation.command()
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


@evaluation.command()
def cancel(run_id: RunId) -> None:
    """End a run that is under way; what it has measured stays."""
    with connect() as client:
        ended = client.post(f"/evaluation/runs/{run_id}/cancel")
    typer.echo(f"Cancelled after {ended['done']:,} of {ended['cases']:,} cases.")


def _say_stored(dataset: dict[str, Any]) -> None:
    typer.echo(
        f"{dataset['name']} v{dataset['version']}: {dataset['cases']:,} test cases."
        f"\nMeasure with: searchqa evaluation run {dataset['id']}"
    )


def _format_of(file: Path) -> Format:
    try:
        return Format(file.suffix.lower().removeprefix("."))
    except ValueError:
        known = ", ".join(each.value for each in Format)
        raise SetupError(
            f"The name {file.name} does not tell a format; use --format with one of {known}."
        ) from None


def _price(cost: dict[str, Any]) -> str:
    dollars = "an unknown price" if cost["cost_usd"] is None else f"about ${cost['cost_usd']:.4f}"
    tokens = cost["prompt_tokens"] + cost["completion_tokens"]
    return f"{cost['calls']:,} model calls, about {tokens:,} tokens, {dollars}. Go on?"


def _follow(client: Client, run: dict[str, Any], *, quiet: bool) -> None:
    """Waits for the end of the run."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console(), disable=quiet) as progress:
        title = f"{run['dataset_name']} v{run['dataset_version']} ({run['evaluation_type']})"
        bar = progress.add_task(title, total=run["cases"])
        for seen in _watched(client, f"/evaluation/runs/{run['id']}/progress"):
            progress.update(bar, completed=seen["done"])


def _watched(client: Client, path: str) -> Iterator[dict[str, Any]]:
    """What stands there, again and again until it is at its end."""
    ends = {"completed", "succeeded", "failed", "cancelled"}
    while True:
        seen: dict[str, Any] = client.get(path)
        yield seen
        if seen["status"] in ends:
            return
        time.sleep(_POLL_SECONDS)
