"""What is remembered of the database's clock, for all dispatchers and beyond their end."""

import datetime as dt

from app.operations.system import queries
from app.platform.db.pool import Pool, fetch

LEAP_SECONDS = 3600.0
# How long nobody may have looked before a clock that went on is doubted.
AWAY_SECONDS = 7 * 86_400.0
# How long people have to set it right.
HOLD_SECONDS = 86_400.0


async def observe_clock(pool: Pool, *, leapt: bool) -> dt.datetime | None:
    """Until when nothing may be deleted by age, None while the clock is steady. leapt: somebody
    has just seen it leap. It has leapt, too, if it is before the last look by more than
    LEAP_SECONDS or after it by AWAY_SECONDS. Raises psycopg.Error."""
    given = {"leapt": leapt, "leap": LEAP_SECONDS, "away": AWAY_SECONDS, "hold": HOLD_SECONDS}
    held_until: dt.datetime | None
    [(held_until,)] = await fetch(pool, queries.OBSERVE_CLOCK, given)
    return held_until
