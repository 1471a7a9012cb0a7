"""Connections to PostgreSQL: an SQLAlchemy engine for requests, a psycopg pool for the hot path."""

import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from select import POLLIN, poll

from psycopg import AsyncConnection, sql
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool
from sqlalchemy import AdaptedConnection, event, select, text
from sqlalchemy import Connection as SyncConnection
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, InvalidatePoolError, SQLAlchemyError
from sqlalchemy.ext.asyncio import (
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)
from sqlalchemy.orm import Session, SessionTransaction

from app.errors import SetupError

# A stuck statement or an abandoned transaction must end by itself: rows wait on them.
_SERVER_OPTIONS = "-c statement_timeout=5s -c idle_in_transaction_session_timeout=10s"
# A prepared statement keeps its first plans until its tables are analysed. Made while those are
# empty, they read them whole, and still do so a minute and ten thousand rows later. What the hot
# path wants, and what foreign keys check, is a few rows of an index.
_BY_INDEX = "-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off"
CONNECT_ARGS: dict[str, str | int] = {
    "connect_timeout": 3,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    "options": _SERVER_OPTIONS,
}

Sessions = async_sessionmaker[AsyncSession]
Connection = AsyncConnection[TupleRow]
Pool = AsyncConnectionPool[Connection]


def sqlalchemy_url(database_url: str) -> str:
    """The same address with psycopg 3 named as its driver. Raises SetupError if malformed."""
    try:
        url = make_url(database_url)
    except Exception as error:
        raise SetupError(
            "DATABASE_URL is not a valid address; write postgresql://user:password@host:5432/name."
        ) from error
    if url.get_backend_name() not in {"postgresql", "postgres"}:
        raise SetupError("DATABASE_URL must be a PostgreSQL address: postgresql://…")
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
    event.listen(engine.sync_engine, "checkout", _leave_ended)
    return engine


def _leave_ended(connection: AdaptedConnection, *_: object) -> None:
    """Before a pooled connection is used. After an ended one all older ones are opened anew."""
    if _has_news(connection.driver_connection):
        raise InvalidatePoolError


def _has_news(connection: Connection) -> bool:
    """Whether an idle connection has something to read, as it has when the server or the kernel
    has ended it. Asking the server itself would be a round trip for each use."""
    asking = poll()
    asking.register(connection.fileno(), POLLIN)
    return bool(asking.poll(0))


class WorkspaceSession(Session):
    """A session that may be confined to one workspace, see `in_workspace`."""


# One statement, and only for the transaction: the connection goes back to the pool as it was.
_ENTER = text(
    "SELECT set_config('app.workspace_id', :workspace_id, true),"
    " set_config('role', 'searchqa_app', true)"
)
_WORKSPACE = "workspace_id"


@event.listens_for(WorkspaceSession, "after_begin")
def _enter_workspace(
    session: Session, transaction: SessionTransaction, connection: SyncConnection
) -> None:
    workspace_id = session.info.get(_WORKSPACE)
    if workspace_id is not None and not transaction.nested:
        connection.execute(_ENTER, {"workspace_id": str(workspace_id)})


def create_sessions(engine: AsyncEngine) -> Sessions:
    """Sessions of the tables' owner, who sees all workspaces."""
    return async_sessionmaker(engine, expire_on_commit=False, sync_session_class=WorkspaceSession)


def in_workspace(sessions: Sessions, workspace_id: uuid.UUID) -> AsyncSession:
    """A session whose transactions see and change one workspace only, whatever their SQL says:
    PostgreSQL's row-level security stands behind every query's own filter."""
    return sessions(info={_WORKSPACE: workspace_id})


def first_line(error: DBAPIError) -> str:
    """What the driver says is wrong, without its details."""
    return str(error.orig).strip().partition("\n")[0]


async def is_reachable(sessions: Sessions) -> bool:
    """Whether PostgreSQL answers within a few seconds."""
    try:
        async with sessions() as session:
            await session.execute(select(1))
    except (SQLAlchemyError, OSError, TimeoutError):
        return False
    return True


def create_pool(database_url: str, *, max_size: int = 4) -> Pool:
    """A closed psycopg pool for one event loop; open it with `async with`. Autocommit: each
    statement of the hot path is one transaction."""
    return AsyncConnectionPool(
        sqlalchemy_url(database_url).replace("postgresql+psycopg://", "postgresql://", 1),
        min_size=1,
        max_size=max_size,
        timeout=5,
        kwargs={
            **CONNECT_ARGS,
            "options": f"{_SERVER_OPTIONS} {_BY_INDEX}",
            "autocommit": True,
        },
        open=False,
        check=_check,
    )


# All that comes before the first statement in one round trip, which nothing may be prepared of.
_BEGIN = sql.SQL(
    "BEGIN; SELECT set_config('app.workspace_id', {}, true),"
    " set_config('role', 'searchqa_app', true)"
)


@asynccontextmanager
async def transaction_in_workspace(
    pool: Pool, workspace_id: uuid.UUID
) -> AsyncIterator[Connection]:
    """What `in_workspace` is to a session, for a reader who waits: a third of the time goes
    without SQLAlchemy. Commits at the end, or rolls back. Raises psycopg.Error."""
    async with pool.connection() as connection:
        await connection.execute(_BEGIN.format(str(workspace_id)), prepare=False)
        yield connection


async def _check(connection: Connection) -> None:
    if _has_news(connection):
        await AsyncConnectionPool.check_connection(connection)
