-- Answers of a user. user_ref: as the application wrote it, or as it is stored; hashed: its hash,
-- as answers have it from before a policy that stores users as sent.

-- name: answers
-- Locked in the order of their ids.
SELECT id, split_part(traceparent, '-', 2) AS trace_id FROM qa_answers
WHERE workspace_id = :workspace_id
  AND user_ref IN (stored_user_ref(:workspace_id, :user_ref), :user_ref, :hashed)
ORDER BY id LIMIT :limit FOR UPDATE

-- name: evaluations
SELECT id FROM qa_evaluations WHERE workspace_id = :workspace_id AND answer_id = ANY(:answers)

-- name: counted
SELECT '{table}' AS name, count(*) AS rows FROM {table}
WHERE workspace_id = :workspace_id AND {column} = ANY(:{rows})

-- name: delete_answers
-- What hangs on them goes by foreign keys. The receipt stands for each of them in the audit log.
WITH nobody AS MATERIALIZED (SELECT set_config('app.actor', '', true) AS before)
DELETE FROM qa_answers USING nobody WHERE workspace_id = :workspace_id AND id = ANY(:answers)

-- name: receipt
SELECT record_user_deletion(:workspace_id, :user_ref, CAST(:deleted AS jsonb))
