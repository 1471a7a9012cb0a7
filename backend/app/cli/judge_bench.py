"""`searchqa judge-bench`: how far judges agree with human labels."""

import uuid
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text
from searchqa_client import Api

from app.cli import output
from app.cli.language import language
from app.cli.server import connect, poll
from app.cli.tables import print_table
from app.experiments.benches import report
from app.experiments.benches.request import Labels
from app.experiments.benches.views import BenchDetail
from app.platform.errors import SetupError

_BENCHES = "/evaluation/judge-benches"
_LINES_SHOWN = 10
_FORMATS = {".html": "html", ".json": "json", ".md": "markdown"}


def judge_bench(
    file: Annotated[
        Path | None,
        typer.Argument(exists=True, dir_okay=False, help="JSONL; see docs/judge-bench.md."),
    ] = None,
    judge: Annotated[
        list[str] | None,
        typer.Option(
            "--judge",
            "-j",
            help="provider:model, provider:model@PROMPT, offline, jury; repeatable.",
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(min=1, max=20_000, help="Judge a sample with the same shares of labels."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed draws the same sample.")] = 0,
    threshold: Annotated[
        float, typer.Option(min=0, max=1, help="Correctness below it counts as hallucinated.")
    ] = 0.5,
    spans: Annotated[
        bool, typer.Option(help="Compare unsupported claims with the places that people marked.")
    ] = True,
    from_feedback: Annotated[
        bool, typer.Option("--from-feedback", help="Use people's feedback on stored answers.")
    ] = False,
    labels: Annotated[
        Labels | None,
        typer.Option(
            help="Feedback on answers drawn at random, or all; by default drawn if there is any."
        ),
    ] = None,
    repeat: Annotated[
        int, typer.Option(min=1, max=10, help="Have models judge each answer so often.")
    ] = 1,
    show: Annotated[
        uuid.UUID | None, typer.Option(metavar="ID", help="Follow or show an earlier bench.")
    ] = None,
    reports: Annotated[
        list[Path] | None, typer.Option("-o", "--output", help="Report: .html, .json or .md.")
    ] = None,
    yes: output.Yes = False,
    json: output.AsJson = False,
) -> None:
    """Benchmark judges against human labels: precision, recall, F1, AUROC and more.

    Exit code 1 when the bench does not complete, or a judge returned no verdict at all.

    Examples:

    searchqa judge-bench labelled.jsonl --judge offline --limit 500

    searchqa judge-bench labelled.jsonl -j offline -j openai:gpt-6-luna -o report.html

    searchqa judge-bench labelled.jsonl -j openai:gpt-6-luna -j openai:gpt-6-luna@search-qa-eval-6

    searchqa judge-bench labelled.jsonl -j openai:gpt-6-luna --limit 50 --repeat 5

    searchqa judge-bench --from-feedback --judge stored --judge offline
    """
    if sum((file is not None, from_feedback, show is not None)) != 1:
        raise SetupError("Give a file of labelled answers, --from-feedback, or --show ID.")
    if labels and not from_feedback:
        raise SetupError("--labels chooses among feedback; give it with --from-feedback.")
    written = {path: output.format_of(path, _FORMATS) for path in reports or ()}
    judges = judge or ["offline"]
    with connect() as client:
        if show is None:
            fields = {"judges": judges, "seed": seed, "judge_spans": spans, "repeats": repeat}
            fields |= {} if limit is None else {"limit": limit}
            fields |= {"labels": labels} if labels else {}
            if any(one not in {"offline", "offline:rules", "stored"} for one in judges):
                _confirm_cost(client, file, fields, ask=not (yes or json))
            bench = _begin_bench(client, file, fields | {"threshold": threshold})
        else:
            bench = client.get(f"{_BENCHES}/{show}")
        _print_rejected(bench)
        path = f"{_BENCHES}/{bench['id']}"
        again = f"searchqa judge-bench --show {bench['id']}"
        seen = poll(client, f"{path}/progress")
        output.follow(bench["name"], bench, seen, quiet=json, again=again)
        ended = client.get(path)
        if ended["summary"] is not None:
            for target, format_ in written.items():
                output.save(client.pieces(f"{path}/report", format=format_), target)
    if json:
        output.print_json(ended)
    else:
        _show(output.console(), BenchDetail.model_validate(ended))
        for target in written if ended["summary"] else ():
            typer.echo(f"Written: {target}")
    if ended["summary"] is None or not all(one["answers"] for one in ended["summary"]["judges"]):
        raise typer.Exit(1)


def _confirm_cost(client: Api, file: Path | None, fields: output.View, *, ask: bool) -> None:
    cost = _send(client, f"{_BENCHES}/estimate", file, fields)
    output.confirm_cost(f"{cost['items']:,} answers.", cost, ask=ask)


def _begin_bench(client: Api, file: Path | None, fields: output.View) -> output.View:
    if file is None:
        begun: output.View = client.post(_BENCHES, {**fields, "name": "feedback"})
        return begun
    return _send(client, f"{_BENCHES}/import", file, {**fields, "name": file.name})


def _send(client: Api, path: str, file: Path | None, fields: output.View) -> output.View:
    with file.open("rb") if file else nullcontext() as content:
        reply: output.View = client.post_form(
            path, fields, (file.name, content) if file and content else None
        )
    return reply


def _print_rejected(bench: output.View) -> None:
    for one in bench["rejected"][:_LINES_SHOWN]:
        typer.echo(f"Line {one['line']} is skipped: {output.printable(one['reason'])}", err=True)
    if more := bench["rejected"][_LINES_SHOWN:]:
        numbers = ", ".join(str(one["line"]) for one in more)
        typer.echo(f"{len(more):,} more lines are skipped: {numbers}.", err=True)


def _show(out: Console, bench: BenchDetail) -> None:
    out.print(
        Text(f"Bench {bench.id}: {bench.items:,} of {bench.available:,} labelled answers,")
        + Text(f" {bench.hallucinated:,} hallucinated")
    )
    out.print(output.one_line(bench.basis.ko if language() == "ko" else bench.basis.en))
    if bench.summary is None:
        progress = f"{bench.status} after {bench.done:,} of {bench.total:,} verdicts"
        out.print(Text(progress, "yellow"))
        if bench.error_message:
            out.print(Text(output.printable(bench.error_message), "red"))
        return
    judges = [one.judge for one in bench.summary.judges]
    figures = ([name, *cells] for name, cells in report.table_rows(bench.summary))
    print_table(["", *judges], figures, last="whole")
    for one in bench.summary.comparisons:
        out.print(
            output.one_line(one.sentence.ko if language() == "ko" else one.sentence.en),
            style="bold",
        )
    if bench.summary.comparisons:
        compared = report.comparison_rows(bench.summary.comparisons)
        print_table(report.COMPARISON_HEADER, compared, last="whole")
    if bench.summary.differences:
        differences = report.difference_rows(bench.summary.differences)
        print_table(report.DIFFERENCE_HEADER, differences, last="whole")
        out.print(Text("* the 95 % interval excludes 0", "dim"))
    for note in report.notes(bench.summary):
        out.print(output.one_line(note), style="yellow")
    out.print(Text(report.LEGEND, "dim"))
