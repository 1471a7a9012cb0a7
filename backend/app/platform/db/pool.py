"""psycopg pools for the hot path, their metrics, and notifications."""

import asyncio
import logging
import uuid
from collections import defaultdict
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from select import POLLIN, poll
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import psycopg
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector
from psycopg import AsyncConnection, sql
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool

from app.platform.db.actor import actor
from app.platform.db.address import LOOK, allow_pooler, psycopg_url
from app.platform.metrics import REGISTRY


class PoolState(NamedTuple):
    """Connections that are open, lent and allowed; callers that wait for one; callers that had
    to leave without one since the process started."""

    open: int
    in_use: int
    limit: int
    waiting: int = 0
    timeouts: int = 0


_GAUGES = {
    "connections": "Connections that are open",
    "in_use": "Connections that are lent",
    "limit": "Connections that may be open",
    "waiting": "Callers that wait for a connection",
}
_POOL_TIMEOUTS = ("searchqa_pool_timeouts", "Callers that got no connection in time")
Family = GaugeMetricFamily | CounterMetricFamily
_Read = Callable[[Any], PoolState]


class _Pools(Collector):
    def __init__(self) -> None:
        self._watched: WeakKeyDictionary[object, tuple[str, _Read]] = WeakKeyDictionary()
        REGISTRY.register(self)

    def watch(self, pool: object, name: str, read: _Read) -> None:
        """Has the pool among the figures for as long as it lives. name: what it is for, one of
        ours; read: gives its state, in another thread than those that use it."""
        self._watched[pool] = (name, read)

    def describe(self) -> Iterable[Family]:
        families: list[Family] = [
            GaugeMetricFamily(f"searchqa_pool_{name}", documentation, labels=["pool"])
            for name, documentation in _GAUGES.items()
        ]
        families.append(CounterMetricFamily(*_POOL_TIMEOUTS, labels=["pool"]))
        return families

    def collect(self) -> Iterable[Family]:
        families = list(self.describe())
        sums: defaultdict[str, list[int]] = defaultdict(lambda: [0] * len(families))
        for pool, (name, read) in list(self._watched.items()):
            sums[name] = [a + b for a, b in zip(sums[name], read(pool), strict=True)]
        for name, figures in sums.items():
            for family, figure in zip(families, figures, strict=True):
                family.add_metric([name], figure)
        return families


watch_pool = _Pools().watch

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
    database_url: str,
    *,
    name: str = "other",
    min_size: int = 1,
    max_size: int = 4,
    plan_once: bool = False,
) -> Pool:
    """A closed psycopg pool for one event loop; open it with `async with`. Autocommit: each
    statement of the hot path is one transaction. name: what figures call it. min_size: 0 for one
    that is used now and then. plan_once: each connection plans a statement when it first sends it,
    and not for the values of the next ten."""
    pool: Pool = AsyncConnectionPool(
        psycopg_url(database_url),
        min_size=min_size,
        max_size=max_size,
        timeout=5,
        # Each connection takes 3 to 11 MB of PostgreSQL's memory; one at most is closed each time.
        max_idle=20,
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
    " set_config('role', 'searchqa_app', true), set_config('app.actor', {}, true)"
)


@asynccontextmanager
async def transaction_in_workspace(
    pool: Pool, workspace_id: uuid.UUID
) -> AsyncIterator[Connection]:
    """What `in_workspace` is to a session, for a reader who waits: a third of the time goes
    without SQLAlchemy. Commits at the end, or rolls back. Raises psycopg.Error."""
    async with pool.connection() as connection:
        await connection.execute(_BEGIN.format(str(workspace_id), actor()), prepare=False)
        yield connection


def has_pending_data(connection: Connection) -> bool:
    """Whether an idle connection has something to read, as it has when the server or the kernel
    has ended it. Asking the server itself would be a round trip for each use."""
    asking = poll()
    asking.register(connection.fileno(), POLLIN)
    return bool(asking.poll(0))


async def _check(connection: Connection) -> None:
    if has_pending_data(connection):
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


logger = logging.getLogger(__name__)

_RECONNECT_SECONDS = 1.0


async def notifications(
    pool: Pool, channel: str, *, look_every: float
) -> AsyncGenerator[str | None]:
    """Payloads of a channel, without end. None whenever one may have been missed: at the start,
    after a broken connection, and `look_every` seconds after the last look.

    Holds one connection of the pool. A PostgreSQL that is away is waited for.
    """
    while True:
        try:
            async with pool.connection() as connection:
                await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
                try:
                    while True:
                        yield None
                        async for notice in connection.notifies(timeout=look_every):
                            yield notice.payload
                finally:
                    if not connection.closed:
                        await connection.execute("UNLISTEN *")
        except (psycopg.Error, OSError) as error:
            logger.warning("Not notified on %s (%s); connecting again", channel, error)
        except Exception:
            logger.exception("Not notified on %s; connecting again", channel)
        await asyncio.sleep(_RECONNECT_SECONDS)
