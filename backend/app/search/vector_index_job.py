"""The job that makes the index of a large workspace's vectors, and who enqueues it."""

import uuid

from app.db.pool import Pool, fetch
from app.jobs.job import Deferred, Job, JobContext
from app.jobs.store import JobStore
from app.search import vector_index_queries as queries
from app.search.vector_indexes import (
    VectorSet,
    drop_unused,
    large_workspaces,
    make_index,
    maker,
    obstacle,
)
from app.search.vectors import embedding_model

INDEX_JOB = "index_vectors"
_BUSY_SECONDS = 30.0


async def index_vectors(job: Job, context: JobContext) -> None:
    """Makes the index of the job's workspace, unless it is there. A job for a model that is
    configured no more ends at once. Raises Deferred while another index is made, psycopg.Error."""
    of = VectorSet(job.workspace_id, job.payload["model"], job.payload["dimensions"])
    address = context.settings.session_url
    if of.model != embedding_model(context.settings) or address is None:
        return
    async with maker(address) as connection:
        if not await make_index(connection, of):
            raise Deferred("index", "another index of vectors is being made", _BUSY_SECONDS)


async def start_indexing(pool: Pool, jobs: JobStore, model: str, at_least: int) -> int:
    """Enqueues a job for each workspace with at least so many vectors of the model and no index,
    and drops indexes that serve nobody. Returns how many jobs. Does nothing where this user may not
    make indexes, or the server cannot: `searchqa doctor` says so. Raises psycopg.Error."""
    async with pool.connection() as connection:
        if await obstacle(connection):
            return 0
        await drop_unused(connection, model, at_least)
        large = await large_workspaces(connection, model, at_least)
    missing = [each.of for each in large if not each.ready]
    given = {"kind": INDEX_JOB, "workspaces": [each.workspace_id for each in missing]}
    rows = await fetch(pool, queries.TRIED.encode(), given) if missing else []
    tried: set[uuid.UUID] = {workspace_id for (workspace_id,) in rows}
    due = [each for each in missing if each.workspace_id not in tried]
    for each in due:
        payload = {"model": model, "dimensions": each.dimensions}
        key = f"{each.dimensions}:{model}"
        await jobs.enqueue([each.workspace_id], INDEX_JOB, payload, key)
    return len(due)
