"""Vectors of notes: enqueued, counted, and the job that makes them."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Row
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.embeddings import BATCH_SIZE, Embedder
from app.ai_router.jobs import ModelJobContext
from app.notes import embedding_queries as queries
from app.notes.models import vector_text
from app.notes.vectors import NO_PGVECTOR, embedding_model
from app.platform.db.session import in_workspace
from app.platform.errors import ConfigurationError, PermanentProviderError
from app.platform.jobs.job import Job
from app.platform.jobs.service import enqueue

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
        return await queries.chunks_lacking(session, job.workspace_id, model, BATCH_SIZE)


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
