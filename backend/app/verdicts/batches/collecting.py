"""Puts rows that wait for a batch into one, and closes it."""

import logging
from decimal import Decimal

from app.platform.db.pool import Connection, Pool, execute, fetch
from app.platform.ids import new_id
from app.platform.jobs.store import JobStore
from app.platform.settings import Settings
from app.verdicts.batches import queries
from app.verdicts.lifecycle.parking import BatchGroup, ParkedRow, batch_groups, park
from app.verdicts.policy.queries import HOLD_BUDGET_OF_BATCH

logger = logging.getLogger(__name__)

# Rows of one batch: rendered and sent together, they take some ten megabytes.
MAX_ANSWERS = 2_000
# Rows that are taken in one transaction.
CHUNK = 500
# A batch that rows keep coming to is closed after so many times the idle time.
MAX_IDLE_PERIODS = 10
# How long a batch holds its part of a daily budget at most: longer than any policy lets rows wait.
HELD_SECONDS = 25 * 3_600.0


class Collecting:
    """Any number of processes may do it: rows are taken by one of them, and a workspace has one
    open batch for each judge."""

    def __init__(self, pool: Pool, jobs: JobStore, settings: Settings) -> None:
        self._pool = pool
        self._jobs = jobs
        self._settings = settings

    async def step(self) -> bool:
        """Collects from each workspace and judge, closes what is full, and has a job at each closed
        batch. True when there may be more to collect at once. Raises psycopg.Error."""
        async with self._pool.connection() as connection:
            groups = await batch_groups(connection)
        more = False
        for group in groups:
            more |= await self._collect(group) == CHUNK
        idle = self._settings.batches.collect_seconds
        given = {"full": MAX_ANSWERS, "idle": idle, "longest": MAX_IDLE_PERIODS * idle}
        await execute(self._pool, queries.CLOSE, given)
        for batch_id, workspace_id in await fetch(self._pool, queries.WITHOUT_JOB):
            payload = {"batch_id": str(batch_id)}
            key = str(batch_id)
            await self._jobs.enqueue([workspace_id], queries.BATCH_JOB, payload, key)
        return more

    async def _collect(self, group: BatchGroup) -> int:
        """Returns how many rows were taken."""
        async with self._pool.connection() as connection, connection.transaction():
            waits = await (await connection.execute(queries.RETRY_AT, group._asdict())).fetchone()
            if waits and waits[0]:
                return 0
            rows = await park(connection, group, CHUNK)
            if rows:
                await _add(connection, group, rows)
        if rows:
            logger.info("%d answers wait for a batch of %s", len(rows), group.judge_model)
        return len(rows)


async def _add(connection: Connection, group: BatchGroup, rows: list[ParkedRow]) -> None:
    deadline = min(row.run_at for row in rows)
    values = {"id": new_id(), "deadline_at": deadline, "answers": len(rows)}
    cursor = await connection.execute(queries.ADD_ROWS, group._asdict() | values)
    opened = await cursor.fetchone()
    assert opened
    batch_id, answers = opened
    lines = {
        "workspace_id": group.workspace_id,
        "batch_id": batch_id,
        "ids": [new_id() for _ in rows],
        "evaluations": [row.id for row in rows],
        "attempts": [row.attempt for row in rows],
    }
    await connection.execute(queries.ADD_LINES, lines)
    cost = sum((row.cost_usd or Decimal(0) for row in rows), Decimal(0))
    if cost:
        held = {"workspace_id": group.workspace_id, "work_id": batch_id, "piece_no": answers}
        held |= {"cost_usd": cost, "seconds": HELD_SECONDS}
        await connection.execute(HOLD_BUDGET_OF_BATCH, held)
