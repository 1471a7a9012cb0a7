"""`make bench`: how fast answers are judged and what it costs, beside the peers, in one session.

    python benchmarks/bench.py [--quick | --standard | --long] [--only SECTION …]

Starts a stub judge, PostgreSQL, Redis, worker and dispatcher, and in turn with them ragas, deepeval
and arize-phoenix-evals, each in a virtual environment below .bench/ that is made when it is not
there. Results go to .bench/bench-MODE.json and, unless it is --quick or a part, as tables and a
picture into docs/performance.md. Only loopback is used (but for installing the peers), and
everything that was started is stopped. Linux only, because it reads /proc.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import machine
import peers
import picture
import report
from backlog import drain, with_history
from bench_latency import added_to_an_answer, screen
from bench_parts import Servers, Stub, environment, running, servers, settings, stub_judge
from ours import judging
from rounds import IN_FLIGHT, Case, Rounds
from run_interference import run_interference
from starts import api_start, up_starts, worker_start

from app.operations.embedded import parts
from app.operations.embedded.ports import free_port
from app.platform.db.session import Sessions, create_engine, create_sessions
from app.platform.judge_settings import EvaluationSettings

PAGE = Path(__file__).parent.parent / "docs" / "performance.md"
PICTURE = PAGE.with_name("cost-of-a-verdict.svg")
CEILING = Path(__file__).with_name("stub_ceiling.py")
JUDGE_SECONDS = 0.5
LOAD = 0.7


@dataclass(frozen=True)
class Size:
    """Of a mode. waits: samples of each; phases: answers judged with all phases; stored: verdicts
    of the long history; run: cases of the run beside fresh answers."""

    rounds: int
    cases: tuple[Case, Case]
    waits: int
    backlog: int
    repeats: int
    phases: int
    stored: int
    run: int


SIZES = {
    "quick": Size(
        1,
        (Case(0, 1000, 500, 400), Case(JUDGE_SECONDS, 768, 512, 512)),
        40,
        1000,
        1,
        100,
        20_000,
        2000,
    ),
    "standard": Size(
        3,
        (Case(0, 5000, 2000, 1000), Case(JUDGE_SECONDS, 2560, 2560, 2048)),
        *(300, 10_000, 1, 400, 1_000_000, 10_000),
    ),
    "long": Size(
        7,
        (Case(0, 10_000, 4000, 2000), Case(JUDGE_SECONDS, 5120, 4096, 4096)),
        *(1000, 10_000, 5, 1000, 1_000_000, 10_000),
    ),
}


@asynccontextmanager
async def fresh_servers() -> AsyncIterator[tuple[Servers, Sessions]]:
    """PostgreSQL and Redis with nothing in them."""
    with tempfile.TemporaryDirectory(prefix="searchqa-bench-") as folder:
        async with servers(Path(folder)) as both:
            engine = create_engine(both.database_url)
            try:
                yield both, create_sessions(engine)
            finally:
                await engine.dispose()


class Bench:
    """The sections, each of which adds its tables and its figures."""

    def __init__(self, size: Size, stub: Stub) -> None:
        self._size = size
        self._stub = stub
        self.results: dict[str, Any] = {}
        self.tables: list[str] = []

    def _add(self, name: str, figures: Any, *tables: str) -> None:
        self.results[name] = figures
        self.tables += tables

    async def judge_itself(self) -> None:
        command = [sys.executable, str(CEILING), self._stub.url.rpartition(":")[2]]
        process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        out, _ = await process.communicate()
        calls = float(out)
        words = f"The stub judge itself answers {calls:.0f} calls a second of the cheapest client."
        self._add("stub_calls_per_second", calls, words)

    async def rounds(self) -> None:
        failed = {name: error for name in peers.NAMES if (error := peers.prepare(name))}
        for name, error in failed.items():
            print(f"{name} could not be installed: {error}", file=sys.stderr)
        async with fresh_servers() as (both, sessions):
            rounds = Rounds(both, self._stub, sessions)
            contenders = [name for name in peers.NAMES if name not in failed]
            await rounds.run(self._size.cases, self._size.rounds, contenders)
            facts = machine.describe(both)
        facts["Peers"] = ", ".join(f"{name} {one}" for name, one in rounds.versions.items())
        facts |= {f"{name} is missing": error.splitlines()[-1] for name, error in failed.items()}
        self._add(
            *("rounds", {"machine": facts, "cases": rounds.results}),
            *(report.facts_table(facts), "### Ours and the peers"),
            *(report.rounds_table(rounds.results), report.parts_table(rounds.results)),
        )

    async def waits(self) -> None:
        async with fresh_servers() as (both, sessions):
            most = {"max_in_flight": IN_FLIGHT}
            rate = LOAD * await self._capacity(both, sessions, most)
            async with screen(both, self._stub, sessions, **most) as one:
                waits = {"judge's reply to the reader's screen": await one.idle(self._size.waits)}
                loaded = f"the same at {LOAD:.0%} load ({rate:.0f} other answers/s)"
                waits[loaded] = await one.under_load(
                    self._size.waits, rate=rate, judge_seconds=JUDGE_SECONDS
                )
        async with fresh_servers() as (both, sessions):
            added = await added_to_an_answer(both, sessions, self._size.waits * 2)
        waits["added to an answer"] = added
        self._add("waits_ms", waits, "### Waits", report.waits_table(waits))

    async def _capacity(self, both: Servers, sessions: Sessions, most: Mapping[str, int]) -> float:
        """Answers/s, one by one, with an API beside the worker that reads all events."""
        chosen = settings(both, self._stub, port=free_port("127.0.0.1"))
        api = running(parts.api(chosen, environment(chosen)))
        async with judging(both, self._stub, sessions, **most) as ours, api:
            await ours.judge(IN_FLIGHT)
            await self._stub.set_latency(JUDGE_SECONDS)
            return (await ours.judge(IN_FLIGHT * 4, one_by_one=True)).answers_per_second

    async def runs(self) -> None:
        async with fresh_servers() as (both, sessions):
            waits = await run_interference(
                both, self._stub, sessions, samples=self._size.waits, cases=self._size.run
            )
        self._add("runs_ms", waits, "### Beside a run", report.runs_table(waits))

    async def backlog(self) -> None:
        rows, repeats = self._size.backlog, self._size.repeats
        runs = {}
        async with fresh_servers() as (both, sessions):
            for latency in (0, JUDGE_SECONDS):
                name = f"{rows:,}, judge {latency * 1000:g} ms" + (" lognormal" if latency else "")
                figures = [
                    await drain(both, self._stub, sessions, rows, latency) for _ in range(repeats)
                ]
                runs[name] = (rows, figures)
            phases = EvaluationSettings().phases
            answers = self._size.phases
            async with judging(both, self._stub, sessions, phases=phases) as ours:
                await self._stub.set_latency(0)
                await ours.judge(20, different=True)
                await self._stub.set_latency(0)
                figures = [await ours.judge(answers, different=True)]
            runs[f"{answers:,} with all phases, no text seen before"] = (answers, figures)
        self._add("backlog", runs, "### A backlog", report.backlog_table(runs))

    async def history(self) -> None:
        async with fresh_servers() as (both, sessions):
            costs = await with_history(
                *(both, self._stub, sessions), stored=self._size.stored, backlog=self._size.backlog
            )
        self._add("history", costs, "### A long history", report.history_table(costs))

    async def starts(self) -> None:
        starts: dict[str, list[float]] = {"API": [], "worker": []}
        repeats = self._size.repeats + 1
        async with fresh_servers() as (both, _):
            for _round in range(repeats):
                starts["API"].append(await api_start(both, self._stub))
                starts["worker"].append(await worker_start(both, self._stub))
        ups = [await up_starts() for _ in range(repeats)]
        starts["`searchqa up`, empty folder"] = [first for first, _ in ups]
        starts["`searchqa up`, once more"] = [again for _, again in ups]
        self._add("starts_s", starts, "### Starting", report.starts_table(starts))


SECTIONS: Mapping[str, Callable[[Bench], Awaitable[None]]] = {
    "stub": Bench.judge_itself,
    "rounds": Bench.rounds,
    "waits": Bench.waits,
    "runs": Bench.runs,
    "backlog": Bench.backlog,
    "history": Bench.history,
    "starts": Bench.starts,
}


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    modes = parser.add_mutually_exclusive_group()
    for mode in SIZES:
        modes.add_argument(f"--{mode}", dest="mode", action="store_const", const=mode)
    parser.add_argument("--only", nargs="+", choices=list(SECTIONS), help="some sections")
    parser.add_argument("--no-write", action="store_true", help="leave docs/performance.md alone")
    parser.set_defaults(mode="standard")
    return parser.parse_args()


async def main() -> None:
    options = parse()
    before = machine.load()
    if before > 0.5:
        print(f"Others are busy here (load {before:.1f}): figures will be off.", file=sys.stderr)
    began = time.monotonic()
    async with stub_judge() as stub:
        bench = Bench(SIZES[options.mode], stub)
        for name in options.only or SECTIONS:
            print(f"— {name}, after {time.monotonic() - began:.0f} s", flush=True)
            shown = len(bench.tables)
            await SECTIONS[name](bench)
            print("\n\n".join(bench.tables[shown:]), flush=True)
    minutes = (time.monotonic() - began) / 60
    measured = f"Measured by `make bench ARGS=--{options.mode}` in {minutes:.0f} minutes"
    text = "\n\n".join([f"{measured}; load of the machine before: {before:.1f}.", *bench.tables])
    print(measured)
    peers.BENCH.mkdir(exist_ok=True)
    results = {"mode": options.mode, "load_before": before, "minutes": minutes, **bench.results}
    path = peers.BENCH / f"bench-{options.mode}.json"
    path.write_text(json.dumps(results, default=report.json_of, indent=2, ensure_ascii=False))
    if not (options.only or options.no_write or options.mode == "quick"):
        report.write(PAGE, text)
        picture.write(PICTURE, bench.results["rounds"]["cases"])


if __name__ == "__main__":
    asyncio.run(main())
