"""Tokens for the browsers of other applications' readers: each shows one verdict, for minutes."""

import datetime as dt
import uuid
from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel

from app.api.auth import Reader
from app.api.qa_evaluations import NO_SUCH_EVALUATION, Existing
from app.api.reader_view import ReaderVerdict
from app.api.schemas import StrictBody
from app.api.services import ServicesDep
from app.platform.db.session import in_workspace
from app.workspaces.service import issue_reader_token

router = APIRouter(prefix="/qa-evaluations", tags=["verdicts"])


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
    view: Existing,
    principal: Reader,
    services: ServicesDep,
    body: ReaderTokenCreate | None = None,
) -> ReaderTokenCreated:
    """A token to give to a browser: it reads this evaluation and its events, less of them than
    others do, and nothing else. It expires, and it ends with the token that asks."""
    body = body or ReaderTokenCreate()
    async with (
        in_workspace(services.sessions, principal.workspace_id) as session,
        session.begin(),
    ):
        stored, token = await issue_reader_token(
            session, principal, view.id, lifetime=dt.timedelta(minutes=body.expires_in_minutes)
        )
    assert stored.expires_at is not None
    return ReaderTokenCreated(
        token=token,
        evaluation_id=view.id,
        expires_at=stored.expires_at,
        verdict=ReaderVerdict.of(view),
    )
