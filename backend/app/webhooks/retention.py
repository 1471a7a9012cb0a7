"""Forgets deliveries that have been kept long enough, and secrets that have ended."""

from app.db.pool import Pool, execute
from app.settings import Settings

BATCH = 500

# One that still waits is kept while its webhook is on.
_DELIVERIES = b"""
DELETE FROM webhook_deliveries WHERE id IN (
    SELECT d.id FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
    WHERE d.created_at < now() - make_interval(days => %(days)s)
      AND NOT (d.status = 'pending' AND w.enabled)
    ORDER BY d.created_at LIMIT %(limit)s FOR UPDATE OF d SKIP LOCKED)
"""
_SECRETS = b"DELETE FROM webhook_secrets WHERE expires_at < now() - interval '1 day'"


async def forget_deliveries(pool: Pool, settings: Settings) -> bool:
    """One batch. True when there may be more. Raises psycopg.Error."""
    await execute(pool, _SECRETS)
    given = {"days": settings.keep_webhook_deliveries_days, "limit": BATCH}
    return await execute(pool, _DELIVERIES, given) == BATCH
