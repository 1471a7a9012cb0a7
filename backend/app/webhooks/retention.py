"""Deletes deliveries that have been kept long enough, and secrets that have ended."""

from app.db.pool import Pool, execute, fetch
from app.settings import Settings
from app.webhooks import retention_queries as queries

BATCH = 500


class WebhookRetention:
    """Two may run at once. Statements may raise psycopg.Error; what was deleted stays deleted."""

    def __init__(self, pool: Pool, settings: Settings, *, batch: int = BATCH) -> None:
        self._pool = pool
        self._given = {"days": settings.keep_webhook_deliveries_days, "limit": batch}

    async def forget_batch(self) -> int:
        """Returns how many deliveries were deleted; there may be more while it is not 0."""
        await execute(self._pool, queries.DELETE_SECRETS)
        return await execute(self._pool, queries.DELETE_DELIVERIES, self._given)

    async def forget_all(self) -> int:
        """Batches until nothing is old enough. Returns how many deliveries were deleted."""
        total = 0
        while deleted := await self.forget_batch():
            total += deleted
        return total

    async def due(self) -> int:
        """How many deliveries are old enough to be deleted. Changes nothing."""
        [(count,)] = await fetch(self._pool, queries.COUNT_DELIVERIES, self._given)
        return int(count)
