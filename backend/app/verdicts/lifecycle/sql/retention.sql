-- What has been kept long enough. Ages are measured by the database clock, and days are those of the
-- row's workspace where it has a policy, else the server's (`days`, NULL for ever). What removes
-- takes at most `limit` rows, oldest first, and leaves those that another process holds.

-- name: min_days
-- The fewest days that anybody keeps something, NULL where all keep it for ever.
SELECT LEAST(%(answers)s::int, min(keep_answers_days)),
       LEAST(%(bodies)s::int, min(keep_judge_bodies_days)),
       LEAST(%(events)s::int, min(keep_events_days))
FROM evaluation_policies

-- name: old_body
-- Whether a row was kept for longer than its policy says. The planner sees the first condition's
-- number, and finds by index what may be old enough.
c.created_at < now() - make_interval(days => %(least)s)
  AND c.created_at < now() - make_interval(days => COALESCE(p.keep_judge_bodies_days, %(days)s::int))

-- name: old_event
v.created_at < now() - make_interval(days => %(least)s)
  AND v.created_at < now() - make_interval(days => COALESCE(p.keep_events_days, %(days)s::int))

-- name: old_answer
a.created_at < now() - make_interval(days => %(least)s)
  AND a.created_at < now() - make_interval(days => COALESCE(p.keep_answers_days, %(days)s::int))

-- name: old_bodies
-- The conditions on `c` and `v` are word for word those of their partial indexes.
SELECT c.id FROM judge_calls c
LEFT JOIN evaluation_policies p ON p.workspace_id = c.workspace_id
WHERE {old_body} AND (c.body IS NOT NULL OR c.content IS NOT NULL)
  AND EXISTS (
      SELECT FROM qa_evaluations e WHERE e.id = c.evaluation_id AND e.status IN {final})

-- name: old_events
-- The last event of a verdict is final and stays, so that a reader that resumes a stream, however
-- late, gets its end.
SELECT v.id FROM verdict_events v
LEFT JOIN evaluation_policies p ON p.workspace_id = v.workspace_id
WHERE {old_event} AND v.status IN ({unfinished})
  AND EXISTS (
      SELECT FROM qa_evaluations e WHERE e.id = v.evaluation_id AND e.status IN {final})

-- name: being_judged
SELECT FROM qa_evaluations e WHERE e.answer_id = a.id AND e.status NOT IN {final}

-- name: old_answers
SELECT a.id FROM qa_answers a
LEFT JOIN evaluation_policies p ON p.workspace_id = a.workspace_id
WHERE {old_answer} AND NOT EXISTS ({being_judged})

-- name: forget_bodies
WITH old AS ({old_bodies} ORDER BY c.created_at LIMIT %(limit)s FOR UPDATE OF c SKIP LOCKED)
UPDATE judge_calls c SET body = NULL, content = NULL FROM old WHERE c.id = old.id

-- name: delete_events
WITH old AS ({old_events} ORDER BY v.created_at LIMIT %(limit)s FOR UPDATE OF v SKIP LOCKED)
DELETE FROM verdict_events v USING old WHERE v.id = old.id

-- name: lock_answers
-- Two statements of one transaction. An evaluation that was added to an answer before the answer
-- was locked is seen by the second, and none can be added after.
{old_answers} ORDER BY a.created_at LIMIT %(limit)s FOR UPDATE OF a SKIP LOCKED

-- name: generic_plans
-- Else foreign keys plan anew for each row which partition to look at; planning takes longer.
SET LOCAL plan_cache_mode = force_generic_plan

-- name: first_kept_month
-- The first month that is not over for everybody, of which somebody keeps answers; no row where
-- somebody keeps them for ever. A day more than they say, for ids carry the time of another clock.
SELECT date_trunc('month', now() AT TIME ZONE 'UTC' - make_interval(days => max(days) + 1))::date,
       max(days)
FROM (SELECT COALESCE(p.keep_answers_days, %(days)s::int) AS days
      FROM workspaces w LEFT JOIN evaluation_policies p ON p.workspace_id = w.id) kept
HAVING bool_and(days IS NOT NULL)

-- name: of_month
BETWEEN uuid_lower_bound(%(month)s::timestamp AT TIME ZONE 'UTC')
        AND uuid_lower_bound((%(month)s::timestamp + interval '1 month') AT TIME ZONE 'UTC')

-- name: month_in_use
-- Whether something of the month is needed still: by a row that is not judged yet, or by an answer
-- that is younger than its id says. days: the longest that anybody keeps answers. Waiting and
-- running rows have an index each.
SELECT EXISTS (SELECT FROM qa_evaluations e WHERE e.status IN ({waiting})
               AND (e.id {of_month} OR e.answer_id {of_month}))
    OR EXISTS (SELECT FROM qa_evaluations e WHERE e.status = 'running'
               AND (e.id {of_month} OR e.answer_id {of_month}))
    OR EXISTS (SELECT FROM qa_answers a WHERE a.id {of_month}
               AND a.created_at >= now() - make_interval(days => %(days)s))

-- name: count_bodies
SELECT count(*) FROM ({old_bodies}) old

-- name: count_events
SELECT count(*) FROM ({old_events}) old

-- name: count_answers
SELECT count(*) FROM ({old_answers}) old
