"""The server and its database, as the commands reach them: by settings, else the stack that runs on
the data folder."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import httpx
import psycopg
import typer
from psycopg.errors import UndefinedColumn, UndefinedTable
from searchqa_client import Api, Retry, SearchQA

from app.ai_router.types import Lang
from app.cli.language import _, language
from app.operations.embedded.data_dir import StackInfo, running_stack
from app.platform.errors import SetupError
from app.platform.settings import get_settings
from app.workspaces.short_lived import short_lived_token
from app.workspaces.tokens import ALL_SCOPES, Scope

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

Result = TypeVar("Result")

# A stream is silent for no longer than the pause between two of its keep-alive comments.
_TIMEOUT_SECONDS = 90.0
# An event stream that is lost is resumed for about half a minute.
_RECONNECT = Retry(tries=8)


@contextmanager
def connect(*, lang: Lang | None = None, scopes: Collection[Scope] = ALL_SCOPES) -> Iterator[Api]:
    """The API at SEARCHQA_URL, else of the stack that runs on the data folder; for the latter it
    makes tokens of fifteen minutes with these scopes. Raises SetupError when there is neither."""
    settings = get_settings()
    if settings.cli.url:
        token = settings.cli.token.get_secret_value() if settings.cli.token else ""
        client = client_of(settings.cli.url, token, lang)
    else:
        running = stack_on_data_dir("SEARCHQA_URL and SEARCHQA_TOKEN")
        client = client_of(running.api_url, lambda: _session_token(scopes), lang)
    with client:
        yield client.api


def client_of(url: str, token: str | Callable[[], str], lang: Lang | None = None) -> SearchQA:
    """lang: the language of problem documents, by default that of messages."""
    return SearchQA(
        url,
        token,
        timeout=_TIMEOUT_SECONDS,
        lang=lang or language(),
        retry=_RECONNECT,
        on_reply=_note_age,
    )


def _session_token(scopes: Collection[Scope]) -> str:
    with errors_in_words():
        return short_lived_token(database_url(), scopes=scopes)


def _note_age(response: httpx.Response) -> None:
    """Prints on stderr how old the data is where a replica was read."""
    if age := response.headers.get("X-Data-Age"):
        typer.echo(_("From a replica: the data is up to {age} s old.", age=age), err=True)


def notebook_id(client: Api, name: str) -> str:
    """The id of the notebook with this name or id. Raises SetupError that lists the notebooks."""
    notebooks = {notebook["name"]: notebook["id"] for notebook in client.get("/notebooks")}
    if name in notebooks.values():
        return name
    if name not in notebooks:
        there = ", ".join(sorted(notebooks)) or _("none yet")
        raise SetupError(
            _("There is no notebook {name!r}; there are: {there}.", name=name, there=there)
        )
    return str(notebooks[name])


def database_url() -> str:
    """DATABASE_DIRECT_URL, else DATABASE_URL, else the database of the stack that runs on the data
    folder.

    Raises SetupError when there is neither.
    """
    return get_settings().database.session_url or stack_on_data_dir("DATABASE_URL").database_url


def stack_on_data_dir(setting: str) -> StackInfo:
    """Raises SetupError when none runs; `setting` names what to set instead."""
    data_dir = get_settings().stack.data_dir
    running = running_stack(data_dir)
    if running is None:
        raise SetupError(
            _(
                "No stack runs on {data_dir}; start it with `searchqa up`, or set {setting}.",
                data_dir=data_dir,
                setting=setting,
            )
        )
    return running


@contextmanager
def errors_in_words() -> Iterator[None]:
    """Raises SetupError when the database cannot be used."""
    try:
        yield
    except (UndefinedTable, UndefinedColumn) as error:
        raise _not_migrated(error) from None
    except psycopg.Error as error:
        raise _not_usable(error) from None


def in_database(address: str, work: "Callable[[AsyncSession], Awaitable[Result]]") -> Result:
    """Runs `work` in one transaction. Raises SetupError when PostgreSQL cannot be used."""
    return asyncio.run(_in_database(address, work))


def in_workspace(
    address: str, workspace: str, work: "Callable[[AsyncSession, uuid.UUID], Awaitable[Result]]"
) -> Result:
    """As `in_database`, with the id of the workspace, which it creates if there is none."""

    async def do(session: "AsyncSession") -> Result:
        from app.workspaces.service import ensure_workspace

        return await work(session, await ensure_workspace(session, workspace))

    return in_database(address, do)


async def _in_database(address: str, work: "Callable[[AsyncSession], Awaitable[Result]]") -> Result:
    # Commands that only ask the server do without SQLAlchemy, which takes longer than they do.
    from sqlalchemy.exc import DBAPIError, ProgrammingError

    from app.platform.db.session import create_engine, create_sessions

    engine = create_engine(address, pool_size=1)
    try:
        async with create_sessions(engine).begin() as session:
            return await work(session)
    except ProgrammingError as error:
        raise _not_migrated(error.orig or error) from None
    except DBAPIError as error:
        raise _not_usable(error.orig or error) from None
    finally:
        await engine.dispose()


def _not_migrated(error: BaseException) -> SetupError:
    return SetupError(f"The database is not ready ({_first_line(error)}); run `searchqa migrate`.")


def _not_usable(error: BaseException) -> SetupError:
    return SetupError(
        f"PostgreSQL cannot be used ({_first_line(error)}); check DATABASE_URL and that it runs."
    )


def _first_line(error: BaseException) -> str:
    """The driver's message, without its details."""
    return str(error).strip().partition("\n")[0]
