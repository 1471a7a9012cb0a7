"""Answers a question, stores the answer with its evaluation row and wakes the judge."""

import asyncio
import logging
import uuid
from collections.abc import AsyncGenerator, Coroutine
from contextlib import aclosing
from dataclasses import dataclass, field
from time import perf_counter

from psycopg import Error as DatabaseError

from app.ai_router.prompts import answers
from app.ai_router.router import AIRouter
from app.ai_router.types import ChatRequest, ChatResponse, Message
from app.answering.context import Context, Question, resolve_context
from app.answering.conversations import ConversationKey, add_answer
from app.answering.follow_ups import in_dialogue
from app.answering.profile import Feature
from app.notes.vectors import VectorSearch
from app.platform.db.pool import Pool, transaction_in_workspace
from app.platform.db.session import Sessions
from app.platform.db.statements import storable
from app.platform.ids import new_id
from app.platform.metrics import Timings
from app.text.packs.models import DomainPack
from app.verdicts.answers.finished import FinishedAnswer, FromNotes, answer, answer_request
from app.verdicts.lifecycle.publisher import BackgroundPublisher
from app.verdicts.lifecycle.service import NewEvaluation, finish_answer, insert_finished
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.verdicts.status import Status

logger = logging.getLogger(__name__)

# Storing takes a few milliseconds. If PostgreSQL is away, readers still get their text.
STORE_SECONDS = 3.0
# Answers of other applications that are stored behind their replies; more are not, while PostgreSQL
# hangs.
MAX_STORED_BEHIND = 200


@dataclass(frozen=True, slots=True)
class Prepared:
    """A question with its notes, ready for the model. answer_id: of the answer to
    come, if it is stored. timings grow while it is answered."""

    question: Question
    context: Context
    request: ChatRequest
    timings: Timings
    answer_id: uuid.UUID = field(default_factory=new_id)


class ChatService:
    def __init__(
        self,
        sessions: Sessions,
        pool: Pool,
        router: AIRouter,
        policy: EvaluationPolicy,
        background_publisher: BackgroundPublisher,
        pack: DomainPack,
        vectors: VectorSearch | None = None,
    ) -> None:
        self._sessions = sessions
        self._pool = pool
        self._pack = pack
        self._vectors = vectors
        self._router = router
        self._policy = policy
        self._background = background_publisher
        self._storing: set[asyncio.Task[NewEvaluation | None]] = set()

    async def aclose(self) -> None:
        """Waits until the answers are stored whose readers have left."""
        await asyncio.gather(*self._storing, return_exceptions=True)

    async def prepare(self, question: Question) -> Prepared:
        """Finds the notes and builds the messages. Raises NotFound."""
        timings = Timings()
        question = await in_dialogue(self._pool, self._router, question, timings)
        with timings.measure("search"):
            context = await resolve_context(self._sessions, self._pack, question, self._vectors)
        notes = [(source.title, source.content) for source in context.sources]
        asked = FromNotes(question.understood, notes, question.lang, context.guidance)
        request = answer_request(_messages(question, asked), asked.grounding)
        return Prepared(question, context, request, timings)

    async def chat(self, prepared: Prepared) -> tuple[ChatResponse, NewEvaluation | None]:
        """The whole answer. Raises ProviderError. No evaluation when it could not be stored."""
        with prepared.timings.measure("generate"):
            response = await answer(self._router, prepared.request)
        return response, await self._finish(prepared, response, "chat")

    async def stream(
        self, prepared: Prepared
    ) -> AsyncGenerator[str | asyncio.Task[NewEvaluation | None], None]:
        """Pieces of text, then the task that stores the answer. The task continues if the reader
        leaves. An answer that the model or the reader broke off is not stored.

        Raises ProviderError.
        """
        start, timings = perf_counter(), prepared.timings
        async with aclosing(self._router.stream(prepared.request)) as pieces:
            async for piece in pieces:
                if isinstance(piece, str):
                    if "first_chunk" not in timings.milliseconds:
                        timings.record("first_chunk", start)
                    yield piece
                else:
                    timings.record("generate", start)
                    yield self._kept(self._finish(prepared, piece, "stream"))

    def store_behind(self, finished: FinishedAnswer) -> asyncio.Task[NewEvaluation | None] | None:
        """The task that stores an answer that another application gave, which continues if the
        caller leaves. It raises Conflict. None when too many wait for PostgreSQL."""
        if len(self._storing) >= MAX_STORED_BEHIND:
            return None
        storing = finish_answer(self._pool, self._policy, finished)
        return self._kept(self._stored(storing, finished.traceparent))

    def _kept(
        self, storing: Coroutine[None, None, NewEvaluation | None]
    ) -> asyncio.Task[NewEvaluation | None]:
        task = asyncio.create_task(storing)
        self._storing.add(task)
        task.add_done_callback(self._end)
        return task

    def _end(self, task: asyncio.Task[NewEvaluation | None]) -> None:
        self._storing.discard(task)
        if not task.cancelled():
            task.exception()  # else asyncio logs that it was never retrieved

    async def _finish(
        self, prepared: Prepared, response: ChatResponse, origin: str
    ) -> NewEvaluation | None:
        question, timings = prepared.question, prepared.timings
        finished = FinishedAnswer(
            id=prepared.answer_id,
            workspace_id=question.workspace_id,
            question=question.content,
            answer=storable(response.content),
            lang=question.lang,
            feature=question.feature.value,
            origin=origin,
            from_notes=question.from_notes,
            sources=prepared.context.sources,
            provider=response.provider,
            model=response.model,
            notebook_id=question.notebook_id,
            search_method=prepared.context.method,
            events=prepared.context.events,
            evidence=prepared.context.evidence,
            profile=question.profile,
            slots=question.slots,
            search_ms=timings.milliseconds["search"] if question.from_notes else None,
            first_chunk_ms=timings.milliseconds.get("first_chunk"),
            latency_ms=timings.milliseconds["generate"],
            prompt_tokens=response.prompt_tokens,
            completion_tokens=response.completion_tokens,
            traceparent=question.traceparent,
            attributes=question.attributes,
            history=question.history,
            standalone_question=question.understood,
        )
        with timings.measure("store"):
            storing = self._store(finished, question.conversation)
            return await self._stored(storing, question.traceparent)

    async def _stored(
        self, storing: Coroutine[None, None, NewEvaluation], traceparent: str | None
    ) -> NewEvaluation | None:
        """Publishes what is new of it. None when it could not be stored."""
        try:
            async with asyncio.timeout(STORE_SECONDS):
                new = await storing
        except (DatabaseError, TimeoutError, OSError):
            logger.exception("An answer was given but could not be stored or queued for judging")
            return None
        if new.created and new.status is Status.QUEUED:
            self._background.publish(new.evaluation_id, traceparent)
        return new

    async def _store(
        self, finished: FinishedAnswer, conversation: ConversationKey | None
    ) -> NewEvaluation:
        async with transaction_in_workspace(self._pool, finished.workspace_id) as connection:
            new = await insert_finished(connection, self._policy, finished)
            if conversation is not None:
                await add_answer(connection, conversation, new.answer_id)
        return new


def _messages(question: Question, asked: FromNotes) -> list[Message]:
    content, lang = question.understood, question.lang
    if question.feature is Feature.SEARCH_QA:
        return asked.messages
    if question.feature is Feature.WRITING:
        return answers.writing_messages(content, lang)
    if question.from_notes:
        return answers.insight_messages_from_notes(content, asked.notes, lang, asked.guidance)
    return answers.insight_messages(content, lang)
