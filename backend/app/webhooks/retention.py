"""Deletes deliveries that have been kept long enough, and secrets that have ended."""

from app.db.pool import Pool, execute, fetch
from app.settings import Settings

BATCH = 500

# One that still waits is kept while its webhook is on.
_OLD = """
FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
WHERE d.created_at < now() - make_interval(days => %(days)s)
  AND NOT (d.status = 'pending' AND w.enabled)
"""
_COUNT = f"SELECT count(*) {_OLD}".encode()
_DELETE = f"""
DELETE FROM webhook_deliveries WHERE id IN (
    SELECT d.id {_OLD} ORDER BY d.created_at LIMIT %(limit)s FOR UPDATE OF d SKIP LOCKED)
""".encode()
_SECRETS = b"DELETE FROM webhook_secrets WHERE expires_at < now() - interval '1 day'"


class WebhookRetention:
    """Two may run at once. Statements may raise psycopg.Error; what was deleted stays deleted."""

    def __init__(self, pool: Pool, settings: Settings, *, batch: int = BATCH) -> None:
        self._pool = pool
        self._given = {"days": settings.keep_webhook_deliveries_days, "limit": batch}

    async def forget_batch(self) -> int:
        """Returns how many deliveries were deleted; there may be more while it is not 0."""
        await execute(self._pool, _SECRETS)
        return await execute(self._pool, _DELETE, self._given)

    async def forget_all(self) -> int:
        """Batches until nothing is old enough. Returns how many deliveries were deleted."""
        total = 0
        while deleted := await self.forget_batch():
            total += deleted
        return total

    async def due(self) -> int:
        """How many deliveries are old enough to be deleted. Changes nothing."""
        [(count,)] = await fetch(self._pool, _COUNT, self._given)
        return int(count)
