"""`searchqa batches …`: answers that a provider judges in batches."""

import uuid
from typing import Annotated

import typer
from rich.text import Text

from app.cli.client import connect
from app.cli.language import translated, value_title
from app.cli.options import AsJson, command_group
from app.cli.output import View, console, local_time, print_result, printable
from app.cli.tables import print_rows
from app.verdicts.batches.states import BatchState

PATH = "/judge-batches"
_TIMES = {
    "created_at": "생성",
    "submitted_at": "제출",
    "deadline_at": "기한",
    "cancel_requested_at": "취소 요청",
    "finished_at": "종료",
}
_COUNTS = (
    ("answers", "answers", "답변"),
    ("requests", "requests", "요청"),
    ("stored", "with a reply", "응답 있음"),
    ("errors", "with an error", "오류"),
    ("dropped", "not needed any more", "필요 없어짐"),
    ("waiting", "answers waiting", "기다리는 답변"),
)
BatchId = Annotated[uuid.UUID, typer.Argument(help="An id from `searchqa batches list`.")]

batches = command_group(
    "batches",
    """With bulk_by=batch in the policy, answers that are judged again wait for a batch of the
    judge's provider, which costs less.""",
)


@batches.command("list")
def list_(
    state: Annotated[BatchState | None, typer.Option(help="Only batches in this state.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of batches.")] = 20,
    json: AsJson = False,
) -> None:
    """List batches with their progress, newest first.

    Examples:

    searchqa batches list

    searchqa batches list --state running --json | jq -r '.[].id'
    """
    with connect() as client:
        found = client.list_items(PATH, limit, state=state)
    columns = ("id", "created_at", "judge_model", "state", ("progress", _progress), "error")
    print_rows(found, *columns, as_json=json)


@batches.command()
def show(batch_id: BatchId, json: AsJson = False) -> None:
    """Show one batch: its progress and cost, and why it failed.

    Example:

    searchqa batches show 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11
    """
    with connect() as client:
        batch = client.get(f"{PATH}/{batch_id}")
    print_result(batch, _show, as_json=json)


@batches.command()
def cancel(batch_id: BatchId) -> None:
    """Cancel a batch; replies that exist are used, other answers are judged by calls.

    To have its answers not judged at all, cancel the job that put them in (`searchqa jobs`).

    Example:

    searchqa batches cancel 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11
    """
    with connect() as client:
        batch = client.post(f"{PATH}/{batch_id}/cancel")
    state = BatchState(batch["state"])
    if state.final and state is not BatchState.CANCELLED:
        typer.echo(
            translated(
                f"Nothing to cancel: the batch has already {state}.",
                f"취소할 것이 없습니다. 이미 끝난 배치입니다({value_title(state)}).",
            )
        )
        raise typer.Exit(1)
    typer.echo(
        translated(
            "The provider is asked to stop; what it has answered by then is used.",
            "제공자에게 중단을 요청합니다. 그때까지 온 응답은 사용합니다.",
        )
    )


def _show(batch: View) -> None:
    out = console()
    out.print(Text(f"{batch['judge_model']}: {value_title(batch['state'])}", "bold"))
    counts = (f"{translated(en, ko)} {batch[name]:,}" for name, en, ko in _COUNTS)
    out.print(", ".join(counts))
    for name in _TIMES:
        if batch[name]:
            title = name.removesuffix("_at").replace("_", " ")
            out.print(f"{translated(title, _TIMES[name])}: {local_time(batch[name])}")
    if batch["cost_usd"] is not None:
        out.print(f"{translated('cost', '비용')}: ${batch['cost_usd']:.4f}")
    if batch["error"]:
        out.print(f"{translated('note', '비고')}: {printable(batch['error'])}")


def _progress(batch: View) -> str:
    """`120/2000`: requests answered, by the provider's last word or by what was read."""
    read = batch["stored"] + batch["errors"] + batch["dropped"]
    answered = max(read, batch["done"] + batch["failed"])
    return f"{answered}/{batch['requests'] or batch['answers']}"
