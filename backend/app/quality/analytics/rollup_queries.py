"""Keeps the rollups up to date: their SQL, and the loop of the dispatcher that runs it."""

import logging
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from psycopg import IsolationLevel
from psycopg.errors import QueryCanceled, SerializationFailure, UniqueViolation

from app.platform.db.pool import Connection, Pool, execute
from app.quality.analytics.sources import FIGURES, PERCENTILES, rows

# A day is rolled up once it is over for so long: verdicts of its last answers have come. Triggers
# (migrations/functions/mark_days_of_*.sql) and the view rolled_days rely on it.
CLOSED_HOURS = 1

_CLOSED = f"""date_trunc('day', (now() - interval '{CLOSED_HOURS} hours') AT TIME ZONE 'UTC')"""


_LAST_DAY = """COALESCE(
            (SELECT max(r.day) FROM qa_rolled_days r WHERE r.workspace_id = w.id), '-infinity')"""


def _next_day(workspace: str, day: str) -> str:
    """The first closed day with answers after `day`; by index, however many are between."""
    return f"""(
        SELECT (e.answered_at AT TIME ZONE 'UTC')::date AS day FROM qa_evaluations e
        WHERE e.workspace_id = {workspace}
            AND e.answered_at >= ({day} + 1)::timestamp AT TIME ZONE 'UTC'
            AND e.answered_at < {_CLOSED} AT TIME ZONE 'UTC'
        ORDER BY e.answered_at LIMIT 1)"""


# Days with answers, each workspace from the one after its last.
ADD_DAYS = f"""
WITH RECURSIVE days AS (
    SELECT w.id AS workspace_id, n.day FROM workspaces w
    CROSS JOIN LATERAL {_next_day("w.id", _LAST_DAY)} n
    UNION ALL
    SELECT d.workspace_id, n.day FROM days d
    CROSS JOIN LATERAL {_next_day("d.workspace_id", "d.day")} n
)
INSERT INTO qa_rolled_days (workspace_id, day) SELECT workspace_id, day FROM days
ON CONFLICT DO NOTHING
""".encode()
# In a transaction after the one that added the days: one that starts to write after this sees
# that they are there. A fence of another cluster, from which the database was restored, is none.
FENCE_DAYS = b"""
UPDATE qa_rolled_days SET fence = pg_current_xact_id()
WHERE zones IS NULL AND rolled_at IS NULL AND (fence IS NULL OR fence > pg_current_xact_id())
"""
# Days that are not over any more, because the clock was wrong.
REOPEN_DAYS = f"""
DELETE FROM qa_rolled_days d USING workspaces w
WHERE d.workspace_id = w.id AND d.day >= {_CLOSED}::date
""".encode()
# Days that were rolled up for other time zones are wanted again; they count meanwhile.
WANT_ZONES = b"""
UPDATE qa_rolled_days SET zones = NULL WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM qa_rolled_days WHERE zones <> %(zones)s::text[] LIMIT 10000))
"""
# The next day to be rolled up: one that is wanted, of which all who began to write before its fence
# have ended, or one that has changed. The newest first, for most questions are about them. The lock
# needs no transaction id, which would hold back the events of verdicts (decision 3) while the day
# is read.
_READY = """
NOT EXISTS (SELECT FROM qa_changed_days c
    WHERE c.workspace_id = d.workspace_id AND c.day = d.day
        AND c.changed_at > clock_timestamp() - make_interval(secs => %(quiet)s))
AND d.workspace_id::text || ' ' || d.day <> ALL (%(too_large)s::text[])
"""
CLAIM = f"""
SELECT n.workspace_id, n.day FROM (
    (SELECT d.workspace_id, d.day FROM qa_rolled_days d
    WHERE d.zones IS NULL
        AND (d.rolled_at IS NOT NULL OR d.fence < pg_snapshot_xmin(pg_current_snapshot()))
        AND {_READY}
    ORDER BY d.day DESC LIMIT 1)
    UNION ALL
    (SELECT d.workspace_id, d.day
    FROM (SELECT DISTINCT workspace_id, day FROM qa_changed_days) m
    JOIN qa_rolled_days d ON d.workspace_id = m.workspace_id AND d.day = m.day
    WHERE d.rolled_at IS NOT NULL AND {_READY}
    ORDER BY d.day DESC LIMIT 1)
    ORDER BY day DESC LIMIT 1
) n
WHERE pg_try_advisory_xact_lock(hashtextextended(n.workspace_id::text || ' ' || n.day, 0))
""".encode()
DELETE_MARKS = b"""
DELETE FROM qa_changed_days WHERE workspace_id = %(workspace_id)s AND day = %(day)s
"""
ROLLED = b"""
UPDATE qa_rolled_days SET rolled_at = now(), zones = %(zones)s::text[]
WHERE workspace_id = %(workspace_id)s AND day = %(day)s
"""
# Of a day whose answers have all been deleted.
DELETE_DAY = b"""
DELETE FROM qa_rolled_days WHERE workspace_id = %(workspace_id)s AND day = %(day)s
"""
# Marks of days that are not rolled up, such as those of workspaces that are gone.
DELETE_ORPHANED_MARKS = b"""
DELETE FROM qa_changed_days c WHERE NOT EXISTS (
    SELECT FROM qa_rolled_days d WHERE d.workspace_id = c.workspace_id AND d.day = c.day)
"""
# Plans of the pool are by index alone; these read many rows.
SETTINGS = b"""
SELECT set_config('enable_hashjoin', 'on', true), set_config('enable_mergejoin', 'on', true),
    set_config('work_mem', '64MB', true), set_config('jit', 'off', true),
    set_config('random_page_cost', '1.1', true),
    set_config('statement_timeout', '5min', true), set_config('role', 'searchqa_app', true),
    set_config('app.workspace_id', %(workspace_id)s, true)
"""

_FROM = "%(day)s::date::timestamp AT TIME ZONE 'UTC'"
_TO = "(%(day)s::date + 1)::timestamp AT TIME ZONE 'UTC'"
_OF_DAY = {
    "workspace_id": "v.workspace_id = %(workspace_id)s",
    "since": f"v.answered_at >= {_FROM}",
    "until": f"v.answered_at < {_TO}",
}
_BUCKETS = f"at >= {_FROM} AND at < {_TO}"

# Once for all judges and once for each, not by GROUPING SETS: those would read all days.
_TIMES = f"""count(*) AS verdicts, {PERCENTILES}
    FROM analytics.verdicts v
    WHERE v.workspace_id = %(workspace_id)s AND v.status = 'succeeded' AND v.is_current
        AND v.answered_at >= w.began AND v.answered_at < w.ended"""
_READ_TIMES = f"""
SELECT w.began, w.ended, t.*
FROM (
    SELECT DISTINCT d.day AT TIME ZONE z.zone AS began,
        (d.day + interval '1 day') AT TIME ZONE z.zone AS ended
    FROM unnest(%(zones)s::text[]) z (zone)
    CROSS JOIN LATERAL generate_series(
        date_trunc('day', ({_FROM}) AT TIME ZONE z.zone),
        ({_TO}) AT TIME ZONE z.zone - interval '1 us', interval '1 day') d (day)
) w
CROSS JOIN LATERAL (
    SELECT NULL AS judge_model, {_TIMES}
    UNION ALL
    SELECT v.judge_model, {_TIMES}
    GROUP BY 1
) t
WHERE t.verdicts > 0
"""


_READ_SLOWEST = f"""
SELECT {_FROM} AS at, v.evaluation_id, v.judge_model, v.verdict_ms, count(*) OVER () AS of_all
FROM analytics.verdicts v
WHERE {" AND ".join(_OF_DAY.values())}
    AND v.status = 'succeeded' AND v.finished_at IS NOT NULL
ORDER BY v.verdict_ms DESC, v.evaluation_id
LIMIT %(slowest)s
"""


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
        _READ_TIMES,
        # Days of all time zones that overlap the day (UTC).
        f"began < {_TO} AND ended > {_FROM}",
    ),
    _rollup(
        "qa_daily_slowest",
        ("at", "evaluation_id", "judge_model", "verdict_ms", "of_all"),
        _READ_SLOWEST,
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
