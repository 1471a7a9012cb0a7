-- Groups of doubted answers that have none left, with their words.

-- name: emptied
DELETE FROM recurring_failures f
WHERE f.workspace_id = :workspace_id AND NOT EXISTS (
    SELECT FROM recurring_failure_answers a WHERE a.failure_id = f.id)
RETURNING f.id::text
