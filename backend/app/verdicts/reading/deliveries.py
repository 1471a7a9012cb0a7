"""When readers were first sent a verdict."""

import logging
import uuid
from collections import defaultdict
from time import monotonic

import psycopg

from app.platform.db.pool import Pool, transaction_in_workspace
from app.verdicts.reading import queries
from app.verdicts.reading.events import VerdictEvent

logger = logging.getLogger(__name__)


class Deliveries:
    """Notes final events that were passed on to a reader's stream, and stores the moment for many
    at once. What cannot be stored is dropped: it is a figure, and readers have their verdict."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._noted: dict[uuid.UUID, list[tuple[int, float]]] = defaultdict(list)

    def note(self, event: VerdictEvent) -> None:
        """Now is when it was delivered."""
        self._noted[event.workspace_id].append((event.cursor.id, monotonic()))

    async def store(self) -> None:
        noted, self._noted = self._noted, defaultdict(list)
        for workspace_id, events in noted.items():
            try:
                async with transaction_in_workspace(self._pool, workspace_id) as connection:
                    # By the clock of PostgreSQL, as all other moments of a verdict.
                    ago = [monotonic() - at for _, at in events]
                    given = {"workspace_id": workspace_id, "ids": [id_ for id_, _ in events]}
                    await connection.execute(queries.DELIVERED, {**given, "ago": ago})
            except (psycopg.Error, OSError) as error:
                logger.warning("When verdicts were delivered cannot be stored (%s)", error)
