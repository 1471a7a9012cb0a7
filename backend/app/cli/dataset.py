"""`searchqa dataset …`: questions with known answers."""

import json as json_
import uuid
from collections import deque
from pathlib import Path
from typing import Annotated

import typer

from app.cli.language import _
from app.cli.output import AsJson, DatasetId, NotebookName, View, command_group, format_of, save
from app.cli.server import connect, is_final, notebook_id
from app.cli.tables import print_rows
from app.experiments.datasets.files import CaseFormat
from app.platform.errors import SetupError

dataset = command_group("dataset")

DatasetName = Annotated[str, typer.Option("--name", "-n", help="The dataset's name.")]
FormatOption = Annotated[
    CaseFormat | None, typer.Option("--format", help="By default the file's extension decides.")
]
PerChunk = Annotated[
    int, typer.Option("--questions-per-chunk", "-q", min=1, max=10, help="Questions per chunk.")
]
Sample = Annotated[
    int, typer.Option("--max-chunks-sample", "-m", min=1, max=2000, help="Chunks to sample.")
]


@dataset.command()
def generate(
    notebook: Annotated[str, typer.Argument(help="The notebook's name or id.")],
    name: DatasetName,
    questions_per_chunk: PerChunk = 2,
    max_chunks_sample: Sample = 50,
    seed: Annotated[int, typer.Option(help="The same seed samples the same chunks.")] = 0,
) -> None:
    """Generate questions from a notebook's chunks with the answer model or, offline, by rules.

    Example:

    searchqa dataset generate Lab -n quick-test -q 1 -m 20
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
        last = deque(client.follow(f"/jobs/{begun['id']}/events", is_final), maxlen=1).pop()
        ended = json_.loads(last.data)
        if ended["status"] != "succeeded":
            why = (ended["error"] or ended["status"]).removesuffix(".")
            raise SetupError(_("No dataset was created: {why}.", why=why))
        datasets = client.items("/evaluation/datasets", 200)
    stored = next(each for each in datasets if each["name"] == name.strip())
    _print_stored(stored)
    if rejected := stored["origin"].get("rejected"):
        counts = ", ".join(f"{reason} {count:,}" for reason, count in sorted(rejected.items()))
        typer.echo(_("Rejected: {counts}.", counts=counts))


@dataset.command("import")
def import_(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False)],
    name: DatasetName,
    format_: FormatOption = None,
    notebook: NotebookName = None,
) -> None:
    """Import test cases from a file as the next version of a dataset.

    Example:

    searchqa dataset import cases.jsonl -n baseline
    """
    kind = format_ or _format_of(file)
    with connect() as client, file.open("rb") as content:
        fields = {"name": name, "format": kind.value}
        if notebook:
            fields["notebook_id"] = notebook_id(client, notebook)
        _print_stored(client.post_form("/evaluation/datasets/import", fields, (file.name, content)))


@dataset.command()
def export(
    dataset_id: DatasetId,
    file: Annotated[
        Path, typer.Argument(dir_okay=False, help="The file to write; - for standard output.")
    ],
    format_: FormatOption = None,
) -> None:
    """Write a dataset's test cases to a file that can be imported again.

    Example:

    searchqa dataset export 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11 cases.csv
    """
    kind = format_ or (CaseFormat.JSONL if str(file) == "-" else _format_of(file))
    with connect() as client:
        chunks = client.pieces(f"/evaluation/datasets/{dataset_id}/export", format=kind.value)
        save(chunks, None if str(file) == "-" else file)


@dataset.command("add-from")
def add_from(
    evaluation_id: Annotated[uuid.UUID, typer.Argument(metavar="EVALUATION_ID")],
    name: Annotated[
        str | None,
        typer.Option(
            "--name", "-n", help="The dataset; by default the last one an answer went to."
        ),
    ] = None,
    answer: Annotated[
        str | None,
        typer.Option(help="The right answer; by default the comment of the last label, if any."),
    ] = None,
    refusal: Annotated[
        bool, typer.Option("--refusal", help="Expect the answer that the notes do not say.")
    ] = False,
) -> None:
    """Make a test case of an answer, with the notes that it was given.

    Example:

    searchqa dataset add-from 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11 -n regressions
    """
    body = {
        "evaluation_id": str(evaluation_id),
        "name": name,
        "reference_answer": answer,
        "expects_refusal": refusal,
    }
    with connect() as client:
        found = client.post("/evaluation/datasets/from-answer", body)
    dataset = f"{found['dataset_name']} v{found['dataset_version']}"
    case = found["test_case"]
    if not found["added"]:
        typer.echo(_("{dataset} has this case already: {id}.", dataset=dataset, id=case["id"]))
        return
    expected = _("to refuse") if case["expects_refusal"] else case["reference_answer"]
    expected = expected or _("what the notes say")
    evaluate = f"searchqa run start {found['dataset_id']} -t full_rag"
    typer.echo(
        _(
            "{dataset}: added with {notes} notes; expected: {expected}.\nEvaluate with: {evaluate}",
            dataset=dataset,
            notes=len(case["notes"]),
            expected=expected,
            evaluate=evaluate,
        )
    )


@dataset.command("list")
def list_(json: AsJson = False) -> None:
    """List datasets, newest first."""
    with connect() as client:
        found = client.items("/evaluation/datasets", 200)
    columns = ("id", "created_at", "version", "cases", "review", "name")
    print_rows(found, *columns, as_json=json)


def _print_stored(dataset: View) -> None:
    cases, evaluate = f"{dataset['cases']:,}", f"searchqa run start {dataset['id']}"
    sentence = _("{cases} test cases.\nEvaluate with: {evaluate}", cases=cases, evaluate=evaluate)
    typer.echo(f"{dataset['name']} v{dataset['version']}: {sentence}")


def _format_of(file: Path) -> CaseFormat:
    return format_of(file, {f".{each}": each for each in CaseFormat}, ", or use --format")
