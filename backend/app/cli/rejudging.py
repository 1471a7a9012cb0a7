"""`searchqa verdicts rejudge`: answers judged again with another judge or prompt."""

import datetime as dt
import uuid
from typing import Annotated, Any

import typer

from app.cli.ask import notebook_id
from app.cli.client import Client, connect
from app.cli.durations import parse_duration
from app.cli.options import AsJson, Yes
from app.cli.output import View, print_json
from app.cli.progress import estimate, progress_bar
from app.cli.where import WHERE_HELP, parse_where
from app.errors import SetupError
from app.jobs.status import JobStatus


def rejudge(
    evaluation_id: Annotated[
        uuid.UUID | None, typer.Argument(help="Rejudge this one answer, without a filter.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(help="Answers since 2026-01-31, or of the last 12h, 30d, ….")
    ] = None,
    until: Annotated[
        str | None, typer.Option(help="Answers before this time; format as for --since.")
    ] = None,
    where: Annotated[list[str] | None, typer.Option(metavar="TERM", help=WHERE_HELP)] = None,
    judge: Annotated[
        str | None, typer.Option(metavar="PROVIDER:MODEL", help="The server's judge by default.")
    ] = None,
    prompt: Annotated[
        str | None, typer.Option(metavar="VERSION", help="search-qa-eval-3, -1 or -2.")
    ] = None,
    all_: Annotated[
        bool, typer.Option("--all", help="Required when every answer would be rejudged.")
    ] = False,
    yes: Yes = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only print the number of answers and the cost.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Judge answers again with another judge or prompt.

    First prints the number of answers and the estimated cost. Old verdicts are kept; a new one
    becomes current once it has succeeded. Ctrl-C leaves the job running. Exit code 0 also when
    there is nothing to judge, 1 when a judgement failed or the job was cancelled.

    Examples:

    searchqa verdicts rejudge --since 30d --where confidence=low --prompt search-qa-eval-2

    searchqa verdicts rejudge --where degraded=true --where 'correctness<0.5' --dry-run

    searchqa verdicts rejudge --all --judge openai:gpt-4o-mini --yes --json
    """
    choice = {"judge_model": judge, "prompt": prompt}
    body: dict[str, Any] = {name: value for name, value in choice.items() if value is not None}
    fields = parse_where(where or [])
    times = {"since": since, "until": until}
    fields |= {name: _time(value) for name, value in times.items() if value is not None}
    with connect() as client:
        if evaluation_id is not None:
            if fields or all_:
                raise SetupError("Give either the id of one verdict or a filter, not both.")
            _one(client, evaluation_id, body, json=json)
            return
        if "notebook" in fields:
            fields["notebook_id"] = notebook_id(client, fields.pop("notebook"))
        body |= {"filter": fields, "everything": all_}
        expected = client.post("/evaluation/rejudge/estimate", body)
        _refuse_everything(expected, filtered=bool(fields), asked_for=all_)
        if dry_run or not expected["to_judge"]:
            print_json(expected) if json else typer.echo(_plan(expected))
            return
        if not yes:
            typer.echo(_plan(expected), err=json)
            typer.confirm("Continue?", abort=True, err=json)
        begun = client.post("/evaluation/rejudge", body)
        ended = _follow(client, begun["job"], quiet=json)
    print_json(ended) if json else typer.echo(_outcome(ended))
    if ended["job"]["status"] != JobStatus.SUCCEEDED or ended["progress"]["failed"]:
        raise typer.Exit(1)


def _refuse_everything(expected: View, *, filtered: bool, asked_for: bool) -> None:
    """Raises SetupError when all answers match and --all was not given."""
    if asked_for or not expected["to_judge"] or expected["matching"] < expected["answers"]:
        return
    what = "The filter matches" if filtered else "Without a filter this matches"
    raise SetupError(
        f"{what} every answer ({expected['answers']:,}); narrow it with --since or --where, or add"
        " --all to rejudge all of them."
    )


def _one(client: Client, evaluation_id: uuid.UUID, choice: View, *, json: bool) -> None:
    new = client.post(f"/qa-evaluations/{evaluation_id}/rejudge", choice)
    if json:
        print_json(new)
    else:
        typer.echo(f"Rejudging.\nWatch with: searchqa verdicts watch {new['id']}")


def _time(written: str) -> str:
    """ISO 8601. Raises SetupError."""
    try:
        when = dt.datetime.fromisoformat(written.strip())
    except ValueError:
        when = dt.datetime.now(dt.UTC) - parse_duration(written)
    return when.astimezone().isoformat()


def _plan(expected: View) -> str:
    by = expected["judge_model"] + (f" ({expected['prompt']})" if expected["prompt"] else "")
    match = f"{expected['matching']:,} of {expected['answers']:,} answers match"
    lines = [f"{match}; {expected['to_judge']:,} are to be judged by {by}."]
    if expected["judged"]:
        lines.append(f"{expected['judged']:,} of them already have its verdict and are left out.")
    if expected["not_judged"]:
        lines.append(f"{expected['not_judged']:,} of them were not answered from notes.")
    if not expected["to_judge"]:
        lines.append("Nothing to do.")
    elif expected["calls"]:
        lines.append(estimate(expected))
    else:
        lines.append("No model is called, and it costs nothing.")
    return "\n".join(lines)


def _follow(client: Client, job: View, *, quiet: bool) -> View:
    """The job and its progress once it has ended."""
    id_, total = job["id"], job["payload"]["answers"]
    hint = f"Show it with: searchqa jobs show {id_}\nCancel it with: searchqa jobs cancel {id_}"
    with progress_bar("Rejudging", total, hidden=quiet, after_ctrl_c=hint) as advance:
        for seen in client.poll(
            f"/evaluation/rejudge/jobs/{id_}", lambda view: str(view["job"]["status"])
        ):
            progress = seen["progress"]
            done = progress["total"] - progress["pending"]
            advance(done, total=max(progress["total"], total), note=_trouble(progress))
    return seen


def _trouble(progress: View) -> str:
    trouble = [f"{progress['failed']:,} failed"] if progress["failed"] else []
    if progress["paused"]:
        trouble.append("the judge is paused (`searchqa judges list`)")
    return ", ".join(trouble)


def _outcome(ended: View) -> str:
    job, progress = ended["job"], ended["progress"]
    cost = progress["cost_usd"]
    counts = [f"{progress['succeeded']:,} rejudged"]
    counts += [
        f"{progress[name]:,} {word}"
        for name, word in (
            ("failed", "failed and keep their old verdict"),
            ("cancelled", "cancelled"),
            ("pending", "still in progress"),
        )
        if progress[name]
    ]
    spent = "" if cost is None else f", ${cost:.4f}"
    if job["status"] == JobStatus.SUCCEEDED:
        return f"{', '.join(counts)}{spent}."
    return f"Job {job['status']}: {', '.join(counts)}{spent}. {job['error'] or ''}".rstrip()
