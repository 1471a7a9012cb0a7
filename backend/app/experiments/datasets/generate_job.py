"""The job that makes a dataset out of a notebook's chunks."""

import hashlib
import uuid
from collections import defaultdict
from collections.abc import Iterable
from typing import Protocol, TypeVar

from app.ai_router.jobs import ModelJobContext
from app.experiments.datasets import queries
from app.experiments.datasets.generation import SourceChunk, generate_cases
from app.experiments.datasets.service import create_dataset
from app.platform.db.session import in_workspace
from app.platform.errors import InvalidRequest
from app.platform.jobs.job import Job

GENERATE_DATASET = "generate_dataset"


class OfNote(Protocol):
    """A chunk that can be sampled."""

    @property
    def id(self) -> str: ...

    @property
    def note_id(self) -> str: ...


C = TypeVar("C", bound=OfNote)


def sample_chunks(chunks: Iterable[C], max_chunks_sample: int, seed: int) -> list[C]:
    """At most `max_chunks_sample` (at least 1) chunks, note by note.

    Every note gets one chunk while there is room, and the rest goes to the notes by the number
    of their chunks (largest remainders first). The same chunks and seed give the same sample,
    whatever their order and on any machine, since hashes of the ids choose.
    """
    if max_chunks_sample < 1:
        raise ValueError(f"a sample of {max_chunks_sample} chunks; it must be at least 1")
    notes: defaultdict[str, list[C]] = defaultdict(list)
    for chunk in chunks:
        notes[chunk.note_id].append(chunk)
    shares = _shares({note: len(held) for note, held in notes.items()}, max_chunks_sample, seed)
    return [
        chunk
        for note in sorted(shares)
        for chunk in sorted(notes[note], key=lambda each: _draw_hash(seed, each.id))[: shares[note]]
    ]


def _shares(sizes: dict[str, int], room: int, seed: int) -> dict[str, int]:
    """How many chunks of each note are taken; sizes: how many each has."""
    total = sum(sizes.values())
    if room >= total:
        return sizes
    drawn = sorted(sizes, key=lambda note: _draw_hash(seed, note))
    if room <= len(drawn):
        return dict.fromkeys(drawn[:room], 1)
    more, spare = room - len(drawn), total - len(drawn)
    # Exact integers: quotients of floats could round two ways for equal remainders.
    shares = {note: 1 + (size - 1) * more // spare for note, size in sizes.items()}
    left = room - sum(shares.values())
    by_remainder = sorted(drawn, key=lambda note: -((sizes[note] - 1) * more % spare))
    for note in by_remainder[:left]:
        shares[note] += 1
    return shares


def _draw_hash(seed: int, name: str) -> bytes:
    return hashlib.blake2b(f"{seed}:{name}".encode(), digest_size=16).digest()


async def generate_dataset(job: Job, context: ModelJobContext) -> None:
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
