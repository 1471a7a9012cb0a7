"""A psycopg pool for the hot path, which does without SQLAlchemy."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from select import POLLIN, poll
from typing import Any

from psycopg import AsyncConnection, sql
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool

from app.platform.db.address import psycopg_url
from app.platform.db.pool_metrics import PoolState, watch_pool
from app.platform.db.pooler import LOOK, allow_pooler

# A stuck statement or an abandoned transaction must end without help: rows wait on them. What has
# five seconds gains nothing from being compiled, and until PostgreSQL 17 the settings below make
# the shortest statement look dear enough for seconds of it.
_TIMEOUTS = "-c statement_timeout=5s -c idle_in_transaction_session_timeout=10s -c jit=off"
# The server looks for us as we look for it (CONNECT_ARGS). By the system's defaults the sessions of
# a host that is gone stay for two hours, and use up its `max_connections`.
_KEEPALIVES = (
    "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
    " -c tcp_user_timeout=10s"
)
_SERVER_OPTIONS = f"{_TIMEOUTS} {_KEEPALIVES}"
# A prepared statement keeps its first plans until its tables are analysed. Made while those are
# empty, they read them whole, and still do so a minute and ten thousand rows later. What the hot
# path needs, and what foreign keys check, is a few rows of an index.
_BY_INDEX = "-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off"
# Else the first ten of each statement are planned for their values, and come to the same plan.
_ONE_PLAN = "-c plan_cache_mode=force_generic_plan"
# psycopg_pool doubles the pause between two attempts to connect, and after so long the next user of
# the pool starts anew: else the pause would become as long as the outage was.
RECONNECT_SECONDS = 5.0
CONNECT_ARGS: dict[str, str | int] = {
    "connect_timeout": 3,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    "options": _SERVER_OPTIONS,
}


Connection = AsyncConnection[TupleRow]
Pool = AsyncConnectionPool[Connection]


def create_pool(
    database_url: str, *, name: str = "other", max_size: int = 4, plan_once: bool = False
) -> Pool:
    """A closed psycopg pool for one event loop; open it with `async with`. Autocommit: each
    statement of the hot path is one transaction. name: what figures call it. plan_once: each
    connection plans a statement when it first sends it, and not for the values of the next ten."""
    pool: Pool = AsyncConnectionPool(
        psycopg_url(database_url),
        min_size=1,
        max_size=max_size,
        timeout=5,
        # Each connection takes some 3 MB of PostgreSQL's memory.
        max_idle=60,
        reconnect_timeout=RECONNECT_SECONDS,
        kwargs={
            **CONNECT_ARGS,
            "options": f"{_SERVER_OPTIONS} {_BY_INDEX} {_ONE_PLAN if plan_once else ''}",
            "autocommit": True,
            # psycopg prepares a statement that it has sent so many times.
            "prepare_threshold": 0 if plan_once else 5,
        },
        open=False,
        configure=_configure,
        check=_check,
    )
    watch_pool(pool, name, _state)
    return pool


def _state(pool: Pool) -> PoolState:
    stats = pool.get_stats()
    size, free = stats["pool_size"], stats["pool_available"]
    waiting, errors = stats.get("requests_waiting", 0), stats.get("requests_errors", 0)
    return PoolState(size, size - free, stats["pool_max"], waiting, errors)


async def _configure(connection: Connection) -> None:
    # Unprepared: behind a pooler the next statement may have another session.
    cursor = await connection.execute(LOOK, prepare=False)
    for pid, timeout in await cursor.fetchall():
        allow_pooler(connection, pid, timeout)


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


def has_news(connection: Connection) -> bool:
    """Whether an idle connection has something to read, as it has when the server or the kernel
    has ended it. Asking the server itself would be a round trip for each use."""
    asking = poll()
    asking.register(connection.fileno(), POLLIN)
    return bool(asking.poll(0))


async def _check(connection: Connection) -> None:
    if has_news(connection):
        await AsyncConnectionPool.check_connection(connection)


async def fetch(
    pool: Pool, statement: bytes, parameters: Mapping[str, object] | None = None
) -> list[TupleRow]:
    """The rows of one statement, a transaction of its own. Raises psycopg.Error."""
    async with pool.connection() as connection:
        return await (await connection.execute(statement, parameters)).fetchall()


async def execute(
    pool: Pool, statement: bytes, parameters: Mapping[str, object] | None = None
) -> int:
    """The same for a statement without rows. Returns how many it has changed."""
    async with pool.connection() as connection:
        return (await connection.execute(statement, parameters)).rowcount


async def end_task(task: asyncio.Task[Any]) -> None:
    """Cancels a task that uses a pool, and waits for its end. Until Python 3.12 the pool can
    swallow a cancellation (its wait_for), so it is repeated until it has been heard."""
    while not task.done():
        task.cancel()
        await asyncio.wait({task}, timeout=0.1)
