"""`searchqa judges …`: judges that cannot work until somebody mends them, or keep failing."""

from typing import Annotated
from urllib.parse import quote

import typer

from app.cli.client import connect
from app.cli.output import console, local_time, one_line, print_json, table
from app.workspaces.models import Scope

judges = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="""List paused judges and let them work again.

    A judge is paused when its key, name, address or quota is wrong, and while it keeps failing.
    Its answers wait, or others judge them.""",
)


@judges.command("list")
def list_(
    json: Annotated[bool, typer.Option("--json", help="JSON instead of text.")] = False,
) -> None:
    """List the paused judges, why, and when they are tried again.

    Example:

    searchqa judges list
    """
    with connect() as client:
        paused = client.get("/judges/paused")
    if json:
        print_json(paused)
    elif not paused:
        typer.echo("No judge is paused.")
    else:
        shown = table("judge", "paused at", "tried again at", "reason", last_folds=True)
        for pause in paused:
            times = [local_time(pause[name]) for name in ("paused_at", "probe_at")]
            shown.add_row(pause["judge_model"], *times, one_line(pause["reason"]))
        console().print(shown)


@judges.command()
def resume(
    model: Annotated[str, typer.Argument(help="As `searchqa judges list` shows it.")],
) -> None:
    """Let a judge work again now, after what was wrong has been mended.

    A judge serves all workspaces. On the server this needs nothing more; elsewhere SEARCHQA_TOKEN
    must be an operator's: `searchqa token create NAME --scope operator`, on the server.

    Example:

    searchqa judges resume openai:gpt-4o-mini
    """
    with connect(scopes=set(Scope)) as client:
        client.post(f"/judges/{quote(model, safe='')}/resume")
    typer.echo(f"{model} works again; the answers that waited are judged now.")
