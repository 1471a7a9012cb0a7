"""Vectors of notes: counted, and the jobs that make them and the indexes of large workspaces."""

import logging
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Row
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.jobs import ModelJobContext
from app.ai_router.router import MAX_TEXTS, Embedder
from app.notes import vectors as queries
from app.notes.models import vector_text
from app.notes.vector_indexes import (
    TRIED,
    Unindexed,
    VectorSet,
    drop_unused,
    large_workspaces,
    make_index,
    maker,
    obstacle,
)
from app.notes.vectors import NO_PGVECTOR, embedding_model
from app.platform.db.pool import Pool, fetch
from app.platform.db.session import in_workspace
from app.platform.errors import ConfigurationError, PermanentProviderError
from app.platform.jobs.job import Deferred, Job
from app.platform.jobs.service import enqueue
from app.platform.jobs.store import JobStore
from app.platform.metrics import UNINDEXED

# Nobody waits for a batch, and a model on a slow machine may take long for 64 texts.
_BATCH_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many chunks of a workspace there are to embed, have a vector of `model`, and were
    refused by it. Without a model none have one."""

    model: str | None
    chunks: int
    embedded: int
    refused: int

    @property
    def complete(self) -> bool:
        return self.embedded + self.refused == self.chunks


async def coverage(session: AsyncSession, workspace_id: uuid.UUID, model: str | None) -> Coverage:
    row = await queries.coverage(session, workspace_id, model or "")
    return Coverage(model, row.chunks, row.embedded, row.refused)


def dedupe_key(model: str) -> str:
    return f"embed:{model}"


async def enqueue_embedding(
    session: AsyncSession, workspace_id: uuid.UUID, model: str
) -> uuid.UUID:
    """Puts the job in with the caller's transaction, or gives the one under way. Chunks that it
    has passed by already are found by the dispatcher's next look."""
    payload = {"model": model}
    return await enqueue(session, workspace_id, queries.EMBED_JOB, payload, dedupe_key(model))


async def embed_notes(job: Job, context: ModelJobContext) -> None:
    """Embeds the chunks of the workspace that have no vector of the job's model, until there are
    none. A job for a model that is configured no more ends at once.

    Each batch is stored before the next is requested, so a restarted job resumes where
    it was. Raises TransientProviderError; then the job is to be tried again later; and
    ConfigurationError where the database stores no vectors.
    """
    model = job.payload["model"]
    if model != embedding_model(context.settings):
        return
    async with context.sessions() as session:
        if not await queries.stores_vectors(session):
            raise ConfigurationError(NO_PGVECTOR)
    embedder = context.providers.embedder(model, deadline=_BATCH_SECONDS)
    async with in_workspace(context.sessions, job.workspace_id) as session:
        done, total = 0, await queries.count_lacking(session, job.workspace_id, model)
    await context.progress(done, total)
    while chunks := await _lacking(job, context, model):
        vectors = await _vectors(embedder, chunks)
        # Whatever is stored, or gone meanwhile, lacks no more.
        async with context.writing() as session:
            await queries.store_vectors(session, job.workspace_id, model, vectors)
        done += len(chunks)
        total = max(done, total)
        await context.progress(done, total)


async def _lacking(
    job: Job, context: ModelJobContext, model: str
) -> Sequence[Row[tuple[uuid.UUID, str, str]]]:
    async with in_workspace(context.sessions, job.workspace_id) as session:
        return await queries.chunks_lacking(session, job.workspace_id, model, MAX_TEXTS)


async def _vectors(
    embedder: Embedder, chunks: Sequence[Row[tuple[uuid.UUID, str, str]]]
) -> Mapping[uuid.UUID, str | None]:
    """By chunk; None for one that the model refuses, found by halving what it was sent."""
    try:
        found = await embedder.embed([f"{row.title}\n{row.content}".strip() for row in chunks])
    except PermanentProviderError:
        if len(chunks) == 1:
            return {chunks[0].id: None}
        middle = len(chunks) // 2
        first = await _vectors(embedder, chunks[:middle])
        return {**first, **await _vectors(embedder, chunks[middle:])}
    return {row.id: vector_text(vector) for row, vector in zip(chunks, found, strict=True)}


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
        rows = await fetch(self._pool, TRIED, given)
        tried: set[uuid.UUID] = {workspace_id for (workspace_id,) in rows}
        due = [each for each in missing if each.workspace_id not in tried]
        for each in due:
            payload = {"model": each.model, "dimensions": each.dimensions}
            key = f"{each.dimensions}:{each.model}"
            await self._jobs.enqueue([each.workspace_id], INDEX_JOB, payload, key)
        if due:
            logger.info("The vectors of %d workspaces are to be indexed", len(due))
