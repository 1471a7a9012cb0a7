"""`searchqa jobs …`: background jobs, listed, shown and cancelled."""

import uuid
from typing import Annotated, Any

import typer
from rich.text import Text

from app.cli.client import connect
from app.cli.output import console, local_time, one_line, print_json, printable, table
from app.jobs.status import JobStatus

AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of text.")]
JobId = Annotated[uuid.UUID, typer.Argument(help="From `searchqa jobs`.")]
OfStatus = Annotated[JobStatus | None, typer.Option(help="Only those in this state.")]
Limit = Annotated[int, typer.Option(min=1, help="How many, the newest first.")]

jobs = typer.Typer(
    add_completion=False,
    invoke_without_command=True,
    help="""List, show and cancel background jobs.

    Without a command it lists them, newest first, with how far they are.

    Examples:

    searchqa jobs

    searchqa jobs --status failed --json | jq -r '.[].error'
    """,
)


@jobs.callback()
def list_(
    context: typer.Context,
    status: OfStatus = None,
    limit: Limit = 20,
    json: AsJson = False,
) -> None:
    """Lists them unless a command is given."""
    if context.invoked_subcommand:
        return
    with connect() as client:
        found = client.newest("/jobs", limit, status=status)
    if json:
        print_json(found)
        return
    shown = table("id", "asked at", "kind", "status", "progress", "error")
    for job in found:
        shown.add_row(
            job["id"],
            local_time(job["created_at"]),
            job["kind"],
            job["status"],
            _progress(job),
            one_line(job["error"]),
        )
    console().print(shown)


@jobs.command()
def show(job_id: JobId, json: AsJson = False) -> None:
    """Show one job: how far it is, what it works on, and why it failed.

    Example:

    searchqa jobs show 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11
    """
    with connect() as client:
        job = client.get(f"/jobs/{job_id}")
    if json:
        print_json(job)
        return
    out = console()
    out.print(Text(f"{job['kind']}: {job['status']}, {_progress(job)}", "bold"))
    for name in ("created_at", "started_at", "finished_at", "next_attempt_at"):
        if job[name]:
            out.print(f"{name.replace('_', ' ')}: {local_time(job[name])}")
    for name, value in job["payload"].items():
        out.print(one_line(f"{name}: {value}"))
    if job["error"]:
        out.print(f"error: {printable(job['error'])}")


@jobs.command()
def cancel(job_id: JobId) -> None:
    """End a job; what it has done already stays.

    Example:

    searchqa jobs cancel 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11
    """
    with connect() as client:
        status = client.post(f"/jobs/{job_id}/cancel")["status"]
    if status != JobStatus.CANCELLED:
        typer.echo(f"Nothing to cancel: the job had {status} already.")
        raise typer.Exit(1)
    typer.echo("Cancelled.")


def _progress(job: dict[str, Any]) -> str:
    """`120/10000 (1%)`; without a known total only what is done."""
    done, total = job["done"], job["total"]
    if total is None:
        return str(done) if done else "-"
    return f"{done}/{total} ({100 * done // total if total else 100}%)"
