"""The caller's conversations, refinements of answers, and their deletion."""

import uuid
from typing import Annotated, TypeVar

from fastapi import APIRouter, Depends, Query, Response
from pydantic import Field, StringConstraints

from app.answering import conversations as service
from app.answering.models import MAX_TITLE_CHARS
from app.answering.refine import service as refining
from app.api.auth import Admin, CurrentPrincipal
from app.api.openapi import ACCEPTED, conflict, not_found
from app.api.parameters import After, Limit, decode_cursor, encode_cursor, moment
from app.api.qa_evaluations import Existing
from app.api.schemas import NonEmpty, StrictBody
from app.api.services import ServicesDep
from app.api.sessions import ReadAccess, WriteAccess
from app.judges.phases.run import GOOD_ENOUGH
from app.operations.user_deletion import UserDeletion
from app.operations.user_deletion import delete_user as delete_all_of
from app.platform.db.owned_queries import Page
from app.platform.errors import NotFound
from app.verdicts.answers import queries
from app.verdicts.answers.attributes import Text
from app.verdicts.policy.document import Number
from app.verdicts.policy.service import policy_of

router = APIRouter(prefix="/conversations", tags=["answers"])

_ORDER = "conversations"
_NO_CONVERSATION = not_found("There is no such conversation, or it is somebody else's.")

Containing = Annotated[
    str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00]*$"), Query()
]


class ConversationPage(Page[service.ConversationView, str]):
    """`next` continues the list; it is null on the last page."""


class ConversationAnswerPage(Page[service.ConversationAnswerView, uuid.UUID]):
    """`next` continues the list; it is null on the last page."""


class ConversationChange(StrictBody):
    """title null: the conversation goes by its first question again."""

    title: Annotated[str, NonEmpty, Field(max_length=MAX_TITLE_CHARS)] | None


def _key(conversation_id: uuid.UUID, principal: CurrentPrincipal) -> service.ConversationKey:
    return service.ConversationKey(principal.workspace_id, principal.name, conversation_id)


Key = Annotated[service.ConversationKey, Depends(_key)]


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
        *access.workspace,
        access.principal.name,
        containing=containing,
        before=decode_cursor(after, _ORDER, moment) if after else None,
        limit=limit + 1,
    )
    return ConversationPage.of(items, limit, _cursor)


def _cursor(last: service.ConversationView) -> str:
    return encode_cursor(_ORDER, last.last_asked_at, last.id)


@router.get("/{conversation_id}", responses=_NO_CONVERSATION)
async def get_conversation(key: Key, access: ReadAccess) -> service.ConversationView:
    """One conversation of one's own."""
    return await service.get_conversation(access.session, key)


@router.get("/{conversation_id}/answers", responses=_NO_CONVERSATION)
async def list_conversation_answers(
    key: Key, access: ReadAccess, limit: Limit = 50, after: After = None
) -> ConversationAnswerPage:
    """Its questions and answers, the newest first, each with the evaluation that counts."""
    items = await service.list_answers(access.session, key, after=after, limit=limit + 1)
    return ConversationAnswerPage.of(items, limit)


@router.patch("/{conversation_id}", responses=_NO_CONVERSATION)
async def rename_conversation(
    key: Key, body: ConversationChange, access: WriteAccess
) -> service.ConversationView:
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
    """Removes the answer with its sources, verdicts, judge calls, events, improvements and their
    jobs. Copies stay: test cases made from it, and what runs and benches have of it."""
    if not await queries.delete_answer(*access.workspace, answer_id):
        raise NotFound.worded("no-such-answer")
    return Response(status_code=204)


user_router = APIRouter(prefix="/user-deletions", tags=["answers"])


class UserDeletionCreate(StrictBody):
    """user_ref: as the application sends it, or `hmac:` and the hash that answers show."""

    user_ref: Text


@user_router.post("")
async def delete_user(
    body: UserDeletionCreate, principal: Admin, services: ServicesDep
) -> UserDeletion:
    """Deletes all of a user in this workspace: answers with everything that hangs on them, test
    cases and texts of results that were made from them, and traces. Returns the receipt, which the
    audit log keeps. Ask again while `complete` is false."""
    return await delete_all_of(
        services.sessions, principal.workspace_id, body.user_ref, by=principal.name
    )


refinement_router = APIRouter(tags=["refinements"])
Value = TypeVar("Value", int, float)

_NO_REFINEMENT = not_found("The workspace has no such evaluation or refinement.")


class RefinementCreate(StrictBody):
    """threshold: the overall score (0 to 1) from which an answer is good enough;
    max_iterations: how often, at most, it is searched and answered again. What is left out is as
    the workspace's policy says."""

    threshold: Annotated[float, Field(ge=0, le=1), Number] | None = None
    max_iterations: Annotated[int, Field(ge=1, le=5), Number] | None = None


def _default_to(given: Value | None, policy: Value | None) -> Value:
    value = policy if given is None else given
    assert value is not None, "the server has a value for each"
    return value


@refinement_router.post(
    "/qa-evaluations/{evaluation_id}/refine",
    status_code=202,
    responses=ACCEPTED | _NO_REFINEMENT | conflict("The answer was not made from notes."),
)
async def refine(
    evaluation_id: uuid.UUID,
    access: WriteAccess,
    services: ServicesDep,
    response: Response,
    body: RefinementCreate | None = None,
) -> refining.RefinementView:
    """Has a better answer looked for, in the background: the query is rewritten, searched and
    answered again. The first answer stays. While one is under way, that one is returned."""
    given = body or RefinementCreate()
    workspace_id = access.workspace_id
    policy = (await policy_of(access.session, workspace_id, services.settings)).document
    id_ = await refining.request_refinement(
        access.session,
        workspace_id,
        evaluation_id,
        # Below its own standard a verdict offers to improve the answer, so that is what it takes.
        threshold=_default_to(given.threshold, max(policy.refine_threshold or 0, GOOD_ENOUGH)),
        max_iterations=_default_to(given.max_iterations, policy.refine_iterations),
    )
    response.headers["Location"] = f"/refinements/{id_}"
    return await refining.refinement_view(access.session, workspace_id, id_)


@refinement_router.get("/qa-evaluations/{evaluation_id}/refinements", responses=_NO_REFINEMENT)
async def list_refinements(
    evaluation: Existing, access: ReadAccess
) -> list[refining.RefinementView]:
    """Newest first, with their iterations."""
    return list(await refining.refinements_of(*access.workspace, evaluation.id))


@refinement_router.get("/refinements/{refinement_id}", responses=_NO_REFINEMENT)
async def read_refinement(refinement_id: uuid.UUID, access: ReadAccess) -> refining.RefinementView:
    """One refinement: each iteration with its query, notes, answer and scores, and why it
    stopped."""
    return await refining.refinement_view(*access.workspace, refinement_id)
