"""Real processes over one database and one Redis, and what must hold after a fault."""

import asyncio
import itertools
import os
import sys
import uuid
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
from victims import Process, Redis, sessions_of_processes

from app.operations.embedded import parts
from app.operations.embedded.supervisor import Part
from app.platform.broker import Publisher, Queue
from app.verdicts.lifecycle.publisher import BackgroundPublisher
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.workspaces.service import DEFAULT_WORKSPACE, create_token, ensure_workspace
from app.workspaces.tokens import Scope
from cases import TIMEOUT_SECONDS, eventually
from judge_replies import well
from stub_server import StubServer
from verdict_world import World, open_world, settings, store_answers

HOST = "127.0.0.1"
MODEL = "openai:stub"
# What the sessions of our processes are called in PostgreSQL; the test's own have no name.
APPLICATION = "searchqa"

# As applications post one.
ANSWER = {
    "question": "변성 온도는?",
    "answer": "변성은 95도에서 합니다. [노트 1]",
    "feature": "search_qa",
    "sources": [{"title": "PCR 조건", "content": "변성은 95도에서 30초 동안 한다."}],
}

# The shortest lease that the settings allow for this deadline.
TIMING: dict[str, Any] = {
    "judge_deadline": 1,
    "judge_lease": 11.1,
    "task_time_limit": 20,
    "dispatch_interval": 0.1,
    "republish_after": 2,
    "retry_base": 0.1,
    "retry_max": 1,
    # Judges get many calls at once, which no reply has to come before.
    "judge_limits_learned": False,
}
# For tests that count calls: a busy machine must not make a good call late.
LONG_LEASE: dict[str, Any] = {"judge_deadline": 5, "judge_lease": 15.1}

# A call of an attempt is paid for again when a usable reply to the same request was stored before
# that attempt was claimed. Transaction ids tell what came first. A batch is no claim: for its rows
# the stub's own count tells.
_TALLY = """
WITH final_events AS (
    SELECT evaluation_id, count(*) AS emitted FROM verdict_events
    WHERE status IN ('succeeded', 'failed', 'skipped') GROUP BY evaluation_id
), claims AS (
    SELECT evaluation_id, xid::text::bigint AS at,
           row_number() OVER (PARTITION BY evaluation_id ORDER BY xid, id) AS attempt
    FROM verdict_events WHERE status = 'running'
), again AS (
    SELECT DISTINCT b.id FROM judge_calls a
    JOIN judge_calls b USING (evaluation_id, request_hash)
    JOIN claims c ON c.evaluation_id = b.evaluation_id AND c.attempt = b.attempt
    WHERE a.id <> b.id
      AND a.content IS NOT NULL AND NOT a.discarded AND a.xmin::text::bigint < c.at
)
SELECT (SELECT count(*) FROM qa_answers) AS answers,
       count(*) FILTER (WHERE e.status = 'succeeded' AND f.emitted = 1) AS verdicts,
       count(*) FILTER (WHERE e.degraded) AS degraded,
       count(*) FILTER (WHERE e.status = 'failed' AND f.emitted = 1) AS failed,
       COALESCE(sum(f.emitted - 1), 0)::int + count(*)::int - count(DISTINCT e.answer_id)::int
           AS duplicates,
       (SELECT count(*) FROM again) AS paid_again
FROM qa_evaluations e LEFT JOIN final_events f ON f.evaluation_id = e.id WHERE e.is_current
"""
_UNFINISHED = "SELECT * FROM qa_evaluations WHERE status IN ('queued', 'running', 'retrying')"


def customized(folder: str, environment: Mapping[str, str]) -> dict[str, str]:
    """The environment of a process that imports the sitecustomize of this folder beside here."""
    path = [str(Path(__file__).with_name(folder)), environment.get("PYTHONPATH", "")]
    return {**environment, "PYTHONPATH": os.pathsep.join(filter(None, path))}


@dataclass
class Tally:
    """What came of the answers of one run. `lost` counts answers without a final state; `calls`
    are the requests that reached the judge; `runs` is how many times the fault was injected."""

    fault: str
    answers: int
    verdicts: int
    degraded: int
    failed: int
    duplicates: int
    lost: int
    calls: int
    paid_again: int
    runs: int = 1


class Stack:
    """SearchQA's processes over one database, one Redis and a stub judge. A worker's API key is
    its name, so the judge knows who asks."""

    def __init__(
        self,
        folder: Path,
        world: World,
        redis: Redis,
        judge: StubServer,
        redis_url: str | None = None,
        **changes: object,
    ) -> None:
        self._folder = folder
        self.world, self.redis, self.judge = world, redis, judge
        self._changes = TIMING | {"judge_model": MODEL, "openai_base_url": judge.base_url} | changes
        self._settings = settings(redis_url=redis_url or redis.url, **self._changes)
        self.processes: list[Process] = []
        # For processes that are started from here on, over what they are given anyway.
        self.environment: dict[str, str] = {}
        self._publisher = Publisher(self._settings.redis.message_url or "", self._settings)
        self._background = BackgroundPublisher(self._publisher)
        self._background.start()

    async def start(
        self,
        *,
        workers: int = 1,
        dispatchers: int = 1,
        isolated: bool = False,
        worker: Callable[..., Part] = parts.worker,
        dispatcher: Callable[..., Part] = parts.dispatcher,
    ) -> list[Process]:
        """The new processes, ready: workers first, then dispatchers, then the isolated worker."""
        new = [self._start(worker, uuid.uuid4().hex[:6]) for _ in range(workers)]
        new += [self.spawn(dispatcher(self._environment("-"))) for _ in range(dispatchers)]
        new += [self._start(parts.isolated_worker) for _ in range(isolated)]
        for process in new:
            ready = "Dispatching every" if process.name == "dispatcher" else " ready."
            await process.logged(ready)
        return new

    def _start(self, make: Callable[..., Part], *number: str) -> Process:
        name = f"worker-{number[0]}" if number else "isolated"
        return self.spawn(make(*number, self._settings, self._environment(name)))

    def spawn(self, part: Part) -> Process:
        self.processes.append(process := Process(part, self._folder))
        return process

    async def start_api(
        self, port: int, *, host: str = HOST, api: Callable[..., Part] = parts.api
    ) -> Process:
        """The HTTP API, ready."""
        address = self._settings.replace(host=host, port=port)
        process = self.spawn(api(address, self._environment("-")))
        await process.logged("Uvicorn running on")
        return process

    async def token(self, workspace: str = DEFAULT_WORKSPACE) -> str:
        """For the API, with all scopes of the workspace, by default the one of the answers."""
        async with self.world.sessions.begin() as session:
            workspace_id = await ensure_workspace(session, workspace)
            made = await create_token(session, workspace_id, name="fault", scopes=list(Scope))
            return made[1]

    async def api_client(self, port: int, workspace: str = DEFAULT_WORKSPACE) -> httpx.AsyncClient:
        """The API on this port, with a token."""
        return httpx.AsyncClient(
            base_url=f"http://{HOST}:{port}",
            headers={"Authorization": f"Bearer {await self.token(workspace)}"},
            trust_env=False,
            timeout=TIMEOUT_SECONDS,
        )

    async def searchqa(self, port: int, *arguments: str) -> tuple[int, str]:
        """`searchqa …` as an operator types it: its exit code, and what it prints."""
        token = {"SEARCHQA_URL": f"http://{HOST}:{port}", "SEARCHQA_TOKEN": await self.token()}
        command = await asyncio.create_subprocess_exec(
            *(Path(sys.executable).with_name("searchqa"), *arguments),
            env={**self._environment("-"), **token},
            cwd=self._folder,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
        )
        out, _ = await asyncio.wait_for(command.communicate(), TIMEOUT_SECONDS)
        return command.returncode or 0, out.decode()

    def _environment(self, name: str) -> dict[str, str]:
        ours = {f"SEARCHQA_{key.upper()}": str(value) for key, value in self._changes.items()}
        return {
            **os.environ,
            **ours,
            "DATABASE_URL": self.world.url,
            "REDIS_URL": self._settings.redis.url or "",
            "OPENAI_BASE_URL": self.judge.base_url,
            "OPENAI_API_KEY": name,
            "PGAPPNAME": APPLICATION,
            **self.environment,
        }

    def asking(self, key: str) -> Process:
        """The living worker that sends this Authorization header."""
        (process,) = [p for p in self.processes if p.alive and key.endswith(p.name)]
        return process

    async def answer(
        self, count: int = 1, *, publish: bool = True, **changes: object
    ) -> list[uuid.UUID]:
        """Commits answers and publishes them as the API does. Gives their evaluations' ids."""
        # Verdict and claims with a call each, so that a fault can come between them.
        policy = replace(
            EvaluationPolicy.from_settings(self._settings), phases=("groundedness:model",)
        )
        new = await store_answers(self.world, count, policy=policy, **changes)
        for one in new if publish else ():
            self._background.publish(one.evaluation_id)
        return [one.evaluation_id for one in new]

    async def publish(self, ids: Sequence[uuid.UUID]) -> None:
        """A message for each of them; returns when Redis has them."""
        for id_ in ids:
            await asyncio.to_thread(self._publisher.publish, Queue.LIVE, [id_])

    async def unfinished(self) -> Sequence[dict[str, Any]]:
        return await self.world.rows(_UNFINISHED)

    async def settle(self, *, within: float = TIMEOUT_SECONDS) -> None:
        """Waits until every evaluation is final."""

        async def settled() -> bool:
            return not await self.unfinished()

        await eventually(settled, within=within)

    async def tally(self, fault: str) -> Tally:
        (row,) = await self.world.rows(_TALLY)
        lost = row["answers"] - row["verdicts"] - row["failed"]
        return Tally(fault=fault, lost=lost, calls=self.judge.count, **row)

    def orphans(self) -> set[int]:
        """Processes in the sessions of ours that have ended."""
        ended = {process.popen.pid for process in self.processes if not process.alive}
        return {pid for pid, session in sessions_of_processes() if session in ended}

    async def close(self) -> None:
        """Ends what is left of the processes, and at once: no test looks at them any more."""
        self.redis.close()
        await asyncio.to_thread(self._background.stop)
        self._publisher.close()
        for process in self.processes:
            if process.alive:
                process.kill()


@asynccontextmanager
async def open_stack(
    folder: Path, database_url: str, *, redis: Callable[[Path], Redis] = Redis, **changes: object
) -> AsyncIterator[Stack]:
    """A judge that works, an empty Redis and no process yet."""
    await asyncio.to_thread(folder.mkdir)
    async with open_world(database_url) as world, StubServer(well()) as judge:
        stack = Stack(folder, world, redis(folder), judge, **changes)
        try:
            yield stack
        finally:
            await stack.close()


async def waits(stack: Stack, id_: uuid.UUID) -> list[float]:
    """The seconds between each failed try and the next one."""
    events = await stack.world.rows(
        "SELECT status, created_at FROM verdict_events WHERE evaluation_id = %s ORDER BY xid, id",
        id_,
    )
    return [
        (later["created_at"] - earlier["created_at"]).total_seconds()
        for earlier, later in itertools.pairwise(events)
        if earlier["status"] == "retrying"
    ]


async def invariant(stack: Stack, fault: str, *, runs: int = 1) -> Tally:
    """Every answer gets one final state, emitted once; no reply was paid for again; no process is
    left that nobody waits for."""
    await stack.settle()
    tally = replace(await stack.tally(fault), runs=runs)
    assert (tally.lost, tally.duplicates, tally.paid_again) == (0, 0, 0), tally

    async def none_left() -> bool:
        return not stack.orphans()

    # The children of a killed worker end as soon as they see that it is gone.
    await eventually(none_left)
    return tally
