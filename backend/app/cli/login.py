"""`searchqa login`: a login link for a browser."""

import typer

from app.cli.database import database_url, in_workspace
from app.cli.language import translated
from app.embedded.data_dir import running_stack
from app.errors import SetupError
from app.settings import get_settings
from app.workspaces.service import DEFAULT_WORKSPACE, create_login_code


def login() -> None:
    """Print a one-time login link for a browser.

    It expires after ten minutes.

    Example:

    searchqa login
    """
    settings = get_settings()
    database = database_url()
    running = running_stack(settings.data_dir)
    url = settings.public_url or settings.url or (running and running.api_url)
    if not url:
        raise SetupError(
            translated(
                f"No stack runs on {settings.data_dir}; set SEARCHQA_PUBLIC_URL to the address that"
                " browsers use, or start one with `searchqa up`.",
                f"{settings.data_dir}에서 실행 중인 스택이 없습니다. 브라우저가 쓰는 주소를"
                " SEARCHQA_PUBLIC_URL에 설정하거나 `searchqa up`으로 시작하세요.",
            )
        )
    typer.echo(login_link(database, url))


def login_link(database_url: str, api_url: str) -> str:
    """A one-time link to the default workspace, valid for ten minutes. Must not be called from an
    event loop."""

    code = in_workspace(database_url, DEFAULT_WORKSPACE, create_login_code)
    return f"{api_url.rstrip('/')}/login?code={code}"
