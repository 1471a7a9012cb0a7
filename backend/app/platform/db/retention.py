"""Deletes what has been kept long enough, a bounded batch at a time."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence

from app.platform.db.pool import Pool, execute, fetch

BATCH = 500

# How much was deleted, or is due, by what it is; what there is none of is left out.
Deleted = Counter[str]


class Retention(ABC):
    """Statements may raise psycopg.Error; what was deleted stays deleted, and the call may be
    repeated. Two may run at once."""

    @abstractmethod
    async def forget_batch(self) -> Deleted:
        """One batch of each kind; empty when nothing is old enough."""

    @abstractmethod
    async def due(self) -> Deleted:
        """What is old enough now. Changes nothing."""

    async def forget_all(self) -> Deleted:
        """Batches until nothing is old enough."""
        total = Deleted()
        while batch := await self.forget_batch():
            total += batch
        return total


class RetentionByStatements(Retention):
    """kinds: what is deleted, the statement that deletes it, and the one that counts it, in this
    order. `given` are their parameters."""

    def __init__(
        self,
        pool: Pool,
        given: Mapping[str, object],
        kinds: Sequence[tuple[str, bytes, bytes]],
    ) -> None:
        self._pool = pool
        self._given = given
        self._kinds = kinds

    async def forget_batch(self) -> Deleted:
        deleted = Deleted()
        for kind, delete, _ in self._kinds:
            deleted[kind] = await execute(self._pool, delete, self._given)
        return +deleted

    async def due(self) -> Deleted:
        due = Deleted()
        for kind, _, count in self._kinds:
            [(due[kind],)] = await fetch(self._pool, count, self._given)
        return +due
