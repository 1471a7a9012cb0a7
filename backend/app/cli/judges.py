"""`searchqa judges …`: judges paused because they are misconfigured or keep failing, and the limits
of their servers."""

from operator import itemgetter
from typing import Annotated
from urllib.parse import quote

import typer

from app.cli.client import connect
from app.cli.language import translated
from app.cli.options import AsJson, command_group
from app.cli.output import View, local_time
from app.cli.tables import print_rows
from app.workspaces.tokens import Scope

judges = command_group(
    "judges",
    """A judge is paused when its key, name, address or quota is wrong, and while it keeps failing.
    Its answers wait, or another judge takes over. All workers together keep to the limits of its
    server.""",
)


@judges.command("list")
def list_(json: AsJson = False) -> None:
    """List paused judges with the reason and the time of the next attempt, and judges with limits.

    Example:

    searchqa judges list
    """
    with connect() as client:
        paused = client.get("/judges/paused")
        limited = [] if json else client.get("/judges/limits")
    if not paused and not json:
        typer.echo(translated("No judge is paused.", "멈춘 평가 모델이 없습니다."))
    else:
        columns = ("judge_model", "paused_at", ("next attempt", _next_attempt), "reason")
        print_rows(paused, *columns, as_json=json, last_folds=True)
    if limited:
        typer.echo()
        _print_limits(limited, as_json=False)


@judges.command("limits")
def limits(json: AsJson = False) -> None:
    """List judges whose servers limit requests, tokens or calls, and how much of that is used.

    Limits are set by SEARCHQA_JUDGE_LIMITS or learned from the headers of replies; after a refusal
    a smaller share of them is used, which recovers.

    Example:

    searchqa judges limits
    """
    with connect() as client:
        limited = client.get("/judges/limits")
    if not limited and not json:
        typer.echo(
            translated(
                "No judge has a limit; SEARCHQA_JUDGE_LIMITS sets one.",
                "한도가 있는 평가 모델이 없습니다. SEARCHQA_JUDGE_LIMITS로 설정합니다.",
            )
        )
    else:
        _print_limits(limited, as_json=json)


def _print_limits(limited: list[View], *, as_json: bool) -> None:
    print_rows(
        limited,
        "judge_model",
        ("requests/min", itemgetter("requests_per_minute")),
        ("tokens/min", itemgetter("tokens_per_minute")),
        ("in flight", _in_flight),
        ("used share", _used_share),
        ("waits until", _waits_until),
        "waiting",
        "workers",
        as_json=as_json,
    )


def _next_attempt(pause: View) -> str:
    return local_time(pause["probe_at"])


def _in_flight(limit: View) -> str | None:
    if limit["max_in_flight"] is None:
        return None
    now = "?" if limit["in_flight"] is None else limit["in_flight"]
    return f"{now}/{limit['max_in_flight']}"


def _used_share(limit: View) -> str:
    """While Redis is away each worker keeps to its part."""
    return "?" if limit["allowance"] is None else f"{limit['allowance']:.0%}"


def _waits_until(limit: View) -> str | None:
    return limit["held_until"] and local_time(limit["held_until"])


@judges.command()
def resume(
    model: Annotated[str, typer.Argument(help="The judge's name in `searchqa judges list`.")],
) -> None:
    """Resume a judge now that its problem is fixed.

    A judge serves all workspaces. On the server no token is needed; elsewhere SEARCHQA_TOKEN must
    have the operator scope: run `searchqa token create NAME --scope operator` on the server.

    Example:

    searchqa judges resume openai:gpt-4o-mini
    """
    with connect(scopes=set(Scope)) as client:
        client.post(f"/judges/{quote(model, safe='')}/resume")
    typer.echo(
        translated(
            f"{model} is resumed; waiting answers are being judged.",
            f"{model}을(를) 다시 시작했습니다. 기다리던 답변을 평가합니다.",
        )
    )
