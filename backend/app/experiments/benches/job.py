"""The job that has a part of a bench judged, each result committed as soon as it is known."""

import asyncio
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import RowMapping

from app.experiments.benches import queries
from app.experiments.benches.frame import BenchFrame
from app.experiments.benches.judge_prompt import stored_prompts
from app.experiments.benches.judging import judge_answer
from app.experiments.benches.models import JudgeBench, JudgeBenchItem
from app.experiments.benches.summary import summarise_bench
from app.judges.local.judge import local_judge
from app.judges.prompts.one_call import OneCallPrompt
from app.platform.db.owned_queries import in_order, one
from app.platform.db.session import in_workspace
from app.platform.jobs import part_queries
from app.platform.jobs.job import Job, JobContext
from app.platform.jobs.parts import side_by_side
from app.platform.jobs.run_status import RunStatus


async def judge_bench_part(job: Job, context: JobContext) -> None:
    """Has the answers at positions `first` to `last` judged by each judge that has not yet. Who
    brings the last result of the bench sums it up.

    Raises TransientProviderError while the job may be tried again; on its last try an answer
    whose judge fails gets that as its result.
    """
    workspace_id, bench_id = job.workspace_id, uuid.UUID(job.payload["bench_id"])
    first, last = job.payload["first"], job.payload["last"]
    async with in_workspace(context.sessions, workspace_id) as session:
        bench = await one(session, queries.BENCH, workspace_id, bench_id)
        if bench is None or RunStatus(bench["status"]).final:
            return
        of_bench = JudgeBenchItem.bench_id == bench_id
        items = await in_order(session, JudgeBenchItem, workspace_id, of_bench, first, last)
        done = await queries.measured(session, workspace_id, bench_id, first, last)
        own = await stored_prompts(session, workspace_id, bench["judges"])
    async with context.writing() as session:
        await part_queries.begin(session, JudgeBench, bench_id)
    part = _Part(context, bench, own)
    await side_by_side(
        partial(part.measure, item, judge)
        for item in items
        for judge in bench["judges"]
        if (item.position, judge) not in done
    )
    await _finish_if_last(context, bench_id)


@dataclass(frozen=True)
class _Part:
    """Has answers of one bench judged."""

    context: JobContext
    bench: RowMapping
    own: Mapping[str, OneCallPrompt]

    async def measure(self, item: JudgeBenchItem, judge: str) -> None:
        """Stores the verdict. Raises JobLost."""
        settings = self.context.settings
        judged = await judge_answer(
            item,
            judge,
            partial(self.context.providers.router, deadline=settings.judge.deadline_seconds),
            partial(local_judge, settings=settings),
            own=self.own,
            key=item.bench_id,
            spans=self.bench["judge_spans"],
            last_try=self.context.job.tries + 1 >= settings.judge.max_attempts,
        )
        predicted = None if judged.score is None else judged.score < self.bench["threshold"]
        async with self.context.writing() as session:
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
        bench = await one(session, queries.BENCH, workspace_id, bench_id)
        if bench is None or bench["done"] < bench["total"]:
            return
        results = await queries.results(session, workspace_id, bench_id)
    # Resampling may take seconds; no transaction waits for it.
    frame = bench["frame"] and BenchFrame.model_validate(bench["frame"])
    summary = await asyncio.to_thread(
        summarise_bench, results, bench["judges"], bench["threshold"], frame
    )
    values: dict[str, Any] = {"summary": summary.model_dump(mode="json")}
    if not any(judge.answers for judge in summary.judges):
        values["error_message"] = summary.judges[0].first_error
    async with context.writing() as session:
        await part_queries.end(session, JudgeBench, bench_id, RunStatus.COMPLETED, **values)
