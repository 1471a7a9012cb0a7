"""SQL of deliveries without SQLAlchemy: the backlog, and rows to delete."""

from app.integrations.webhooks.events import DeliveryStatus

# How many, and for how long the oldest has been due (NULL where none is), by the index of each
# webhook's pending ones; and the webhooks that were switched off because their receiver failed.
DELIVERY_BACKLOG = f"""
SELECT COALESCE(sum(d.due), 0)::bigint, extract(epoch FROM now() - min(d.oldest))::float8,
    (SELECT count(*) FROM webhooks WHERE disabled_reason IS NOT NULL)
FROM webhooks w CROSS JOIN LATERAL (
    SELECT count(*) AS due, min(run_at) AS oldest FROM webhook_deliveries
    WHERE webhook_id = w.id AND status = '{DeliveryStatus.PENDING}' AND run_at <= now()
) d
WHERE w.enabled
""".encode()

# One that still waits is kept while its webhook is on.
_OLD = """
FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
WHERE d.created_at < now() - make_interval(days => %(days)s)
  AND NOT (d.status = 'pending' AND w.enabled)
"""
COUNT_DELIVERIES = f"SELECT count(*) {_OLD}".encode()
DELETE_DELIVERIES = f"""
DELETE FROM webhook_deliveries WHERE id = ANY(ARRAY(
    SELECT d.id {_OLD} ORDER BY d.created_at LIMIT %(limit)s FOR UPDATE OF d SKIP LOCKED))
""".encode()
_OLD_SECRETS = "FROM webhook_secrets WHERE expires_at < now() - interval '1 day'"
COUNT_SECRETS = f"SELECT count(*) {_OLD_SECRETS}".encode()
DELETE_SECRETS = f"DELETE {_OLD_SECRETS}".encode()
