"""Month partitions: listed, added ahead of time, and dropped.

Tables whose rows belong to the month of a UUIDv7 are partitioned by it, see docs/partitions.md.
Whatever is written here is a transaction of its own that waits for locks briefly; one that does not
get them leaves its partition to the next call.
"""

import datetime as dt
import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from psycopg.errors import DeadlockDetected, DependentObjectsStillExist, LockNotAvailable

from app.platform.db import partition_queries as sql
from app.platform.db.pool import Pool, fetch

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
    return [Partition(*row) for row in await fetch(pool, sql.PARTITIONS)]


async def tables_by_month(pool: Pool, *, until: dt.date) -> dict[dt.date, list[str]]:
    """The tables with a partition of each month before `until`. Raises psycopg.Error."""
    found = defaultdict(list)
    for each in await list_partitions(pool):
        if each.month is not None and each.month < until:
            found[each.month].append(each.table)
    return found


async def add_missing(pool: Pool) -> int:
    """Returns how many were added. Raises psycopg.Error."""
    missing = await fetch(pool, sql.MISSING, {"ahead": MONTHS_AHEAD})
    return sum([await _add(pool, table, month) for table, month in missing])


async def add_month(pool: Pool, month: dt.date) -> int:
    """The month's partition of each table that lacks it. Raises psycopg.Error."""
    tables = await fetch(pool, sql.TABLES)
    return sum([await _add(pool, table, month) for (table,) in tables])


async def drop_months(pool: Pool, months: Iterable[tuple[str, dt.date]]) -> int:
    """Drops partitions with all their rows, and returns how many. The first that is in use is the
    last to be tried: writers of its table wait as long as we do. Raises psycopg.Error."""
    dropped = 0
    for table, month in months:
        try:
            dropped += bool(await _fetch_one(pool, sql.DROP, {"table": table, "month": month}))
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
    for (table,) in await fetch(pool, sql.TO_ANALYZE):
        await _fetch_one(pool, sql.ANALYZE, {"table": table})


async def _add(pool: Pool, table: str, month: dt.date) -> bool:
    try:
        return bool(await _fetch_one(pool, sql.ADD, {"table": table, "month": month}))
    except (LockNotAvailable, DeadlockDetected):
        logger.info(_WAITS, table, month)
        return False


async def _fetch_one(pool: Pool, statement: bytes, given: Mapping[str, object]) -> object:
    async with pool.connection() as connection, connection.transaction():
        await connection.execute(sql.LET_TAKE_LONG)
        [(value,)] = await (await connection.execute(statement, given)).fetchall()
        return value
