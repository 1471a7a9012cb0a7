"""Rolls closed days up, and again when one of their judgements has changed.

A figure of a day is read from its rollup only if the reader's snapshot has no mark of the day.
Triggers mark a day in the transaction that changes it (`migrations/functions/mark_days_of_*.sql`).
A rollup is computed in one snapshot and replaces the marks that this snapshot has, so a change that
is committed meanwhile leaves its mark.
"""

import logging
from collections.abc import Mapping, Sequence

from psycopg import IsolationLevel
from psycopg.errors import QueryCanceled, SerializationFailure, UniqueViolation

from app.platform.db.pool import Connection, Pool, execute
from app.quality.analytics import rollup_queries as queries

logger = logging.getLogger(__name__)

# Of a year some seventy thousand, from which a list of ten thousand is made.
SLOWEST_OF_DAY = 200


class Rollups:
    """Any number may run: a day is locked while it is rolled up.

    zones: time zones whose days have percentiles. quiet_seconds: a day is rolled up again once
    nothing has changed for so long; until then it would be in vain. slowest: how many of the
    slowest verdicts of a day are kept.
    """

    def __init__(
        self,
        pool: Pool,
        zones: Sequence[str],
        *,
        quiet_seconds: float = 60,
        slowest: int = SLOWEST_OF_DAY,
    ) -> None:
        self._pool = pool
        self._given: Mapping[str, object] = {
            "quiet": quiet_seconds,
            "zones": list(zones),
            "slowest": slowest,
        }
        self._too_large: list[str] = []
        self._claimed = False
        self._zones_wanted = False

    async def step(self) -> bool:
        """Rolls one day up, or adds the days that are over. True when there may be more. Raises
        psycopg.Error; nothing is stored then."""
        if not self._zones_wanted:
            # They change with a start only.
            self._zones_wanted = await execute(self._pool, queries.WANT_ZONES, self._given) == 0
        async with self._pool.connection() as connection:
            await connection.set_isolation_level(IsolationLevel.REPEATABLE_READ)
            try:
                if await self._roll_next(connection):
                    return True
            except (SerializationFailure, UniqueViolation):
                return True  # another dispatcher was first
            except QueryCanceled:
                if not self._claimed:
                    raise
                return True
            finally:
                await connection.set_isolation_level(None)
        await execute(self._pool, queries.FORGET_GONE)
        await execute(self._pool, queries.REOPEN_DAYS)
        added = await execute(self._pool, queries.ADD_DAYS)
        return await execute(self._pool, queries.FENCE_DAYS) + added > 0

    async def _roll_next(self, connection: Connection) -> bool:
        async with connection.transaction():
            self._claimed = False
            given = {**self._given, "too_large": self._too_large}
            claimed = await (await connection.execute(queries.CLAIM, given)).fetchone()
            if claimed is None:
                return False
            self._claimed = True
            workspace_id, day = claimed
            given |= {"workspace_id": workspace_id, "day": day}
            await connection.execute(queries.SETTINGS, {"workspace_id": str(workspace_id)})
            try:
                sums = await _read(connection, given)
            except QueryCanceled:
                self._too_large.append(f"{workspace_id} {day}")
                logger.warning(
                    "Workspace %s has too many answers on %s; the day is not rolled up",
                    workspace_id,
                    day,
                )
                raise
            await _store(connection, given, sums)
        return True


async def _read(connection: Connection, given: Mapping[str, object]) -> list[str]:
    """The sums of each of ROLLUPS, as JSON. Without a transaction id, however long it takes."""
    sums = []
    for rollup in queries.ROLLUPS:
        [read] = await (await connection.execute(rollup.read, given)).fetchall()
        sums.append(read[0])
    return sums


async def _store(connection: Connection, given: Mapping[str, object], sums: Sequence[str]) -> None:
    # The day's row first: it has changed if another dispatcher has rolled the day up since. Without
    # judgements the day has none.
    day = queries.ROLLED if sums[0] != "[]" else queries.FORGET_DAY
    for statement in (day, queries.FORGET_MARKS):
        await connection.execute(statement, given)
    for rollup, found in zip(queries.ROLLUPS, sums, strict=True):
        await connection.execute(rollup.forget, given)
        await connection.execute(rollup.add, {**given, "rows": found})
