"""The database, for commands that use it directly."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import psycopg
from psycopg.errors import UndefinedColumn, UndefinedTable
from sqlalchemy.exc import DBAPIError, ProgrammingError
from sqlalchemy.ext.asyncio import AsyncSession

from app.cli.language import translated
from app.db.session import create_engine, create_sessions
from app.embedded.data_dir import StackInfo, running_stack
from app.errors import SetupError
from app.settings import get_settings
from app.workspaces.service import ensure_workspace

Result = TypeVar("Result")


def database_url() -> str:
    """DATABASE_DIRECT_URL, else DATABASE_URL, else the database of the stack that runs on the data
    folder.

    Raises SetupError when there is neither.
    """
    return get_settings().session_url or stack_on_data_dir("DATABASE_URL").database_url


def stack_on_data_dir(setting: str) -> StackInfo:
    """Raises SetupError when none runs; `setting` names what to set instead."""
    data_dir = get_settings().data_dir
    running = running_stack(data_dir)
    if running is None:
        raise SetupError(
            translated(
                f"No stack runs on {data_dir}; start it with `searchqa up`, or set {setting}.",
                f"{data_dir}에서 실행 중인 스택이 없습니다. `searchqa up`으로 시작하거나"
                f" {setting}을(를) 설정하세요.",
            )
        )
    return running


def in_database(address: str, work: Callable[[AsyncSession], Awaitable[Result]]) -> Result:
    """Runs `work` in one transaction. Raises SetupError when PostgreSQL cannot be used."""
    return asyncio.run(_in_database(address, work))


def in_workspace(
    address: str, workspace: str, work: Callable[[AsyncSession, uuid.UUID], Awaitable[Result]]
) -> Result:
    """As `in_database`, with the id of the workspace, which it creates if there is none."""

    async def do(session: AsyncSession) -> Result:
        return await work(session, await ensure_workspace(session, workspace))

    return in_database(address, do)


async def _in_database(address: str, work: Callable[[AsyncSession], Awaitable[Result]]) -> Result:
    engine = create_engine(address, pool_size=1)
    try:
        with errors_in_words():
            async with create_sessions(engine).begin() as session:
                return await work(session)
    finally:
        await engine.dispose()


@contextmanager
def errors_in_words() -> Iterator[None]:
    """Raises SetupError when the database cannot be used."""
    try:
        yield
    except (ProgrammingError, UndefinedTable, UndefinedColumn) as error:
        raise SetupError(
            f"The database is not ready ({_first_line(error)}); run `searchqa migrate`."
        ) from None
    except (DBAPIError, psycopg.Error) as error:
        raise SetupError(
            f"PostgreSQL cannot be used ({_first_line(error)}); check DATABASE_URL and that it"
            " runs."
        ) from None


def _first_line(error: Exception) -> str:
    """The driver's message, without its details."""
    return str(getattr(error, "orig", error)).strip().partition("\n")[0]
