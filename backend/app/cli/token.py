"""`searchqa token …` and `login`: access that the operator grants, directly in the database."""

import datetime as dt
import uuid
from functools import partial
from typing import Annotated, Any

import typer
from sqlalchemy.ext.asyncio import AsyncSession

from app.cli.language import _
from app.cli.output import AsJson, command_group, parse_duration, print_json
from app.cli.stack import database_url, in_workspace
from app.cli.tables import print_rows
from app.operations.embedded.data_dir import running_stack
from app.platform.errors import SetupError
from app.platform.settings import get_settings
from app.workspaces import queries, service
from app.workspaces.models import ApiToken
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

    make = partial(service.create_token, name=name, scopes=scopes, lifetime=lifetime)
    _stored, made = in_workspace(database_url(), workspace, make)
    if json:
        expires_at = lifetime and (dt.datetime.now(dt.UTC) + lifetime).isoformat()
        about = {"name": name, "scopes": scopes, "workspace": workspace, "expires_at": expires_at}
        print_json({"token": made} | about)
        return
    typer.echo(made)
    may = ", ".join(scopes)
    until = _("expires in {expires}", expires=expires) if expires else _("does not expire")
    note = _(
        "Save it now; it is not shown again. Its scopes in workspace {workspace!r} are {may}; it"
        " {until}.",
        may=may,
        workspace=workspace,
        until=until,
    )
    typer.echo(note, err=True)


@token.command("list")
def list_(
    workspace: Workspace = DEFAULT_WORKSPACE,
    sessions: Annotated[
        bool, typer.Option("--sessions", help="Who is logged in now, instead of API tokens.")
    ] = False,
    json: AsJson = False,
) -> None:
    """List a workspace's tokens, newest first. The secrets themselves are not stored.

    Examples:

    searchqa token list --json

    searchqa token list --sessions
    """
    found = queries.live_sessions if sessions else queries.api_tokens

    async def read(session: AsyncSession, workspace_id: uuid.UUID) -> list[dict[str, Any]]:
        rows = [_row(token) for token in await found(session, workspace_id)]
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
    rotating = partial(service.rotate_token, token_id=token_id, overlap=parse_duration(overlap))
    stored, made = in_workspace(database_url(), workspace, rotating)
    if json:
        print_json({"token": made, "old_id": str(token_id)} | _row(stored))
        return
    typer.echo(made)
    typer.echo(
        _(
            "Save it now; it is not shown again. {token_id} works for another {overlap}.",
            token_id=token_id,
            overlap=overlap,
        ),
        err=True,
    )


@token.command()
def revoke(
    token_id: Annotated[uuid.UUID, typer.Argument(help="An id from `searchqa token list`.")],
    workspace: Workspace = DEFAULT_WORKSPACE,
) -> None:
    """Revoke a token or session, with immediate effect.

    Example:

    searchqa token revoke 019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11
    """
    in_workspace(database_url(), workspace, partial(service.revoke_token, token_id=token_id))
    typer.echo(_("Revoked {token_id}.", token_id=token_id))


def _row(token: ApiToken) -> dict[str, Any]:
    times = ("created_at", "expires_at", "last_used_at", "revoked_at")
    return {
        "id": str(token.id),
        "name": token.name,
        "scopes": token.scopes,
        "subject": token.subject,
        "state": token.state,
        **{name: (at := getattr(token, name)) and at.isoformat() for name in times},
    }


def _filled(name: str) -> str:
    name = name.strip()
    if not 1 <= len(name) <= service.MAX_NAME_CHARS or "\0" in name:
        raise typer.BadParameter(
            _(
                "Write a name of 1 to {MAX_NAME_CHARS} characters.",
                MAX_NAME_CHARS=service.MAX_NAME_CHARS,
            )
        )
    return name


def login(
    name: Annotated[
        str,
        typer.Option(
            help="Who logs in: conversations and labels are kept by this name.", callback=_filled
        ),
    ] = service.ANYBODY,
    operator: Annotated[
        bool,
        typer.Option(
            "--operator", help="Adds the scope operator: the System page, and resuming judges."
        ),
    ] = False,
) -> None:
    """Print a one-time login link for a browser.

    It expires after ten minutes.

    Example:

    searchqa login --name mina

    searchqa login --operator
    """
    settings = get_settings()
    database = database_url()
    running = running_stack(settings.stack.data_dir)
    url = settings.api.public_url or settings.cli.url or (running and running.api_url)
    if not url:
        raise SetupError(
            _(
                "No stack runs on {data_dir}; set SEARCHQA_PUBLIC_URL to the address that"
                " browsers use, or start one with `searchqa up`.",
                data_dir=settings.stack.data_dir,
            )
        )
    typer.echo(login_link(database, url, name, operator=operator))


def login_link(
    database_url: str, api_url: str, name: str = service.ANYBODY, *, operator: bool = False
) -> str:
    """A one-time link to the default workspace, valid for ten minutes. operator: whether who opens
    it may see and do what concerns all workspaces. Must not be called from an event loop."""
    scopes = frozenset(Scope) if operator else ALL_SCOPES
    make = partial(service.create_login_code, name=name, scopes=scopes)
    code = in_workspace(database_url, DEFAULT_WORKSPACE, make)
    return f"{api_url.rstrip('/')}/login?code={code}"
