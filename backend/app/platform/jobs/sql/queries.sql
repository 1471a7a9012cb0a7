-- Jobs.

-- name: enqueue
{insert_jobs}
VALUES (:id, :workspace_id, :kind, CAST(:payload AS jsonb), :dedupe_key)
{unless_unfinished}

-- name: unfinished_like_it
SELECT id FROM jobs
WHERE workspace_id = :workspace_id AND kind = :kind AND dedupe_key = :dedupe_key AND {is_unfinished}

-- name: every
SELECT id, kind, payload, status, attempt, done, total, error, created_at, started_at, finished_at,
    CASE WHEN status = 'retrying' THEN run_at END AS next_attempt_at
FROM jobs

-- name: view
{every} WHERE workspace_id = :workspace_id AND id = :id

-- name: view_page
-- NULL parameters do not filter. Ids sort by the time of creation.
{every}
WHERE workspace_id = :workspace_id
  AND (CAST(:status AS text) IS NULL OR status = :status)
  AND (CAST(:kind AS text) IS NULL OR kind = :kind)
  AND (CAST(:after AS uuid) IS NULL OR id < :after)
ORDER BY id DESC LIMIT :limit

-- name: cancel
-- A worker that is at it learns of it at its next heartbeat, because the job runs no more.
UPDATE jobs SET status = 'cancelled', finished_at = now(), lease_until = NULL
WHERE workspace_id = :workspace_id AND id = :id AND {is_unfinished}

-- name: cancel_all
-- All jobs of a kind whose payload contains this one.
UPDATE jobs SET status = 'cancelled', finished_at = now(), lease_until = NULL
WHERE workspace_id = :workspace_id AND kind = :kind AND payload @> CAST(:payload AS jsonb)
  AND {is_unfinished}

-- name: wake_deferred
-- What was deferred for one of `reasons` is due at once.
UPDATE jobs SET run_at = now(), enqueued_at = NULL
WHERE workspace_id = :workspace_id AND status = 'retrying'
  AND split_part(error, ':', 1) = ANY(:reasons)

-- name: state
SELECT state FROM jobs WHERE workspace_id = :workspace_id AND id = :id

-- name: merge_state
UPDATE jobs SET state = state || CAST(:state AS jsonb) WHERE id = :id

-- name: hold
-- Locks the row until the commit, so that nobody else can claim it in between.
SELECT id FROM jobs WHERE id = :id AND attempt = :attempt AND status = 'running' FOR NO KEY UPDATE

-- name: held
-- From here on for psycopg.
id = %(id)s AND attempt = %(attempt)s AND status = 'running'

-- name: enqueue_each
-- From here on for psycopg.
{insert_jobs}
SELECT id, workspace_id, %(kind)s, CAST(%(payload)s AS jsonb), %(dedupe_key)s
FROM unnest(%(ids)s::uuid[], %(workspace_ids)s::uuid[]) AS given (id, workspace_id)
{unless_unfinished}

-- name: claim
WITH free AS (
    SELECT id FROM jobs
    WHERE {which} AND kind = ANY(%(kinds)s)
      AND {is_waiting} AND run_at <= now()
    ORDER BY run_at, id LIMIT %(limit)s FOR UPDATE SKIP LOCKED
)
UPDATE jobs j SET
    status = 'running',
    attempt = j.attempt + 1,
    lease_until = now() + make_interval(secs => %(lease)s),
    enqueued_at = NULL,
    started_at = COALESCE(j.started_at, now())
FROM free WHERE j.id = free.id
RETURNING j.id, j.workspace_id, j.kind, j.payload, j.attempt, j.tries

-- name: extend
-- Returns the status, which shows why nothing was prolonged.
WITH extended AS (
    UPDATE jobs SET
        lease_until = now() + make_interval(secs => %(lease)s),
        done = COALESCE(%(done)s, done),
        total = COALESCE(%(total)s, total)
    WHERE {held} RETURNING id
)
SELECT EXISTS (SELECT FROM extended), status FROM jobs WHERE id = %(id)s

-- name: settle
-- Success, retry, failure and release differ only in their values.
WITH deleted AS (
    DELETE FROM jobs
    WHERE {held} AND %(status)s::text = 'succeeded' AND kind IN ({frequent_kinds})
    RETURNING id
), settled AS (
    UPDATE jobs SET
        status = %(status)s::text,
        error = %(error)s,
        tries = tries + %(tried)s,
        run_at = now() + make_interval(secs => %(delay)s),
        lease_until = NULL,
        finished_at = CASE WHEN %(status)s::text IN ({final}) THEN now() END
    WHERE {held} AND NOT EXISTS (SELECT FROM deleted)
    RETURNING id
)
SELECT id FROM deleted UNION ALL SELECT id FROM settled

-- name: reap
WITH expired AS (
    SELECT id FROM jobs WHERE status = 'running' AND lease_until <= now()
    ORDER BY lease_until LIMIT %(limit)s FOR UPDATE SKIP LOCKED
)
UPDATE jobs j SET
    crashes = j.crashes + 1,
    status = CASE WHEN j.crashes + 1 >= 4 THEN 'failed' ELSE 'retrying' END,
    error = CASE WHEN j.crashes + 1 >= 4
        THEN 'Given up: the worker died or hung 4 times while doing this job.'
        ELSE 'The worker died or hung while doing this job.' END,
    run_at = now(),
    lease_until = NULL,
    enqueued_at = NULL,
    finished_at = CASE WHEN j.crashes + 1 >= 4 THEN now() END
FROM expired WHERE j.id = expired.id
RETURNING j.id

-- name: take_due
WITH due AS (
    SELECT id FROM jobs
    WHERE {is_waiting} AND run_at <= now()
      AND (enqueued_at IS NULL OR enqueued_at < now() - make_interval(secs => %(republish)s))
      AND (crashes >= 2) = %(suspects)s
    ORDER BY run_at, id LIMIT %(limit)s FOR UPDATE SKIP LOCKED
)
UPDATE jobs j SET enqueued_at = now() FROM due WHERE j.id = due.id
RETURNING j.id

-- name: unpublish
UPDATE jobs SET enqueued_at = NULL WHERE id = ANY(%(ids)s) AND {is_waiting}

-- name: job_backlog
-- kind, status, how many, and for how long the oldest has been due; NULL where none is. Each half
-- has an index of its own.
SELECT kind, status, count(*), extract(epoch FROM now() - min(run_at) FILTER (
    WHERE run_at <= now()))::float8
FROM jobs WHERE {is_waiting} GROUP BY kind, status
UNION ALL
SELECT kind, status, count(*), NULL
FROM jobs WHERE status = 'running' GROUP BY kind, status

-- name: ended
-- Retention. The condition is word for word that of the index.
FROM jobs
WHERE status IN ({final}) AND kind NOT IN ({kept_kinds})
  AND finished_at < now() - make_interval(days => %(days)s)

-- name: count_ended
SELECT count(*) {ended}

-- name: delete_ended
DELETE FROM jobs WHERE id = ANY(ARRAY(
    SELECT id {ended} ORDER BY finished_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED))
