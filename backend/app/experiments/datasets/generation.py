"""Generates test cases from chunks, by a model or offline by rules, and the job that does."""

import asyncio
import hashlib
import logging
import uuid
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Protocol, TypeVar

from pydantic import Field

from app.ai_router.jobs import ModelJobContext
from app.ai_router.prompts.question_generation import PROMPT_VERSION, RE_ASK, build_messages
from app.ai_router.types import ChatRouter
from app.experiments.datasets import queries
from app.experiments.datasets.cases import TestCase
from app.experiments.datasets.rule_questions import Draft, QuestionFilter, SourceChunk, rule_drafts
from app.experiments.datasets.service import create_dataset
from app.judges.model.ask_judge import JudgeReply, JudgeText, ask_judge, output_schema, parse_reply
from app.platform.db.session import in_workspace
from app.platform.errors import ConfigurationError, InvalidRequest, ProviderError
from app.platform.jobs.job import Job
from app.text.language import Lang, detect_language

__all__ = [
    "PROMPT_VERSION",
    "TEMPERATURE",
    "Generated",
    "SourceChunk",
    "generate_cases",
    "max_tokens",
]

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
    its error. barren: chunks of which no draft was left."""

    cases: list[TestCase]
    rejected: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    barren: int = 0


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
        raise InvalidRequest(
            f"questions_per_chunk must be 1 to {MAX_QUESTIONS_PER_CHUNK}.",
            ko=f"청크당 질문 수는 1~{MAX_QUESTIONS_PER_CHUNK}이어야 합니다.",
        )
    by_rules = router is None or router.model.provider == "offline"
    generator = None if router is None or by_rules else _Generator(router, lang, fence_key)
    skipped: Counter[str] = Counter()
    selection = _CaseSelection(questions_per_chunk)
    for first in range(0, len(chunks), CALLS_AT_ONCE):
        batch = chunks[first : first + CALLS_AT_ONCE]
        drafts: Sequence[_Drafts | None]
        if generator is None:
            drafts = await asyncio.to_thread(_by_rules, batch, seed)
        else:
            drafts = await asyncio.gather(
                *(generator.drafts(chunk, questions_per_chunk, skipped) for chunk in batch)
            )
        await asyncio.to_thread(selection.add, batch, drafts)
        if on_progress is not None:
            await on_progress(first + len(batch), len(chunks))
    return Generated(selection.cases, selection.rejected, skipped, selection.barren)


def max_tokens(questions_per_chunk: int) -> int:
    """The cap on one reply, for estimates of cost too."""
    return 200 + _TOKENS_PER_QUESTION * questions_per_chunk


class _Generator:
    """Asks a model, until its configuration turns out to be wrong."""

    def __init__(self, router: ChatRouter, lang: Lang | None, fence_key: bytes) -> None:
        self._router = router
        self._lang = lang
        self._fence_key = fence_key
        self._hopeless: str | None = None

    async def drafts(self, chunk: SourceChunk, count: int, skipped: Counter[str]) -> _Drafts | None:
        if not chunk.text.strip():
            return []
        if self._hopeless is not None:
            skipped[self._hopeless] += 1
            return None
        lang = self._lang or detect_language(chunk.text)
        try:
            reply = await ask_judge(
                self._router,
                build_messages(chunk.note_title, chunk.text, count, lang, self._fence_key),
                output=OUTPUT,
                max_tokens=max_tokens(count),
                parse=lambda text: parse_reply(text, _Questions),
                re_ask=RE_ASK,
                lang=lang,
                temperature=TEMPERATURE,
            )
        except ProviderError as error:
            if isinstance(error, ConfigurationError):
                self._hopeless = error.kind
            skipped[error.kind] += 1
            # The kind and not the error, which may quote what is in a note.
            logger.warning("No questions for chunk %s (%s)", chunk.id, error.kind)
            return None
        return list(reply.questions)


class _CaseSelection:
    """The cases that passed the filters so far."""

    def __init__(self, per_chunk: int) -> None:
        self.cases: list[TestCase] = []
        self.rejected: Counter[str] = Counter()
        self.barren = 0
        self._per_chunk = per_chunk
        self._filter = QuestionFilter()

    def add(
        self,
        chunks: Sequence[SourceChunk],
        drafts: Iterable[_Drafts | None],
    ) -> None:
        for chunk, drafted in zip(chunks, drafts, strict=True):
            if drafted is None:
                continue
            before = len(self.cases)
            for draft in drafted:
                if len(self.cases) - before == self._per_chunk:
                    break
                self._add(chunk, draft)
            self.barren += len(self.cases) == before

    def _add(self, chunk: SourceChunk, draft: Draft | _Question) -> None:
        question, answer = " ".join(draft.question.split()), draft.answer.strip()
        reason = self._filter.refusal(question, answer, chunk.text)
        if reason is None:
            try:
                lang = detect_language(question)
                self.cases.append(TestCase(question, (chunk.id,), answer, lang))
            except InvalidRequest:
                reason = "invalid"
        if reason is not None:
            self.rejected[reason] += 1


def _by_rules(chunks: Sequence[SourceChunk], seed: int) -> list[_Drafts]:
    return [rule_drafts(chunk, seed) for chunk in chunks]


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
