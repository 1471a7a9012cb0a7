"""Two waits: what judging adds to an answer, and from the judge's reply to the reader's screen."""

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from statistics import quantiles

import httpx
from bench_answers import NOTES, QUESTION, finished_answer
from bench_parts import Servers, Stub, environment, running, settings, stub_judge

from app.broker import Publisher
from app.db.session import Sessions
from app.embedded import parts
from app.embedded.ports import free_port
from app.settings import Settings
from app.verdicts.policy import EvaluationPolicy
from app.verdicts.service import finish_answer
from app.verdicts.wakeup import WakeUp
from app.workspaces.service import ensure_workspace

WARM_UP = 30
# Long enough that the stream already waits when the reply comes.
JUDGE_SECONDS = 0.05


@dataclass(frozen=True)
class Latency:
    """Milliseconds."""

    p50: float
    p99: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> "Latency":
        percentiles = quantiles(seconds, n=100)
        return cls(percentiles[49] * 1000, percentiles[98] * 1000)


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
    wake_up = WakeUp(publisher)
    wake_up.start()
    seconds = []
    for _ in range(WARM_UP + samples):
        start = time.perf_counter()
        new = await finish_answer(sessions, policy, finished_answer(workspace_id))
        wake_up.wake(new.evaluation_id)
        seconds.append(time.perf_counter() - start)
    wake_up.stop()
    publisher.close()
    return Latency.of(seconds[WARM_UP:])


async def reply_to_screen(servers: Servers, samples: int) -> Latency:
    """From the last byte of the judge's reply to `event: qa_evaluation` at a client of
    /ai/stream, one reader at a time."""
    async with _reader(servers) as (client, stub):
        seconds = []
        for _ in range(WARM_UP + samples):
            arrived = await _verdict_arrives(client)
            seconds.append(arrived - (await stub.stats())["last_reply_at"])
    return Latency.of(seconds[WARM_UP:])


@asynccontextmanager
async def _reader(servers: Servers) -> AsyncIterator[tuple[httpx.AsyncClient, Stub]]:
    """A client of an API with a worker and a dispatcher behind it."""
    async with AsyncExitStack() as stack:
        stub = await stack.enter_async_context(stub_judge(JUDGE_SECONDS))
        chosen = settings(servers, stub, port=free_port("127.0.0.1"))
        variables = environment(chosen)
        await stack.enter_async_context(running(parts.worker(1, chosen, variables)))
        await stack.enter_async_context(running(parts.dispatcher(variables)))
        await stack.enter_async_context(running(parts.api(chosen, variables)))
        url = f"http://127.0.0.1:{chosen.port}"
        client = httpx.AsyncClient(base_url=url, trust_env=False, timeout=60)
        yield await stack.enter_async_context(client), stub


async def _verdict_arrives(client: httpx.AsyncClient) -> float:
    """When (CLOCK_MONOTONIC) the verdict of a new answer is there."""
    question = {
        "feature": "search_qa",
        "content": QUESTION,
        "options": {"context_notes": [note.content for note in NOTES]},
    }
    async with client.stream("POST", "/ai/stream", json=question) as response:
        response.raise_for_status()
        async for line in response.aiter_lines():
            if line == "event: qa_evaluation":
                return time.monotonic()
    raise SystemExit("A stream ended without a verdict; see what the worker said above.")
