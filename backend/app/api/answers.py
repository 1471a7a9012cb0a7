"""Deleting an answer."""

import uuid

from fastapi import APIRouter, Response

from app.api.openapi import not_found
from app.api.sessions import WriteAccess
from app.platform.errors import NotFound
from app.verdicts.answers import queries

router = APIRouter(prefix="/answers", tags=["answers"])


@router.delete("/{answer_id}", status_code=204, responses=not_found("There is no such answer."))
async def delete_answer(answer_id: uuid.UUID, access: WriteAccess) -> Response:
    """Removes the answer and every trace of it: sources, verdicts, judge calls, events,
    improvements and their jobs."""
    if not await queries.delete_answer(access.session, access.workspace_id, answer_id):
        raise NotFound(
            "There is no such answer; GET /qa-evaluations lists yours with their answer_id.",
            ko="그런 답변이 없습니다. GET /qa-evaluations의 answer_id를 확인하세요.",
        )
    return Response(status_code=204)
