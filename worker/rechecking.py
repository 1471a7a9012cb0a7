"""The dispatcher's round for verdicts that rules gave in a judge's place."""

import asyncio
import logging
from contextlib import suppress

import psycopg
from psycopg_pool import PoolTimeout

from app.db.pool import Pool
from app.rejudging.rechecking import recheck
from app.settings import Settings
from app.verdicts.judge_prices import JudgePrices
from app.verdicts.repricing import price_waiting

logger = logging.getLogger("worker.rechecking")

INTERVAL = 5.0


async def keep_rechecking(
    pool: Pool, stopping: asyncio.Event, settings: Settings, *, interval: float = INTERVAL
) -> None:
    """Looks every `interval` seconds until `stopping` is set; first of all for answers that wait
    for a price of their judge, because prices change with a start only. A PostgreSQL that is away
    is asked again the next time."""
    prices, repriced = JudgePrices(settings), False
    while not stopping.is_set():
        try:
            if not repriced:
                await price_waiting(pool, prices)
                repriced = True
            added = await recheck(
                pool, prices, judge_model=settings.judge_model, pause=settings.pause_seconds
            )
            if added:
                logger.info("%d degraded verdicts are to be judged again", added)
        except (psycopg.Error, PoolTimeout) as error:
            logger.warning("Nobody knows which verdicts are degraded (%s); trying again", error)
        with suppress(TimeoutError):
            async with asyncio.timeout(interval):
                await stopping.wait()
