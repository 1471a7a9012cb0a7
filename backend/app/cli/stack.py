"""The stack that runs on the data folder, and the database of commands that use it directly."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import psycopg
from psycopg.errors import UndefinedColumn, UndefinedTable

from app.cli.language import _
from app.operations.embedded.data_dir import StackInfo, running_stack
from app.platform.errors import SetupError
from app.platform.settings import get_settings

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncSession

Result = TypeVar("Result")


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
