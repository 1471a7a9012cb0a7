"""SQL of the rollups, for the dispatcher."""

from app.analytics.figures import FIGURES
from app.analytics.sources import PERCENTILES, rows

# A day is rolled up once it is over for so long: verdicts of its last answers have come. Triggers
# (migrations/functions/mark_days_of_*.sql) and the view rolled_days rely on it.
CLOSED_HOURS = 1

# Days with answers, each workspace from the one after its last.
ADD_DAYS = f"""
INSERT INTO qa_rolled_days (workspace_id, day)
SELECT w.id, d.day::date
FROM workspaces w
CROSS JOIN LATERAL (
    SELECT COALESCE(
        (SELECT max(r.day) + 1 FROM qa_rolled_days r WHERE r.workspace_id = w.id),
        (SELECT (min(e.answered_at) AT TIME ZONE 'UTC')::date FROM qa_evaluations e
         WHERE e.workspace_id = w.id)) AS day
) first
CROSS JOIN LATERAL generate_series(first.day::timestamp,
    (now() - interval '{CLOSED_HOURS} hours') AT TIME ZONE 'UTC' - interval '1 day',
    interval '1 day') d (day)
WHERE EXISTS (
    SELECT FROM qa_evaluations e
    WHERE e.workspace_id = w.id AND e.answered_at >= d.day AT TIME ZONE 'UTC'
        AND e.answered_at < (d.day + interval '1 day') AT TIME ZONE 'UTC')
ON CONFLICT DO NOTHING
""".encode()
# In a transaction after the one that added the days: whoever begins to write after this one sees
# that they are there. A fence of another cluster, from which the database was restored, is none.
FENCE_DAYS = b"""
UPDATE qa_rolled_days SET fence = pg_current_xact_id()
WHERE rolled_at IS NULL AND (fence IS NULL OR fence > pg_current_xact_id())
"""
# Days that are not over any more, because the clock was wrong.
REOPEN_DAYS = f"""
DELETE FROM qa_rolled_days
WHERE day >= ((now() - interval '{CLOSED_HOURS} hours') AT TIME ZONE 'UTC')::date
""".encode()
# The next day to be rolled up: all who began to write before its fence have ended. The newest
# first, for most questions are about them.
CLAIM = b"""
SELECT d.workspace_id, d.day FROM qa_rolled_days d
WHERE CASE WHEN d.rolled_at IS NULL
    THEN d.fence < pg_snapshot_xmin(pg_current_snapshot())
    ELSE d.zones IS DISTINCT FROM %(zones)s::text[] OR EXISTS (SELECT FROM qa_changed_days c
        WHERE c.workspace_id = d.workspace_id AND c.day = d.day)
    END
    AND NOT EXISTS (SELECT FROM qa_changed_days c
        WHERE c.workspace_id = d.workspace_id AND c.day = d.day
            AND c.changed_at > clock_timestamp() - make_interval(secs => %(quiet)s))
ORDER BY d.day DESC LIMIT 1
FOR UPDATE OF d SKIP LOCKED
"""
FORGET_MARKS = b"""
DELETE FROM qa_changed_days WHERE workspace_id = %(workspace_id)s AND day = %(day)s
"""
ROLLED = b"""
UPDATE qa_rolled_days SET rolled_at = now(), zones = %(zones)s::text[]
WHERE workspace_id = %(workspace_id)s AND day = %(day)s
"""
# Marks of workspaces that are gone.
FORGET_GONE = b"""
DELETE FROM qa_changed_days c
WHERE NOT EXISTS (SELECT FROM workspaces w WHERE w.id = c.workspace_id)
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


# Days of all time zones that overlap the day (UTC).
_FORGET_TIMES = f"""
DELETE FROM qa_daily_times
WHERE workspace_id = %(workspace_id)s AND began < {_TO} AND ended > {_FROM}
"""
# Once for all judges and once for each, not by GROUPING SETS: those would read all days.
_TIMES = f"""count(*) AS verdicts, {PERCENTILES}
    FROM analytics.verdicts v
    WHERE v.workspace_id = %(workspace_id)s AND v.status = 'succeeded' AND v.is_current
        AND v.answered_at >= w.began AND v.answered_at < w.ended"""
_ADD_TIMES = f"""
INSERT INTO qa_daily_times (workspace_id, began, ended, judge_model, verdicts, queue_ms, judge_ms,
    verdict_ms)
SELECT %(workspace_id)s, w.began, w.ended, t.*
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


_FORGET_SLOWEST = f"""
DELETE FROM qa_daily_slowest
WHERE workspace_id = %(workspace_id)s AND at >= {_FROM} AND at < {_TO}
"""
_ADD_SLOWEST = f"""
INSERT INTO qa_daily_slowest (workspace_id, at, evaluation_id, judge_model, verdict_ms, of_all)
SELECT %(workspace_id)s, {_FROM}, v.evaluation_id, v.judge_model, v.verdict_ms, count(*) OVER ()
FROM analytics.verdicts v
WHERE {" AND ".join(_OF_DAY.values())}
    AND v.status = 'succeeded' AND v.finished_at IS NOT NULL
ORDER BY v.verdict_ms DESC, v.evaluation_id
LIMIT %(slowest)s
"""


def _replacing() -> list[bytes]:
    statements = [_FORGET_TIMES, _ADD_TIMES, _FORGET_SLOWEST, _ADD_SLOWEST]
    for each in FIGURES:
        columns = ", ".join(each.columns)
        summed = each.summed(rows(each, _OF_DAY))
        forget = f"DELETE FROM {each.table} WHERE workspace_id = %(workspace_id)s"
        statements.append(f"{forget} AND at >= {_FROM} AND at < {_TO}")
        add = f"INSERT INTO {each.table} (workspace_id, {columns})"
        statements.append(f"{add}\nSELECT %(workspace_id)s, {columns} FROM (\n{summed}\n) s")
    return [each.encode() for each in statements]


# The sums of a day, instead of those before.
REPLACE = _replacing()
