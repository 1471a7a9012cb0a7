"""What a dataset run does to fresh answers: answer to verdict, alone and beside runs.

    python benchmarks/runs_beside_live.py [--samples N] [--rounds N] [--cases N]
        [--judged N] [--rate N]

PostgreSQL, Redis, the live worker, the bulk worker and the dispatcher are the real ones, on data
of their own that is removed afterwards; the judge of fresh answers is a stub of 50 ms. The wait is
that of PostgreSQL's clock from the row of an answer to its verdict. A run of `--cases` cases
measures the search alone, one of `--judged` cases also answers and judges, offline, so it takes all
the CPU it gets. If a run ends before the samples do, the next one begins. Each is measured in
rounds, alone and beside in turn, so that what else the machine does weighs on both alike; the
figures are medians over the rounds.
"""

import argparse
import asyncio
import os
import tempfile
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from operator import truediv
from pathlib import Path
from statistics import median

from bench_answers import finished_answer
from bench_latency import Latency
from bench_parts import Servers, environment, running, servers, settings, stub_judge
from sqlalchemy import text

from app.broker import Publisher
from app.datasets.cases import TestCase
from app.datasets.evaluation_type import EvaluationType, Retrieval
from app.datasets.run_service import cancel_run, run_page, run_view, start_run
from app.datasets.service import create_dataset
from app.db.session import Sessions, create_engine, create_sessions
from app.embedded import parts
from app.search.importers import ImportedNote
from app.search.service import import_notes
from app.settings import Settings
from app.verdicts.policy import EvaluationPolicy
from app.verdicts.service import finish_answer
from app.verdicts.wakeup import WakeUp
from app.workspaces.service import ensure_workspace

JUDGE_SECONDS = 0.05
WARM_UP = 20
NOTES = 1000
_TOPICS = ("배양기", "냉동고", "원심분리기", "완충액", "시약장", "현미경", "건조기", "멸균기")
_WAITS = text("""
SELECT EXTRACT(EPOCH FROM finished_at - created_at) AS seconds FROM qa_evaluations
WHERE id = ANY(:ids) AND status = 'succeeded'
""")
_CHUNKS = text("SELECT id::text, content FROM note_chunks ORDER BY id")


@dataclass
class Bench:
    """Answers at a steady rate, and the runs beside them."""

    sessions: Sessions
    settings: Settings
    workspace_id: uuid.UUID
    wake_up: WakeUp
    rate: float

    async def waits(self, samples: int) -> Latency:
        """Of answers at `rate` a second, after the first few."""
        policy = EvaluationPolicy.from_settings(self.settings)
        ids = []
        begin = time.monotonic()
        for number in range(WARM_UP + samples):
            await asyncio.sleep(max(0, begin + number / self.rate - time.monotonic()))
            new = await finish_answer(self.sessions, policy, finished_answer(self.workspace_id))
            self.wake_up.wake(new.evaluation_id)
            ids.append(new.evaluation_id)
        return Latency.of(await self._judged(ids[WARM_UP:]))

    async def _judged(self, ids: list[uuid.UUID]) -> list[float]:
        deadline = time.monotonic() + 60
        while True:
            async with self.sessions() as session:
                seconds = [float(each) for each in await session.scalars(_WAITS, {"ids": ids})]
            if len(seconds) == len(ids):
                return seconds
            if time.monotonic() > deadline:
                raise SystemExit(f"{len(ids) - len(seconds)} of {len(ids)} answers got no verdict.")
            await asyncio.sleep(0.2)

    async def dataset(self, cases: int) -> uuid.UUID:
        async with self.sessions() as session:
            chunks = (await session.execute(_CHUNKS)).all()
        tests = [
            TestCase(f"{content[:24]} {number}?", (id_,), None, "ko")
            for number in range(cases)
            for id_, content in [chunks[number % len(chunks)]]
        ]
        async with self.sessions.begin() as session:
            return await create_dataset(
                session,
                self.workspace_id,
                "b",
                tests,
                notebook_id=None,
                origin={"kind": "imported"},
            )

    @asynccontextmanager
    async def run_beside(self, dataset_id: uuid.UUID, type_: EvaluationType) -> AsyncIterator[None]:
        """Runs one after the other; prints how far they came when the answers are judged."""
        running_on = asyncio.create_task(self._run_on(dataset_id, type_))
        while not await self._begun():  # noqa: ASYNC110  another program's state
            await asyncio.sleep(0.1)
        yield
        running_on.cancel()
        await asyncio.gather(running_on, return_exceptions=True)

    async def _begun(self) -> bool:
        """Whether the bulk worker is measuring cases of the newest run."""
        async with self.sessions() as session:
            page = await run_page(session, self.workspace_id, dataset_id=None, after=None, limit=1)
        return bool(page.items and page.items[0].done and not page.items[0].status.final)

    async def _run_on(self, dataset_id: uuid.UUID, type_: EvaluationType) -> None:
        offline = self.settings.model_copy(update={"judge_model": "offline:rules"})
        done, begun = 0, time.monotonic()
        while True:
            async with self.sessions.begin() as session:
                run_id = await start_run(
                    session,
                    self.workspace_id,
                    dataset_id,
                    k=5,
                    evaluation_type=type_,
                    retrieval=Retrieval.TEXT,
                    settings=offline,
                )
            try:
                done += await self._until_ended(run_id)
            except asyncio.CancelledError:
                async with self.sessions.begin() as session:
                    done += (await run_view(session, self.workspace_id, run_id)).done
                    await cancel_run(session, self.workspace_id, run_id)
                speed = done / (time.monotonic() - begun)
                print(f"  {type_}: {done:,} cases meanwhile, {speed:.0f}/s", flush=True)
                raise

    async def _until_ended(self, run_id: uuid.UUID) -> int:
        begun = time.monotonic()
        while True:
            async with self.sessions() as session:
                view = await run_view(session, self.workspace_id, run_id)
            if view.status.final:
                seconds = time.monotonic() - begun
                print(f"  {view.status}: {view.done:,} cases in {seconds:.0f} s", flush=True)
                return view.done
            await asyncio.sleep(1)


@dataclass(frozen=True)
class Compared:
    """Answers alone and beside a run, in the rounds of a measurement."""

    name: str
    alone: list[Latency]
    beside: list[Latency]

    def row(self, figure: str) -> tuple[float, float, float]:
        """Medians over the rounds: alone, beside, and beside against alone of the same round."""
        alone = [getattr(each, figure) for each in self.alone]
        beside = [getattr(each, figure) for each in self.beside]
        return median(alone), median(beside), median(map(truediv, beside, alone))


async def measure(bench: Bench, options: argparse.Namespace) -> list[Compared]:
    # The workers load their Korean models first.
    warm = await bench.dataset(50)
    async with bench.run_beside(warm, EvaluationType.FULL_RAG):
        await bench.waits(options.samples)
    found = []
    wanted = {
        EvaluationType.RETRIEVAL_ONLY: options.cases,
        EvaluationType.FULL_RAG: options.judged,
    }
    for type_, cases in wanted.items():
        dataset_id = await bench.dataset(cases)
        compared = Compared(f"{type_}, {cases:,} cases", [], [])
        for _ in range(options.rounds):
            compared.alone.append(await bench.waits(options.samples))
            async with bench.run_beside(dataset_id, type_):
                compared.beside.append(await bench.waits(options.samples))
            # What was under way when the run was cancelled has ended.
            await asyncio.sleep(2)
        found.append(compared)
    return found


@asynccontextmanager
async def opened(servers: Servers, rate: float) -> AsyncIterator[Bench]:
    async with AsyncExitStack() as stack:
        stub = await stack.enter_async_context(stub_judge(JUDGE_SECONDS))
        chosen = settings(servers, stub)
        engine = create_engine(servers.database_url)
        stack.push_async_callback(engine.dispose)
        sessions = create_sessions(engine)
        async with sessions.begin() as session:
            workspace_id = await ensure_workspace(session)
        notes = [
            ImportedNote(
                str(n), f"기록 {n}", f"{_TOPICS[n % 8]} {n}번은 {n % 90}도로 {n}분 둔다. " * 6
            )
            for n in range(NOTES)
        ]
        await import_notes(sessions, workspace_id, notes, notebook="b")
        variables = environment(chosen)
        await stack.enter_async_context(running(parts.worker(1, chosen, variables)))
        await stack.enter_async_context(running(parts.bulk_worker(chosen, variables)))
        await stack.enter_async_context(running(parts.dispatcher(variables)))
        publisher = Publisher(servers.redis_url, chosen)
        stack.callback(publisher.close)
        wake_up = WakeUp(publisher)
        wake_up.start()
        stack.callback(wake_up.stop)
        yield Bench(sessions, chosen, workspace_id, wake_up, rate)


def print_table(found: list[Compared]) -> None:
    print("| answer to verdict | | alone | beside | ratio |")
    print("|---|---|---|---|---|")
    for each in found:
        for figure, label in (("p50", "median"), ("p99", "p99")):
            alone, beside, ratio = each.row(figure)
            print(f"| {each.name} | {label} | {alone:.1f} ms | {beside:.1f} ms | {ratio:.2f} × |")
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    print(f"\n{os.cpu_count()} cores; load over 1, 5 and 15 minutes: {load}")


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--samples", type=int, default=300, help="answers of each measurement")
    parser.add_argument("--rounds", type=int, default=5, help="of each comparison")
    parser.add_argument("--rate", type=float, default=10, help="answers a second")
    parser.add_argument("--cases", type=int, default=10_000, help="of the run of the search alone")
    parser.add_argument("--judged", type=int, default=500, help="of the run that also judges")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        async with servers(Path(folder)) as started, opened(started, options.rate) as bench:
            print_table(await measure(bench, options))


if __name__ == "__main__":
    asyncio.run(main())
