"""`searchqa judges …`: judges paused because they are misconfigured or keep failing."""

from typing import Annotated
from urllib.parse import quote

import typer

from app.cli.client import connect
from app.cli.language import translated
from app.cli.options import AsJson, command_group
from app.cli.output import View, local_time
from app.cli.tables import print_rows
from app.workspaces.models import Scope

judges = command_group(
    "judges",
    """A judge is paused when its key, name, address or quota is wrong, and while it keeps failing.
    Its answers wait, or another judge takes over.""",
)


@judges.command("list")
def list_(json: AsJson = False) -> None:
    """List paused judges with the reason and the time of the next attempt.

    Example:

    searchqa judges list
    """
    with connect() as client:
        paused = client.get("/judges/paused")
    if not paused and not json:
        typer.echo(translated("No judge is paused.", "멈춘 평가 모델이 없습니다."))
    else:
        columns = ("judge_model", "paused_at", ("next attempt", _next_attempt), "reason")
        print_rows(paused, *columns, as_json=json, last_folds=True)


def _next_attempt(pause: View) -> str:
    return local_time(pause["probe_at"])


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
