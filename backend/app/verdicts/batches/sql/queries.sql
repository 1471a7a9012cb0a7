-- Batches. Each statement that changes a state is guarded by the state before it.

-- name: retry_at
SELECT max(retry_at) > now() FROM judge_batches
WHERE workspace_id = %(workspace_id)s AND judge_model = %(judge_model)s AND state = 'failed'

-- name: add_rows
-- The open batch of a workspace and judge with more rows in it.
INSERT INTO judge_batches AS b (id, workspace_id, judge_model, state, deadline_at, answers)
VALUES (%(id)s, %(workspace_id)s, %(judge_model)s, 'collecting', %(deadline_at)s, %(answers)s)
ON CONFLICT (workspace_id, judge_model) WHERE state = 'collecting' DO UPDATE SET
    answers = b.answers + excluded.answers,
    deadline_at = least(b.deadline_at, excluded.deadline_at),
    last_row_at = now()
RETURNING id, answers

-- name: add_lines
INSERT INTO judge_batch_lines (id, workspace_id, batch_id, evaluation_id, attempt, position)
SELECT r.id, %(workspace_id)s, %(batch_id)s, r.evaluation_id, r.attempt, 0
FROM unnest(%(ids)s::uuid[], %(evaluations)s::uuid[], %(attempts)s::int[])
    AS r(id, evaluation_id, attempt)

-- name: close
-- Batches that are full, or to which nothing was added for a while.
UPDATE judge_batches SET state = 'submitting'
WHERE state = 'collecting' AND (
    answers >= %(full)s OR last_row_at <= now() - make_interval(secs => %(idle)s)
    OR created_at <= now() - make_interval(secs => %(longest)s))

-- name: without_job
-- Batches without a job at them: just closed, or their job was cancelled or given up.
SELECT b.id, b.workspace_id FROM judge_batches b
WHERE b.{at_work} AND NOT EXISTS (
    SELECT FROM jobs j WHERE j.workspace_id = b.workspace_id AND j.kind = '{batch_job}'
      AND j.dedupe_key = b.id::text AND j.status IN ({unfinished}))
ORDER BY b.id LIMIT 100

-- name: of_batch
-- Statements of jobs name the workspace, whose role they run in.
WHERE workspace_id = :workspace_id AND id = :id

-- name: get
-- overdue: it is time to cancel it, and read what there is before its rows are due for calls.
-- lost: it has not even ended by then. since_created: seconds since the provider was asked to create
-- it, or since it had. wanted: one of its rows still waits for it.
SELECT *, now() >= deadline_at - interval '10 minutes' AS overdue,
    now() >= deadline_at + interval '1 hour' AS lost,
    extract(epoch FROM now() - COALESCE(submitted_at, submitting_at))::float8 AS since_created,
    EXISTS (
        SELECT FROM (
            SELECT evaluation_id AS id, attempt FROM judge_batch_lines WHERE batch_id = :id
        ) r JOIN qa_evaluations e ON {parked}) AS wanted
FROM judge_batches {of_batch}

-- name: unread_lines
-- Lines whose reply has not been read.
SELECT id, evaluation_id, attempt, position, request_hash, purpose FROM judge_batch_lines
WHERE workspace_id = :workspace_id AND batch_id = :id AND read_at IS NULL
ORDER BY evaluation_id, position

-- name: clear_lines
-- Before what is handed in is set: nothing of what an earlier process has rendered is left.
UPDATE judge_batch_lines SET request_hash = NULL
WHERE workspace_id = :workspace_id AND batch_id = :id AND request_hash IS NOT NULL

-- name: set_lines
-- What is handed in: the requests of each row, of which the first has its line already.
INSERT INTO judge_batch_lines AS l
    (id, workspace_id, batch_id, evaluation_id, attempt, position, request_hash, purpose)
SELECT r.id, :workspace_id, :id, r.evaluation_id, r.attempt, r.position, r.request_hash, r.purpose
FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS r(
    id uuid, evaluation_id uuid, attempt int, position int, request_hash text,
    purpose text)
ON CONFLICT (evaluation_id, attempt, position) DO UPDATE SET
    request_hash = excluded.request_hash, purpose = excluded.purpose

-- name: drop_lines
DELETE FROM judge_batch_lines
WHERE workspace_id = :workspace_id AND batch_id = :id AND evaluation_id = ANY(:evaluations)

-- name: submitting
UPDATE judge_batches SET submitting_at = now(), requests = :requests, answers = :answers
{of_batch} AND state = 'submitting' AND cancel_requested_at IS NULL
RETURNING submitting_at

-- name: running
UPDATE judge_batches SET state = 'running', provider_batch = :provider_batch,
    submitted_at = now(), done = 0, failed = 0
{of_batch} AND state = 'submitting'

-- name: known
-- Batches of the provider that are known, see BatchEndpoint.find: of all workspaces, which share its
-- account, so this is asked outside of them.
SELECT provider_batch FROM judge_batches
WHERE provider_batch IS NOT NULL AND created_at > now() - interval '3 days'

-- name: polled
UPDATE judge_batches SET polls = polls + 1, done = :done, failed = :failed, error = :warning
{of_batch} AND state = 'running'

-- name: reading
UPDATE judge_batches SET state = 'reading' {of_batch} AND state = 'running'

-- name: mark_read
UPDATE judge_batch_lines SET read_at = now()
WHERE workspace_id = :workspace_id AND batch_id = :batch_id AND id = ANY(:ids) AND read_at IS NULL

-- name: unread_among
-- Of the given rows, those that have an unread line left.
SELECT DISTINCT evaluation_id FROM judge_batch_lines
WHERE workspace_id = :workspace_id AND batch_id = :batch_id AND evaluation_id = ANY(:evaluations)
  AND read_at IS NULL

-- name: count_read
UPDATE judge_batches SET stored = stored + :stored, errors = errors + :errors,
    dropped = dropped + :dropped, cost_usd = cost_usd + CAST(:cost_usd AS numeric)
WHERE workspace_id = :workspace_id AND id = :batch_id

-- name: finish
UPDATE judge_batches SET
    state = CASE WHEN :state = 'ended' AND cancel_requested_at IS NOT NULL THEN 'cancelled'
        ELSE :state END,
    error = COALESCE(:error, error), finished_at = now(),
    retry_at = now() + make_interval(secs => CAST(:retry_in AS float8))
{of_batch} AND NOT {final}

-- name: request_cancel
UPDATE judge_batches SET cancel_requested_at = COALESCE(cancel_requested_at, now()),
    state = CASE WHEN state = 'collecting' THEN 'submitting' ELSE state END
{of_batch} AND NOT {final}

-- name: rows
SELECT b.*, (
    SELECT count(DISTINCT l.evaluation_id) FROM judge_batch_lines l
    WHERE l.batch_id = b.id AND l.read_at IS NULL AND b.finished_at IS NULL) AS waiting
FROM judge_batches b WHERE b.workspace_id = :workspace_id

-- name: rows_in_state
{rows} AND (CAST(:state AS text) IS NULL OR b.state = :state)

-- name: old
-- What retention deletes.
b.{final} AND b.finished_at < now() - make_interval(days => %(days)s)

-- name: count_ended
SELECT count(*) FROM judge_batches b WHERE {old}

-- name: old_lines
FROM judge_batches b JOIN judge_batch_lines l ON l.batch_id = b.id WHERE {old}

-- name: count_ended_lines
SELECT count(*) {old_lines}

-- name: delete_ended_lines
DELETE FROM judge_batch_lines WHERE id = ANY(ARRAY(
    SELECT l.id {old_lines} LIMIT %(limit)s FOR UPDATE OF l SKIP LOCKED))

-- name: delete_ended
DELETE FROM judge_batches WHERE id = ANY(ARRAY(
    SELECT b.id FROM judge_batches b
    WHERE {old} AND NOT EXISTS (SELECT FROM judge_batch_lines l WHERE l.batch_id = b.id)
    LIMIT %(limit)s FOR UPDATE SKIP LOCKED))
