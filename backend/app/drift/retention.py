"""Deletes alarms and watched points that have been kept long enough."""

from app.db.pool import Pool, execute, fetch
from app.drift import queries
from app.settings import Settings

BATCH = 500


class AlarmRetention:
    """Two may run at once. Statements may raise psycopg.Error; what was deleted stays deleted. The
    last alarm of a series that is watched stays: the series begins anew with it."""

    def __init__(self, pool: Pool, settings: Settings, *, batch: int = BATCH) -> None:
        self._pool = pool
        self._given = {"days": settings.keep_quality_days, "limit": batch}

    async def forget_batch(self) -> tuple[int, int]:
        """One batch of each kind. Returns how many alarms and how many points were deleted."""
        points = await execute(self._pool, queries.DELETE_POINTS, self._given)
        return await execute(self._pool, queries.DELETE_ALARMS, self._given), points

    async def forget_all(self) -> int:
        """Batches until nothing is old enough. Returns how many alarms were deleted."""
        total = 0
        while any(batch := await self.forget_batch()):
            total += batch[0]
        return total

    async def due(self) -> int:
        """How many alarms are old enough to be deleted. Changes nothing."""
        [(count,)] = await fetch(self._pool, queries.COUNT_OLD_ALARMS, self._given)
        return int(count)
