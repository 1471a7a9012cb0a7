"""Notices when the database clock leaps. Retention deletes by that clock, for good."""

import logging
import time

from app.db.pool import Pool, fetch

logger = logging.getLogger("worker.dispatcher")

LEAP_SECONDS = 3600.0
# How long people have to set it right.
HOLD_SECONDS = 86_400.0
# It counts on while the machine sleeps, where the system has such a clock.
_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
_NOW = b"SELECT extract(epoch FROM now())::float8"


class SteadyClock:
    """Compares the database clock with one of this machine that nobody can set."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._offset: float | None = None
        self._held_until = 0.0

    async def is_steady(self) -> bool:
        """False for HOLD_SECONDS after a leap of more than LEAP_SECONDS, forwards or back. Raises
        psycopg.Error."""
        [(now,)] = await fetch(self._pool, _NOW)
        here = time.clock_gettime(_CLOCK)
        offset, before = now - here, self._offset
        self._offset = offset
        if before is not None and abs(offset - before) > LEAP_SECONDS:
            self._held_until = here + HOLD_SECONDS
            logger.warning(
                "The clock of the database leapt by %+.1f h; nothing is deleted by age for a day."
                " Check the clocks of both machines",
                (offset - before) / 3600,
            )
        return here >= self._held_until
