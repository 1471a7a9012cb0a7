"""A streaming replica that may be read from while it is known how old its data is."""

import asyncio
import datetime as dt
import logging
import math
from dataclasses import dataclass
from time import monotonic
from typing import NamedTuple, NoReturn

import psycopg
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from app.platform.db.pool import Pool, fetch
from app.platform.db.session import Sessions

# Asked before the replica is, so that what has come since counts as missing. A replica has the
# system identifier of its primary; everybody may read it unless that was revoked.
PRIMARY = b"""
SELECT pg_current_wal_insert_lsn()::text AS log, clock_timestamp() AS now,
       system_identifier AS system, current_database()::text AS database
FROM pg_control_system()
"""
# Whether it is a replica of this primary, in the same database, and its age in seconds. The time of
# the last commit is by the primary's clock, and so is `now`. NULL for one that has not replayed a
# commit since it started.
REPLICA = b"""
SELECT pg_is_in_recovery() AND system_identifier = %(system)s
           AND current_database() = %(database)s,
    CASE
        WHEN pg_last_wal_replay_lsn() >= CAST(%(log)s AS pg_lsn) THEN 0
        ELSE EXTRACT(epoch FROM greatest(CAST(%(now)s AS timestamptz), committed) - committed)
    END::float8
FROM pg_control_system(), (SELECT pg_last_xact_replay_timestamp() AS committed) AS last
"""

logger = logging.getLogger(__name__)

LAG_POLL_SECONDS = 1.0
# A replica that does not answer for so long is left, and the primary is read.
PING_SECONDS = 1.0
NO_REPLICA = "it is no streaming replica of the database at DATABASE_URL"


class Primary(NamedTuple):
    """What a replica is compared with, as the statement returns it."""

    log: str
    now: dt.datetime
    system: int
    database: str


@dataclass(frozen=True, slots=True)
class Source:
    """Where all of one response is read from. age: seconds that the data may be old, rounded up;
    None where it is the primary's."""

    sessions: Sessions
    age: int | None = None


class Replica:
    """Compares the replica with its primary every LAG_POLL_SECONDS.

    The replica has all of what was committed until the moment when the primary's log was as long as
    what the replica has replayed; while it is behind, until the last commit that it has replayed.
    """

    def __init__(self, primary: Pool, replica: Pool, sessions: Sessions, max_lag: float) -> None:
        self._primary, self._replica, self._sessions = primary, replica, sessions
        self._max_lag = max_lag
        # Of `monotonic`; all that was committed before is there. Without one it is not known.
        self._complete_until: float | None = None
        self._used: bool | None = None

    async def run(self) -> NoReturn:
        while True:
            await self.measure_lag()
            await asyncio.sleep(LAG_POLL_SECONDS)

    async def measure_lag(self) -> None:
        """Finds out how old the data is. A primary that is away leaves what is known."""
        began = monotonic()
        try:
            [primary] = await fetch(self._primary, PRIMARY)
        except psycopg.errors.InsufficientPrivilege as error:
            self._note(str(error))
            return
        except (psycopg.Error, OSError):
            return
        compared = Primary(*primary)._asdict()
        try:
            [(is_replica, age)] = await fetch(self._replica, REPLICA, compared)
        except (psycopg.Error, OSError) as error:
            age, why = None, str(error)
        else:
            if not is_replica:
                age, why = None, NO_REPLICA
            else:
                why = "it has replayed nothing" if age is None else f"{age:.0f} s old"
        self._complete_until = None if age is None else began - age
        self._note(why)

    def _note(self, why: str) -> None:
        used = self._age() is not None
        if used != self._used:
            if used:
                logger.info("Reading analytics and lists from the replica, %s", why)
            else:
                logger.warning("Not reading from the replica (%s); the primary is read", why)
        self._used = used

    def _age(self) -> float | None:
        """None for one that must not be read."""
        if self._complete_until is None:
            return None
        age = monotonic() - self._complete_until
        return age if age <= self._max_lag else None

    async def source(self) -> Source | None:
        """None where the primary is to be read."""
        age = self._age()
        if age is None:
            return None
        try:
            async with asyncio.timeout(PING_SECONDS), self._sessions() as session:
                await session.execute(select(1))
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            self._complete_until = None
            self._note(str(error))
            return None
        return Source(self._sessions, math.ceil(age))
