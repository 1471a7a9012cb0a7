"""Outages of PostgreSQL: statements are retried, and no messages are fetched meanwhile."""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable
from itertools import chain, repeat
from typing import TypeVar

import psycopg
from psycopg.errors import QueryCanceled

from app.platform.db.pool import end_task

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
    `holding`: what it writes is paid for. Then it also waits for a table that is locked for
    minutes, as by VACUUM FULL. Every statement is guarded, so one that had arrived after all
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


# Set while none are fetched; followed by the thread of Celery's consumer.
PAUSED = threading.Event()
# A link that drops everything shows as a statement without an end, until TCP gives up after ten
# seconds. No statement of the hot path takes this long.
SLOW_SECONDS = 3.0
PING_SECONDS = 0.5


class FetchingPause:
    """From the first sign that PostgreSQL is away until `ping` returns. For one event loop."""

    def __init__(self, ping: Callable[[], Awaitable[None]]) -> None:
        self._ping = ping
        self._pinging: asyncio.Task[None] | None = None

    async def watch(
        self,
        statement: Callable[[], Awaitable[Result]],
        *,
        holding: Callable[[], bool] = lambda: False,
    ) -> Result:
        """As `retry_on_disconnect`."""
        slow = asyncio.get_running_loop().call_later(SLOW_SECONDS, self.begin)
        try:
            return await retry_on_disconnect(statement, holding=holding, on_away=self.begin)
        finally:
            slow.cancel()

    def begin(self) -> None:
        if self._pinging is None:
            PAUSED.set()
            self._pinging = asyncio.create_task(self._until_back())

    async def aclose(self) -> None:
        if self._pinging is not None:
            await end_task(self._pinging)
            PAUSED.clear()  # it may not have begun

    async def _until_back(self) -> None:
        logger.warning("PostgreSQL does not reply in time; fetching no messages until it does")
        try:
            while not await self._is_back():  # noqa: ASYNC110  a server has no event
                await asyncio.sleep(PING_SECONDS)
        finally:
            PAUSED.clear()
            self._pinging = None

    async def _is_back(self) -> bool:
        try:
            await self._ping()
        except (psycopg.Error, OSError):
            return False
        return True
