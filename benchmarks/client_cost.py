"""What handing an answer over by the Python client costs its host, also while the API is frozen.

    python benchmarks/client_cost.py

Each submit is measured in the thread that makes it: its CPU time, and how long it took. The
process's CPU per answer includes the thread that sends. `frozen` means SIGSTOP: the API accepts no
connection and answers none.
"""

import argparse
import asyncio
import os
import signal
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench_parts import running, servers
from searchqa_client import Background, Note

from app.operations.embedded import parts
from app.operations.embedded.ports import free_port
from app.platform.settings import Settings

QUESTION = "PCR 변성은 몇 도에서 몇 초 동안 하나요?"
ANSWER = "변성은 95도에서 30초 동안 합니다. [노트 1] " * 10
NOTES = [
    Note(title=f"노트 {n}", content="PCR 변성은 95도에서 30초 동안 한다. " * 40) for n in range(10)
]
PAUSE_SECONDS = 0.002
FLUSH_SECONDS = 120.0


@dataclass
class Costs:
    """Of each submit, in milliseconds."""

    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)

    def line(self, name: str) -> str:
        return f"{name:<34}{_figures(self.cpu)}   {_figures(self.wall)}"


def _figures(values: Sequence[float]) -> str:
    p99 = statistics.quantiles(values, n=100)[98]
    return f"{statistics.median(values):8.3f}{p99:8.3f}{max(values):8.3f}"


def submit(background: Background, count: int, *, pause: float) -> Costs:
    costs = Costs()
    for _ in range(count):
        wall, cpu = time.perf_counter_ns(), time.thread_time_ns()
        background.submit(QUESTION, ANSWER, NOTES, lang="ko", model="host")
        costs.cpu.append((time.thread_time_ns() - cpu) / 1e6)
        costs.wall.append((time.perf_counter_ns() - wall) / 1e6)
        if pause:
            time.sleep(pause)
    return costs


@contextmanager
def frozen(pid: int) -> Iterator[None]:
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def measure(url: str, pid: int, count: int) -> None:
    print(f"{'ms':<34}{'CPU: median, p99, max':>24}   {'duration: median, p99, max':>24}")
    with Background(url=url, max_waiting=count) as background:
        submit(background, 50, pause=0)
        assert background.flush(FLUSH_SECONDS)
        cpu, wall = time.process_time(), time.perf_counter()
        print(submit(background, count, pause=PAUSE_SECONDS).line("API runs"))
        assert background.flush(FLUSH_SECONDS)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        print(f"  process CPU per answer {cpu / count * 1000:.2f} ms; {count / wall:.0f} answers/s")
        with frozen(pid):
            print(submit(background, count, pause=PAUSE_SECONDS).line("API frozen"))
            print(submit(background, count, pause=0).line("API frozen, full, no pauses"))
            stats = background.stats
            print(f"  waiting {stats.waiting}, dropped {dict(stats.dropped)}")
        began = time.perf_counter()
        assert background.flush(FLUSH_SECONDS)
        print(f"  sent {time.perf_counter() - began:.1f} s after it went on: {background.stats}")


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=int, default=2000, metavar="N", help="for each row")
    count = parser.parse_args().answers
    with tempfile.TemporaryDirectory(prefix="searchqa-bench-") as folder:
        async with servers(Path(folder)) as started:
            port = free_port("127.0.0.1")
            chosen = Settings(
                _env_file=None,
                database_url=started.database_url,
                redis_url=started.redis_url,
                auth=False,
                port=port,
            )
            environment = os.environ | {
                "DATABASE_URL": started.database_url,
                "REDIS_URL": started.redis_url,
                "SEARCHQA_AUTH": "false",
                "SEARCHQA_RATE_LIMIT": "off",
                "SEARCHQA_RATE_LIMIT_WRITES": "off",
            }
            async with running(parts.api(chosen, environment)) as pid:
                await asyncio.to_thread(measure, f"http://127.0.0.1:{port}", pid, count)


if __name__ == "__main__":
    asyncio.run(main())
