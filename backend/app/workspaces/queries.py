"""SQL on workspaces and tokens. Times are the database's."""

import json
import uuid
from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import any_, func, literal, or_, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.db.statements import SqlFile
from app.platform.ids import new_id
from app.workspaces.models import ApiToken, Workspace
from app.workspaces.tokens import Scope, TokenKind

_LIVE = (
    ApiToken.revoked_at.is_(None),
    or_(ApiToken.expires_at.is_(None), ApiToken.expires_at > func.now()),
)
# The channel on which a trigger of the table notifies of revoked or deleted tokens.
TOKENS_CHANNEL = "searchqa_tokens"
_SQL = SqlFile(__package__, "queries")
ENDED_TOKENS = _SQL("ended_tokens").encode()
COUNT_EXPIRED_READERS = _SQL("count_expired_readers").encode()
COUNT_EXPIRED_SESSIONS = _SQL("count_expired_sessions").encode()
DELETE_EXPIRED_READERS = _SQL("delete_expired_readers").encode()
DELETE_EXPIRED_SESSIONS = _SQL("delete_expired_sessions").encode()
_REVOKE_BEYOND = text(_SQL("revoke_sessions_beyond"))
# `last_used_at` is for people: a write a minute is enough.
_STALE_USE = or_(
    ApiToken.last_used_at.is_(None),
    ApiToken.last_used_at < func.now() - text("interval '1 minute'"),
)


async def get_or_create_workspace(session: AsyncSession, name: str) -> uuid.UUID:
    found = select(Workspace.id).where(Workspace.name == name)
    if (existing := await session.scalar(found)) is not None:
        return existing
    await session.execute(insert(Workspace).values(id=new_id(), name=name).on_conflict_do_nothing())
    created = await session.scalar(found)
    assert created is not None
    return created


async def workspaces(session: AsyncSession) -> Sequence[Workspace]:
    """All of them, by name."""
    return (await session.scalars(select(Workspace).order_by(Workspace.name))).all()


async def workspace_name(session: AsyncSession, workspace_id: uuid.UUID) -> str:
    """The name of a workspace that is there."""
    name = await session.scalar(select(Workspace.name).where(Workspace.id == workspace_id))
    assert name is not None
    return name


async def find_live_token(session: AsyncSession, token_hash: bytes) -> ApiToken | None:
    token = await session.scalar(
        select(ApiToken).where(
            ApiToken.token_hash == token_hash, ApiToken.kind != TokenKind.LOGIN, *_LIVE
        )
    )
    if token is not None:
        await session.execute(
            update(ApiToken)
            .where(ApiToken.id == token.id, _STALE_USE)
            .values(last_used_at=func.now())
            .execution_options(synchronize_session=False)
        )
    return token


async def lock_live_token(
    session: AsyncSession, workspace_id: uuid.UUID, token_id: uuid.UUID
) -> ApiToken | None:
    """A valid token that nobody revokes until the transaction ends; None if it has ended."""
    return await session.scalar(
        select(ApiToken)
        .where(ApiToken.id == token_id, ApiToken.workspace_id == workspace_id, *_LIVE)
        .with_for_update(read=True)
    )


async def use_login_code(session: AsyncSession, token_hash: bytes) -> ApiToken | None:
    return await session.scalar(
        update(ApiToken)
        .where(ApiToken.token_hash == token_hash, ApiToken.kind == TokenKind.LOGIN, *_LIVE)
        .values(revoked_at=func.now(), last_used_at=func.now())
        .returning(ApiToken)
    )


async def live_sessions(session: AsyncSession, workspace_id: uuid.UUID) -> Sequence[ApiToken]:
    """The valid sessions of a workspace, of browsers and commands, newest first."""
    found = await session.scalars(
        select(ApiToken)
        .where(ApiToken.workspace_id == workspace_id, ApiToken.kind == TokenKind.SESSION, *_LIVE)
        .order_by(ApiToken.created_at.desc(), ApiToken.id.desc())
    )
    return found.all()


async def api_tokens(session: AsyncSession, workspace_id: uuid.UUID) -> Sequence[ApiToken]:
    """The API tokens of a workspace, newest first, revoked ones included."""
    found = await session.scalars(
        select(ApiToken)
        .where(ApiToken.workspace_id == workspace_id, ApiToken.kind == TokenKind.API)
        .order_by(ApiToken.created_at.desc(), ApiToken.id.desc())
    )
    return found.all()


async def lock_live_admins(session: AsyncSession, workspace_id: uuid.UUID) -> Sequence[uuid.UUID]:
    """Ids of the valid API tokens with the scope `admin`, which no other transaction revokes until
    this one ends: two who each revoke the other's would leave none."""
    found = await session.scalars(
        select(ApiToken.id)
        .where(
            ApiToken.workspace_id == workspace_id,
            ApiToken.kind == TokenKind.API,
            literal(Scope.ADMIN.value) == any_(ApiToken.scopes),
            *_LIVE,
        )
        .order_by(ApiToken.id)
        .with_for_update()
    )
    return found.all()


async def lock_api_token(
    session: AsyncSession, workspace_id: uuid.UUID, token_id: uuid.UUID
) -> ApiToken | None:
    """A valid API token that nobody changes until the transaction ends."""
    return await session.scalar(
        select(ApiToken)
        .where(
            ApiToken.id == token_id,
            ApiToken.workspace_id == workspace_id,
            ApiToken.kind == TokenKind.API,
            *_LIVE,
        )
        .with_for_update()
    )


async def revoke(session: AsyncSession, workspace_id: uuid.UUID, token_id: uuid.UUID) -> bool:
    revoked = await session.scalar(
        update(ApiToken)
        .where(
            ApiToken.id == token_id,
            ApiToken.workspace_id == workspace_id,
            ApiToken.kind.in_((TokenKind.API, TokenKind.SESSION)),
            ApiToken.revoked_at.is_(None),
        )
        .values(revoked_at=func.now())
        .returning(ApiToken.id)
    )
    return revoked is not None


async def revoke_session(session: AsyncSession, token_hash: bytes) -> bool:
    """Whether it was a session that began at the login provider."""
    subject = await session.scalar(
        update(ApiToken)
        .where(ApiToken.token_hash == token_hash, ApiToken.kind == TokenKind.SESSION)
        .values(revoked_at=func.now())
        .returning(ApiToken.subject)
    )
    return subject is not None


async def revoke_sessions_beyond(
    session: AsyncSession, subject: str, rights: Mapping[str, Collection[Scope]]
) -> None:
    """Ends the sessions of a provider's user that may do more than these rights allow. rights:
    scopes by the name of the workspace. Of all workspaces, since groups give rights in any."""
    given = json.dumps({workspace: sorted(scopes) for workspace, scopes in rights.items()})
    await session.execute(_REVOKE_BEYOND, {"subject": subject, "rights": given})
