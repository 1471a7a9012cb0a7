"""`searchqa token …`: API tokens, created directly in the database, as only the operator can."""

import datetime as dt
import uuid
from functools import partial
from typing import Annotated, Any

import typer
from sqlalchemy.ext.asyncio import AsyncSession

from app.cli.database import in_workspace
from app.cli.durations import parse_duration
from app.cli.language import translated
from app.cli.options import AsJson, command_group
from app.cli.output import print_json
from app.cli.stack import database_url
from app.cli.tables import print_rows
from app.workspaces.models import ApiToken
from app.workspaces.service import create_token, list_tokens, revoke_token, rotate_token
from app.workspaces.tokens import ALL_SCOPES, DEFAULT_WORKSPACE, Scope

token = command_group(
    "token", "The database is the one at DATABASE_URL, else that of the running stack."
)

Workspace = Annotated[str, typer.Option(metavar="NAME", help="The token's workspace.")]


@token.command()
def create(
    name: Annotated[str, typer.Argument(help="What the token is for.")],
    scope: Annotated[
        list[Scope] | None,
        typer.Option(help="A permission; repeatable. All but operator by default."),
    ] = None,
    expires: Annotated[
        str | None, typer.Option(metavar="30d", help="Lifetime: 15m, 12h, 30d or 2w.")
    ] = None,
    workspace: Workspace = DEFAULT_WORKSPACE,
    json: AsJson = False,
) -> None:
    """Create a token and print it. It is shown only this once.

    Examples:

    searchqa token create notebook-app --expires 30d

    export SEARCHQA_TOKEN="$(searchqa token create reports --scope read)"
    """
    scopes = sorted(set(scope)) if scope else sorted(ALL_SCOPES)
    lifetime = parse_duration(expires) if expires else None

    make = partial(create_token, name=name, scopes=scopes, lifetime=lifetime)
    made = in_workspace(database_url(), workspace, make)
    if json:
        expires_at = lifetime and (dt.datetime.now(dt.UTC) + lifetime).isoformat()
        about = {"name": name, "scopes": scopes, "workspace": workspace, "expires_at": expires_at}
        print_json({"token": made} | about)
        return
    typer.echo(made)
    may = ", ".join(scopes)
    until = f"expires in {expires}" if expires else "does not expire"
    ko_until = f"{expires} 뒤에 만료됩니다" if expires else "만료되지 않습니다"
    typer.echo(
        translated(
            f"Save it now; it is not shown again. It may {may} in workspace {workspace!r} and"
            f" {until}.",
            f"다시 표시되지 않으니 지금 저장하세요. 워크스페이스 {workspace!r}에서 {may} 권한이"
            f" 있고 {ko_until}.",
        ),
        err=True,
    )


@token.command("list")
def list_(workspace: Workspace = DEFAULT_WORKSPACE, json: AsJson = False) -> None:
    """List a workspace's tokens, newest first. The secrets themselves are not stored.

    Example:

    searchqa token list --json
    """

    async def read(session: AsyncSession, workspace_id: uuid.UUID) -> list[dict[str, Any]]:
        rows = [_row(token) for token in await list_tokens(session, workspace_id)]
        # Listing must not create the workspace.
        await session.rollback()
        return rows

    tokens = in_workspace(database_url(), workspace, read)
    columns = ("id", "state", "scopes", "expires_at", "last_used_at", "name")
    print_rows(tokens, *columns, as_json=json)


@token.command()
def rotate(
    token_id: Annotated[uuid.UUID, typer.Argument(help="An id from `searchqa token list`.")],
    overlap: Annotated[
        str, typer.Option(metavar="24h", help="How long the old token still works.")
    ] = "24h",
    workspace: Workspace = DEFAULT_WORKSPACE,
    json: AsJson = False,
) -> None:
    """Create a token like the given one, which ends after the overlap. Nobody is cut off.

    Example:

    searchqa token rotate 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11 --overlap 2d
    """
    rotating = partial(rotate_token, token_id=token_id, overlap=parse_duration(overlap))
    stored, made = in_workspace(database_url(), workspace, rotating)
    if json:
        print_json({"token": made, "old_id": str(token_id)} | _row(stored))
        return
    typer.echo(made)
    typer.echo(
        translated(
            f"Save it now; it is not shown again. {token_id} works for another {overlap}.",
            f"다시 표시되지 않으니 지금 저장하세요. {token_id} 토큰은 {overlap} 동안 더 쓸 수"
            " 있습니다.",
        ),
        err=True,
    )


@token.command()
def revoke(
    token_id: Annotated[uuid.UUID, typer.Argument(help="An id from `searchqa token list`.")],
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Revoke a token, with immediate effect.

    Example:

    searchqa token revoke 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11
    """
    in_workspace(database_url(), workspace, partial(revoke_token, token_id=token_id))
    typer.echo(translated(f"Revoked {token_id}.", f"{token_id} 토큰을 폐기했습니다."))


def _row(token: ApiToken) -> dict[str, Any]:
    times = ("created_at", "expires_at", "last_used_at", "revoked_at")
    return {
        "id": str(token.id),
        "name": token.name,
        "scopes": token.scopes,
        "state": token.state,
        **{name: (at := getattr(token, name)) and at.isoformat() for name in times},
    }
