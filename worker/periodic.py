"""The one loop behind everything that the dispatcher does again and again."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

import psycopg
from psycopg_pool import PoolTimeout

from app.broker import PublishError

logger = logging.getLogger("worker.dispatcher")

# While there is a backlog: other users of the database get their turn.
BATCH_PAUSE_SECONDS = 0.05


async def repeat(
    step: Callable[[], Awaitable[bool]],
    stopping: asyncio.Event,
    *,
    interval: float,
    batch_pause: float = BATCH_PAUSE_SECONDS,
) -> None:
    """Calls `step` at once and then every `interval` seconds until `stopping` is set; after
    `batch_pause` seconds when it returns True, for more is waiting. An outage of PostgreSQL or
    Redis is logged, and the next call tries again."""
    while not stopping.is_set():
        more = False
        try:
            more = await step()
        except PublishError as error:
            logger.warning("%s; rows stay due", error)
        except (psycopg.Error, PoolTimeout) as error:
            logger.warning("PostgreSQL is not available (%s); trying again", error)
        with suppress(TimeoutError):
            async with asyncio.timeout(batch_pause if more else interval):
                await stopping.wait()
