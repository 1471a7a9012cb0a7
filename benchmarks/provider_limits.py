"""How well four workers keep to a provider's limits, and whether fresh answers wait for them.

    python benchmarks/provider_limits.py [--answers N] [--case NAME …] [--peers NAME …]

A backlog on the bulk queue, and a fresh answer every second beside it, in front of a stub that
allows 600 requests and 400,000 tokens in any sliding minute and refuses the rest. Each case takes
four to eight minutes with the 2,000 answers of docs/cost.md; fewer than 1,000 say little, because
the first minute is not counted. --peers: other libraries judge as many answers within the same
limits, with a call each and their own concurrency and retries.
"""

import argparse
import asyncio
import tempfile
import time
import uuid
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import report
from bench_answers import finished_answer, insert_answers
from bench_parts import MODEL, Servers, Stub, environment, running, servers, settings, stub_judge
from limits_figures import MINUTE, REQUESTS, TOKENS, end_of_full_window, p95, shares
from ours import DISPATCHING, READY
from peers import NAMES, peer, prepare
from redis import Redis
from sqlalchemy import text

from app.operations.embedded import parts
from app.platform.broker import Publisher
from app.platform.db.pool import Pool, create_pool
from app.platform.db.session import Sessions, create_engine, create_sessions
from app.platform.settings import Settings
from app.verdicts.lifecycle.publisher import BackgroundPublisher
from app.verdicts.lifecycle.service import finish_answer
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.workspaces.service import ensure_workspace

BULK_WORKERS = 3
JUDGE_SECONDS, JUDGE_SIGMA = 0.5, 0.3
WARM_UP, LIVE_SAMPLES = 10, 60
_TO_BULK = text("UPDATE qa_evaluations SET queue = 'bulk' WHERE id = ANY(:ids)")
_ENDS = text("""
SELECT id, status, degraded, EXTRACT(EPOCH FROM finished_at - created_at) AS seconds
FROM qa_evaluations WHERE id = ANY(:ids) AND finished_at IS NOT NULL
""")


@dataclass(frozen=True)
class Case:
    """configured: the limits are set; stated: replies state them; halved: in the middle; cold: the
    backlog is there before the workers start, and nothing is known of the limits."""

    configured: bool = True
    stated: bool = False
    halved: bool = False
    cold: bool = False


CASES = {
    "limits set": Case(),
    "limits stated by replies": Case(configured=False, stated=True),
    "stated, halved in the middle": Case(stated=True, halved=True),
    "not stated, halved in the middle": Case(halved=True),
    "stated, not known before the backlog": Case(configured=False, stated=True, cold=True),
    "no limits known": Case(configured=False),
}


@dataclass
class Bench:
    """One case: its workers run."""

    stub: Stub
    sessions: Sessions
    pool: Pool
    settings: Settings
    publisher: BackgroundPublisher
    workspace_id: uuid.UUID

    async def live(
        self, per_second: float, stop: asyncio.Event, most: int = 10**9
    ) -> list[tuple[float, float]]:
        """When an answer was stored, and the seconds to its verdict, after the first few."""
        policy = EvaluationPolicy.from_settings(self.settings)
        ids: list[uuid.UUID] = []
        stored: list[float] = []
        begin = time.monotonic()
        while not stop.is_set() and len(ids) < most:
            await asyncio.sleep(max(0, begin + len(ids) / per_second - time.monotonic()))
            new = await finish_answer(self.pool, policy, finished_answer(self.workspace_id))
            self.publisher.publish(new.evaluation_id)
            ids.append(new.evaluation_id)
            stored.append(time.monotonic())
        ends = await self.ended(ids)
        waits = (float(seconds) for *_, seconds in ends)
        return list(zip(stored, waits, strict=True))[WARM_UP:]

    async def ended(self, ids: Sequence[uuid.UUID]) -> list[tuple[str, bool, float]]:
        async with asyncio.timeout(1800):
            while True:
                async with self.sessions() as session:
                    rows = (await session.execute(_ENDS, {"ids": list(ids)})).all()
                if len(rows) == len(ids):
                    found = {row[0]: row for row in rows}
                    return [(found[id_][1], found[id_][2], found[id_][3]) for id_ in ids]
                await asyncio.sleep(0.5)  # another program's work

    async def limit(self, requests: int, tokens: int, *, stated: bool, fresh: bool) -> None:
        query = f"requests={requests}&tokens={tokens}&stated={stated:d}&fresh={fresh:d}"
        await self.stub.client.get(f"/limit?{query}")

    async def log(self) -> Mapping[str, list[Any]]:
        return dict((await self.stub.client.get("/log")).json())

    async def halve(self, after: int, *, stated: bool) -> float:
        """When the limits were halved, which is once so many were served."""
        while len((await self.log())["served"]) < after:  # noqa: ASYNC110  another program
            await asyncio.sleep(1)
        await self.limit(REQUESTS // 2, TOKENS // 2, stated=stated, fresh=False)
        return time.monotonic()

    async def backlog(self, answers: int) -> Sequence[uuid.UUID]:
        async with self.sessions.begin() as session:
            policy = EvaluationPolicy.from_settings(self.settings)
            ids = await insert_answers(session, policy, self.workspace_id, answers, due=True)
            await session.execute(_TO_BULK, {"ids": list(ids)})
        return ids

    async def unloaded(self, case: Case) -> list[tuple[float, float]]:
        await self.limit(REQUESTS, TOKENS, stated=case.stated, fresh=True)
        return await self.live(2, asyncio.Event(), LIVE_SAMPLES + WARM_UP)

    async def run(self, case: Case, answers: int, waiting: Sequence[uuid.UUID]) -> list[str]:
        """A row of the table. waiting: the backlog, if it is there already."""
        unloaded = [] if waiting else await self.unloaded(case)
        await self.limit(REQUESTS, TOKENS, stated=case.stated, fresh=not waiting)
        ids = waiting or await self.backlog(answers)
        began, halved, stop = time.monotonic(), float("inf"), asyncio.Event()
        live = asyncio.create_task(self.live(1, stop))
        if case.halved:
            halved = await self.halve(answers // 2, stated=case.stated)
        ends = await self.ended(ids)
        stop.set()
        beside = await live
        log = await self.log()
        unloaded = unloaded or await self.unloaded(case)
        served, refused = log["served"], log["refused"]
        alone = p95([wait for _, wait in unloaded])
        full_until = end_of_full_window(served, halved)
        open_ = [w for at, w in beside if at + w < halved or at > full_until]
        return [
            *shares(served, refused, began, halved),
            f"{alone:.2f} s",
            f"{p95(open_):.2f} s ({p95(open_) / alone:.2f} ×, {len(open_)} of {len(beside)})",
            f"{p95([wait for _, wait in beside]):.2f} s",
            f"{sum(status == 'succeeded' and not degraded for status, degraded, _ in ends)}",
            f"{(served[-1][0] - began) / MINUTE:.1f} min",
        ]


async def measure(
    servers: Servers, stub: Stub, sessions: Sessions, case: Case, n: int
) -> list[str]:
    with Redis.from_url(servers.redis_url) as client:
        client.flushall()
    chosen = settings(servers, stub)
    variables = environment(chosen)
    if case.configured:
        variables["SEARCHQA_JUDGE_LIMITS"] = f"{MODEL}={REQUESTS}/{TOKENS}"
    await stub.set_latency(JUDGE_SECONDS, JUDGE_SIGMA)
    async with AsyncExitStack() as stack:
        pool = await stack.enter_async_context(create_pool(servers.database_url))
        publisher = Publisher(servers.redis_url, chosen)
        stack.callback(publisher.close)
        background = BackgroundPublisher(publisher)
        background.start()
        stack.callback(background.stop)
        async with sessions.begin() as session:
            workspace_id = await ensure_workspace(session)
        bench = Bench(stub, sessions, pool, chosen, background, workspace_id)
        await bench.limit(REQUESTS, TOKENS, stated=case.stated, fresh=True)
        waiting = await bench.backlog(n) if case.cold else []
        await stack.enter_async_context(running(parts.worker(1, chosen, variables), until=READY))
        for _ in range(BULK_WORKERS):
            bulk = parts.bulk_worker(chosen, variables)
            await stack.enter_async_context(running(bulk, until=READY))
        await stack.enter_async_context(running(parts.dispatcher(variables), until=DISPATCHING))
        return await bench.run(case, n, waiting)


async def measure_peer(stub: Stub, name: str, answers: int) -> list[str]:
    """A row of the table. Nothing is stored, and no answer is fresher than another."""
    if failure := prepare(name):
        return [f"cannot be installed: {failure}", *[""] * 6]
    async with peer(name, stub, "limits") as library:
        await stub.client.get(f"/limit?requests={REQUESTS}&tokens={TOKENS}&stated=1&fresh=1")
        began = time.monotonic()
        measured = await library.scores(answers)
        log = (await stub.client.get("/log")).json()
    return [
        *shares(log["served"], log["refused"], began, float("inf")),
        *["-"] * 3,
        f"{measured['scored']}",
        f"{measured['seconds'] / MINUTE:.1f} min",
    ]


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--answers", type=int, default=2000, help="of the backlog")
    parser.add_argument("--case", choices=CASES, nargs="*", default=list(CASES)[:5])
    parser.add_argument("--peers", choices=NAMES, nargs="+", default=[])
    options = parser.parse_args()
    head = [
        *("case", "utilisation", "refused (429)", "live p95, alone", "beside the backlog"),
        *("with the full window", "verdicts", "time"),
    ]
    rows = []
    with tempfile.TemporaryDirectory(prefix="searchqa-bench-") as folder:
        async with servers(Path(folder)) as both, stub_judge() as stub:
            engine = create_engine(both.database_url)
            sessions = create_sessions(engine)
            for name in options.case:
                row = await measure(both, stub, sessions, CASES[name], options.answers)
                rows.append([name, *row])
                print(report.table(head, rows), flush=True)
            await stub.set_latency(JUDGE_SECONDS, JUDGE_SIGMA)
            for name in options.peers:
                rows.append([name, *await measure_peer(stub, name, options.answers)])
                print(report.table(head, rows), flush=True)
            await engine.dispose()


if __name__ == "__main__":
    asyncio.run(main())
