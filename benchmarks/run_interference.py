"""What a dataset run does to fresh answers: from the stored answer to its verdict, before, during
and after a run, so that a machine that drifts shows."""

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from bench_answers import finished_answer
from bench_parts import Servers, Stub, environment, running, settings
from figures import Latency
from ours import READY
from sqlalchemy import text

from app.experiments.datasets.cases import TestCase
from app.experiments.datasets.service import create_dataset
from app.experiments.models import EvaluationType, Retrieval
from app.experiments.queries import RUNS
from app.experiments.runs.run_models import RunModels
from app.experiments.runs.service import run_view, start_run
from app.judges.judge_names import RULES_MODEL
from app.judges.rules.judge import RULES_VERSION
from app.notes.importers import ImportedNote
from app.notes.service import import_notes
from app.operations.embedded import parts
from app.platform.broker import Publisher
from app.platform.db.pool import Pool, create_pool
from app.platform.db.session import Sessions
from app.platform.settings import Settings
from app.verdicts.lifecycle.publisher import BackgroundPublisher
from app.verdicts.lifecycle.service import finish_answer
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.workspaces.service import ensure_workspace

JUDGE_SECONDS = 0.05
ANSWERS_PER_SECOND = 10
WARM_UP = 20
NOTES = 1000
_TOPICS = ("배양기", "냉동고", "원심분리기", "완충액", "시약장", "현미경", "건조기", "멸균기")
_WAITS = text("""
SELECT EXTRACT(EPOCH FROM finished_at - created_at) AS seconds FROM qa_evaluations
WHERE id = ANY(:ids) AND status = 'succeeded'
""")
_CHUNKS = text("SELECT id::text, content FROM note_chunks ORDER BY id")


async def run_interference(
    servers: Servers, stub: Stub, sessions: Sessions, *, samples: int, cases: int
) -> Mapping[str, Latency]:
    """Answers come at a steady rate, their judge takes 50 ms. The run answers its questions and
    judges them by rules, so it takes all the CPU it gets, and is cancelled when they are judged."""
    await stub.set_latency(JUDGE_SECONDS)
    async with _live(servers, stub, sessions) as live:
        dataset_id = await live.dataset(cases)
        # The bulk worker loads its Korean models.
        async with live.run(dataset_id):
            await live.waits(WARM_UP)
        before = await live.waits(samples)
        async with live.run(dataset_id):
            during = await live.waits(samples)
        after = await live.waits(samples)
    return {"without a run": before, f"during a run of {cases:,}": during, "after it": after}


@dataclass
class _Live:
    sessions: Sessions
    pool: Pool
    settings: Settings
    workspace_id: uuid.UUID
    background_publisher: BackgroundPublisher

    async def waits(self, samples: int) -> Latency:
        """By PostgreSQL's clock, after the first few."""
        policy = EvaluationPolicy.from_settings(self.settings)
        ids = []
        begin = time.monotonic()
        for number in range(WARM_UP + samples):
            await asyncio.sleep(max(0, begin + number / ANSWERS_PER_SECOND - time.monotonic()))
            new = await finish_answer(self.pool, policy, finished_answer(self.workspace_id))
            self.background_publisher.publish(new.evaluation_id)
            ids.append(new.evaluation_id)
        async with asyncio.timeout(60):
            # Another program's work (ASYNC110), here and below.
            while len(seconds := await self._judged(ids[WARM_UP:])) < samples:  # noqa: ASYNC110
                await asyncio.sleep(0.2)
        return Latency.from_seconds(seconds)

    async def _judged(self, ids: list[uuid.UUID]) -> list[float]:
        async with self.sessions() as session:
            return [float(each) for each in await session.scalars(_WAITS, {"ids": ids})]

    async def dataset(self, cases: int) -> uuid.UUID:
        async with self.sessions.begin() as session:
            chunks = (await session.execute(_CHUNKS)).all()
            tests = [
                TestCase(f"{content[:24]} {number}?", (id_,), None, "ko")
                for number in range(cases)
                for id_, content in [chunks[number % len(chunks)]]
            ]
            origin = {"kind": "imported"}
            return await create_dataset(
                session, self.workspace_id, "b", tests, notebook_id=None, origin=origin
            )

    @asynccontextmanager
    async def run(self, dataset_id: uuid.UUID) -> AsyncIterator[None]:
        """While the bulk worker measures; what is under way when it is cancelled has ended then."""
        async with self.sessions.begin() as session:
            run_id = await start_run(
                *(session, self.workspace_id, dataset_id),
                k=5,
                evaluation_type=EvaluationType.FULL_RAG,
                retrieval=Retrieval.TEXT,
                models=RunModels(self.settings.answering.model, RULES_MODEL, RULES_VERSION),
                settings=self.settings,
            )
        began = time.monotonic()
        async with asyncio.timeout(60):
            while not await self._done(run_id):  # noqa: ASYNC110
                await asyncio.sleep(0.1)
        yield
        done = await self._done(run_id)
        print(f"The run: {done / (time.monotonic() - began):.0f} cases a second", flush=True)
        async with self.sessions.begin() as session:
            await RUNS.cancel(session, self.workspace_id, run_id)
        await asyncio.sleep(2)

    async def _done(self, run_id: uuid.UUID) -> int:
        async with self.sessions() as session:
            return (await run_view(session, self.workspace_id, run_id)).done


@asynccontextmanager
async def _live(servers: Servers, stub: Stub, sessions: Sessions) -> AsyncIterator[_Live]:
    async with AsyncExitStack() as stack:
        chosen = settings(servers, stub)
        async with sessions.begin() as session:
            workspace_id = await ensure_workspace(session)
        texts = [f"{_TOPICS[n % 8]} {n}번은 {n % 90}도로 {n}분 둔다. " * 6 for n in range(NOTES)]
        notes = [ImportedNote(str(n), f"기록 {n}", each) for n, each in enumerate(texts)]
        await import_notes(sessions, workspace_id, notes, notebook="b")
        variables = environment(chosen)
        worker = running(parts.worker(1, chosen, variables), until=READY)
        await stack.enter_async_context(worker)
        # It warns of the jobs that it loses when a run is cancelled.
        quiet = chosen.replace(log_level="error")
        await stack.enter_async_context(running(parts.bulk_worker(quiet, variables)))
        await stack.enter_async_context(running(parts.dispatcher(variables)))
        pool = await stack.enter_async_context(create_pool(servers.database_url))
        publisher = Publisher(servers.redis_url, chosen)
        stack.callback(publisher.close)
        background_publisher = BackgroundPublisher(publisher)
        background_publisher.start()
        stack.callback(background_publisher.stop)
        yield _Live(sessions, pool, chosen, workspace_id, background_publisher)
