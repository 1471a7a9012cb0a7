"""Keeps the rollups up to date: their SQL, and the loop of the dispatcher that runs it."""

import logging
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from psycopg import IsolationLevel
from psycopg.errors import QueryCanceled, SerializationFailure, UniqueViolation

from app.platform.db.pool import Connection, Pool, execute
from app.platform.db.statements import SqlFile
from app.quality.analytics.sources import FIGURES, PERCENTILES, rows

# A day is rolled up once it is over for so long: verdicts of its last answers have come. Triggers
# (migrations/functions/mark_days_of_*.sql) and the view rolled_days rely on it.
CLOSED_HOURS = 1

_SQL = SqlFile(
    "app.quality.analytics", "rollups", closed_hours=str(CLOSED_HOURS), percentiles=PERCENTILES
)
ADD_DAYS = _SQL(
    "add_days",
    first_day=_SQL("next_day", workspace="w.id", day=_SQL("last_day")),
    following_day=_SQL("next_day", workspace="d.workspace_id", day="d.day"),
).encode()
FENCE_DAYS = _SQL("fence_days").encode()
REOPEN_DAYS = _SQL("reopen_days").encode()
WANT_ZONES = _SQL("want_zones").encode()
CLAIM = _SQL("claim").encode()
DELETE_MARKS = _SQL("delete_marks").encode()
ROLLED = _SQL("rolled").encode()
DELETE_DAY = _SQL("delete_day").encode()
DELETE_ORPHANED_MARKS = _SQL("delete_orphaned_marks").encode()
SETTINGS = _SQL("settings").encode()

_FROM, _TO = _SQL("day_began"), _SQL("day_ended")
_OF_DAY = {
    "workspace_id": "v.workspace_id = %(workspace_id)s",
    "since": f"v.answered_at >= {_FROM}",
    "until": f"v.answered_at < {_TO}",
}
_BUCKETS = f"at >= {_FROM} AND at < {_TO}"


class Rollup(NamedTuple):
    """The statements that read the sums of a day, as JSON (`rows`), and put them in the place of
    those before."""

    read: bytes
    delete: bytes
    add: bytes


def _rollup(table: str, columns: Sequence[str], read: str, of_day: str = _BUCKETS) -> Rollup:
    names = ", ".join(columns)
    return Rollup(
        f"SELECT COALESCE(json_agg(s), '[]')::text FROM (\n{read}\n) s".encode(),
        f"DELETE FROM {table} WHERE workspace_id = %(workspace_id)s AND {of_day}".encode(),
        f"INSERT INTO {table} (workspace_id, {names}) SELECT %(workspace_id)s, {names}"
        f" FROM json_populate_recordset(NULL::{table}, %(rows)s::json)".encode(),
    )


# The first is that of judgements.
ROLLUPS = (
    *(_rollup(f.table, f.columns, f.summed(rows(f, _OF_DAY))) for f in FIGURES),
    _rollup(
        "qa_daily_times",
        ("began", "ended", "judge_model", "verdicts", "queue_ms", "judge_ms", "verdict_ms"),
        _SQL("read_times"),
        # Days of all time zones that overlap the day (UTC).
        f"began < {_TO} AND ended > {_FROM}",
    ),
    _rollup(
        "qa_daily_slowest",
        ("at", "evaluation_id", "judge_model", "verdict_ms", "of_all"),
        _SQL("read_slowest", of_day=" AND ".join(_OF_DAY.values())),
    ),
)

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
            self._zones_wanted = await execute(self._pool, WANT_ZONES, self._given) == 0
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
        await execute(self._pool, DELETE_ORPHANED_MARKS)
        await execute(self._pool, REOPEN_DAYS)
        added = await execute(self._pool, ADD_DAYS)
        return await execute(self._pool, FENCE_DAYS) + added > 0

    async def _roll_next(self, connection: Connection) -> bool:
        async with connection.transaction():
            self._claimed = False
            given = {**self._given, "too_large": self._too_large}
            claimed = await (await connection.execute(CLAIM, given)).fetchone()
            if claimed is None:
                return False
            self._claimed = True
            workspace_id, day = claimed
            given |= {"workspace_id": workspace_id, "day": day}
            await connection.execute(SETTINGS, {"workspace_id": str(workspace_id)})
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
    for rollup in ROLLUPS:
        [read] = await (await connection.execute(rollup.read, given)).fetchall()
        sums.append(read[0])
    return sums


async def _store(connection: Connection, given: Mapping[str, object], sums: Sequence[str]) -> None:
    # The day's row first: it has changed if another dispatcher has rolled the day up since. Without
    # judgements the day has none.
    day = ROLLED if sums[0] != "[]" else DELETE_DAY
    for statement in (day, DELETE_MARKS):
        await connection.execute(statement, given)
    for rollup, found in zip(ROLLUPS, sums, strict=True):
        await connection.execute(rollup.delete, given)
        await connection.execute(rollup.add, {**given, "rows": found})
