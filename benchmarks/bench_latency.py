"""Two waits: what judging adds to an answer, and from the judge's reply to the reader's screen."""

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from itertools import count
from threading import Event, Thread

import httpx
from bench_answers import NOTES, QUESTION, finished_answer, insert_answers
from bench_parts import Servers, Stub, environment, running, settings
from figures import Latency
from ours import READY

from app.operations.embedded import parts
from app.operations.embedded.ports import free_port
from app.platform.broker import Publisher, Queue
from app.platform.db.pool import create_pool
from app.platform.db.session import Sessions
from app.platform.settings import Settings
from app.verdicts.lifecycle.publisher import BackgroundPublisher
from app.verdicts.lifecycle.service import finish_answer
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.workspaces.service import ensure_workspace

WARM_UP = 30
# Long enough that the stream already waits when the reply comes.
IDLE_JUDGE_SECONDS = 0.05
READERS_UNDER_LOAD = 8


async def added_to_an_answer(servers: Servers, sessions: Sessions, samples: int) -> Latency:
    """Storing the answer with its evaluation row, and handing over its id: all that happens
    between the last word of an answer and its reader that an API without judging has not."""
    chosen = Settings(
        _env_file=None, judge_model="openai:gpt-4o-mini", quality_gate=False, phases=()
    )
    policy = EvaluationPolicy.from_settings(chosen)
    async with sessions.begin() as session:
        workspace_id = await ensure_workspace(session)
    publisher = Publisher(servers.redis_url, chosen)
    background_publisher = BackgroundPublisher(publisher)
    background_publisher.start()
    seconds = []
    async with create_pool(servers.database_url) as pool:
        for _ in range(WARM_UP + samples):
            start = time.perf_counter()
            new = await finish_answer(pool, policy, finished_answer(workspace_id))
            background_publisher.publish(new.evaluation_id)
            seconds.append(time.perf_counter() - start)
    background_publisher.stop()
    publisher.close()
    return Latency.from_seconds(seconds[WARM_UP:])


@dataclass(frozen=True)
class Screen:
    """A client of an API with a worker and a dispatcher behind it."""

    servers: Servers
    stub: Stub
    sessions: Sessions
    chosen: Settings
    client: httpx.AsyncClient

    async def idle(self, samples: int) -> Latency:
        """From the judge's reply to `event: qa_evaluation` at a client of /ai/stream, one reader at
        a time."""
        await self.stub.set_latency(IDLE_JUDGE_SECONDS)
        marks = iter(range(1, WARM_UP + samples + 1))
        return Latency.from_seconds((await self._read(marks))[WARM_UP:])

    async def under_load(self, samples: int, *, rate: float, judge_seconds: float) -> Latency:
        """The same for a few readers side by side while `rate` other fresh answers a second come
        in, each with a message of its own."""
        await self.stub.set_latency(judge_seconds)
        expected = (samples / READERS_UNDER_LOAD + 5) * (judge_seconds + 0.5)
        async with self.sessions.begin() as session:
            workspace_id = await ensure_workspace(session)
            policy = EvaluationPolicy.from_settings(self.chosen)
            others = int(rate * expected)
            ids = await insert_answers(session, policy, workspace_id, others, due=False)
        marks = count(1)
        ending = iter(lambda: next(marks), samples + READERS_UNDER_LOAD * 2 + 1)
        with self._publishing(ids, rate):
            # Until the calls in flight are as many as they will be.
            await asyncio.sleep(judge_seconds * 2)
            taken = await asyncio.gather(*(self._read(ending) for _ in range(READERS_UNDER_LOAD)))
        # Each reader's first two warm its connection.
        return Latency.from_seconds([one for seconds in taken for one in seconds[2:]])

    async def _read(self, marks: Iterator[int]) -> list[float]:
        """Seconds, one for each mark."""
        seconds = []
        for mark in marks:
            arrived = await self._verdict_arrives(mark)
            seconds.append(arrived - await self.stub.replied(mark))
        return seconds

    async def _verdict_arrives(self, mark: int) -> float:
        """When (CLOCK_MONOTONIC) the verdict of a new answer is there."""
        question = {
            "feature": "search_qa",
            "content": f"{QUESTION} bench-mark-{mark}-",
            "options": {"context_notes": [note.content for note in NOTES]},
        }
        async with self.client.stream("POST", "/ai/stream", json=question) as response:
            response.raise_for_status()
            async for line in response.aiter_lines():
                if line == "event: qa_evaluation":
                    return time.monotonic()
        raise SystemExit("A stream ended without a verdict; see what the worker said above.")

    @contextmanager
    def _publishing(self, ids: Sequence[uuid.UUID], rate: float) -> Iterator[None]:
        stopping = Event()

        def publish() -> None:
            publisher = Publisher(self.servers.redis_url, self.chosen)
            begun = time.monotonic()
            for number, id_ in enumerate(ids):
                if stopping.wait(max(begun + number / rate - time.monotonic(), 0)):
                    break
                publisher.publish(Queue.LIVE, [id_])
            else:
                print("The other answers ended before the readers did.", flush=True)
            publisher.close()

        thread = Thread(target=publish)
        thread.start()
        try:
            yield
        finally:
            stopping.set()
            thread.join()


@asynccontextmanager
async def screen(
    servers: Servers, stub: Stub, sessions: Sessions, **changes: object
) -> AsyncIterator[Screen]:
    async with AsyncExitStack() as stack:
        chosen = settings(servers, stub, port=free_port("127.0.0.1"), **changes)
        variables = environment(chosen)
        worker = running(parts.worker(1, chosen, variables), until=READY)
        await stack.enter_async_context(worker)
        await stack.enter_async_context(running(parts.dispatcher(variables)))
        await stack.enter_async_context(running(parts.api(chosen, variables)))
        url = f"http://127.0.0.1:{chosen.api.port}"
        client = httpx.AsyncClient(base_url=url, trust_env=False, timeout=60)
        client = await stack.enter_async_context(client)
        yield Screen(servers, stub, sessions, chosen, client)
