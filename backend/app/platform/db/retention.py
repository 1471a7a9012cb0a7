"""Deletes what has been kept long enough, a bounded batch at a time."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Statements:
    """One that deletes what is old enough, at most `limit` rows, and one that counts it."""

    delete: bytes
    count: bytes


class RetentionByStatements(Retention):
    """statements: by what they delete, in this order. `given` are their parameters, with a limit
    that is BATCH unless it says so."""

    def __init__(
        self,
        pool: Pool,
        given: Mapping[str, object],
        statements: Mapping[str, Statements],
    ) -> None:
        self._pool = pool
        self._given = {"limit": BATCH, **given}
        self._statements = statements

    async def forget_batch(self) -> Deleted:
        deleted = Deleted()
        for what, statement in self._statements.items():
            deleted[what] = await execute(self._pool, statement.delete, self._given)
        return +deleted

    async def due(self) -> Deleted:
        due = Deleted()
        for what, statement in self._statements.items():
            [(due[what],)] = await fetch(self._pool, statement.count, self._given)
        return +due
