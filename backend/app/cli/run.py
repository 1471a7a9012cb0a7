"""`searchqa run …`: search and answers evaluated over datasets."""

import json as json_
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from searchqa_client import Api

from app.cli import output
from app.cli.language import _, language
from app.cli.run_conditions import (
    Against,
    Condition,
    FailIf,
    check_baseline,
    parse_conditions,
    with_conditions,
)
from app.cli.run_conditions import compare as compare_conditions
from app.cli.run_report import show_baseline_comparison, show_comparison, show_run, waiting
from app.cli.server import connect, is_final
from app.cli.tables import print_rows
from app.experiments.models import MAX_OTHERS, EvaluationType, Retrieval
from app.experiments.runs.diagnosis import check_gates, judged, parse_gates
from app.experiments.runs.reports import RunReportFormat
from app.platform.jobs.status import RunStatus

FailUnder = Annotated[
    str | None,
    typer.Option(metavar="NAME=VALUE,…", help="Exit with code 1 if a mean is below its value."),
]
ReportFile = Annotated[
    Path | None,
    typer.Option("--report", dir_okay=False, help="Write a report: .xml for JUnit, or .md."),
]

OtherRunIds = Annotated[
    list[uuid.UUID], typer.Argument(metavar="OTHER_ID", help="One to six other runs.")
]

_TITLES = {EvaluationType.RETRIEVAL_ONLY: "Retrieval", EvaluationType.FULL_RAG: "Full RAG"}
_REPORTS = {".xml": RunReportFormat.JUNIT, ".md": RunReportFormat.MARKDOWN}

run = output.command_group("run")


@dataclass(frozen=True, slots=True)
class _Output:
    """Output of a run's results. Creating it raises a SearchQAError for options that are
    wrong, before anything is spent."""

    fail_under: str | None
    report: Path | None
    json: bool
    against: str | None
    fail_if: list[str] | None

    def __post_init__(self) -> None:
        self._gates()
        self._conditions()
        if self.report:
            output.format_of(self.report, _REPORTS)

    def _gates(self) -> dict[str, float]:
        return parse_gates(self.fail_under) if self.fail_under else {}

    def _conditions(self) -> list[Condition]:
        return parse_conditions(self.fail_if or (), self.against)

    @property
    def needs_all(self) -> bool:
        """Whether the run must be completed."""
        return bool(self.fail_under or self.fail_if)

    def write(self, client: Api, run_id: str, *, must_complete: bool) -> None:
        """Shows the results and writes the report. Exits with code 1 below a gate, or when the
        run did not complete although it must."""
        run = client.get(f"/evaluation/runs/{run_id}")
        output.print_result(run, lambda found: show_run(found, language()), as_json=self.json)
        if self.report:
            format_ = output.format_of(self.report, _REPORTS)
            path = f"/evaluation/runs/{run_id}/report"
            output.save(
                client.pieces(path, format=format_, fail_under=self.fail_under), self.report
            )
        conditions = self._conditions()
        gates = with_conditions(self._gates(), conditions)
        failed = [gate.sentence for gate in check_gates(run, gates) if not gate.passed]
        completed = run["status"] == RunStatus.COMPLETED
        if self.against and completed:
            compared = [each for each in conditions if each.compares]
            failed += compare_conditions(client, run, self.against, compared)
        for sentence in failed:
            typer.echo(sentence, err=True)
        if failed or (must_complete and not completed):
            raise typer.Exit(1)


@run.command()
def start(
    dataset_id: output.DatasetId,
    k: Annotated[int, typer.Option("-k", "--k", min=1, max=50, help="Chunks to retrieve.")] = 5,
    type_: Annotated[
        EvaluationType,
        typer.Option("-t", "--type", help="full_rag also generates and judges answers."),
    ] = EvaluationType.RETRIEVAL_ONLY,
    retrieval: Annotated[
        Retrieval | None,
        typer.Option(help="The search; by default hybrid with an embedding model, else text."),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(metavar="PROVIDER:MODEL", help="Judge; by default that of the policy."),
    ] = None,
    answer_model: Annotated[
        str | None, typer.Option(metavar="PROVIDER:MODEL", help="Model that answers.")
    ] = None,
    prompt: Annotated[
        str | None, typer.Option(metavar="VERSION", help="Version of the judge's prompt.")
    ] = None,
    name: Annotated[str | None, typer.Option("-n", "--name", help="Name of the run.")] = None,
    app_version: Annotated[
        str | None,
        typer.Option(
            envvar="SEARCHQA_APP_VERSION", help="Release of the application that it measures."
        ),
    ] = None,
    yes: output.Yes = False,
    against: Against = None,
    fail_if: FailIf = None,
    fail_under: FailUnder = None,
    report: ReportFile = None,
    json: output.AsJson = False,
) -> None:
    """Evaluate the search, and with full_rag the answers, over a dataset.

    Exit code 1 when the run does not complete, when a mean is below --fail-under, or when --fail-if
    holds; 2 when a condition cannot be read or there is no baseline to compare with.

    Examples:

    searchqa run start 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11 -k 5 -t full_rag

    searchqa run start 019a1f0e-… -t full_rag --judge openai:gpt-6-luna -n "new prompt"

    searchqa run start 019a1f0e-… --yes --fail-under recall=0.85 --report junit.xml

    searchqa run start 019a1f0e-… -t full_rag --against main --fail-if "faithfulness drops by .03"
    """
    shown = _Output(fail_under, report, json, against, fail_if)
    given = {
        "name": name,
        "app_version": app_version,
        "k": k,
        "evaluation_type": type_.value,
        "retrieval": retrieval and retrieval.value,
        "answer_model": answer_model,
        "judge_model": judge,
        "prompt": prompt,
    }
    body = {field: value for field, value in given.items() if value is not None}
    with connect() as client:
        if against:
            check_baseline(client, dataset_id, against)
        cost = client.post(f"/evaluation/datasets/{dataset_id}/estimate", body)
        costs = cost["calls"] and cost["cost_usd"] != 0
        if costs and not yes and not json:
            typer.confirm(f"{output.estimate(cost)} {_('Continue?')}", abort=True)
        begun = client.post(f"/evaluation/datasets/{dataset_id}/runs", body)
        _follow(client, begun, type_, quiet=json)
        shown.write(client, begun["id"], must_complete=True)


@run.command()
def show(
    run_id: output.RunId,
    against: Against = None,
    fail_if: FailIf = None,
    fail_under: FailUnder = None,
    report: ReportFile = None,
    json: output.AsJson = False,
) -> None:
    """Show a run's results, what they mean, and the worst cases.

    Exit code 1 when a mean is below --fail-under or --fail-if holds, 2 as of `run start`.

    Example:

    searchqa run show 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11 --report run.md
    """
    shown = _Output(fail_under, report, json, against, fail_if)
    with connect() as client:
        shown.write(client, str(run_id), must_complete=shown.needs_all)


@run.command("list")
def list_(
    dataset_id: Annotated[
        uuid.UUID | None, typer.Option("--dataset", metavar="ID", help="Only runs of this dataset.")
    ] = None,
    json: output.AsJson = False,
) -> None:
    """List runs, newest first."""
    with connect() as client:
        found = client.items("/evaluation/runs", 200, dataset_id=dataset_id)
    print_rows(
        found,
        *("id", "name", "created_at", "status", ("type", lambda run: run["evaluation_type"])),
        *("retrieval", "k", ("recall", lambda run: (run["metrics"] or {}).get("recall_at_k"))),
        ("faithful", _faithfulness),
        as_json=json,
    )


@run.command()
def compare(run_id: output.RunId, other_ids: OtherRunIds, json: output.AsJson = False) -> None:
    """Compare a run with one other, or as the baseline with up to six.

    Two runs: differences, significance, flipped cases. Several: each mean with its difference from
    the baseline, over the cases that all of them measured. Runs that differ in dataset, k, judge or
    prompt are compared in what does not depend on it; with nothing left the exit code is 1.

    Examples:

    searchqa run compare 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11 019a1f0f-…

    searchqa run compare 019a1f0e-… 019a1f0f-… 019a1f10-… --json
    """
    if len(other_ids) > MAX_OTHERS:
        raise typer.BadParameter(
            _(
                "At most {MAX_OTHERS} runs are compared with a baseline; leave some out.",
                MAX_OTHERS=MAX_OTHERS,
            )
        )
    path = f"/evaluation/runs/{run_id}"
    with connect() as client:
        if len(other_ids) == 1:
            comparison = client.get(f"{path}/compare/{other_ids[0]}")
            output.print_result(comparison, show_comparison, as_json=json)
            return
        comparison = client.get(f"{path}/comparison", other_id=other_ids)
    output.print_result(comparison, show_baseline_comparison, as_json=json)


@run.command()
def cancel(run_id: output.RunId) -> None:
    """Cancel a run in progress; results so far are kept."""
    with connect() as client:
        ended = client.post(f"/evaluation/runs/{run_id}/cancel")
    done, cases = f"{ended['done']:,}", f"{ended['cases']:,}"
    typer.echo(_("Cancelled after {done} of {cases} cases.", done=done, cases=cases))


def _faithfulness(run: output.View) -> float | None:
    generation = run["summary"] and run["summary"]["generation"]
    mean: float | None = run["mean_faithfulness"]
    return mean if generation and judged(generation) else None


def _follow(client: Api, run: output.View, type_: EvaluationType, *, quiet: bool) -> None:
    id_ = run["id"]
    if not quiet:
        out = output.console()
        name = output.printable(f"{run['dataset_name']} v{run['dataset_version']}")
        title, k, cases = _TITLES[type_], run["k"], f"{run['cases']:,}"
        out.print(_("Running {title} evaluation (k={k})...", title=title, k=k))
        out.print(_("  Dataset: {name} ({cases} test cases)", name=name, cases=cases))
    show, cancel = f"searchqa run show {id_}", f"searchqa run cancel {id_}"
    hint = _("Show it with: {show}\nCancel it with: {cancel}", show=show, cancel=cancel)
    title = f"  {_('Search')}: {run['retrieval']}"
    with output.progress_bar(title, run["cases"], hidden=quiet, after_ctrl_c=hint) as advance:
        waits_for = None
        for event in client.follow(f"/evaluation/runs/{id_}/events", is_final):
            now = json_.loads(event.data)
            advance(now["done"])
            if now["waits_for"] not in {None, waits_for, "budget_held"} and not quiet:
                typer.echo(waiting(now), err=True)
            waits_for = now["waits_for"]
