"""The caller's conversations, and deletion of answers."""

import uuid
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response
from pydantic import Field, StringConstraints

from app.answering import conversations as service
from app.answering.conversations import (
    ConversationAnswerView,
    ConversationKey,
    ConversationView,
)
from app.answering.models import MAX_TITLE_CHARS
from app.api.auth import CurrentPrincipal
from app.api.openapi import not_found
from app.api.parameters import After, Limit, decode_cursor, encode_cursor, moment
from app.api.schemas import NonEmpty, StrictBody
from app.api.sessions import ReadAccess, WriteAccess
from app.platform.db.owned_queries import Page
from app.platform.errors import NotFound
from app.verdicts.answers import queries

router = APIRouter(prefix="/conversations", tags=["answers"])

_ORDER = "conversations"
_NO_CONVERSATION = not_found("There is no such conversation, or it is somebody else's.")

Containing = Annotated[
    str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00]*$"), Query()
]


class ConversationPage(Page[ConversationView, str]):
    """`next` continues the list; it is null on the last page."""


class ConversationAnswerPage(Page[ConversationAnswerView, uuid.UUID]):
    """`next` continues the list; it is null on the last page."""


class ConversationChange(StrictBody):
    """title null: the conversation goes by its first question again."""

    title: Annotated[str, NonEmpty, Field(max_length=MAX_TITLE_CHARS)] | None


def _key(conversation_id: uuid.UUID, principal: CurrentPrincipal) -> ConversationKey:
    return ConversationKey(principal.workspace_id, principal.name, conversation_id)


Key = Annotated[ConversationKey, Depends(_key)]


@router.get("")
async def list_conversations(
    access: ReadAccess,
    limit: Limit = 50,
    after: Annotated[str | None, Query(max_length=200)] = None,
    containing: Containing | None = None,
) -> ConversationPage:
    """Those of the token's name, the one that was last asked in first. `containing`: a part of the
    title or of a question, whatever the case."""
    items = await service.list_conversations(
        access.session,
        access.workspace_id,
        access.principal.name,
        containing=containing,
        before=decode_cursor(after, _ORDER, moment) if after else None,
        limit=limit + 1,
    )
    return ConversationPage.of(items, limit, _cursor)


def _cursor(last: ConversationView) -> str:
    return encode_cursor(_ORDER, last.last_asked_at, last.id)


@router.get("/{conversation_id}", responses=_NO_CONVERSATION)
async def get_conversation(key: Key, access: ReadAccess) -> ConversationView:
    """One conversation of one's own."""
    return await service.get_conversation(access.session, key)


@router.get("/{conversation_id}/answers", responses=_NO_CONVERSATION)
async def list_conversation_answers(
    key: Key, access: ReadAccess, limit: Limit = 50, after: After = None
) -> ConversationAnswerPage:
    """Its questions and answers, the newest first, each with the evaluation that counts."""
    items = await service.list_answers(access.session, key, after=after, limit=limit + 1)
    return ConversationAnswerPage.of(items, limit, lambda answer: answer.id)


@router.patch("/{conversation_id}", responses=_NO_CONVERSATION)
async def rename_conversation(
    key: Key, body: ConversationChange, access: WriteAccess
) -> ConversationView:
    """Names it."""
    return await service.rename_conversation(access.session, key, body.title)


@router.delete("/{conversation_id}", status_code=204, responses=_NO_CONVERSATION)
async def delete_conversation(
    key: Key, access: WriteAccess, with_answers: Annotated[bool, Query()] = False
) -> Response:
    """Deletes it. Its answers and their evaluations stay in the workspace, where figures count
    them, unless `with_answers` deletes these too, as DELETE /answers/{answer_id} does."""
    await service.delete_conversation(access.session, key, with_answers=with_answers)
    return Response(status_code=204)


answer_router = APIRouter(prefix="/answers", tags=["answers"])


@answer_router.delete(
    "/{answer_id}", status_code=204, responses=not_found("There is no such answer.")
)
async def delete_answer(answer_id: uuid.UUID, access: WriteAccess) -> Response:
    """Removes the answer and every trace of it: sources, verdicts, judge calls, events,
    improvements and their jobs."""
    if not await queries.delete_answer(access.session, access.workspace_id, answer_id):
        raise NotFound(
            "There is no such answer; GET /qa-evaluations lists yours with their answer_id.",
            ko="그런 답변이 없습니다. GET /qa-evaluations의 answer_id를 확인하세요.",
        )
    return Response(status_code=204)
