"""SQL that reads what deliveries are due, of all workspaces."""

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
