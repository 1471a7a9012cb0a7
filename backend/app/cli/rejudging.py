"""`searchqa evaluations rejudge`: answers judged again with another judge or prompt."""

import datetime as dt
import time
import uuid
from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from app.cli.ask import notebook_id
from app.cli.client import Client, connect
from app.cli.durations import parse_duration
from app.cli.output import console, print_json
from app.cli.where import WHERE_HELP, parse_where
from app.errors import SetupError
from app.jobs.status import JobStatus

_POLL_SECONDS = 0.5

View = Mapping[str, Any]


def rejudge(
    evaluation_id: Annotated[
        uuid.UUID | None, typer.Argument(help="Judge this one answer again, without a filter.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(help="Answers of the last 12h, 30d, …, or since 2026-01-31.")
    ] = None,
    until: Annotated[str | None, typer.Option(help="Answers before then, as --since.")] = None,
    where: Annotated[list[str] | None, typer.Option(metavar="TERM", help=WHERE_HELP)] = None,
    judge: Annotated[
        str | None, typer.Option(metavar="PROVIDER:MODEL", help="The server's own if left out.")
    ] = None,
    prompt: Annotated[
        str | None, typer.Option(metavar="VERSION", help="search-qa-eval-1 or search-qa-eval-2.")
    ] = None,
    all_: Annotated[
        bool, typer.Option("--all", help="Needed where every answer would be judged again.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before starting.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only count, and say what it would cost.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False,
) -> None:
    """Judge answers again with another judge or prompt.

    Says first how many answers it would be and what that would cost. Old verdicts stay; a new one
    counts once it has succeeded. Ctrl-C leaves the job going. Exit code 0 also when there is
    nothing to judge, 1 when a judgement failed or the job was cancelled.

    Examples:

    searchqa evaluations rejudge --since 30d --where confidence=low --prompt search-qa-eval-2

    searchqa evaluations rejudge --where degraded=true --where 'correctness<0.5' --dry-run

    searchqa evaluations rejudge --all --judge openai:gpt-4o-mini --yes --json
    """
    choice = {"judge_model": judge, "prompt": prompt}
    body: dict[str, Any] = {name: value for name, value in choice.items() if value is not None}
    fields = parse_where(where or [])
    times = {"since": since, "until": until}
    fields |= {name: _time(value) for name, value in times.items() if value is not None}
    with connect() as client:
        if evaluation_id is not None:
            if fields or all_:
                raise SetupError("Give the id of one evaluation, or a filter, and not both.")
            _one(client, evaluation_id, body, json=json)
            return
        if "notebook" in fields:
            fields["notebook_id"] = notebook_id(client, fields.pop("notebook"))
        body |= {"filter": fields, "everything": all_}
        expected = client.post("/evaluation/rejudge/estimate", body)
        _refuse_everything(expected, filtered=bool(fields), asked_for=all_)
        if dry_run or not expected["to_judge"]:
            print_json(expected) if json else typer.echo(_told(expected))
            return
        if not yes:
            typer.echo(_told(expected), err=json)
            typer.confirm("Go on?", abort=True, err=json)
        begun = client.post("/evaluation/rejudge", body)
        ended = _follow(client, begun, quiet=json)
    print_json(ended) if json else typer.echo(_end(ended))
    if ended["job"]["status"] != JobStatus.SUCCEEDED or ended["progress"]["failed"]:
        raise typer.Exit(1)


def _refuse_everything(expected: View, *, filtered: bool, asked_for: bool) -> None:
    """Raises SetupError where all answers match and nobody has said that all are meant."""
    if asked_for or not expected["to_judge"] or expected["matching"] < expected["answers"]:
        return
    what = "The filter matches" if filtered else "Without a filter it is"
    raise SetupError(
        f"{what} every answer ({expected['answers']:,}); narrow it with --since or --where, or add"
        " --all if you mean them all."
    )


def _one(client: Client, evaluation_id: uuid.UUID, choice: View, *, json: bool) -> None:
    new = client.post(f"/qa-evaluations/{evaluation_id}/rejudge", choice)
    if json:
        print_json(new)
    else:
        typer.echo(f"Being judged again.\nWatch with: searchqa evaluations watch {new['id']}")


def _time(written: str) -> str:
    """ISO 8601. Raises SetupError."""
    try:
        when = dt.datetime.fromisoformat(written.strip())
    except ValueError:
        when = dt.datetime.now(dt.UTC) - parse_duration(written)
    return when.astimezone().isoformat()


def _told(expected: View) -> str:
    by = expected["judge_model"] + (f" ({expected['prompt']})" if expected["prompt"] else "")
    match = f"{expected['matching']:,} of {expected['answers']:,} answers match"
    lines = [f"{match}; {expected['to_judge']:,} are to be judged by {by}."]
    if expected["judged"]:
        lines.append(f"{expected['judged']:,} of them it has judged already; they are left out.")
    if expected["not_judged"]:
        lines.append(f"{expected['not_judged']:,} of them were not made from notes.")
    if not expected["to_judge"]:
        return "\n".join([*lines, "Nothing to do."])
    if expected["calls"]:
        tokens = expected["prompt_tokens"] + expected["completion_tokens"]
        lines.append(
            f"About {expected['calls']:,} model calls, {tokens:,} tokens, {_price(expected)}."
        )
    else:
        lines.append("No model is asked, and it costs nothing.")
    return "\n".join(lines)


def _price(expected: View) -> str:
    if expected["cost_usd"] is None:
        return f"at an unknown price ({expected['unpriced']})"
    return f"${expected['cost_usd']:.4f}"


def _follow(client: Client, begun: View, *, quiet: bool) -> dict[str, Any]:
    """What stands there when the job has ended. With Ctrl-C it says how to go on."""
    job_id = begun["job"]["id"]
    columns = (
        *(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()),
        *(TextColumn("{task.fields[failed]}"), TimeElapsedColumn()),
    )
    try:
        with Progress(*columns, console=console(), disable=quiet) as progress:
            total = begun["job"]["payload"]["answers"]
            bar = progress.add_task("Judging again", total=total, failed="")
            while True:
                seen: dict[str, Any] = client.get(f"/evaluation/rejudge/jobs/{job_id}")
                progress.update(
                    bar,
                    completed=seen["progress"]["total"] - seen["progress"]["pending"],
                    total=max(seen["progress"]["total"], total),
                    failed=_trouble(seen["progress"]),
                )
                if JobStatus(seen["job"]["status"]).final:
                    return seen
                time.sleep(_POLL_SECONDS)
    except KeyboardInterrupt:
        typer.echo(
            f"\nIt goes on. Look with: searchqa jobs show {job_id}\n"
            f"End it with: searchqa jobs cancel {job_id}",
            err=True,
        )
        raise typer.Exit(130) from None


def _trouble(progress: View) -> str:
    told = [f"{progress['failed']:,} failed"] if progress["failed"] else []
    if progress["paused"]:
        told.append("the judge is paused (`searchqa judges list`)")
    return ", ".join(told)


def _end(ended: View) -> str:
    job, progress = ended["job"], ended["progress"]
    cost = progress["cost_usd"]
    counts = [f"{progress['succeeded']:,} judged again"]
    counts += [
        f"{progress[name]:,} {word}"
        for name, word in (
            ("failed", "failed and keep their old verdict"),
            ("cancelled", "cancelled"),
            ("pending", "still under way"),
        )
        if progress[name]
    ]
    spent = "" if cost is None else f", ${cost:.4f}"
    if job["status"] == JobStatus.SUCCEEDED:
        return f"{', '.join(counts)}{spent}."
    return f"The job was {job['status']}: {', '.join(counts)}{spent}. {job['error'] or ''}".rstrip()
