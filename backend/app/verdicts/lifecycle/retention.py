"""Deletes expired rows, a bounded batch at a time.

Only what hangs on verdicts in a final state is touched: a reply that was paid for stays as long
as its evaluation may need it.
"""

import datetime as dt
from time import monotonic

from app.platform.db.pool import Pool, execute, fetch
from app.platform.db.retention import BATCH, Deleted, Retention, drop_months, tables_by_month
from app.platform.db.statements import SqlFile, in_list
from app.platform.settings import Settings
from app.verdicts.answers.queries import delete_answers
from app.verdicts.status import FINAL, UNFINISHED, WAITING

SQL = SqlFile(
    __package__,
    "retention",
    final=f"({in_list(FINAL)})",
    unfinished=in_list(UNFINISHED),
    waiting=in_list(WAITING),
)
DELETE_ANSWERS = delete_answers(unless=SQL("being_judged"))

# `days` that the server keeps something, and the `least` that anybody does; None is for ever.
_Kept = dict[str, int | None]
# To look for months that are over takes longer than a batch, and one that is in use stays so.
PARTITIONS_SECONDS = 60.0


class VerdictRetention(Retention):
    """What the settings and the workspaces' own policies say: `answers` with all that hangs on
    them, `bodies`, the raw replies of calls of judges, and `events` that are not the last of their
    verdict. Where a month is over for everybody, its `partitions` go at once, and its answers find
    next to nothing that hangs on them."""

    def __init__(self, pool: Pool, settings: Settings, *, batch: int = BATCH) -> None:
        self._pool = pool
        self._settings = settings
        self._batch = batch
        self._partitions_from = monotonic()

    async def delete_batch(self) -> Deleted:
        answers, bodies, events = await self._kept()
        # Answers first: what goes with them need not be looked at any more.
        return +Deleted(
            partitions=await self._drop_partitions(answers),
            answers=await self._delete_answers(answers),
            bodies=await self._change("forget_bodies", bodies),
            events=await self._change("delete_events", events),
        )

    async def due(self) -> Deleted:
        answers, bodies, events = await self._kept()
        return +Deleted(
            partitions=len(await self._partitions_over(answers)),
            answers=await self._count("count_answers", answers),
            bodies=await self._count("count_bodies", bodies),
            events=await self._count("count_events", events),
        )

    async def _kept(self) -> list[_Kept]:
        """Of answers, bodies and events."""
        settings = self._settings
        server = {
            "answers": settings.retention.answers_days,
            "bodies": settings.retention.judge_bodies_days,
            "events": settings.retention.events_days,
        }
        [least] = await fetch(self._pool, SQL("min_days").encode(), server)
        return [
            {"least": fewest, "days": server[name]}
            for name, fewest in zip(server, least, strict=True)
        ]

    async def _change(self, name: str, kept: _Kept) -> int:
        return await execute(self._pool, SQL(name).encode(), {**kept, "limit": self._batch})

    async def _drop_partitions(self, kept: _Kept) -> int:
        """Now and then only, whatever comes of it."""
        if monotonic() < self._partitions_from:
            return 0
        self._partitions_from = monotonic() + PARTITIONS_SECONDS
        return await drop_months(self._pool, await self._partitions_over(kept))

    async def _partitions_over(self, kept: _Kept) -> list[tuple[str, dt.date]]:
        """The tables and months of which nobody keeps anything."""
        if kept["least"] is None:
            return []
        over = []
        for first_kept, days in await fetch(self._pool, SQL("first_kept_month").encode(), kept):
            for month, tables in (await tables_by_month(self._pool, until=first_kept)).items():
                given = {"month": month, "days": days}
                [(in_use,)] = await fetch(self._pool, SQL("month_in_use").encode(), given)
                if not in_use:
                    over += [(table, month) for table in tables]
        return over

    async def _delete_answers(self, kept: _Kept) -> int:
        if kept["least"] is None:
            return 0
        parameters = {**kept, "limit": self._batch}
        async with self._pool.connection() as connection, connection.transaction():
            found = await connection.execute(SQL("lock_answers").encode(), parameters)
            ids = [row[0] for row in await found.fetchall()]
            await connection.execute(SQL("generic_plans").encode())
            deleted = await connection.execute(DELETE_ANSWERS.encode(), {"ids": ids})
            return deleted.rowcount

    async def _count(self, name: str, kept: _Kept) -> int:
        if kept["least"] is None:
            return 0
        [(count,)] = await fetch(self._pool, SQL(name).encode(), kept)
        return int(count)
