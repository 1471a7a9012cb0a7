"""Deletes old rows in batches; adds, analyzes and drops month partitions."""

import datetime as dt
import logging
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from psycopg.errors import DeadlockDetected, DependentObjectsStillExist, LockNotAvailable

from app.platform.db.pool import Pool, execute, fetch
from app.platform.db.statements import load_sql

BATCH = 500

# How much was deleted, or is due, by what it is; what there is none of is left out.
Deleted = Counter[str]


class Retention(ABC):
    """Statements may raise psycopg.Error; what was deleted stays deleted, and the call may be
    repeated. Two may run at once."""

    @abstractmethod
    async def delete_batch(self) -> Deleted:
        """One batch of each kind; empty when nothing is old enough."""

    @abstractmethod
    async def due(self) -> Deleted:
        """What is old enough now. Changes nothing."""

    async def delete_all(self) -> Deleted:
        """Batches until nothing is old enough."""
        total = Deleted()
        while batch := await self.delete_batch():
            total += batch
        return total


class RetentionByStatements(Retention):
    """kinds: what is deleted, the statement that deletes it, and the one that counts it, in this
    order. `given` are their parameters."""

    def __init__(
        self, pool: Pool, given: Mapping[str, object], kinds: Sequence[tuple[str, bytes, bytes]]
    ) -> None:
        self._pool = pool
        self._given = given
        self._kinds = kinds

    async def delete_batch(self) -> Deleted:
        deleted = Deleted()
        for kind, delete, _ in self._kinds:
            deleted[kind] = await execute(self._pool, delete, self._given)
        return +deleted

    async def due(self) -> Deleted:
        due = Deleted()
        for kind, _, count in self._kinds:
            [(due[kind],)] = await fetch(self._pool, count, self._given)
        return +due


PARTITIONS = load_sql(__package__, "partitions").encode()
MISSING = load_sql(__package__, "missing_partitions").encode()
ADD = b"SELECT add_month_partition(%(table)s::text::regclass, %(month)s)"
TABLES = b"""
SELECT relname FROM pg_class WHERE relkind = 'p' AND relnamespace = 'public'::regnamespace
"""
DROP = b"SELECT drop_month_partition(%(table)s::text::regclass, %(month)s)"
TO_ANALYZE = b"""
SELECT s.relname FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
WHERE c.relkind = 'p' AND s.schemaname = 'public'
  AND COALESCE(s.last_analyze, '-infinity') < now() - interval '1 day'
"""
# Rows of the default partition, or a sample of all of them, may take longer than a statement of the
# hot path ever should.
LET_TAKE_LONG = b"SET LOCAL statement_timeout = '5min'"
ANALYZE = b"SELECT analyze_partitioned(%(table)s::text::regclass)"

logger = logging.getLogger(__name__)

# Partitions of this month and of so many after it are there always.
MONTHS_AHEAD = 3
_WAITS = "The partition of %s of %s has to wait: the table is in use"


@dataclass(frozen=True)
class Partition:
    """month: its first day, in UTC; None for the default partition, which has what no other one
    takes. rows: an estimate. bytes: with indexes."""

    table: str
    month: dt.date | None
    rows: int
    bytes: int


async def list_partitions(pool: Pool) -> list[Partition]:
    """Oldest first. Raises psycopg.Error."""
    return [Partition(*row) for row in await fetch(pool, PARTITIONS)]


async def tables_by_month(pool: Pool, *, until: dt.date) -> dict[dt.date, list[str]]:
    """The tables with a partition of each month before `until`. Raises psycopg.Error."""
    found = defaultdict(list)
    for each in await list_partitions(pool):
        if each.month is not None and each.month < until:
            found[each.month].append(each.table)
    return found


async def add_missing(pool: Pool) -> int:
    """Returns how many were added. Raises psycopg.Error."""
    missing = await fetch(pool, MISSING, {"ahead": MONTHS_AHEAD})
    return sum([await _add(pool, table, month) for table, month in missing])


async def add_month(pool: Pool, month: dt.date) -> int:
    """The month's partition of each table that lacks it. Raises psycopg.Error."""
    tables = await fetch(pool, TABLES)
    return sum([await _add(pool, table, month) for (table,) in tables])


async def drop_months(pool: Pool, months: Iterable[tuple[str, dt.date]]) -> int:
    """Drops partitions with all their rows, and returns how many. The first that is in use is the
    last to be tried: writers of its table wait as long as we do. Raises psycopg.Error."""
    dropped = 0
    for table, month in months:
        try:
            dropped += bool(await _fetch_one(pool, DROP, {"table": table, "month": month}))
        except (LockNotAvailable, DeadlockDetected):
            logger.warning(_WAITS, table, month)
            break
        except DependentObjectsStillExist as error:
            logger.warning(
                "The partition of %s of %s stays until you drop what you have made of it: %s",
                *(table, month, error.diag.message_detail),
            )
    return dropped


async def analyze_due(pool: Pool) -> None:
    """Renews the planner's statistics of partitioned tables as a whole, once a day: autovacuum
    looks at partitions only. Raises psycopg.Error."""
    for (table,) in await fetch(pool, TO_ANALYZE):
        await _fetch_one(pool, ANALYZE, {"table": table})


async def _add(pool: Pool, table: str, month: dt.date) -> bool:
    try:
        return bool(await _fetch_one(pool, ADD, {"table": table, "month": month}))
    except (LockNotAvailable, DeadlockDetected):
        logger.info(_WAITS, table, month)
        return False


async def _fetch_one(pool: Pool, statement: bytes, given: Mapping[str, object]) -> object:
    async with pool.connection() as connection, connection.transaction():
        await connection.execute(LET_TAKE_LONG)
        [(value,)] = await (await connection.execute(statement, given)).fetchall()
        return value
