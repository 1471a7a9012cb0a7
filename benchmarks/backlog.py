"""What a backlog takes, and whether a long history makes the dispatcher dearer."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import history_queries as queries
import psycopg
from bench_answers import insert_answers
from bench_parts import Servers, Stub, cpu_seconds, environment, running, settings
from figures import Figures
from ours import DISPATCHING, judging

from app.operations.embedded import parts
from app.platform.db.session import Sessions
from app.verdicts.lifecycle.lifecycle import PUBLISH_WINDOW
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.workspaces.service import ensure_workspace

IDLE_SECONDS = 5


async def drain(
    servers: Servers, stub: Stub, sessions: Sessions, rows: int, latency: float
) -> Figures:
    """`rows` due answers are there at once, as after an outage; worker and dispatcher have the
    settings that `searchqa up` gives them."""
    async with judging(servers, stub, sessions) as ours:
        await stub.set_latency(0)
        await ours.judge(200)
        await stub.set_latency(latency, sigma=0.3 if latency else 0)
        return await ours.judge(rows)


@dataclass(frozen=True)
class DispatcherCost:
    """stored: verdicts in the table. idle_ms: CPU of dispatcher and PostgreSQL in a second in which
    nothing is due. publish_ms, publish_seconds: CPU for each row of a backlog, and the time until
    all of its ids were published."""

    stored: int
    idle_ms: float
    publish_ms: float
    publish_seconds: float
    database_mb: float


class History:
    """The dispatcher alone, without a worker, on a database of its own."""

    def __init__(self, servers: Servers, stub: Stub, sessions: Sessions) -> None:
        self._servers = servers
        self._stub = stub
        self._sessions = sessions
        self._settings = settings(servers, stub)

    async def fill(self, count: int) -> None:
        """Puts `count` verdicts of the past into the tables."""
        async with await self._connect() as connection:
            judged = await (await connection.execute(queries.ANY_JUDGED)).fetchone()
            if judged is None:
                raise SystemExit("There is no verdict that history could be made of.")
            values = {"count": count, "answer_id": judged[0]}
            async with connection.transaction():
                for statement in queries.FILL:
                    given = values if "%(" in statement else None
                    await connection.execute(statement.encode(), given)
                for table, of, changed in (
                    ("qa_answers", "t.id", queries.ANSWERS),
                    ("qa_evaluations", "t.answer_id", queries.EVALUATIONS),
                ):
                    found = await connection.execute(queries.COLUMNS, {"table": table})
                    columns = [row[0] for row in await found.fetchall()]
                    copies = queries.copies(table, columns, of, changed)
                    await connection.execute(copies.encode(), values)
            await connection.execute(queries.ANALYZE)

    async def cost(self) -> DispatcherCost:
        """Leaves the rows of a backlog behind, published, which the next worker judges. They are as
        many as are published while nobody claims them."""
        part = parts.dispatcher(environment(self._settings))
        async with running(part, until=DISPATCHING) as dispatcher:
            pids = [dispatcher, self._servers.postgres]
            await asyncio.sleep(1)  # its connections and first sweeps
            before = cpu_seconds(pids)
            await asyncio.sleep(IDLE_SECONDS)
            idle = cpu_seconds(pids) - before
            async with self._backlog(PUBLISH_WINDOW):
                before = cpu_seconds(pids)
            began = time.perf_counter()
            while await self.asked(queries.UNPUBLISHED):  # noqa: ASYNC110  other programs publish
                await asyncio.sleep(0.1)
            seconds = time.perf_counter() - began
            publishing = cpu_seconds(pids) - before
        return DispatcherCost(
            stored=int(await self.asked(queries.STORED)),
            idle_ms=idle * 1000 / IDLE_SECONDS,
            publish_ms=publishing * 1000 / PUBLISH_WINDOW,
            publish_seconds=seconds,
            database_mb=await self.asked(queries.SIZE) / 2**20,
        )

    @asynccontextmanager
    async def _backlog(self, rows: int) -> AsyncIterator[None]:
        """Rows that become due when the block ends."""
        policy = EvaluationPolicy.from_settings(self._settings)
        async with self._sessions.begin() as session:
            workspace_id = await ensure_workspace(session)
            await insert_answers(session, policy, workspace_id, rows, due=True)
            yield

    async def asked(self, query: str) -> Any:
        async with await self._connect() as connection:
            row = await (await connection.execute(query.encode())).fetchone()
            assert row
            return row[0]

    async def _connect(self) -> psycopg.AsyncConnection:
        # Only a superuser may leave references unchecked.
        url = self._servers.database_url.replace("//searchqa@", "//postgres@")
        return await psycopg.AsyncConnection.connect(url, autocommit=True)


async def with_history(
    servers: Servers, stub: Stub, sessions: Sessions, *, stored: int, backlog: int
) -> list[tuple[DispatcherCost, Figures]]:
    """The dispatcher's cost and the drain of what it published, when little is stored and when
    `stored` verdicts are."""
    history = History(servers, stub, sessions)
    await drain(servers, stub, sessions, 200, 0)
    results = []
    for count in (0, stored):
        if count:
            await history.fill(count)
        cost = await history.cost()
        await _judge_what_waits(servers, stub, sessions)
        results.append((cost, await drain(servers, stub, sessions, backlog, 0)))
    return results


async def _judge_what_waits(servers: Servers, stub: Stub, sessions: Sessions) -> None:
    history = History(servers, stub, sessions)
    await stub.set_latency(0)
    async with judging(servers, stub, sessions):
        while await history.asked(queries.WAITING):  # noqa: ASYNC110  other programs judge
            await asyncio.sleep(0.2)
