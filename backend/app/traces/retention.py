"""Deletes what is kept of traces: spans that gave no answer after an hour, and the traces after
some days. Answers stay as long as other answers."""

from app.db.pool import Pool, execute, fetch
from app.settings import Settings
from app.traces import queries

# What comes later than this does not complete a trace any more.
LATE_HOURS = 1
BATCH = 500


class TraceRetention:
    """Two may run at once. Statements may raise psycopg.Error; what was deleted stays deleted."""

    def __init__(self, pool: Pool, settings: Settings, *, batch: int = BATCH) -> None:
        self._pool = pool
        self._given = {"hours": LATE_HOURS, "days": settings.keep_traces_days, "limit": batch}

    async def forget_batch(self) -> tuple[int, int]:
        """One batch of each kind. Returns how many traces were deleted, and how many lost their
        spans."""
        emptied = await execute(self._pool, queries.DROP_SPANS, self._given)
        return await execute(self._pool, queries.DELETE_TRACES, self._given), emptied

    async def forget_all(self) -> int:
        """Batches until nothing is old enough. Returns how many traces were deleted."""
        total = 0
        while any(batch := await self.forget_batch()):
            total += batch[0]
        return total

    async def due(self) -> int:
        """How many traces are old enough to be deleted. Changes nothing."""
        [(count,)] = await fetch(self._pool, queries.COUNT_OLD, self._given)
        return int(count)
