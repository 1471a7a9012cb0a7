"""The job that has a part of a bench judged, each result committed as soon as it is known."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Coroutine, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from sqlalchemy import RowMapping
from sqlalchemy.ext.asyncio import AsyncSession

from app.datasets.benches import queries
from app.datasets.benches.judging import Judged, judge_answer
from app.datasets.benches.models import JudgeBenchItem
from app.datasets.benches.summary import summarise_bench
from app.datasets.status import RunStatus
from app.db.session import in_workspace
from app.jobs.job import Job, JobContext, JobLost
from app.jobs.queries import HOLD

# Of one job; several jobs of a process run side by side.
_AT_ONCE = 4


async def judge_bench(job: Job, context: JobContext) -> None:
    """Has the answers at positions `first` to `last` judged by each judge that has not yet. Who
    brings the last result of the bench sums it up.

    Raises TransientProviderError while the job may be tried again; on its last try an answer
    whose judge fails gets that as its result.
    """
    workspace_id, bench_id = job.workspace_id, uuid.UUID(job.payload["bench_id"])
    first, last = job.payload["first"], job.payload["last"]
    async with in_workspace(context.sessions, workspace_id) as session:
        bench = await queries.bench(session, workspace_id, bench_id)
        if bench is None or RunStatus(bench["status"]).final:
            return
        items = await queries.items(session, workspace_id, bench_id, first, last)
        done = await queries.measured(session, workspace_id, bench_id, first, last)
    async with _holding(context) as session:
        await queries.begin(session, bench_id)
    part = _Part(context, bench)
    await _all(
        part.measure(item, judge)
        for item in items
        for judge in bench["judges"]
        if (item.position, judge) not in done
    )
    await _finish_if_last(context, bench_id)


@asynccontextmanager
async def _holding(context: JobContext) -> AsyncIterator[AsyncSession]:
    """As `writing`, with the job locked before its bench, the order of whoever cancels the job:
    in the other one the two could wait for each other."""
    held = {"id": context.job.id, "attempt": context.job.attempt}
    async with context.writing() as session:
        if await session.scalar(HOLD, held) is None:
            raise JobLost
        yield session


async def _all(work: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Raises the first error, after those under way have ended."""
    for outcome in await asyncio.gather(*work, return_exceptions=True):
        if isinstance(outcome, BaseException):
            raise outcome


@dataclass
class _Part:
    """Has answers of one bench judged, a few at a time."""

    context: JobContext
    bench: RowMapping
    room: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_ONCE))
    lost: bool = False

    async def measure(self, item: JudgeBenchItem, judge: str) -> None:
        """Stores the verdict. Raises JobLost, and then no other judge is asked any more: it would
        be paid for nothing."""
        async with self.room:
            if self.lost:
                return
            settings = self.context.settings
            judged = await judge_answer(
                item,
                judge,
                partial(self.context.providers.router, deadline=settings.judge_deadline),
                key=item.bench_id,
                spans=self.bench["judge_spans"],
                last_try=self.context.job.tries + 1 >= settings.max_attempts,
            )
            try:
                await self._store(item, judge, judged)
            except JobLost:
                self.lost = True
                raise

    async def _store(self, item: JudgeBenchItem, judge: str, judged: Judged) -> None:
        predicted = None if judged.score is None else judged.score < self.bench["threshold"]
        async with _holding(self.context) as session:
            await queries.add_result(
                session,
                workspace_id=item.workspace_id,
                bench_id=item.bench_id,
                position=item.position,
                judge=judge,
                hallucinated=item.hallucinated,
                predicted=predicted,
                **judged.columns(),
            )


async def _finish_if_last(context: JobContext, bench_id: uuid.UUID) -> None:
    workspace_id = context.job.workspace_id
    async with in_workspace(context.sessions, workspace_id) as session:
        bench = await queries.bench(session, workspace_id, bench_id)
        if bench is None or bench["done"] < bench["total"]:
            return
        results = await queries.results(session, workspace_id, bench_id)
    # Resampling may take seconds; no transaction waits for it.
    summary = await asyncio.to_thread(summarise_bench, results, bench["judges"], bench["threshold"])
    values: dict[str, Any] = {"summary": summary.model_dump(mode="json")}
    if not any(judge.answers for judge in summary.judges):
        values["error_message"] = summary.judges[0].first_error
    async with _holding(context) as session:
        await queries.complete(session, bench_id, **values)
