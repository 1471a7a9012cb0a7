"""What the dispatcher does besides dispatching, a bounded step at a time."""

import logging
from collections.abc import Awaitable, Callable

from app.db.pool import Pool
from app.jobs.store import JobStore
from app.rejudging.rechecking import recheck
from app.search import embedding_queries
from app.search.embedding import dedupe_key
from app.settings import Settings
from app.verdicts.lifecycle.repricing import price_waiting
from app.verdicts.lifecycle.retention import Retention
from app.verdicts.policy.judge_prices import JudgePrices

logger = logging.getLogger("worker.dispatcher")

RETENTION_SECONDS = 60.0
RECHECK_SECONDS = 5.0
EMBEDDING_SECONDS = 60.0


async def apply_retention(retention: Retention) -> bool:
    """Deletes one batch of what was kept long enough. True when there may be more."""
    deleted = await retention.forget_batch()
    if deleted:
        logger.info("Retention: deleted %s", ", ".join(f"{n} {name}" for name, n in deleted))
    return bool(deleted)


def rechecking(pool: Pool, settings: Settings) -> Callable[[], Awaitable[bool]]:
    """A step that enqueues degraded verdicts for the judges they were meant for. The first one
    also prices answers that wait for a price of their judge: prices change only with a start."""
    prices, priced = JudgePrices(settings), False

    async def step() -> bool:
        nonlocal priced
        if not priced:
            await price_waiting(pool, prices)
            priced = True
        added = await recheck(
            pool, prices, judge_model=settings.judge_model, pause=settings.pause_seconds
        )
        if added:
            logger.info("%d degraded verdicts are to be judged again", added)
        return False

    return step


async def start_embedding(pool: Pool, jobs: JobStore, model: str) -> bool:
    """Enqueues a job for each workspace with chunks that lack a vector of `model`."""
    key = dedupe_key(model)
    given = {"model": model, "kind": embedding_queries.EMBED_JOB, "dedupe_key": key}
    async with pool.connection() as connection:
        cursor = await connection.execute(embedding_queries.WORKSPACES_LACKING.encode(), given)
        workspaces = [row[0] for row in await cursor.fetchall()]
    if workspaces:
        await jobs.enqueue(workspaces, embedding_queries.EMBED_JOB, {"model": model}, key)
        logger.info("Notes of %d workspaces are to be embedded by %s", len(workspaces), model)
    return False
