"""How fast answers are judged, and what each costs, on the real stack.

    python benchmarks/throughput.py [--answers N] [--latency S …] [--in-flight N …] [--batch N …]

A stub model server of fixed latency is the judge; PostgreSQL, Redis, the worker (one Celery
process), the dispatcher and the API are the real ones, on data of their own that is removed
afterwards. Each answer has three notes and takes one judge call (search_qa alone, without the
quality gate). Without options it prints the table of docs/performance.md.

CPU is user and system time of worker, dispatcher, Redis and all processes of PostgreSQL, and of
the thread that publishes where answers are published one by one; the stub is left out. Figures
are medians over the rounds. Linux only, because it reads /proc.
"""

import argparse
import asyncio
import datetime as dt
import json
import os
import signal
import tempfile
import time
import uuid
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from statistics import median

from bench_answers import insert_answers, progress
from bench_latency import Latency, added_to_an_answer, reply_to_screen
from bench_parts import Servers, Stub, cpu_seconds, environment, running, servers, settings
from bench_parts import stub_judge as start_stub

from app.broker import Publisher, Queue
from app.db.session import Sessions, create_engine, create_sessions
from app.embedded import parts
from app.settings import Settings
from app.verdicts.policy import EvaluationPolicy
from app.workspaces.service import ensure_workspace

WARM_UP = 300
# A worker's threads hold one message each: as many as there are calls in flight when a
# message has one id.
MOST_THREADS = 1024


@dataclass(frozen=True)
class Scenario:
    """latency: of the judge, in seconds; batch: ids in a message; in_flight: the judge
    calls that the worker may make at a time."""

    latency: float
    batch: int
    in_flight: int

    @property
    def limit(self) -> float | None:
        """Answers/s that no worker can exceed, by Little's law."""
        return self.in_flight / self.latency if self.latency else None


@dataclass(frozen=True)
class Round:
    answers_per_second: float
    cpu_ms: float
    worker_cpu_ms: float
    most_in_flight: float


DEFAULT = (
    Scenario(0.0, 20, 256),
    Scenario(0.0, 1, 256),
    Scenario(0.5, 20, 256),
    Scenario(0.5, 1, 256),
    Scenario(0.5, 20, 1000),
)


class Bench:
    """One worker and one dispatcher at work on what is put into the tables."""

    def __init__(
        self, scenario: Scenario, servers: Servers, stub: Stub, sessions: Sessions, chosen: Settings
    ) -> None:
        self._scenario = scenario
        self._servers = servers
        self._stub = stub
        self._sessions = sessions
        self._settings = chosen
        self._policy = EvaluationPolicy.from_settings(chosen)
        self.worker = 0
        self.dispatcher = 0

    async def round(self, answers: int) -> Round:
        """Judges `answers` answers, from the commit that makes them due to the last verdict."""
        async with self._sessions() as session:
            workspace_id = await ensure_workspace(session)
            one_by_one = self._scenario.batch == 1
            ids = await insert_answers(
                session, self._policy, workspace_id, answers, due=not one_by_one
            )
            before, worker_before = self._cpu()
            since = dt.datetime.now(dt.UTC)
            await session.commit()
        publishing_cpu = 0.0
        if one_by_one:
            publishing_cpu = await asyncio.to_thread(self._publish_while_worker_sleeps, ids)
            since = dt.datetime.now(dt.UTC)
        seconds = await self._until_judged(since, answers)
        after, worker_after = self._cpu()
        return Round(
            answers_per_second=answers / seconds,
            cpu_ms=(after - before + publishing_cpu) * 1000 / answers,
            worker_cpu_ms=(worker_after - worker_before) * 1000 / answers,
            most_in_flight=(await self._stub.stats())["most_in_flight"],
        )

    def _cpu(self) -> tuple[float, float]:
        rest = (self.dispatcher, self._servers.postgres, self._servers.redis)
        worker = cpu_seconds([self.worker])
        return cpu_seconds(rest) + worker, worker

    def _publish_while_worker_sleeps(self, ids: Sequence[uuid.UUID]) -> float:
        """A message for each id, as the API does for fresh answers; the worker meets them all at
        once, because one publisher alone would not keep it busy. Returns the CPU seconds."""
        os.kill(self.worker, signal.SIGSTOP)
        try:
            publisher = Publisher(self._servers.redis_url, self._settings)
            start = time.thread_time()
            for id_ in ids:
                publisher.publish(Queue.LIVE, [id_])
            seconds = time.thread_time() - start
            publisher.close()
        finally:
            os.kill(self.worker, signal.SIGCONT)
        return seconds

    async def _until_judged(self, since: dt.datetime, answers: int) -> float:
        while True:
            async with self._sessions() as session:
                done = await progress(session, since)
            if done.final >= answers:
                break
            await asyncio.sleep(0.1)
        if done.succeeded != answers or done.last is None:
            raise SystemExit(f"{answers - done.succeeded} of {answers} answers got no verdict.")
        return (done.last - since).total_seconds()


async def measure(
    scenario: Scenario, servers: Servers, sessions: Sessions, answers: int, rounds: int
) -> Round:
    """The median of each figure."""
    # Enough that the first and the last calls, which are fewer at a time, weigh little.
    answers = max(answers, 10 * scenario.in_flight if scenario.latency else 0)
    async with AsyncExitStack() as stack:
        stub = await stack.enter_async_context(start_stub(scenario.latency))
        threads = scenario.in_flight if scenario.batch == 1 else 64
        chosen = settings(
            servers,
            stub,
            max_in_flight=scenario.in_flight,
            dispatch_batch=scenario.batch,
            worker_threads=min(threads, MOST_THREADS),
        )
        variables = environment(chosen)
        bench = Bench(scenario, servers, stub, sessions, chosen)
        bench.worker = await stack.enter_async_context(running(parts.worker(1, chosen, variables)))
        bench.dispatcher = await stack.enter_async_context(running(parts.dispatcher(variables)))
        await bench.round(WARM_UP)
        results = [await bench.round(answers) for _ in range(rounds)]
    return Round(
        *(
            median(getattr(result, name) for result in results)
            for name in Round.__dataclass_fields__
        )
    )


def print_table(results: Sequence[tuple[Scenario, Round]]) -> None:
    print("| judge's latency | ids a message | in flight | answers/s | of the limit | CPU ms |")
    print("|---|---|---|---|---|---|")
    for scenario, result in results:
        # A judge that answers at once has hardly ever two calls in flight.
        in_flight = f"{result.most_in_flight:g}" if scenario.limit else "–"
        share = f"{result.answers_per_second / scenario.limit:.0%}" if scenario.limit else "–"
        print(
            f"| {scenario.latency * 1000:g} ms | {scenario.batch} | {in_flight}"
            f" | {result.answers_per_second:.0f} | {share}"
            f" | {result.cpu_ms:.2f}, worker {result.worker_cpu_ms:.2f} |"
        )


def print_latencies(latencies: Mapping[str, Latency]) -> None:
    print("\n| wait | median | p99 |")
    print("|---|---|---|")
    for name, latency in latencies.items():
        print(f"| {name} | {latency.p50:.1f} ms | {latency.p99:.1f} ms |")


def print_json(results: Sequence[tuple[Scenario, Round]], latencies: Mapping[str, Latency]) -> None:
    rows = [asdict(scenario) | asdict(result) for scenario, result in results]
    waits = {name: asdict(latency) for name, latency in latencies.items()}
    print(json.dumps({"scenarios": rows, "waits_ms": waits}, indent=2))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--answers", type=int, default=5000, help="in each round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--latency", type=float, nargs="+", help="of the judge, in seconds")
    parser.add_argument("--in-flight", type=int, nargs="+", help="judge calls at a time")
    parser.add_argument("--samples", type=int, default=500, help="of each wait; 0: no waits")
    parser.add_argument("--batch", type=int, nargs="+", help="ids in a message; 1: one by one")
    parser.add_argument("--json", action="store_true", help="JSON instead of tables")
    return parser.parse_args()


def scenarios(options: argparse.Namespace) -> Sequence[Scenario]:
    if not (options.latency or options.in_flight or options.batch):
        return DEFAULT
    axes = (options.latency or [0.0, 0.5], options.batch or [20, 1], options.in_flight or [256])
    return [Scenario(*values) for values in product(*axes)]


async def main() -> None:
    options = parse()
    results: list[tuple[Scenario, Round]] = []
    latencies: dict[str, Latency] = {}
    with tempfile.TemporaryDirectory(prefix="searchqa-bench-") as folder:
        async with servers(Path(folder)) as both:
            engine = create_engine(both.database_url)
            sessions = create_sessions(engine)
            for scenario in scenarios(options):
                result = await measure(scenario, both, sessions, options.answers, options.rounds)
                results.append((scenario, result))
            if options.samples:
                screen = await reply_to_screen(both, options.samples)
                latencies["judge's reply to the reader's screen"] = screen
                # Last, because nobody judges what it stores.
                added = await added_to_an_answer(both, sessions, options.samples)
                latencies["added to an answer"] = added
            await engine.dispose()
    if options.json:
        print_json(results, latencies)
    else:
        print_table(results)
        print_latencies(latencies)


if __name__ == "__main__":
    asyncio.run(main())
