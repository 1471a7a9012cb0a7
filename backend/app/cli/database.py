"""The database, for commands that use it by SQLAlchemy."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from typing import TypeVar

from sqlalchemy.exc import DBAPIError, ProgrammingError
from sqlalchemy.ext.asyncio import AsyncSession

from app.cli.stack import not_migrated, not_usable
from app.platform.db.session import create_engine, create_sessions
from app.workspaces.service import ensure_workspace

Result = TypeVar("Result")


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
        async with create_sessions(engine).begin() as session:
            return await work(session)
    except ProgrammingError as error:
        raise not_migrated(error.orig or error) from None
    except DBAPIError as error:
        raise not_usable(error.orig or error) from None
    finally:
        await engine.dispose()
