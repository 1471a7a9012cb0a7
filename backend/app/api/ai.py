"""`/ai/chat` and `/ai/stream`: the answer at once, its verdict when it is there."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from app.answering.chat import Prepared
from app.answering.context import Question
from app.answering.conversations import ConversationKey
from app.answering.profile import Slots
from app.api.auth import Writer
from app.api.openapi import TEXT_HEADER
from app.api.parameters import HEADER as SERVER_TIMING
from app.api.parameters import Baggage, Started, TraceParent, server_timing, started, timing_ms
from app.api.problems import ANSWER_MODEL_FAILED, problem_body, provider_detail
from app.api.schemas import AIChatRequest, AIChatResponse, QualityRead
from app.api.services import ServicesDep
from app.api.sse import not_stored_event, sse, wait_for_verdict
from app.platform.errors import ProviderError
from app.text.language import detect_language
from app.verdicts.answers.finished import MatchedNote
from app.verdicts.lifecycle.service import NewEvaluation
from app.workspaces.service import Principal

router = APIRouter(
    prefix="/ai",
    tags=["answers"],
    dependencies=[Depends(started)],
    responses={
        200: {"headers": {SERVER_TIMING: TEXT_HEADER}},
        404: {"description": "There is no note with that `note_id`."},
        502: {"description": "The model that answers refused the request."},
    },
)

# `[DONE]` is sent within this time even when storing the answer takes longer.
DONE_AFTER_SECONDS = 0.25

NOT_STORED = QualityRead(answer_id=None, evaluation_id=None, status="not_stored", reason=None)


async def prepare(
    body: AIChatRequest,
    principal: Writer,
    services: ServicesDep,
    traceparent: TraceParent,
    baggage: Baggage,
    response: Response,
) -> Prepared:
    """Everything that can be wrong with a question is found here, before a stream begins."""
    options, given = body.options, body.options.classification
    prepared = await services.chat.prepare(
        Question(
            workspace_id=principal.workspace_id,
            feature=body.feature,
            content=body.content,
            lang=body.lang or detect_language(body.content),
            search_mode=options.mode == "search",
            context_notes=options.context_notes,
            note_titles=options.note_titles,
            notebook_id=options.notebook_id,
            note_id=options.note_id,
            classification=given.model_dump(exclude_none=True) if given else None,
            profile=options.profile,
            slots=known_slots(options.slots),
            conversation=conversation_key(options.conversation_id, principal),
            history=options.turns(),
            traceparent=traceparent,
            attributes=options.given().joined(baggage),
        )
    )
    # Of a stream no more is known when its headers leave.
    response.headers[SERVER_TIMING] = server_timing(prepared.timings.milliseconds)
    return prepared


def conversation_key(id_: uuid.UUID | None, principal: Principal) -> ConversationKey | None:
    if id_ is None:
        return None
    return ConversationKey(principal.workspace_id, principal.name, id_)


def known_slots(slots: Slots | None) -> dict[str, Any] | None:
    """Those that are filled, as they are stored."""
    return slots.model_dump(mode="json", exclude_defaults=True) if slots else None


PreparedDep = Annotated[Prepared, Depends(prepare)]


@router.post("/chat")
async def chat(
    prepared: PreparedDep, services: ServicesDep, started: Started, response: Response
) -> AIChatResponse:
    """The whole answer. Its verdict comes later: `quality` says where to look for it."""
    answer, new = await services.chat.chat(prepared)
    response.headers[SERVER_TIMING] = server_timing(timing_ms(prepared.timings, started))
    return AIChatResponse(
        content=answer.content,
        standalone_question=prepared.question.standalone,
        provider=answer.provider,
        model=answer.model,
        lang=prepared.question.lang,
        matched_notes=_matched_notes(prepared),
        quality=_quality(new),
    )


@router.post("/stream", response_class=EventSourceResponse)
async def stream(
    prepared: PreparedDep, principal: Writer, services: ServicesDep, started: Started
) -> AsyncIterator[ServerSentEvent]:
    """`event: metadata` (matched notes, answer_id) → `data: {"chunk"}` … → `data: [DONE]` →
    `event: evaluation` → `event: quality` → `event: qa_evaluation`. The first `evaluation` has
    `timing_ms`: what `Server-Timing` says of an answer that is not streamed, and `first_chunk`.

    `event: error` with a problem in place of the rest when the model fails. Whoever loses the
    stream before `event: evaluation` finds the verdict by `GET /qa-evaluations?answer_id=…`.
    """
    notes = [note.model_dump(mode="json") for note in _matched_notes(prepared)]
    metadata = {
        "answer_id": str(prepared.answer_id),
        "matched_notes": notes,
        "standalone_question": prepared.question.standalone,
        "lang": prepared.question.lang,
    }
    yield sse("metadata", metadata)
    storing: asyncio.Task[NewEvaluation | None] | None = None
    try:
        async with aclosing(services.chat.stream(prepared)) as pieces:
            async for piece in pieces:
                if isinstance(piece, str):
                    yield sse(None, {"chunk": piece})
                else:
                    storing = piece
    except ProviderError as error:
        detail, _, status = provider_detail(error, prepared.question.lang)
        yield sse("error", problem_body(status, ANSWER_MODEL_FAILED, detail))
        return
    assert storing is not None
    await asyncio.wait({storing}, timeout=DONE_AFTER_SECONDS)
    yield ServerSentEvent(raw_data="[DONE]")
    new = await asyncio.shield(storing)
    timing = timing_ms(prepared.timings, started)
    if new is None:
        yield not_stored_event(timing)
        return
    async for event in wait_for_verdict(services, principal, new.evaluation_id, timing):
        yield event


def _matched_notes(prepared: Prepared) -> list[MatchedNote]:
    return [
        MatchedNote(
            note_index=index, note_id=source.note_id, title=source.title, score=source.score
        )
        for index, source in enumerate(prepared.context.sources, start=1)
    ]


def _quality(new: NewEvaluation | None) -> QualityRead:
    return QualityRead.model_validate(new, from_attributes=True) if new else NOT_STORED
