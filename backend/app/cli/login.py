"""`searchqa login`: a login link for a browser."""

from functools import partial
from typing import Annotated

import typer

from app.cli.database import in_workspace
from app.cli.language import translated
from app.cli.stack import database_url
from app.operations.embedded.data_dir import running_stack
from app.platform.errors import SetupError
from app.platform.settings import get_settings
from app.workspaces.service import ANYBODY, MAX_NAME_CHARS, create_login_code
from app.workspaces.tokens import ALL_SCOPES, DEFAULT_WORKSPACE, Scope


def _filled(name: str) -> str:
    name = name.strip()
    if not 1 <= len(name) <= MAX_NAME_CHARS or "\0" in name:
        raise typer.BadParameter(
            translated(
                f"Write a name of 1 to {MAX_NAME_CHARS} characters.",
                f"이름을 1~{MAX_NAME_CHARS}자로 쓰세요.",
            )
        )
    return name


def login(
    name: Annotated[
        str,
        typer.Option(
            help="Who logs in: conversations and labels are kept by this name.",
            callback=_filled,
        ),
    ] = ANYBODY,
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
    database, data_dir = database_url(), settings.stack.data_dir
    running = running_stack(data_dir)
    url = settings.api.public_url or settings.cli.url or (running and running.api_url)
    if not url:
        raise SetupError(
            translated(
                f"No stack runs on {data_dir}; set SEARCHQA_PUBLIC_URL to the address that"
                " browsers use, or start one with `searchqa up`.",
                f"{data_dir}에서 실행 중인 스택이 없습니다. 브라우저가 쓰는 주소를"
                " SEARCHQA_PUBLIC_URL에 설정하거나 `searchqa up`으로 시작하세요.",
            )
        )
    typer.echo(login_link(database, url, name, operator=operator))


def login_link(
    database_url: str, api_url: str, name: str = ANYBODY, *, operator: bool = False
) -> str:
    """A one-time link to the default workspace, valid for ten minutes. operator: whether who opens
    it may see and do what concerns all workspaces. Must not be called from an event loop."""
    scopes = frozenset(Scope) if operator else ALL_SCOPES
    make = partial(create_login_code, name=name, scopes=scopes)
    code = in_workspace(database_url, DEFAULT_WORKSPACE, make)
    return f"{api_url.rstrip('/')}/login?code={code}"
