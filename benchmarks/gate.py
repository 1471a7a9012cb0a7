"""How long `guard` of the Python client keeps an answer back, alone and beside load.

    python benchmarks/gate.py [--samples 1000] [--rate 30]

Starts API, worker and dispatcher with a stub judge of 0.5 s. One host asks one answer after the
other, of 175 characters with three notes of 500; beside it, in turn: nothing, `--rate` answers a
second to be judged, and four clients that have the gate check answers of 20,000 characters. Each
time is that in the host, so the way there and back is in it.
"""

import argparse
import asyncio
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from bench_answers import ANSWER, NOTES, QUESTION
from bench_parts import environment, running, servers, settings, stub_judge
from figures import Latency
from ours import READY
from searchqa_client import AsyncSearchQA, Note

from app.operations.embedded import parts
from app.operations.embedded.ports import free_port

SOURCES = [Note(title=note.title, content=note.content) for note in NOTES]
LONG = ANSWER * (20_000 // len(ANSWER))
WITHIN_SECONDS = 1.5
WARM_UP = 30
LONG_CLIENTS = 4
JUDGE_SECONDS = 0.5


async def guarded(client: AsyncSearchQA, samples: int) -> str:
    """A row of the table."""
    seconds, outcomes = [], Counter[str]()
    for number in range(WARM_UP + samples):
        found = await client.guard(QUESTION, ANSWER, SOURCES, within=WITHIN_SECONDS)
        if number >= WARM_UP:
            seconds.append(found.elapsed_ms / 1000)
            outcomes[found.outcome] += 1
    took = Latency.from_seconds(seconds)
    counts = ", ".join(f"{name} {count}" for name, count in outcomes.most_common())
    return f"{took.p50:.1f} ms | {took.p99:.1f} ms | {max(seconds) * 1000:.1f} ms | {counts}"


@asynccontextmanager
async def beside(work: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
    task = asyncio.ensure_future(work())
    try:
        await asyncio.sleep(2 * JUDGE_SECONDS)
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def measure(url: str, samples: int, rate: float) -> None:
    async with AsyncSearchQA(url) as client, AsyncSearchQA(url) as other:

        async def submit() -> None:
            submitted = set()
            while True:
                task = asyncio.ensure_future(other.submit(QUESTION, ANSWER, SOURCES))
                submitted.add(task)
                task.add_done_callback(submitted.discard)
                await asyncio.sleep(1 / rate)

        async def check_long() -> None:
            async def one() -> None:
                while True:
                    await other.guard(QUESTION, LONG, SOURCES, within=WITHIN_SECONDS)

            await asyncio.gather(*(one() for _ in range(LONG_CLIENTS)))

        print("| beside | median | p99 | longest | outcomes |\n| --- | --- | --- | --- | --- |")
        print(f"| nothing | {await guarded(client, samples)} |", flush=True)
        async with beside(submit):
            print(f"| {rate:g} answers/s | {await guarded(client, samples)} |", flush=True)
        async with beside(check_long):
            print(f"| long answers | {await guarded(client, samples)} |", flush=True)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=30, metavar="PER_SECOND")
    given = parser.parse_args()
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="searchqa-bench-"))
        both = await stack.enter_async_context(servers(Path(folder)))
        stub = await stack.enter_async_context(stub_judge(JUDGE_SECONDS))
        chosen = settings(both, stub, port=free_port("127.0.0.1"))
        variables = environment(chosen)
        worker = running(parts.worker(1, chosen, variables), until=READY)
        await stack.enter_async_context(worker)
        await stack.enter_async_context(running(parts.dispatcher(variables)))
        await stack.enter_async_context(running(parts.api(chosen, variables)))
        await measure(f"http://127.0.0.1:{chosen.api.port}", given.samples, given.rate)


if __name__ == "__main__":
    asyncio.run(main())
