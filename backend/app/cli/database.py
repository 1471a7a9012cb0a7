"""The database for the commands that work on it directly."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from sqlalchemy.exc import DBAPIError, ProgrammingError
from sqlalchemy.ext.asyncio import AsyncSession

from app.db.session import create_engine, create_sessions, first_line
from app.embedded.data_dir import running_stack
from app.errors import SetupError
from app.settings import get_settings

Result = TypeVar("Result")


def database_url() -> str:
    """DATABASE_URL, else the database of the stack that runs on the data folder.

    Raises SetupError when there is neither.
    """
    settings = get_settings()
    if settings.database_url:
        return settings.database_url
    running = running_stack(settings.data_dir)
    if running is None:
        raise SetupError(
            f"No stack runs on {settings.data_dir}; start it with `searchqa up`, or set"
            " DATABASE_URL."
        )
    return running.database_url


def in_database(address: str, work: Callable[[AsyncSession], Awaitable[Result]]) -> Result:
    """Does `work` in one transaction. Raises SetupError when PostgreSQL cannot be used."""
    return asyncio.run(_in_database(address, work))


async def _in_database(address: str, work: Callable[[AsyncSession], Awaitable[Result]]) -> Result:
    engine = create_engine(address, pool_size=1)
    try:
        async with create_sessions(engine).begin() as session:
            return await work(session)
    except ProgrammingError as error:
        raise SetupError(
            f"The database is not ready ({first_line(error)}); run `searchqa migrate`."
        ) from None
    except DBAPIError as error:
        raise SetupError(
            f"PostgreSQL cannot be used ({first_line(error)}); check DATABASE_URL and that it runs."
        ) from None
    finally:
        await engine.dispose()
