-- name: delivery_backlog
-- How many, and for how long the oldest has been due (NULL where none is), by the index of each
-- webhook's pending ones; and the webhooks that were switched off because their receiver failed.
SELECT COALESCE(sum(d.due), 0)::bigint, extract(epoch FROM now() - min(d.oldest))::float8,
    (SELECT count(*) FROM webhooks WHERE disabled_reason IS NOT NULL)
FROM webhooks w CROSS JOIN LATERAL (
    SELECT count(*) AS due, min(run_at) AS oldest FROM webhook_deliveries
    WHERE webhook_id = w.id AND status = 'pending' AND run_at <= now()
) d
WHERE w.enabled

-- name: old
-- One that still waits is kept while its webhook is on.
FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
WHERE d.created_at < now() - make_interval(days => %(days)s)
  AND NOT (d.status = 'pending' AND w.enabled)

-- name: count_deliveries
SELECT count(*) {old}

-- name: delete_deliveries
DELETE FROM webhook_deliveries WHERE id = ANY(ARRAY(
    SELECT d.id {old} ORDER BY d.created_at LIMIT %(limit)s FOR UPDATE OF d SKIP LOCKED))

-- name: old_secrets
FROM webhook_secrets WHERE expires_at < now() - interval '1 day'

-- name: count_secrets
SELECT count(*) {old_secrets}

-- name: delete_secrets
DELETE {old_secrets}
