-- Webhooks and their deliveries, for the API.

-- name: deliveries
-- A delivery is a row of many.
SELECT d.id, d.webhook_id, d.event, d.evaluation_id, d.status, d.tries, d.created_at,
    d.finished_at, d.data, d.log AS attempts,
    CASE WHEN d.status = 'pending' THEN d.run_at END AS next_attempt_at
FROM webhook_deliveries d
WHERE d.workspace_id = :workspace_id AND d.webhook_id = :webhook_id

-- name: add_secret
INSERT INTO webhook_secrets (id, workspace_id, webhook_id, secret)
VALUES (:id, :workspace_id, :webhook_id, :secret)

-- name: end_older_secrets
-- Two are valid at most: what was to end later ends now.
UPDATE webhook_secrets SET expires_at = CASE WHEN expires_at IS NULL
    THEN now() + make_interval(hours => :hours) ELSE now() END
WHERE webhook_id = :webhook_id AND workspace_id = :workspace_id
  AND (expires_at IS NULL OR expires_at > now())
RETURNING expires_at

-- name: add_test
INSERT INTO webhook_deliveries (id, workspace_id, webhook_id, event, data)
VALUES (:id, :workspace_id, :webhook_id, '{test_event}',
    jsonb_build_object('webhook_id', CAST(:webhook_id AS uuid)))

-- name: replay
-- One under way stays as it is: its worker holds it.
UPDATE webhook_deliveries SET status = 'pending', tries = 0, run_at = now(), finished_at = NULL,
    attempt = attempt + 1, lease_until = NULL
WHERE id = :id AND webhook_id = :webhook_id AND workspace_id = :workspace_id
  AND (lease_until IS NULL OR lease_until <= now())
RETURNING id
