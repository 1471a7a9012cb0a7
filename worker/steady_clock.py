"""Notices when the database clock leaps. Retention deletes by that clock, for good."""

import datetime as dt
import logging
import time

from app.operations.system.clock import LEAP_SECONDS, observe_clock
from app.platform.db.pool import Pool, fetch

logger = logging.getLogger("worker.dispatcher")

# How often what others have noticed is read, and told to those who come after.
REMEMBER_SECONDS = 60.0
# It counts on while the machine sleeps, where the system has such a clock.
_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
_NOW = b"SELECT extract(epoch FROM now())::float8"


class SteadyClock:
    """Compares the database clock with one of this machine that nobody can set, and with what it
    said before this process was there."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._offset: float | None = None
        self._held_until: dt.datetime | None = None
        self._remembered_at = float("-inf")

    async def is_steady(self) -> bool:
        """False for a day after a leap forwards or back, whoever has noticed it. Raises
        psycopg.Error."""
        [(now,)] = await fetch(self._pool, _NOW)
        here = time.clock_gettime(_CLOCK)
        offset, before = now - here, self._offset
        leapt = before is not None and abs(offset - before) > LEAP_SECONDS
        if leapt or here >= self._remembered_at + REMEMBER_SECONDS:
            held_until = await observe_clock(self._pool, leapt=leapt)
            self._remembered_at = here
            if held_until is not None and held_until != self._held_until:
                logger.warning(
                    "The clock of the database leapt, or no dispatcher ran for a week: nothing is"
                    " deleted by age until %s. Check that clock",
                    f"{held_until:%Y-%m-%d %H:%M %Z}",
                )
            self._held_until = held_until
        self._offset = offset
        return self._held_until is None
