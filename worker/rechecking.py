"""The dispatcher's round for verdicts that rules gave in a judge's place."""

import asyncio
import logging
from contextlib import suppress
from time import monotonic

import psycopg
from psycopg_pool import PoolTimeout

from app.db.session import Pool
from app.rejudging.rechecking import recheck
from app.settings import Settings
from app.verdicts.judge_prices import JudgePrices

logger = logging.getLogger("worker.rechecking")

INTERVAL = 5.0
# Of the time, at most one part in so many is spent on looking: it takes a second over some ten
# thousand degraded verdicts that no judge has mended.
_REST = 20


async def keep_rechecking(
    pool: Pool, stopping: asyncio.Event, settings: Settings, *, interval: float = INTERVAL
) -> None:
    """Looks every `interval` seconds, seldomer where that takes long, until `stopping` is set. A
    PostgreSQL that is away is asked again the next time."""
    prices = JudgePrices(settings)
    while not stopping.is_set():
        began = monotonic()
        try:
            if added := await recheck(pool, prices, pause=settings.pause_seconds):
                logger.info("%d degraded verdicts are to be judged again", added)
        except (psycopg.Error, PoolTimeout) as error:
            logger.warning("Nobody knows which verdicts are degraded (%s); trying again", error)
        with suppress(TimeoutError):
            async with asyncio.timeout(max(interval, _REST * (monotonic() - began))):
                await stopping.wait()
