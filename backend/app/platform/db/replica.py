"""A streaming replica that may be read from while it is known how old its data is; and whether the
primary takes writes."""

import asyncio
import datetime as dt
import enum
import logging
import math
from dataclasses import dataclass
from time import monotonic
from typing import NamedTuple, NoReturn

import psycopg
from psycopg import errors
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from app.platform.db.pool import Pool, fetch
from app.platform.db.session import Sessions
from app.platform.db.statements import SqlFile

_SQL = SqlFile(__package__, "replica")
PRIMARY = _SQL("primary").encode()
REPLICA = _SQL("replica").encode()

logger = logging.getLogger(__name__)

LAG_POLL_SECONDS = 1.0
# A replica that does not answer for so long is left, and the primary is read.
PING_SECONDS = 1.0
NO_REPLICA = "it is no streaming replica of the database at DATABASE_URL"
# A new file of 16 pages or more and rows in the catalogs, which also go to the log; all of it is
# gone with the statement. Rows this short are not compressed.
PROBE = b"""
CREATE TEMP TABLE searchqa_write_probe ON COMMIT DROP AS
SELECT repeat('x', 1000) AS filling FROM generate_series(1, 128)
"""

# Readiness is asked by anybody and often; a write is tried once in this time (seconds).
PROBE_SECONDS = 5.0


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


class Storage(enum.StrEnum):
    """What PostgreSQL does with a write."""

    OK = "ok"
    DISK_FULL = "disk full"
    READ_ONLY = "read-only"
    UNREACHABLE = "unreachable"
    FAILING = "cannot write"


class WriteProbe:
    """Allocates some pages in PostgreSQL's data directory, and gives them back at once."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._lock = asyncio.Lock()
        self._found = Storage.OK
        self._until = 0.0

    async def storage(self) -> Storage:
        """What was found at most PROBE_SECONDS ago."""
        async with self._lock:
            if monotonic() >= self._until:
                found = await self._try()
                if found is not self._found:
                    logger.warning("Writing to PostgreSQL: %s", found)
                self._found, self._until = found, monotonic() + PROBE_SECONDS
            return self._found

    async def _try(self) -> Storage:
        try:
            async with self._pool.connection() as connection:
                await connection.execute(PROBE)
        except errors.DiskFull:
            return Storage.DISK_FULL
        except errors.ReadOnlySqlTransaction:
            return Storage.READ_ONLY
        except errors.InsufficientPrivilege:
            # The role may make no temporary tables; then it is not known, and assumed.
            return Storage.OK
        except (psycopg.OperationalError, OSError):
            return Storage.UNREACHABLE
        except psycopg.Error:
            return Storage.FAILING
        return Storage.OK
