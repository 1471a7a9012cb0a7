-- Keeps the rollups of days up to date.

-- name: closed
date_trunc('day', (now() - interval '{closed_hours} hours') AT TIME ZONE 'UTC')

-- name: last_day
COALESCE(
            (SELECT max(r.day) FROM qa_rolled_days r WHERE r.workspace_id = w.id), '-infinity')

-- name: add_days
-- Days with answers, each workspace from the one after its last.
WITH RECURSIVE days AS (
    SELECT w.id AS workspace_id, n.day FROM workspaces w
    CROSS JOIN LATERAL {first_day} n
    UNION ALL
    SELECT d.workspace_id, n.day FROM days d
    CROSS JOIN LATERAL {following_day} n
)
INSERT INTO qa_rolled_days (workspace_id, day) SELECT workspace_id, day FROM days
ON CONFLICT DO NOTHING

-- name: fence_days
-- In a transaction after the one that added the days: one that starts to write after this sees
-- that they are there. A fence of another cluster, from which the database was restored, is none.
UPDATE qa_rolled_days SET fence = pg_current_xact_id()
WHERE zones IS NULL AND rolled_at IS NULL AND (fence IS NULL OR fence > pg_current_xact_id())

-- name: reopen_days
-- Days that are not over any more, because the clock was wrong.
DELETE FROM qa_rolled_days d USING workspaces w
WHERE d.workspace_id = w.id AND d.day >= {closed}::date

-- name: want_zones
-- Days that were rolled up for other time zones are wanted again; they count meanwhile.
UPDATE qa_rolled_days SET zones = NULL WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM qa_rolled_days WHERE zones <> %(zones)s::text[] LIMIT 10000))

-- name: ready
-- The next day to be rolled up: one that is wanted, of which all who began to write before its fence
-- have ended, or one that has changed. The newest first, for most questions are about them. The lock
-- needs no transaction id, which would hold back the events of verdicts (decision 3) while the day
-- is read.
NOT EXISTS (SELECT FROM qa_changed_days c
    WHERE c.workspace_id = d.workspace_id AND c.day = d.day
        AND c.changed_at > clock_timestamp() - make_interval(secs => %(quiet)s))
AND d.workspace_id::text || ' ' || d.day <> ALL (%(too_large)s::text[])

-- name: claim
SELECT n.workspace_id, n.day FROM (
    (SELECT d.workspace_id, d.day FROM qa_rolled_days d
    WHERE d.zones IS NULL
        AND (d.rolled_at IS NOT NULL OR d.fence < pg_snapshot_xmin(pg_current_snapshot()))
        AND {ready}
    ORDER BY d.day DESC LIMIT 1)
    UNION ALL
    (SELECT d.workspace_id, d.day
    FROM (SELECT DISTINCT workspace_id, day FROM qa_changed_days) m
    JOIN qa_rolled_days d ON d.workspace_id = m.workspace_id AND d.day = m.day
    WHERE d.rolled_at IS NOT NULL AND {ready}
    ORDER BY d.day DESC LIMIT 1)
    ORDER BY day DESC LIMIT 1
) n
WHERE pg_try_advisory_xact_lock(hashtextextended(n.workspace_id::text || ' ' || n.day, 0))

-- name: delete_marks
DELETE FROM qa_changed_days WHERE workspace_id = %(workspace_id)s AND day = %(day)s

-- name: rolled
UPDATE qa_rolled_days SET rolled_at = now(), zones = %(zones)s::text[]
WHERE workspace_id = %(workspace_id)s AND day = %(day)s

-- name: delete_day
-- Of a day whose answers have all been deleted.
DELETE FROM qa_rolled_days WHERE workspace_id = %(workspace_id)s AND day = %(day)s

-- name: delete_orphaned_marks
-- Marks of days that are not rolled up, such as those of workspaces that are gone.
DELETE FROM qa_changed_days c WHERE NOT EXISTS (
    SELECT FROM qa_rolled_days d WHERE d.workspace_id = c.workspace_id AND d.day = c.day)

-- name: settings
-- Plans of the pool are by index alone; these read many rows.
SELECT set_config('enable_hashjoin', 'on', true), set_config('enable_mergejoin', 'on', true),
    set_config('work_mem', '64MB', true), set_config('jit', 'off', true),
    set_config('random_page_cost', '1.1', true),
    set_config('statement_timeout', '5min', true), set_config('role', 'searchqa_app', true),
    set_config('app.workspace_id', %(workspace_id)s, true)

-- name: day_began
%(day)s::date::timestamp AT TIME ZONE 'UTC'

-- name: day_ended
(%(day)s::date + 1)::timestamp AT TIME ZONE 'UTC'

-- name: times
-- Once for all judges and once for each, not by GROUPING SETS: those would read all days.
count(*) AS verdicts, {percentiles}
    FROM analytics.verdicts v
    WHERE v.workspace_id = %(workspace_id)s AND v.status = 'succeeded' AND v.is_current
        AND v.answered_at >= w.began AND v.answered_at < w.ended

-- name: read_times
SELECT w.began, w.ended, t.*
FROM (
    SELECT DISTINCT d.day AT TIME ZONE z.zone AS began,
        (d.day + interval '1 day') AT TIME ZONE z.zone AS ended
    FROM unnest(%(zones)s::text[]) z (zone)
    CROSS JOIN LATERAL generate_series(
        date_trunc('day', ({day_began}) AT TIME ZONE z.zone),
        ({day_ended}) AT TIME ZONE z.zone - interval '1 us', interval '1 day') d (day)
) w
CROSS JOIN LATERAL (
    SELECT NULL AS judge_model, {times}
    UNION ALL
    SELECT v.judge_model, {times}
    GROUP BY 1
) t
WHERE t.verdicts > 0

-- name: read_slowest
SELECT {day_began} AS at, v.evaluation_id, v.judge_model, v.verdict_ms, count(*) OVER () AS of_all
FROM analytics.verdicts v
WHERE {of_day}
    AND v.status = 'succeeded' AND v.finished_at IS NOT NULL
ORDER BY v.verdict_ms DESC, v.evaluation_id
LIMIT %(slowest)s

-- name: next_day
-- The first closed day with answers after `{day}`; by index, however many are between.
(
        SELECT (e.answered_at AT TIME ZONE 'UTC')::date AS day FROM qa_evaluations e
        WHERE e.workspace_id = {workspace}
            AND e.answered_at >= ({day} + 1)::timestamp AT TIME ZONE 'UTC'
            AND e.answered_at < {closed} AT TIME ZONE 'UTC'
        ORDER BY e.answered_at LIMIT 1)
