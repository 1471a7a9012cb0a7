"""`searchqa evaluation …`: datasets of questions with known answers, and runs over them."""

import uuid
from pathlib import Path
from typing import Annotated, Any

import typer

from app.cli import evaluation_runs as on_runs
from app.cli.ask import notebook_id
from app.cli.client import connect
from app.cli.evaluation_review import review
from app.cli.output import console, local_time, one_line, print_json, table
from app.datasets.files import Format
from app.errors import SetupError

evaluation = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Datasets of questions with known answers, and runs that measure search and answers.",
)

AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of text.")]
DatasetId = Annotated[uuid.UUID, typer.Argument(help="From `searchqa evaluation list`.")]
PerChunk = Annotated[int, typer.Option("--questions-per-chunk", "-q", min=1, max=10)]
Sample = Annotated[int, typer.Option("--max-chunks-sample", "-m", min=1, max=2000)]


@evaluation.command()
def generate(
    notebook: Annotated[str, typer.Argument(help="The notebook to ask about: its name or its id.")],
    name: Annotated[str, typer.Option("--name", "-n", help="Name of the dataset.")],
    questions_per_chunk: PerChunk = 2,
    max_chunks_sample: Sample = 50,
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
        *_, last = client.follow_to_end(f"/jobs/{begun['id']}/events")
        ended = last.json()
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
    shown = table("id", "made at", "version", "cases", "review", "name")
    for each in found:
        shown.add_row(
            each["id"],
            local_time(each["created_at"]),
            str(each["version"]),
            f"{each['cases']:,}",
            each["review"] or "-",
            one_line(each["name"]),
        )
    console().print(shown)


for command in (
    review,
    on_runs.run,
    on_runs.runs,
    on_runs.results,
    on_runs.compare,
    on_runs.cancel,
):
    evaluation.command()(command)


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
