"""SQL of the rollups, for the dispatcher."""

from app.analytics.figures import FIGURES
from app.analytics.sources import rows

# A day is rolled up first when it is over for so long: verdicts of its last answers have come.
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
# The next day to be rolled up: all who began to write before its fence have ended. The newest first,
# for most questions are about them.
CLAIM = b"""
SELECT d.workspace_id, d.day FROM qa_rolled_days d
WHERE CASE WHEN d.rolled_at IS NULL
    THEN d.fence < pg_snapshot_xmin(pg_current_snapshot())
    ELSE EXISTS (SELECT FROM qa_changed_days c
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
UPDATE qa_rolled_days SET rolled_at = now()
WHERE workspace_id = %(workspace_id)s AND day = %(day)s
"""
# Marks of workspaces that are gone.
FORGET_GONE = b"""
DELETE FROM qa_changed_days c
WHERE NOT EXISTS (SELECT FROM workspaces w WHERE w.id = c.workspace_id)
"""
# One statement each; the pool's plans are by index alone, and these read many rows.
SETTINGS = b"""
SELECT set_config('enable_hashjoin', 'on', true), set_config('enable_mergejoin', 'on', true),
    set_config('work_mem', '64MB', true), set_config('jit', 'off', true),
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


def _replacing() -> list[bytes]:
    statements = []
    for each in FIGURES:
        columns = ", ".join(each.columns)
        statements += [
            f"DELETE FROM {each.table} WHERE workspace_id = %(workspace_id)s"
            f" AND at >= {_FROM} AND at < {_TO}",
            f"INSERT INTO {each.table} (workspace_id, {columns})\n"
            f"SELECT %(workspace_id)s, {columns} FROM (\n{each.summed(rows(each, _OF_DAY))}\n) s",
        ]
    return [each.encode() for each in statements]


# The sums of a day, instead of those before.
REPLACE = _replacing()
