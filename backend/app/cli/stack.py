"""The stack that runs on the data folder, and the database of commands that use it directly."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import psycopg
from psycopg.errors import DiskFull, UndefinedColumn, UndefinedTable

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
    """Raises SetupError when the database cannot be used, by psycopg or by SQLAlchemy."""
    try:
        yield
    except Exception as error:
        reason = getattr(error, "orig", error)
        if not isinstance(reason, psycopg.Error):
            raise
        shown = str(reason).strip().partition("\n")[0]  # without the driver's details
        if isinstance(reason, (UndefinedTable, UndefinedColumn)):
            raise SetupError(
                f"The database is not ready ({shown}); run `searchqa migrate`."
            ) from None
        if isinstance(reason, DiskFull):
            raise SetupError(
                f"The disk of the database is full ({shown}): make room, and run the command again."
            ) from None
        raise SetupError(
            f"PostgreSQL cannot be used ({shown}); check DATABASE_URL and that it runs."
        ) from None


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
    from app.platform.db.session import create_engine, create_sessions

    engine = create_engine(address, pool_size=1)
    try:
        with errors_in_words():
            async with create_sessions(engine).begin() as session:
                return await work(session)
    finally:
        await engine.dispose()
