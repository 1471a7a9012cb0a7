"""SQLAlchemy sessions of requests, and errors in place of statement timeouts."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from psycopg.errors import QueryCanceled
from sqlalchemy import AdaptedConnection, Connection, Engine, QueuePool, event, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError, InvalidatePoolError, OperationalError, SQLAlchemyError
from sqlalchemy.ext.asyncio import (
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)
from sqlalchemy.orm import Session, SessionTransaction

from app.platform.db.actor import actor
from app.platform.db.address import LOOK, NO_ADDRESS, OTHER_DATABASE, allow_pooler
from app.platform.db.pool import CONNECT_ARGS, PoolState, has_pending_data, watch_pool
from app.platform.errors import InvalidRequest, SetupError

Sessions = async_sessionmaker[AsyncSession]


def sqlalchemy_url(database_url: str) -> str:
    """The same address with psycopg 3 named as its driver. Raises SetupError if malformed."""
    try:
        url = make_url(database_url)
    except Exception as error:
        raise SetupError(NO_ADDRESS) from error
    if url.get_backend_name() not in {"postgresql", "postgres"}:
        raise SetupError(OTHER_DATABASE)
    return url.set(drivername="postgresql+psycopg").render_as_string(hide_password=False)


def create_engine(database_url: str, *, pool_size: int = 10) -> AsyncEngine:
    """An engine for one event loop."""
    engine = create_async_engine(
        sqlalchemy_url(database_url),
        pool_size=pool_size,
        max_overflow=pool_size,
        pool_timeout=5,
        # Errors are logged, and parameters are what readers wrote.
        hide_parameters=True,
        connect_args=CONNECT_ARGS,
    )
    event.listen(engine.sync_engine, "connect", _configure)
    event.listen(engine.sync_engine, "checkout", _leave_ended)
    watch_pool(engine.sync_engine, "sessions", partial(_state, limit=2 * pool_size))
    return engine


def _configure(connection: DBAPIConnection, *_: object) -> None:
    cursor = connection.cursor()
    cursor.execute(LOOK)
    for pid, timeout in cursor.fetchall():
        allow_pooler(connection.driver_connection, pid, timeout)
    cursor.close()
    connection.rollback()


def _state(engine: Engine, limit: int) -> PoolState:
    pool = engine.pool
    assert isinstance(pool, QueuePool)
    in_use = pool.checkedout()
    return PoolState(in_use + pool.checkedin(), in_use, limit)


def _leave_ended(connection: AdaptedConnection, *_: object) -> None:
    """Before a pooled connection is used. After an ended one all older ones are opened anew."""
    if has_pending_data(connection.driver_connection):
        raise InvalidatePoolError


class WorkspaceSession(Session):
    """A session that may be confined to one workspace, see `in_workspace`."""


# One statement, and only for the transaction: the connection goes back to the pool as it was.
_ENTER = text(
    "SELECT set_config('app.workspace_id', :workspace_id, true),"
    " set_config('role', 'searchqa_app', true), set_config('app.actor', :actor, true)"
)
_ACT = text("SELECT set_config('app.actor', :actor, true)")
_WORKSPACE = "workspace_id"


@event.listens_for(WorkspaceSession, "after_begin")
def _enter_workspace(
    session: Session, transaction: SessionTransaction, connection: Connection
) -> None:
    workspace_id = session.info.get(_WORKSPACE)
    if transaction.nested:
        return
    if workspace_id is not None:
        connection.execute(_ENTER, {"workspace_id": str(workspace_id), "actor": actor()})
    elif actor():
        connection.execute(_ACT, {"actor": actor()})


def create_sessions(engine: AsyncEngine) -> Sessions:
    """Sessions of the tables' owner, who sees all workspaces."""
    return async_sessionmaker(engine, expire_on_commit=False, sync_session_class=WorkspaceSession)


def in_workspace(sessions: Sessions, workspace_id: uuid.UUID) -> AsyncSession:
    """A session whose transactions see and change one workspace only, whatever their SQL:
    PostgreSQL's row-level security stands behind every query's own filter."""
    return sessions(info={_WORKSPACE: workspace_id})


def first_line(error: DBAPIError) -> str:
    """The driver's error message without its details."""
    return str(error.orig).strip().partition("\n")[0]


async def is_reachable(sessions: Sessions) -> bool:
    """Whether PostgreSQL answers within a few seconds."""
    try:
        async with sessions() as session:
            await session.execute(select(1))
    except (SQLAlchemyError, OSError, TimeoutError):
        return False
    return True


@contextmanager
def refuse_when_too_slow(refusal: InvalidRequest) -> Iterator[None]:
    """Raises `refusal` in place of the statement timeout."""
    try:
        yield
    except OperationalError as error:
        if not isinstance(error.orig, QueryCanceled):
            raise
        raise refusal from None
