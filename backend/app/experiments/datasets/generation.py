"""Generates test cases from chunks, by a model or offline by rules, and the job that does."""

import asyncio
import hashlib
import logging
import uuid
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated

from pydantic import Field

from app.ai_router.jobs import ModelJobContext
from app.ai_router.prompts.answers import RE_ASK, generation_messages
from app.ai_router.types import ChatRouter
from app.experiments import queries
from app.experiments.datasets.cases import TestCase
from app.experiments.datasets.rule_questions import Draft, QuestionFilter, SourceChunk, rule_drafts
from app.experiments.datasets.service import create_dataset
from app.judges.model.ask_judge import JudgeReply, JudgeText, ask_judge, output_schema, parse_reply
from app.platform.db.session import in_workspace
from app.platform.errors import ConfigurationError, InvalidRequest, ProviderError
from app.platform.jobs.job import Job
from app.text.language import Lang, detect_language

logger = logging.getLogger(__name__)

MAX_QUESTIONS_PER_CHUNK = 10
TEMPERATURE = 0.3
CALLS_AT_ONCE = 4
_TOKENS_PER_QUESTION = 300

Progress = Callable[[int, int], Awaitable[None]]


class _Question(JudgeReply):
    question: JudgeText
    answer: JudgeText


class _Questions(JudgeReply):
    questions: Annotated[list[_Question], Field(max_length=2 * MAX_QUESTIONS_PER_CHUNK)]


_Drafts = Sequence[Draft | _Question]

OUTPUT = output_schema("test_questions", _Questions)


@dataclass(frozen=True, slots=True)
class Generated:
    """cases: in the order of the chunks, without ids. rejected: drafted questions by the reason
    they were left out. skipped: chunks that gave nothing because a model failed, by the kind of
    its error."""

    cases: list[TestCase] = field(default_factory=list)
    rejected: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)


async def generate_cases(
    chunks: Sequence[SourceChunk],
    questions_per_chunk: int,
    router: ChatRouter | None,
    lang: Lang | None,
    seed: int,
    fence_key: bytes,
    on_progress: Progress | None = None,
) -> Generated:
    """At most `questions_per_chunk` (1 to 10) cases for each chunk, each with that chunk's id.

    The model behind `router` writes them in `lang`, None for the language of each chunk. Without
    one, and with an offline one, rules make them of the chunk's sentences, in the language of
    each; `seed` chooses between equally good ones. A failure of the model leaves out its chunk
    and never stops the rest; after a ConfigurationError, with which every call would fail, the
    chunks that are left are skipped without asking. on_progress: called with chunks done and all.
    """
    if not 1 <= questions_per_chunk <= MAX_QUESTIONS_PER_CHUNK:
        raise InvalidRequest.worded("questions-per-chunk", most=MAX_QUESTIONS_PER_CHUNK)
    made, questions = Generated(), QuestionFilter()
    for first in range(0, len(chunks), CALLS_AT_ONCE):
        batch = chunks[first : first + CALLS_AT_ONCE]
        drafts: Sequence[_Drafts]
        if router is None or router.model.provider == "offline":
            drafts = [await asyncio.to_thread(rule_drafts, chunk, seed) for chunk in batch]
        else:
            ask = partial(_model_drafts, router, questions_per_chunk, lang, fence_key, made.skipped)
            drafts = await asyncio.gather(*map(ask, batch))
        for chunk, drafted in zip(batch, drafts, strict=True):
            await asyncio.to_thread(
                _add_cases, made, questions, chunk, drafted, questions_per_chunk
            )
        if on_progress is not None:
            await on_progress(first + len(batch), len(chunks))
    return made


async def _model_drafts(
    router: ChatRouter,
    count: int,
    lang: Lang | None,
    fence_key: bytes,
    skipped: Counter[str],
    chunk: SourceChunk,
) -> _Drafts:
    """Counts a failure in `skipped`."""
    if not chunk.text.strip():
        return []
    if skipped[ConfigurationError.kind]:
        skipped[ConfigurationError.kind] += 1
        return []
    lang = lang or detect_language(chunk.text)
    try:
        reply = await ask_judge(
            router,
            generation_messages(chunk.note_title, chunk.text, count, lang, fence_key),
            output=OUTPUT,
            max_tokens=200 + _TOKENS_PER_QUESTION * count,
            parse=lambda text: parse_reply(text, _Questions),
            re_ask=RE_ASK,
            lang=lang,
            temperature=TEMPERATURE,
        )
    except ProviderError as error:
        skipped[error.kind] += 1
        # The kind and not the error, which may quote what is in a note.
        logger.warning("No questions for chunk %s (%s)", chunk.id, error.kind)
        return []
    return reply.questions


def _add_cases(
    made: Generated, questions: QuestionFilter, chunk: SourceChunk, drafts: _Drafts, limit: int
) -> None:
    before = len(made.cases)
    for draft in drafts:
        if len(made.cases) - before == limit:
            return
        question, answer = " ".join(draft.question.split()), draft.answer.strip()
        reason = questions.refusal(question, answer, chunk.text)
        if reason is None:
            try:
                lang = detect_language(question)
                made.cases.append(TestCase(question, (chunk.id,), answer, lang))
            except InvalidRequest:
                reason = "invalid"
        if reason is not None:
            made.rejected[reason] += 1


GENERATE_DATASET = "generate_dataset"


def sample_chunks(
    chunks: Iterable[SourceChunk], max_chunks_sample: int, seed: int
) -> list[SourceChunk]:
    """At most `max_chunks_sample` (at least 1) chunks, note by note.

    Every note gets one chunk while there is room, and the rest goes to the notes by the number
    of their chunks (largest remainders first). The same chunks and seed give the same sample,
    whatever their order and on any machine, since hashes of the ids choose.
    """
    if max_chunks_sample < 1:
        raise ValueError(f"a sample of {max_chunks_sample} chunks; it must be at least 1")
    notes: defaultdict[str, list[SourceChunk]] = defaultdict(list)
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
        given = {"workspace_id": job.workspace_id, "notebook_id": notebook_id}
        rows = (await session.execute(queries.CHUNKS, given)).all()
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
        raise InvalidRequest.worded("no-question-left", chunks=len(sampled))
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
