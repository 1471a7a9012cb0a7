"""API tokens of a workspace, and who is asking."""

import datetime as dt
import uuid
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field, StringConstraints

from app.api.auth import Reader
from app.api.openapi import not_found
from app.api.schemas import NOT_BLANK, StrictBody
from app.api.services import ServicesDep
from app.api.sessions import AdminAccess
from app.verdicts.policy.document import Number
from app.workspaces import queries, service
from app.workspaces.models import ApiToken
from app.workspaces.tokens import Scope, TokenState

router = APIRouter(tags=["tokens"])

TokenName = Annotated[
    str,
    StringConstraints(min_length=1, pattern=NOT_BLANK),
    Field(max_length=service.MAX_NAME_CHARS),
]


class TokenCreate(StrictBody):
    """expires_in_days: null is for ever. The scope `operator` is given on the server only, by
    `searchqa token create`."""

    name: TokenName
    scopes: Annotated[
        list[Literal[Scope.READ, Scope.WRITE, Scope.ADMIN]], Field(min_length=1, max_length=3)
    ]
    expires_in_days: Annotated[int, Field(ge=1, le=3_650, strict=True)] | None = None


class TokenRead(BaseModel):
    """`current` is the token that asks. `subject`: the issuer and user of the login provider that a
    session began at."""

    id: uuid.UUID
    name: str
    scopes: list[Scope]
    state: TokenState
    created_at: dt.datetime
    expires_at: dt.datetime | None
    last_used_at: dt.datetime | None
    revoked_at: dt.datetime | None
    subject: str | None
    current: bool = False


class TokenPage(BaseModel):
    """Newest first, all on one page."""

    items: list[TokenRead]
    next: None = None


class TokenCreated(TokenRead):
    """`token` is told this one time: the server keeps its SHA-256 only."""

    token: str


class TokenRotate(StrictBody):
    """overlap_hours: how long the old token still works beside the new one."""

    overlap_hours: Annotated[int, Field(ge=1, le=720), Number] = 24


class WhoRead(BaseModel):
    """`token` is the name of the token that asks, `local` where none is asked for."""

    workspace: str
    token: str
    scopes: list[Scope]


@router.get("/whoami")
async def whoami(principal: Reader, services: ServicesDep) -> WhoRead:
    """The workspace of the token that asks, and what the token may do there."""
    async with services.sessions() as session:
        workspace = await queries.workspace_name(session, principal.workspace_id)
    return WhoRead(workspace=workspace, token=principal.name, scopes=sorted(principal.scopes))


@router.get("/tokens")
async def list_tokens(access: AdminAccess, kind: Literal["api", "session"] = "api") -> TokenPage:
    """The API tokens, revoked ones included, or the sessions of browsers and commands that are
    valid now. What they open with is not stored."""
    read = queries.api_tokens if kind == "api" else queries.live_sessions
    tokens = await read(*access.workspace)
    items = [TokenRead.model_validate(token, from_attributes=True) for token in tokens]
    for item in items:
        item.current = item.id == access.principal.token_id
    return TokenPage(items=items)


@router.post("/tokens", status_code=201)
async def create_token(body: TokenCreate, access: AdminAccess) -> TokenCreated:
    """A new token. It is shown this one time."""
    lifetime = None if body.expires_in_days is None else dt.timedelta(days=body.expires_in_days)
    stored, token = await service.create_token(
        *access.workspace, name=body.name.strip(), scopes=set(body.scopes), lifetime=lifetime
    )
    return _created(stored, token)


@router.post(
    "/tokens/{token_id}/rotate",
    status_code=201,
    responses={
        **not_found("There is no such token, or it is revoked or has expired."),
        409: {"description": "It was rotated before."},
    },
)
async def rotate_token(
    token_id: uuid.UUID, access: AdminAccess, body: TokenRotate | None = None
) -> TokenCreated:
    """A new token with the name, scopes and lifetime of this one, shown this one time. Both work
    until the overlap ends. One with the scope `operator` takes a token that has it."""
    rotated = await service.rotate_token(
        *access.workspace,
        token_id,
        overlap=dt.timedelta(hours=(body or TokenRotate()).overlap_hours),
        by_operator=Scope.OPERATOR in access.principal.scopes,
    )
    return _created(*rotated)


def _created(stored: ApiToken, token: str) -> TokenCreated:
    read = TokenRead.model_validate(stored, from_attributes=True)
    return TokenCreated(**read.model_dump(), token=token)


@router.delete(
    "/tokens/{token_id}",
    status_code=204,
    responses={
        404: {"description": "There is no such token, or it is revoked already."},
        409: {"description": "It is the last valid one with the scope `admin`."},
    },
)
async def revoke_token(
    token_id: uuid.UUID, access: AdminAccess, even_last_admin: Annotated[bool, Query()] = False
) -> None:
    """From now on the token or session opens nothing, and what it has open ends. The last valid
    token with the scope `admin` is kept unless `even_last_admin` says that it is meant."""
    await service.revoke_token(*access.workspace, token_id, keep_an_admin=not even_last_admin)
