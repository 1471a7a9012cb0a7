"""`searchqa jobs …`: background jobs, listed, shown and cancelled."""

import uuid
from typing import Annotated

import typer
from rich.text import Text

from app.cli import summary
from app.cli.client import connect
from app.cli.language import translated, value_title
from app.cli.options import AsJson
from app.cli.output import View, console, local_time, one_line, print_result, printable
from app.cli.tables import print_rows
from app.platform.jobs.status import JobStatus

_TIMES = {
    "created_at": "생성",
    "started_at": "시작",
    "finished_at": "종료",
    "next_attempt_at": "다음 시도",
}
JobId = Annotated[uuid.UUID, typer.Argument(help="An id from `searchqa jobs`.")]

jobs = typer.Typer(
    add_completion=False,
    invoke_without_command=True,
    help=f"""{summary("jobs")}

    Without a command it lists them with their progress, newest first.

    Examples:

    searchqa jobs

    searchqa jobs --status failed --json | jq -r '.[].error'
    """,
)


@jobs.callback()
def list_(
    context: typer.Context,
    status: Annotated[JobStatus | None, typer.Option(help="Only jobs with this status.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of jobs.")] = 20,
    json: AsJson = False,
) -> None:
    """Lists them unless a command is given."""
    if context.invoked_subcommand:
        return
    with connect() as client:
        found = client.list_items("/jobs", limit, status=status)
    columns = ("id", "created_at", "kind", "status", ("progress", _progress), "error")
    print_rows(found, *columns, as_json=json)


@jobs.command()
def show(job_id: JobId, json: AsJson = False) -> None:
    """Show one job: its progress, its parameters, and why it failed.

    Example:

    searchqa jobs show 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11
    """
    with connect() as client:
        job = client.get(f"/jobs/{job_id}")
    print_result(job, _show, as_json=json)


def _show(job: View) -> None:
    out = console()
    out.print(Text(f"{job['kind']}: {value_title(job['status'])}, {_progress(job)}", "bold"))
    for name in _TIMES:
        if job[name]:
            title = name.replace("_", " ")
            out.print(f"{translated(title, _TIMES[name])}: {local_time(job[name])}")
    for name, value in job["payload"].items():
        out.print(one_line(f"{name}: {value}"))
    if job["error"]:
        out.print(f"{translated('error', '오류')}: {printable(job['error'])}")


@jobs.command()
def cancel(job_id: JobId) -> None:
    """Cancel a job; work done so far is kept.

    Example:

    searchqa jobs cancel 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11
    """
    with connect() as client:
        status = client.post(f"/jobs/{job_id}/cancel")["status"]
    if status != JobStatus.CANCELLED:
        typer.echo(
            translated(
                f"Nothing to cancel: the job has already {status}.",
                f"취소할 것이 없습니다. 이미 끝난 작업입니다({value_title(status)}).",
            )
        )
        raise typer.Exit(1)
    typer.echo(translated("Cancelled.", "취소했습니다."))


def _progress(job: View) -> str:
    """`120/10000 (1%)`; without a known total only the items done."""
    done, total = job["done"], job["total"]
    if total is None:
        return str(done) if done else "-"
    return f"{done}/{total} ({100 * done // total if total else 100}%)"
