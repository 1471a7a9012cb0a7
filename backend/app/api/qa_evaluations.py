"""Verdicts: read, follow, request; reader tokens that show one verdict."""

import datetime as dt
import hashlib
import math
import uuid
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Header, HTTPException, Request, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel

from app.answering.conversations import turns_of_existing
from app.answering.profile import Feature
from app.api.ai import conversation_key, known_slots
from app.api.auth import Reader, VerdictReader, Writer
from app.api.openapi import SECONDS_HEADER, TEXT_HEADER, not_found
from app.api.parameters import Baggage, TraceParent
from app.api.reader_view import MEDIA_TYPE, ReaderVerdict, reader_events
from app.api.schemas import EvaluationCreate, EvaluationCreated, HistoryCreate, StrictBody
from app.api.services import ServicesDep
from app.api.sse import change_events
from app.platform.db.session import in_workspace
from app.quality.review.feedback import no_such_evaluation
from app.text.language import detect_language
from app.verdicts.answers.attributes import Attributes, AttributesCreate
from app.verdicts.answers.finished import AnswerSource, FinishedAnswer
from app.verdicts.lifecycle.service import finish_answer
from app.verdicts.reading.events import Cursor
from app.verdicts.reading.views import EvaluationView, view_of
from app.verdicts.status import Status, WaitReason
from app.workspaces.service import Principal, issue_reader_token

router = APIRouter(prefix="/qa-evaluations", tags=["verdicts"])

PAUSED_POLL_SECONDS = 30
MAX_POLL_SECONDS = 60

NO_SUCH_EVALUATION = not_found("There is no such evaluation.")

IdempotencyKey = Annotated[str | None, Header(min_length=1, max_length=200, pattern=r"^[!-~]+$")]


def last_event_id(
    last_event_id: Annotated[str | None, Header(max_length=50)] = None,
) -> Cursor | None:
    return Cursor.parse(last_event_id) if last_event_id else None


LastEventId = Annotated[Cursor | None, Depends(last_event_id)]


async def visible(
    evaluation_id: uuid.UUID, principal: VerdictReader, services: ServicesDep
) -> EvaluationView:
    """Raises NotFound, in the same words whether it is nobody's or another workspace's."""
    view = await view_of(services.pool, principal.workspace_id, evaluation_id)
    if view is None:
        raise no_such_evaluation()
    return view


Visible = Annotated[EvaluationView, Depends(visible)]


async def existing(view: Visible, principal: Reader) -> EvaluationView:
    """The same for tokens of the workspace alone."""
    return view


Existing = Annotated[EvaluationView, Depends(existing)]


@router.post(
    "",
    status_code=202,
    responses={
        202: {"headers": {"Location": TEXT_HEADER}},
        404: {"description": "There is no such conversation, or it is somebody else's."},
        409: {"description": "The Idempotency-Key was used with another body."},
    },
)
async def submit_answer(
    body: EvaluationCreate,
    principal: Writer,
    services: ServicesDep,
    response: Response,
    traceparent: TraceParent,
    baggage: Baggage,
    idempotency_key: IdempotencyKey = None,
) -> EvaluationCreated:
    """Has an answer judged that another application gave. The same Idempotency-Key and body
    give the same evaluation again; the key with another body is a conflict."""
    answer = finished_answer(body, principal, traceparent, baggage, idempotency_key=idempotency_key)
    if conversation := conversation_key(body.conversation_id, principal):
        answer = replace(answer, history=await turns_of_existing(services.pool, conversation))
    new = await finish_answer(services.pool, services.policy, answer)
    if new.created and new.status is Status.QUEUED:
        services.background_publisher.publish(new.evaluation_id, traceparent)
    response.headers["Location"] = f"/qa-evaluations/{new.evaluation_id}"
    return EvaluationCreated(
        id=new.evaluation_id, answer_id=new.answer_id, status=new.status, reason=new.reason
    )


def finished_answer(
    body: EvaluationCreate,
    principal: Principal,
    traceparent: str | None,
    baggage: Attributes,
    *,
    idempotency_key: str | None,
) -> FinishedAnswer:
    """The answer that a body describes."""
    return FinishedAnswer(
        workspace_id=principal.workspace_id,
        question=body.question,
        answer=body.answer,
        lang=body.lang or detect_language(body.question),
        feature=body.feature.value,
        origin="external",
        from_notes=body.feature is Feature.SEARCH_QA or bool(body.sources),
        sources=[
            AnswerSource(source.title or f"Note {index}", source.content)
            for index, source in enumerate(body.sources, start=1)
        ],
        model=body.model,
        profile=body.profile,
        slots=known_slots(body.slots),
        idempotency_key=idempotency_key,
        request_hash=request_hash(body),
        traceparent=traceparent,
        attributes=body.given().joined(baggage),
        history=body.turns(),
    )


def request_hash(body: EvaluationCreate) -> str:
    """Of all that is given of the answer. What releases before did not know is left out where it is
    not."""
    absent = {name for name in AttributesCreate.model_fields if not getattr(body, name)}
    absent |= {name for name in HistoryCreate.model_fields if getattr(body, name) is None}
    left_out = absent | (type(body).model_fields.keys() - EvaluationCreate.model_fields.keys())
    return hashlib.sha256(body.model_dump_json(exclude=left_out).encode()).hexdigest()


@router.get("/events", response_class=EventSourceResponse)
async def workspace_events(
    principal: Reader, services: ServicesDep, after: LastEventId
) -> AsyncIterator[ServerSentEvent]:
    """Every change of every verdict. Last-Event-ID goes on without a gap."""
    changes = services.follower.follow_workspace(principal, after)
    async for event in change_events(services, principal, changes):
        yield event


@router.get(
    "/{evaluation_id}",
    responses={
        200: {
            "headers": {"ETag": TEXT_HEADER, "Retry-After": SECONDS_HEADER},
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ReaderVerdict"}}},
        },
        304: {"description": "Nothing has changed.", "headers": {"ETag": TEXT_HEADER}},
        **NO_SUCH_EVALUATION,
    },
)
async def get_evaluation(
    view: Visible, principal: VerdictReader, request: Request
) -> EvaluationView:
    """One verdict. While it is pending, Retry-After says when to look again. A reader token is
    shown less of it: a ReaderVerdict."""
    shown = view if principal.evaluation_id is None else ReaderVerdict.from_view(view)
    written = shown.model_dump_json().encode()
    digest = hashlib.sha256(written).hexdigest()[:32]
    headers = {"ETag": f'"{digest}"', "Cache-Control": "private, no-cache"}
    if not view.status.final:
        headers["Retry-After"] = str(_poll_again_after(view))
    # Written once: it is read again and again until it is final.
    if headers["ETag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)  # type: ignore[return-value]  # as FastAPI documents
    media_type = "application/json" if shown is view else MEDIA_TYPE
    return Response(written, headers=headers, media_type=media_type)  # type: ignore[return-value]  # as FastAPI documents


async def until_final(
    view: Visible, principal: VerdictReader, services: ServicesDep, after: LastEventId
) -> EvaluationView:
    """Raises HTTPException 204, which stops an EventSource from reconnecting, when the client
    has seen the end."""
    if after is None or not view.settled:
        return view
    if not await services.follower.has_more(principal, view.id, after):
        raise HTTPException(204)
    return view


@router.get(
    "/{evaluation_id}/events",
    response_class=EventSourceResponse,
    responses={204: {"description": "The final state was told already."}, **NO_SUCH_EVALUATION},
)
async def evaluation_events(
    view: Annotated[EvaluationView, Depends(until_final)],
    principal: VerdictReader,
    services: ServicesDep,
    after: LastEventId,
) -> AsyncIterator[ServerSentEvent]:
    """Every change of one verdict; ends after the final one. A reader token gets a ReaderVerdict
    with each `event: evaluation`, and no other events."""
    changes = services.follower.follow_evaluation(principal, view.id, after)
    if principal.evaluation_id is None:
        events = change_events(services, principal, changes)
    else:
        events = reader_events(changes)
    async for event in events:
        yield event


def _poll_again_after(view: EvaluationView) -> int:
    """Seconds until there may be something new."""
    if view.reason == WaitReason.JUDGE_PAUSED:
        return PAUSED_POLL_SECONDS
    if view.next_attempt_at is None:
        return 1
    wait = (view.next_attempt_at - dt.datetime.now(dt.UTC)).total_seconds()
    return min(max(1, math.ceil(wait)), MAX_POLL_SECONDS)


class ReaderTokenCreate(StrictBody):
    expires_in_minutes: Literal[5, 15, 30, 60] = 15


class ReaderTokenCreated(BaseModel):
    """`token` is told this one time. `verdict` is what it shows now."""

    token: str
    evaluation_id: uuid.UUID
    expires_at: dt.datetime
    verdict: ReaderVerdict


@router.post("/{evaluation_id}/reader-token", status_code=201, responses=NO_SUCH_EVALUATION)
async def create_reader_token(
    view: Existing, principal: Reader, services: ServicesDep, body: ReaderTokenCreate | None = None
) -> ReaderTokenCreated:
    """A token to give to a browser: it reads this evaluation and its events, less of them than
    others do, and nothing else. It expires, and it ends with the token that asks."""
    body = body or ReaderTokenCreate()
    async with in_workspace(services.sessions, principal.workspace_id) as session, session.begin():
        stored, token = await issue_reader_token(
            session, principal, view.id, lifetime=dt.timedelta(minutes=body.expires_in_minutes)
        )
    assert stored.expires_at is not None
    return ReaderTokenCreated(
        token=token,
        evaluation_id=view.id,
        expires_at=stored.expires_at,
        verdict=ReaderVerdict.from_view(view),
    )
