"""Whether this process fetches messages. One that cannot reach PostgreSQL can only hold them, while
another could judge what they bring."""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable
from typing import TypeVar

import psycopg

from app.platform.db.pool import end_task
from worker.reconnecting import retry_on_disconnect

logger = logging.getLogger(__name__)

Result = TypeVar("Result")

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
