"""The dispatcher's slower round: forgets what the settings say is old enough."""

import asyncio
import logging
from contextlib import suppress

import psycopg
from psycopg_pool import PoolTimeout

from app.verdicts.retention import Forgotten, Retention

logger = logging.getLogger("worker.retention")

INTERVAL = 60.0
# Between batches of a backlog (seconds): others need the database too.
BREATH = 0.2


async def keep_forgetting(
    retention: Retention, stopping: asyncio.Event, *, interval: float = INTERVAL
) -> None:
    """Looks every `interval` seconds until `stopping` is set. A PostgreSQL that is away is asked
    again the next time."""
    total, pause = Forgotten(), interval
    while not await _stops_within(stopping, pause):
        batch = Forgotten()
        try:
            batch = await retention.forget_batch()
        except (psycopg.Error, PoolTimeout) as error:
            logger.warning("Nothing was forgotten (%s); trying again", error)
        total += batch
        if total and not batch:
            logger.info("Forgotten: %s", ", ".join(f"{n} {name}" for name, n in total))
            total = Forgotten()
        pause = BREATH if batch else interval


async def _stops_within(stopping: asyncio.Event, seconds: float) -> bool:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stopping.wait()
    return stopping.is_set()
