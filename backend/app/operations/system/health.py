"""The health of the installation as an API process sees it."""

import asyncio
import logging
from collections.abc import Sequence
from time import monotonic

import psycopg

from app.ai_router.limits.states import LimitStates
from app.notes.vector_indexes import Unindexed
from app.operations.system.diagnosis import (
    Condition,
    Health,
    Observation,
    SystemProblem,
    diagnose,
    lives,
    waits_for_limits,
)
from app.operations.system.processes import Process, read_paused, read_processes
from app.platform.db.pool import Pool
from app.platform.settings import Settings
from app.verdicts.reading.backlog import Backlog

logger = logging.getLogger(__name__)

# Probes and pages ask often; it is worked out once in this time (seconds).
FRESH_SECONDS = 5.0
UNKNOWN = Health((SystemProblem.alone(Condition.UNKNOWN),), delayed=False)


def last_backlog(processes: Sequence[Process]) -> tuple[Backlog, ...] | None:
    """As the dispatcher that has reported last has read it, because the API's own role sees one
    workspace at a time; None where none has."""
    told = [process for process in processes if process.backlog is not None]
    return min(told, key=lambda one: one.seen_seconds).backlog if told else None


def _last_unindexed(processes: Sequence[Process]) -> Unindexed | None:
    told = [process for process in processes if process.unindexed is not None]
    return min(told, key=lambda one: one.seen_seconds).unindexed if told else None


class HealthWatch:
    """Works the health out for all who ask at the same time."""

    def __init__(self, pool: Pool, settings: Settings, limits: LimitStates) -> None:
        self._pool = pool
        self._settings = settings
        self._limits = limits
        self._lock = asyncio.Lock()
        self._found = UNKNOWN
        self._until = 0.0

    async def health(self) -> Health:
        """As it was at most FRESH_SECONDS ago; unknown while PostgreSQL is away."""
        async with self._lock:
            if monotonic() >= self._until:
                try:
                    found = diagnose(await self.observe(), self._settings)
                except psycopg.Error as error:
                    logger.warning("The health of the installation is not known (%s)", error)
                    found = UNKNOWN
                except Exception:
                    # Reports of a release that says other things must not take readiness with them.
                    logger.exception("The health of the installation is not known")
                    found = UNKNOWN
                self._found, self._until = found, monotonic() + FRESH_SECONDS
            return self._found

    async def observe(self) -> Observation:
        """Raises psycopg.Error."""
        processes = await read_processes(self._pool)
        living = [process for process in processes if lives(process, self._settings)]
        return Observation(
            backlog=last_backlog(living),
            processes=processes,
            paused=await read_paused(self._pool),
            limited=waits_for_limits(await self._limits.read()),
            redis=await self._limits.redis_version() is not None,
            unindexed=_last_unindexed(living),
        )
