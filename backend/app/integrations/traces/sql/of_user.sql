-- Traces of a user; their spans go with them.

-- name: settled
WITH gone AS (
    DELETE FROM traces WHERE workspace_id = :workspace_id AND trace_id = ANY(:traces)
    RETURNING trace_id
)
SELECT 'traces' AS name, count(*) AS rows FROM gone

-- name: waiting
WITH gone AS (
    DELETE FROM traces t WHERE t.workspace_id = :workspace_id AND EXISTS (
        SELECT FROM trace_spans s
        WHERE s.workspace_id = t.workspace_id AND s.trace_id = t.trace_id
          AND :user_ref IN (s.content -> 'attributes' ->> 'user_ref',
            stored_user_ref(:workspace_id, s.content -> 'attributes' ->> 'user_ref')))
    RETURNING trace_id
)
SELECT 'traces' AS name, count(*) AS rows FROM gone
