-- What webhooks were sent of failures that are gone.

-- name: deliveries
WITH gone AS (
    DELETE FROM webhook_deliveries
    WHERE workspace_id = :workspace_id AND data ->> 'failure_id' = ANY(:failures) RETURNING id
)
SELECT 'webhook_deliveries' AS name, count(*) AS rows FROM gone
