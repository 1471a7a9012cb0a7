"""Whether PostgreSQL takes writes: one that answers may have a full disk."""

import asyncio
import enum
import logging
from time import monotonic

import psycopg
from psycopg import errors

from app.platform.db.pool import Pool

# A new file of 16 pages or more and rows in the catalogs, which also go to the log; all of it is
# gone with the statement. Rows this short are not compressed.
PROBE = b"""
CREATE TEMP TABLE searchqa_write_probe ON COMMIT DROP AS
SELECT repeat('x', 1000) AS filling FROM generate_series(1, 128)
"""

logger = logging.getLogger(__name__)

# Readiness is asked by anybody and often; a write is tried once in this time (seconds).
PROBE_SECONDS = 5.0


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
