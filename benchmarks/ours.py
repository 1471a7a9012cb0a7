"""SearchQA as it judges: worker processes and one dispatcher over PostgreSQL and Redis.

Answers are put into the tables where the API puts them, so the API takes no part here; storing an
answer is measured apart (bench_latency.py).
"""

import asyncio
import datetime as dt
import os
import signal
import time
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

from bench_answers import Progress, insert_answers, progress
from bench_parts import Servers, Stub, cpu_seconds, environment, memory_mb, running, settings
from figures import Figures

from app.operations.embedded import parts
from app.platform.broker import Publisher, Queue
from app.platform.db.session import Sessions
from app.platform.settings import Settings
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.workspaces.service import ensure_workspace

# What a worker says when it takes tasks, and a dispatcher when it begins.
READY, DISPATCHING = " ready.", "Dispatching every"
_JUDGE = "judge"


class Ours:
    """pids: by the name of the part whose CPU time counts."""

    def __init__(
        self, stub: Stub, sessions: Sessions, chosen: Settings, pids: Mapping[str, Sequence[int]]
    ) -> None:
        self._stub = stub
        self._sessions = sessions
        self._settings = chosen
        self._policy = EvaluationPolicy.from_settings(chosen)
        self._pids = pids

    async def judge(
        self, answers: int, *, one_by_one: bool = False, different: bool = False
    ) -> Figures:
        """Judges new answers, from the first claim (one by one: from the last message) to the last
        verdict; until then they wait for the dispatcher's next look, half a second at most.

        one_by_one: a message for each, as with fresh answers; they are all there when the worker
        begins, because one publisher alone would not keep it busy. different: no text of an
        answer has been seen before.
        """
        async with self._sessions() as session:
            workspace_id = await ensure_workspace(session)
            ids = await insert_answers(
                session, self._policy, workspace_id, answers, due=not one_by_one, vary=different
            )
            before = self._cpu()
            await session.commit()
        publishing, since = 0.0, None
        if one_by_one:
            publishing = await asyncio.to_thread(self._publish_while_worker_sleeps, ids)
            since = dt.datetime.now(dt.UTC)
        seconds = await self._until_judged(since, ids)
        after = self._cpu()
        cpu = {name: (after[name] - before[name]) * 1000 / answers for name in after}
        if one_by_one:
            cpu["publisher"] = publishing * 1000 / answers
        judge = cpu.pop(_JUDGE)
        memory = {name: memory_mb(pids) for name, pids in self._pids.items()}
        most = (await self._stub.stats())["most_in_flight"]
        return Figures(
            answers / seconds, sum(cpu.values()), most, sum(memory.values()), cpu, memory, judge
        )

    def _cpu(self) -> dict[str, float]:
        counted = {**self._pids, _JUDGE: [self._stub.pid]}
        return {name: cpu_seconds(pids) for name, pids in counted.items()}

    def _publish_while_worker_sleeps(self, ids: Sequence[uuid.UUID]) -> float:
        """Returns the CPU seconds of the publisher."""
        for pid in self._pids["worker"]:
            os.kill(pid, signal.SIGSTOP)
        try:
            publisher = Publisher(self._settings.redis.url or "", self._settings)
            start = time.thread_time()
            for id_ in ids:
                publisher.publish(Queue.LIVE, [id_])
            seconds = time.thread_time() - start
            publisher.close()
        finally:
            for pid in self._pids["worker"]:
                os.kill(pid, signal.SIGCONT)
        return seconds

    async def _until_judged(self, since: dt.datetime | None, ids: Sequence[uuid.UUID]) -> float:
        """The seconds from `since`, or from the first claim, to the last verdict."""
        answers, first = len(ids), min(ids)
        # Other programs do the work, so there is nothing to wait for but their traces (ASYNC110).
        # The database is asked only when the judge has been: a count over all rows costs it more
        # than a few verdicts do.
        while (await self._stub.stats())["requests"] < answers:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        while (done := await self._progress(first)).final < answers:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        since = since or done.claimed
        if done.succeeded != answers or done.last is None or since is None:
            raise SystemExit(f"{answers - done.succeeded} of {answers} answers got no verdict.")
        return (done.last - since).total_seconds()

    async def _progress(self, first: uuid.UUID) -> Progress:
        async with self._sessions() as session:
            return await progress(session, first)


@asynccontextmanager
async def judging(
    servers: Servers, stub: Stub, sessions: Sessions, *, workers: int = 1, **changes: object
) -> AsyncIterator[Ours]:
    """Workers and a dispatcher, ready and with these settings."""
    chosen = settings(servers, stub, **changes)
    variables = environment(chosen)
    async with AsyncExitStack() as stack:
        started = [
            await stack.enter_async_context(
                running(parts.worker(number, chosen, variables), until=READY)
            )
            for number in range(1, workers + 1)
        ]
        dispatcher = running(parts.dispatcher(variables), until=DISPATCHING)
        pids = {
            "worker": started,
            "dispatcher": [await stack.enter_async_context(dispatcher)],
            "redis": [servers.redis],
            "postgres": [servers.postgres],
        }
        yield Ours(stub, sessions, chosen, pids)
