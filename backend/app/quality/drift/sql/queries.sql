-- The watch, for the dispatcher, and alarms, for the API. A transaction of the watch looks at one
-- workspace, which it enters as the API does. Days are those of the workspace's time zone.

-- name: claim
-- The day that is over by `hours`: verdicts of its last answers have had so long to come. Days of
-- today before backlogs of others.
SELECT q.workspace_id, q.next_day, {zone}
FROM quality_watches q LEFT JOIN evaluation_policies p ON p.workspace_id = q.workspace_id
WHERE (q.next_day + 1)::timestamp AT TIME ZONE {zone} + make_interval(hours => %(hours)s) <= now()
ORDER BY q.next_day DESC LIMIT 1
FOR UPDATE OF q SKIP LOCKED

-- name: start
-- Workspaces are watched from their first answer, or `days` ago where that is long past.
INSERT INTO quality_watches (workspace_id, next_day)
SELECT w.id, GREATEST(a.first, now() - make_interval(days => %(days)s)) AT TIME ZONE {zone}
FROM workspaces w LEFT JOIN evaluation_policies p ON p.workspace_id = w.id
CROSS JOIN LATERAL (
    SELECT min(answered_at) AS first FROM qa_evaluations e WHERE e.workspace_id = w.id) a
WHERE a.first IS NOT NULL
    AND NOT EXISTS (SELECT FROM quality_watches q WHERE q.workspace_id = w.id)
ON CONFLICT DO NOTHING

-- name: enter
-- Plans of the hot path are by index alone; these read many rows.
SELECT set_config('app.workspace_id', %(workspace_id)s, true),
    set_config('role', 'searchqa_app', true), set_config('statement_timeout', '30s', true),
    set_config('enable_hashjoin', 'on', true), set_config('enable_seqscan', 'on', true),
    set_config('enable_mergejoin', 'on', true), set_config('jit', 'off', true)

-- name: looked
UPDATE quality_watches SET next_day = next_day + 1 WHERE workspace_id = %(workspace_id)s

-- name: points
-- Points since the last alarm of their series, which begins anew then.
SELECT p.judge_model, p.series, p.first_day, p.last_day, p.answers, p.value, p.spread, p.score
FROM quality_points p
WHERE p.workspace_id = %(workspace_id)s AND p.judge_model = ANY(%(judges)s)
    AND p.first_day > COALESCE((
        SELECT max(a.noticed_on) FROM quality_alarms a
        WHERE a.workspace_id = p.workspace_id AND a.judge_model = p.judge_model
            AND a.series = p.series), '-infinity')
ORDER BY p.judge_model, p.series, p.first_day

-- name: put_point
INSERT INTO quality_points (workspace_id, judge_model, series, first_day, last_day, answers, value,
    spread, score)
VALUES (%(workspace_id)s, %(judge_model)s, %(series)s, %(first_day)s, %(last_day)s, %(answers)s,
    %(value)s, %(spread)s, %(score)s)
ON CONFLICT (workspace_id, judge_model, series, first_day) DO UPDATE SET
    last_day = excluded.last_day, answers = excluded.answers, value = excluded.value,
    spread = excluded.spread, score = excluded.score

-- name: put_alarm
-- A trigger puts it into the outbox of webhooks, in the same transaction.
INSERT INTO quality_alarms (id, workspace_id, judge_model, series, compared_from, began_on,
    noticed_on, before, after, answers_before, answers_after, causes)
VALUES (%(id)s, %(workspace_id)s, %(judge_model)s, %(series)s, %(compared_from)s, %(began_on)s,
    %(noticed_on)s, %(before)s, %(after)s, %(answers_before)s, %(answers_after)s, %(causes)s)
ON CONFLICT (workspace_id, judge_model, series, noticed_on) DO NOTHING

-- name: has_draws
SELECT FROM review_draws WHERE workspace_id = %(workspace_id)s LIMIT 1

-- name: time_zone
SELECT COALESCE(
    (SELECT time_zone FROM evaluation_policies WHERE workspace_id = :workspace_id), 'UTC')

-- name: list_alarms
SELECT id, judge_model, series, compared_from, began_on, noticed_on, before, after, answers_before,
    answers_after, causes, acknowledged_at, created_at
FROM quality_alarms WHERE workspace_id = :workspace_id
ORDER BY id DESC LIMIT :limit

-- name: acknowledge
UPDATE quality_alarms SET acknowledged_at = COALESCE(acknowledged_at, now())
WHERE workspace_id = :workspace_id AND id = :id
RETURNING id

-- name: watched
-- Points with a score since the last alarm, of judges that were asked lately.
WITH judges AS (
    SELECT DISTINCT p.judge_model FROM quality_points p
    JOIN quality_watches q ON q.workspace_id = p.workspace_id
    WHERE p.workspace_id = :workspace_id AND p.last_day > q.next_day - 1 - CAST(:days AS int)
)
SELECT j.judge_model, s.series, count(p.score) AS points, max(p.last_day) AS last_day
FROM judges j CROSS JOIN unnest(CAST(:series AS text[])) WITH ORDINALITY AS s (series, place)
LEFT JOIN quality_points p ON p.workspace_id = :workspace_id AND p.judge_model = j.judge_model
    AND p.series = s.series AND p.score IS NOT NULL
    AND p.first_day > COALESCE((
        SELECT max(a.noticed_on) FROM quality_alarms a
        WHERE a.workspace_id = :workspace_id AND a.judge_model = j.judge_model
            AND a.series = s.series), '-infinity')
GROUP BY j.judge_model, s.series, s.place
ORDER BY j.judge_model, s.place

-- name: cutoff
(now() - make_interval(days => %(days)s))::date

-- name: old_points
-- A test that is under way needs all its days: with the first ones gone it would begin anew among
-- the rest each night. So they stay while the series has a point that is not old.
p.last_day < {cutoff} AND (
    EXISTS (SELECT FROM quality_alarms a WHERE a.workspace_id = p.workspace_id
        AND a.judge_model = p.judge_model AND a.series = p.series AND a.noticed_on >= p.first_day)
    OR NOT EXISTS (SELECT FROM quality_points n WHERE n.workspace_id = p.workspace_id
        AND n.judge_model = p.judge_model AND n.series = p.series AND n.first_day >= {cutoff}))

-- name: old_alarms
a.created_at < now() - make_interval(days => %(days)s)

-- name: kept
-- The last alarm of a series says where it begins anew.
NOT EXISTS (SELECT FROM quality_alarms b WHERE b.workspace_id = a.workspace_id
    AND b.judge_model = a.judge_model AND b.series = a.series AND b.noticed_on > a.noticed_on)
AND EXISTS (SELECT FROM quality_points p WHERE p.workspace_id = a.workspace_id
    AND p.judge_model = a.judge_model AND p.series = a.series)

-- name: count_old_alarms
SELECT count(*) FROM quality_alarms a WHERE {old_alarms} AND NOT ({kept})

-- name: delete_alarms
DELETE FROM quality_alarms WHERE id = ANY(ARRAY(
    SELECT a.id FROM quality_alarms a WHERE {old_alarms} AND NOT ({kept})
    LIMIT %(limit)s FOR UPDATE SKIP LOCKED))

-- name: count_old_points
SELECT count(*) FROM quality_points p WHERE {old_points}

-- name: delete_points
DELETE FROM quality_points WHERE ctid = ANY(ARRAY(
    SELECT p.ctid FROM quality_points p WHERE {old_points}
    LIMIT %(limit)s FOR UPDATE SKIP LOCKED))
