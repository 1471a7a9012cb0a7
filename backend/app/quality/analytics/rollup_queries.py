"""SQL of the rollups, for the dispatcher."""

from collections.abc import Sequence
from typing import NamedTuple

from app.quality.analytics.figures import FIGURES
from app.quality.analytics.sources import PERCENTILES, rows

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
# In a transaction after the one that added the days: whoever begins to write after this one sees
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
FORGET_MARKS = b"""
DELETE FROM qa_changed_days WHERE workspace_id = %(workspace_id)s AND day = %(day)s
"""
ROLLED = b"""
UPDATE qa_rolled_days SET rolled_at = now(), zones = %(zones)s::text[]
WHERE workspace_id = %(workspace_id)s AND day = %(day)s
"""
# Of a day whose answers have all been deleted.
FORGET_DAY = b"""
DELETE FROM qa_rolled_days WHERE workspace_id = %(workspace_id)s AND day = %(day)s
"""
# Marks of days that are not rolled up, such as those of workspaces that are gone.
FORGET_GONE = b"""
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
    forget: bytes
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
