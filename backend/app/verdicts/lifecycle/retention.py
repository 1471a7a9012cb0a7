"""Forgets what has been kept long enough, a bounded batch at a time.

Only what hangs on verdicts in a final state is touched: a reply that was paid for stays as long
as its evaluation may need it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Self

from app.db.pool import Pool, execute, fetch
from app.settings import Settings
from app.verdicts.lifecycle import retention_queries as sql

BATCH = 500
# `days` that the server keeps something, and the `least` that anybody does; None is for ever.
_Kept = dict[str, int | None]
# An answer takes some dozen rows of other tables with it.
ANSWERS_BATCH = 100


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How many answers were deleted with all that hangs on them, how many calls of judges lost
    their raw replies, and how many events that are not the last of their verdict were deleted."""

    answers: int = 0
    bodies: int = 0
    events: int = 0

    def __add__(self, other: Self) -> "Forgotten":
        return Forgotten(
            self.answers + other.answers, self.bodies + other.bodies, self.events + other.events
        )

    def __iter__(self) -> Iterator[tuple[str, int]]:
        return ((field.name, getattr(self, field.name)) for field in fields(self))

    def __bool__(self) -> bool:
        return any(count for _, count in self)


class Retention:
    """What the settings and the workspaces' own policies say, on one database. Statements may
    raise psycopg.Error; batches that were done before stay done, and the call may be repeated.
    Two may run at once."""

    def __init__(self, pool: Pool, settings: Settings, *, batch: int = BATCH) -> None:
        self._pool = pool
        self._settings = settings
        self._batch = batch

    async def forget_batch(self) -> Forgotten:
        """One batch of each kind; all zero when nothing is old enough."""
        answers, bodies, events = await self._kept()
        # Answers first: what goes with them need not be looked at any more.
        return Forgotten(
            answers=await self._delete_answers(answers),
            bodies=await self._change(sql.FORGET_BODIES, bodies),
            events=await self._change(sql.DELETE_EVENTS, events),
        )

    async def forget_all(self) -> Forgotten:
        """Batches until nothing is old enough."""
        total = Forgotten()
        while batch := await self.forget_batch():
            total += batch
        return total

    async def due(self) -> Forgotten:
        """What is old enough now. Changes nothing."""
        answers, bodies, events = await self._kept()
        return Forgotten(
            answers=await self._count(sql.COUNT_ANSWERS, answers),
            bodies=await self._count(sql.COUNT_BODIES, bodies),
            events=await self._count(sql.COUNT_EVENTS, events),
        )

    async def _kept(self) -> list[_Kept]:
        """Of answers, bodies and events."""
        settings = self._settings
        server = {
            "answers": settings.keep_answers_days,
            "bodies": settings.keep_judge_bodies_days,
            "events": settings.keep_events_days,
        }
        [least] = await fetch(self._pool, sql.MIN_DAYS.encode(), server)
        return [
            {"least": fewest, "days": server[name]}
            for name, fewest in zip(server, least, strict=True)
        ]

    async def _change(self, statement: str, kept: _Kept) -> int:
        return await execute(self._pool, statement.encode(), {**kept, "limit": self._batch})

    async def _delete_answers(self, kept: _Kept) -> int:
        if kept["least"] is None:
            return 0
        parameters = {**kept, "limit": min(self._batch, ANSWERS_BATCH)}
        async with self._pool.connection() as connection, connection.transaction():
            found = await connection.execute(sql.LOCK_ANSWERS.encode(), parameters)
            ids = [row[0] for row in await found.fetchall()]
            deleted = await connection.execute(sql.DELETE_ANSWERS.encode(), {"ids": ids})
            return deleted.rowcount

    async def _count(self, statement: str, kept: _Kept) -> int:
        if kept["least"] is None:
            return 0
        [(count,)] = await fetch(self._pool, statement.encode(), kept)
        return int(count)
