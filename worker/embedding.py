"""The dispatcher's round for vectors: starts a job where chunks lack one of the model."""

import asyncio
import logging
from contextlib import suppress

import psycopg
from psycopg_pool import PoolTimeout

from app.db.ids import new_id
from app.db.pool import Pool
from app.search import embedding_queries as queries
from app.search.embedding import dedupe_key

logger = logging.getLogger("worker.embedding")

INTERVAL = 60.0


async def keep_embedding(
    pool: Pool, model: str, stopping: asyncio.Event, *, interval: float = INTERVAL
) -> None:
    """Looks at once, because the model may have been changed, and then every `interval` seconds
    until `stopping` is set. A PostgreSQL that is away is asked again the next time."""
    while not stopping.is_set():
        try:
            if started := await start_jobs(pool, model):
                logger.info("Notes of %d workspaces are to be embedded by %s", started, model)
        except (psycopg.Error, PoolTimeout) as error:
            logger.warning("Nobody knows which notes lack vectors (%s); trying again", error)
        with suppress(TimeoutError):
            async with asyncio.timeout(interval):
                await stopping.wait()


async def start_jobs(pool: Pool, model: str) -> int:
    """Puts a job in for each workspace with chunks that lack a vector. Returns how many."""
    given = {"model": model, "kind": queries.EMBED_JOB, "dedupe_key": dedupe_key(model)}
    async with pool.connection() as connection:
        cursor = await connection.execute(queries.WORKSPACES_LACKING.encode(), given)
        workspaces = [row[0] for row in await cursor.fetchall()]
        if not workspaces:
            return 0
        ids = [new_id() for _ in workspaces]
        jobs = given | {"ids": ids, "workspace_ids": workspaces}
        return (await connection.execute(queries.PUT_IN.encode(), jobs)).rowcount
