"""Retries statements through a brief PostgreSQL outage."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from itertools import chain, repeat
from typing import TypeVar

import psycopg
from psycopg.errors import QueryCanceled

logger = logging.getLogger(__name__)

Result = TypeVar("Result")

DATABASE_RETRY_SECONDS = (0.1, 0.5, 1.0, 2.0, 4.0)
# While an absence lasts. The dispatcher waits longer than this before it takes rows back.
OUTAGE_RETRY_SECONDS = 2.0
# SQLSTATEs of a server that cannot work: connections broken or refused, shutdown, start, a full
# disk.
_AWAY = ("08", "57P01", "57P02", "57P03", "53100", "53300")


def is_away(error: psycopg.Error) -> bool:
    """Whether PostgreSQL is unavailable, as opposed to a refused statement. An error without a
    SQLSTATE never reached the server."""
    return error.sqlstate is None or error.sqlstate.startswith(_AWAY)


async def retry_on_disconnect(
    statement: Callable[[], Awaitable[Result]],
    *,
    holding: Callable[[], bool] = lambda: False,
    on_away: Callable[[], None] = lambda: None,
) -> Result:
    """Repeats a statement through a short outage of PostgreSQL, or through one of any length while
    `holding`: what it writes is paid for. Then it also waits for whoever has locked a table for
    minutes, as VACUUM FULL does. Every statement is guarded, so one that had arrived after all
    changes nothing the second time. on_away: called at each failure for which the server is
    away."""
    tried = 0
    for seconds in chain(DATABASE_RETRY_SECONDS, repeat(OUTAGE_RETRY_SECONDS)):
        try:
            return await statement()
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            tried += 1
            if is_away(error):
                on_away()
            may_pass = is_away(error) or isinstance(error, QueryCanceled)
            if tried > len(DATABASE_RETRY_SECONDS) and not (holding() and may_pass):
                raise
            logger.warning("PostgreSQL did not take a statement (%s); trying again", error)
        await asyncio.sleep(seconds)
    raise AssertionError  # the loop has no end of its own
