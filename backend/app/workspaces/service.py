"""Tokens: made, checked, exchanged for a browser session, revoked."""

import asyncio
import datetime as dt
import logging
import uuid
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import dataclass

import psycopg
from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.db.pool import Pool, end_task, notifications
from app.platform.errors import Conflict, Forbidden, InvalidRequest, NotFound, Unauthenticated
from app.workspaces import queries
from app.workspaces.models import ApiToken
from app.workspaces.tokens import (
    ALL_SCOPES,
    DEFAULT_WORKSPACE,
    Scope,
    TokenKind,
    hash_of,
    new_token,
)

# Of browser sessions whose login link names nobody.
ANYBODY = "browser session"
MAX_NAME_CHARS = 100
LOGIN_LINK_LIFETIME = dt.timedelta(minutes=10)
SESSION_LIFETIME = dt.timedelta(days=30)
MIN_OVERLAP = dt.timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Principal:
    """Who is asking: one workspace, and what the token may do there. `token_id` is None where no
    token is required. `name` is the token's, given when it was made. `evaluation_id`: the one
    verdict that a reader token shows, which has no scopes."""

    workspace_id: uuid.UUID
    token_id: uuid.UUID | None
    scopes: frozenset[Scope]
    name: str = "local"
    evaluation_id: uuid.UUID | None = None


async def ensure_workspace(session: AsyncSession, name: str = DEFAULT_WORKSPACE) -> uuid.UUID:
    """The id of the workspace of that name, made if it is not there."""
    return await queries.get_or_create_workspace(session, name)


async def create_token(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    *,
    name: str,
    kind: TokenKind = TokenKind.API,
    scopes: Collection[Scope] = ALL_SCOPES,
    lifetime: dt.timedelta | None = None,
    subject: str | None = None,
) -> tuple[ApiToken, str]:
    """What is stored of a new token, and the token itself, which nobody sees again. subject: of a
    login provider."""
    stored = ApiToken(
        workspace_id=workspace_id,
        name=name,
        kind=kind,
        scopes=sorted(scopes),
        expires_at=None if lifetime is None else func.now() + lifetime,
        subject=subject,
    )
    return stored, await _store(session, stored)


async def _store(session: AsyncSession, stored: ApiToken) -> str:
    """Adds the row and returns its token."""
    token = new_token(stored.kind)
    stored.token_hash = hash_of(token)
    session.add(stored)
    await session.flush()
    await session.refresh(stored)
    return token


async def issue_reader_token(
    session: AsyncSession, principal: Principal, evaluation_id: uuid.UUID, *, lifetime: dt.timedelta
) -> tuple[ApiToken, str]:
    """A token that shows one verdict of the principal's workspace and does nothing else. It ends
    with the token it is made with. Raises Unauthenticated when that one has ended meanwhile."""
    issuer = None
    if principal.token_id is not None:
        issuer = await queries.lock_live_token(session, principal.workspace_id, principal.token_id)
        if issuer is None:
            raise Unauthenticated.worded("token-unknown")
    expires_at = func.least(func.now() + lifetime, issuer and issuer.expires_at)
    stored = ApiToken(
        workspace_id=principal.workspace_id,
        name=f"reader of {evaluation_id}",
        kind=TokenKind.READER,
        scopes=[],
        expires_at=expires_at,
        evaluation_id=evaluation_id,
        issued_by=principal.token_id,
    )
    return stored, await _store(session, stored)


async def create_login_code(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    name: str = ANYBODY,
    scopes: Collection[Scope] = ALL_SCOPES,
) -> str:
    """A code for one browser login within ten minutes. name: of who logs in, and of the session;
    scopes: of the session."""
    kind, lifetime = TokenKind.LOGIN, LOGIN_LINK_LIFETIME
    _, code = await create_token(
        session, workspace_id, name=name, kind=kind, scopes=scopes, lifetime=lifetime
    )
    return code


async def redeem_login_code(session: AsyncSession, code: str) -> str:
    """Uses the code up and returns a session token. Raises Unauthenticated."""
    used = await queries.use_login_code(session, hash_of(code))
    if used is None:
        raise Unauthenticated.worded("login-link-used")
    kind, scopes = TokenKind.SESSION, [Scope(scope) for scope in used.scopes]
    _, token = await create_token(
        session,
        used.workspace_id,
        name=used.name,
        kind=kind,
        scopes=scopes,
        lifetime=SESSION_LIFETIME,
    )
    return token


async def authenticate(session: AsyncSession, token: str) -> Principal:
    """Raises Unauthenticated for a token that is unknown, expired or revoked."""
    found = await queries.find_live_token(session, hash_of(token))
    if found is None:
        raise Unauthenticated.worded("token-unknown")
    scopes = frozenset(map(Scope, found.scopes))
    return Principal(found.workspace_id, found.id, scopes, found.name, found.evaluation_id)


async def end_session(session: AsyncSession, token: str) -> bool:
    """Revokes a browser session; other kinds of token stay as they are. Whether it began at the
    login provider."""
    return await queries.revoke_session(session, hash_of(token))


async def rotate_token(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    token_id: uuid.UUID,
    *,
    overlap: dt.timedelta,
    by_operator: bool = True,
) -> tuple[ApiToken, str]:
    """A new token with the name, scopes and lifetime of the old one, which ends after `overlap`.
    That is MIN_OVERLAP at least: until then the reader tokens have ended that it made.
    by_operator: whether the new one may have the scope `operator`.

    Returns what is stored of the new token, and the token. Raises NotFound, InvalidRequest,
    Forbidden, and Conflict for a token that was rotated before.
    """
    if overlap < MIN_OVERLAP:
        raise InvalidRequest.worded("overlap-too-short")
    old = await queries.lock_api_token(session, workspace_id, token_id)
    if old is None:
        raise NotFound.worded("no-such-token")
    if Scope.OPERATOR in old.scopes and not by_operator:
        raise Forbidden.worded("operator-token-to-rotate")
    if old.rotated_at is not None:
        raise Conflict.worded("token-rotated")
    lifetime = None if old.expires_at is None else old.expires_at - old.created_at
    old.rotated_at = func.now()
    old.expires_at = func.least(old.expires_at, func.now() + overlap)
    return await create_token(
        session,
        workspace_id,
        name=old.name,
        scopes=[Scope(scope) for scope in old.scopes],
        lifetime=lifetime,
    )


async def revoke_token(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    token_id: uuid.UUID,
    *,
    keep_an_admin: bool = False,
) -> None:
    """From now on the API token or session opens nothing. Raises NotFound, and with keep_an_admin
    Conflict when no other API token could manage the workspace."""
    if keep_an_admin and list(await queries.lock_live_admins(session, workspace_id)) == [token_id]:
        raise Conflict.worded("last-admin-token")
    if not await queries.revoke(session, workspace_id, token_id):
        raise NotFound.worded("no-such-token")


logger = logging.getLogger(__name__)

# Expiry is not notified, and a notification may be lost: tokens are looked at this often.
LOOK_SECONDS = 10.0


class TokenWatch:
    """Knows the tokens of this process's open streams.

    A stream ends at once when its token is revoked, and within LOOK_SECONDS when the token
    has expired or the notification was lost.
    """

    def __init__(self, pool: Pool, listening: Pool | None = None) -> None:
        """listening: where one connection listens; by default it is one of the pool."""
        self._pool = pool
        self._listening = listening or pool
        # By the token's id as a notification writes it.
        self._on_end: defaultdict[str, list[Callable[[], None]]] = defaultdict(list)
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        if self._task:
            await end_task(self._task)

    @contextmanager
    def watching(self, token_id: uuid.UUID | None, on_end: Callable[[], None]) -> Iterator[None]:
        """Calls `on_end` if the token ends meanwhile; None stands for no token and never ends."""
        if token_id is None:
            yield
            return
        key = str(token_id)
        self._on_end[key].append(on_end)
        try:
            yield
        finally:
            self._on_end[key].remove(on_end)
            if not self._on_end[key]:
                del self._on_end[key]

    async def _run(self) -> None:
        channel = queries.TOKENS_CHANNEL
        async with aclosing(
            notifications(self._listening, channel, look_every=LOOK_SECONDS)
        ) as payloads:
            async for token_id in payloads:
                if token_id is None:
                    await self._look()
                else:
                    self._end(token_id)

    async def _look(self) -> None:
        if not self._on_end:
            return
        try:
            async with self._pool.connection() as connection:
                cursor = await connection.execute(queries.ENDED_TOKENS, {"ids": list(self._on_end)})
                for (token_id,) in await cursor.fetchall():
                    self._end(str(token_id))
        except (psycopg.Error, OSError) as error:
            logger.warning("Tokens of open streams cannot be looked at (%s)", error)

    def _end(self, token_id: str) -> None:
        # A copy: a callback may remove itself.
        for on_end in list(self._on_end.get(token_id, ())):
            on_end()
