"""The job that makes the index of a large workspace's vectors, and what enqueues it."""

import logging
import uuid
from collections.abc import Sequence

from app.ai_router.jobs import ModelJobContext
from app.notes import vector_index_queries as queries
from app.notes.vector_indexes import (
    Unindexed,
    VectorSet,
    drop_unused,
    large_workspaces,
    make_index,
    maker,
    obstacle,
)
from app.notes.vectors import embedding_model
from app.platform.db.pool import Pool, fetch
from app.platform.jobs.job import Deferred, Job
from app.platform.jobs.store import JobStore
from app.platform.metrics import UNINDEXED

logger = logging.getLogger(__name__)

INDEX_JOB = "index_vectors"
_BUSY_SECONDS = 30.0


async def index_vectors(job: Job, context: ModelJobContext) -> None:
    """Makes the index of the job's workspace, unless it is there. A job for a model that is
    configured no more ends at once. Raises Deferred while another index is made, psycopg.Error."""
    of = VectorSet(job.workspace_id, job.payload["model"], job.payload["dimensions"])
    address = context.settings.database.session_url
    if of.model != embedding_model(context.settings) or address is None:
        return
    async with maker(address) as connection:
        if not await make_index(connection, of):
            raise Deferred("index", "another index of vectors is being made", _BUSY_SECONDS)


class Indexing:
    """Has indexes made of workspaces with at least so many vectors of the model, where this user
    and the server may, and knows how many lack theirs. unindexed: None before the first look."""

    def __init__(self, pool: Pool, jobs: JobStore, model: str, at_least: int) -> None:
        self._pool = pool
        self._jobs = jobs
        self._model = model
        self._at_least = at_least
        self.unindexed: Unindexed | None = None

    async def step(self) -> bool:
        """Drops indexes that serve nobody and enqueues jobs for those that are missing. False,
        because nothing is left. Raises psycopg.Error."""
        async with self._pool.connection() as connection:
            why = await obstacle(connection)
            if why is None:
                await drop_unused(connection, self._model, self._at_least)
            large = await large_workspaces(connection, self._model, self._at_least)
        missing = [each.of for each in large if not each.ready]
        self.unindexed = Unindexed(len(missing), why)
        UNINDEXED.source = lambda: {(): len(missing)}
        if missing and why is None:
            await self._enqueue(missing)
        return False

    async def _enqueue(self, missing: Sequence[VectorSet]) -> None:
        given = {"kind": INDEX_JOB, "workspaces": [each.workspace_id for each in missing]}
        rows = await fetch(self._pool, queries.TRIED.encode(), given)
        tried: set[uuid.UUID] = {workspace_id for (workspace_id,) in rows}
        due = [each for each in missing if each.workspace_id not in tried]
        for each in due:
            payload = {"model": each.model, "dimensions": each.dimensions}
            key = f"{each.dimensions}:{each.model}"
            await self._jobs.enqueue([each.workspace_id], INDEX_JOB, payload, key)
        if due:
            logger.info("The vectors of %d workspaces are to be indexed", len(due))
