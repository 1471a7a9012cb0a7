"""Work on the server: what it will cost, and how far it is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from app.cli.language import translated
from app.cli.output import View, console


def estimate(cost: View) -> str:
    """What the calls of a job are expected to cost, in a sentence."""
    tokens = cost["prompt_tokens"] + cost["completion_tokens"]
    if cost["cost_usd"] is None:
        why = f" ({cost['unpriced']})" if cost.get("unpriced") else ""
        price = translated(f"at an unknown price{why}", f"가격 모름{why}")
    else:
        price = f"${cost['cost_usd']:.4f}"
        if cost.get("batch_cost_usd") is not None:
            price = _both_prices(price, f"${cost['batch_cost_usd']:.4f}", cost["bulk_by"])
    return translated(
        f"About {cost['calls']:,} model calls, {tokens:,} tokens, {price}.",
        f"모델 호출 약 {cost['calls']:,}회, 토큰 {tokens:,}개, {price}.",
    )


def _both_prices(calls: str, batch: str, bulk_by: str) -> str:
    """By calls and in batches, and which of them it will be."""
    return translated(
        f"{calls} by calls, {batch} in batches (the policy has bulk_by={bulk_by})",
        f"호출 {calls}, 배치 {batch} (정책: bulk_by={bulk_by})",
    )


@contextmanager
def progress_bar(
    title: str, total: int, *, hidden: bool, after_ctrl_c: str
) -> Iterator[Callable[..., None]]:
    """A bar of work on the server, advanced by calling what it gives. Ctrl-C leaves the work
    running: it prints `after_ctrl_c` and exits with code 130."""
    columns = (
        *(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()),
        *(TextColumn("{task.fields[note]}"), TimeElapsedColumn()),
    )
    try:
        with Progress(*columns, console=console(), disable=hidden) as progress:
            bar = progress.add_task(title, total=total, note="")

            def advance(done: int, *, total: int | None = None, note: str = "") -> None:
                progress.update(bar, completed=done, total=total, note=note)

            yield advance
    except KeyboardInterrupt:
        goes_on = translated("It continues on the server.", "서버에서 계속 진행됩니다.")
        typer.echo(f"\n{goes_on} {after_ctrl_c}", err=True)
        raise typer.Exit(130) from None
