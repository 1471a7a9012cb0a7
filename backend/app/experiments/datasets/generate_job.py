"""The job that makes a dataset out of a notebook's chunks."""

import uuid

from app.experiments.datasets import queries
from app.experiments.datasets.generation import SourceChunk, generate_cases
from app.experiments.datasets.sampling import sample_chunks
from app.experiments.datasets.service import create_dataset
from app.platform.db.session import in_workspace
from app.platform.errors import InvalidRequest
from app.platform.jobs.job import Job, JobContext

GENERATE_DATASET = "generate_dataset"


async def generate_dataset(job: Job, context: JobContext) -> None:
    """Samples chunks, makes questions of them by the answer model or by rules, and stores those
    that pass the filters as one dataset.

    Raises InvalidRequest when there is no chunk, or no question is left.
    """
    wanted = job.payload
    notebook_id = uuid.UUID(wanted["notebook_id"])
    async with in_workspace(context.sessions, job.workspace_id) as session:
        rows = await queries.chunks(session, job.workspace_id, notebook_id)
    chunks = [SourceChunk(row.id, row.note_id, row.title, row.content) for row in rows]
    sampled = sample_chunks(chunks, wanted["max_chunks_sample"], wanted["seed"])
    settings = context.settings
    router = context.providers.router(
        settings.answering.model, deadline=settings.answering.deadline_seconds
    )
    made = await generate_cases(
        sampled,
        wanted["questions_per_chunk"],
        router,
        None,
        wanted["seed"],
        job.id.bytes,
        context.progress,
    )
    if not made.cases:
        raise InvalidRequest(
            f"No question was left of {len(sampled):,} chunks; use longer notes, or a model.",
            ko=f"청크 {len(sampled):,}개에서 쓸 만한 질문이 나오지 않았습니다. 더 긴 노트나 모델을"
            " 쓰세요.",
        )
    origin = {
        "kind": "generated",
        "model": settings.answering.model,
        "chunks": len(sampled),
        "seed": wanted["seed"],
        "rejected": dict(made.rejected),
        "skipped": dict(made.skipped),
    }
    async with context.writing() as session:
        await create_dataset(
            session,
            job.workspace_id,
            wanted["name"],
            made.cases,
            notebook_id=notebook_id,
            origin=origin,
        )
