"""Statements that wait for PostgreSQL when it is away for a moment."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

import psycopg

logger = logging.getLogger(__name__)

Result = TypeVar("Result")

DATABASE_RETRY_SECONDS = (0.1, 0.5, 1.0, 2.0, 4.0)


async def patiently(statement: Callable[[], Awaitable[Result]]) -> Result:
    """Repeats a statement through a short absence of PostgreSQL: what it holds is paid for. Every
    one is guarded, so one that had arrived after all changes nothing the second time."""
    for seconds in DATABASE_RETRY_SECONDS:
        try:
            return await statement()
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            logger.warning("PostgreSQL did not take a statement (%s); trying again", error)
            await asyncio.sleep(seconds)
    return await statement()
