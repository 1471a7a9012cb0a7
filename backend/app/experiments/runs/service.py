"""Runs over datasets: views, and how they are started and read."""

import datetime as dt
import uuid
from collections.abc import Sequence
from typing import Any, Literal

from pydantic import BaseModel
from sqlalchemy import RowMapping, exists, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.experiments import queries
from app.experiments.datasets import service as datasets
from app.experiments.models import (
    EvalDataset,
    EvalResult,
    EvalRun,
    EvalTestCase,
    EvaluationType,
    Retrieval,
)
from app.experiments.parts import CriterionMean, criterion_means
from app.experiments.runs.likeness import ComparedRun, Measured
from app.experiments.runs.run_models import RunModels
from app.experiments.runs.search import chosen_retrieval
from app.judges.answer import Outcome
from app.notes.embedding import coverage
from app.notes.vectors import embedding_model
from app.platform.db.owned_queries import Listed, Page, delete_one, page
from app.platform.errors import Conflict, InvalidRequest
from app.platform.ids import new_id
from app.platform.jobs.status import UNFINISHED_RUNS, RunStatus
from app.platform.settings import Settings
from app.quality.metrics import retrieval as means
from app.quality.metrics.statistics import mean_known, sum_known

BudgetReason = Literal["budget_spent", "budget_held", "budget_unpriced"]


class CriterionOfCase(BaseModel):
    """The score by a criterion of the workspace; null where nobody said."""

    version: int
    value: float | None
    label: str | None
    reasoning: str | None


class RunSummary(BaseModel):
    """The figures of a completed run. `metrics` is null when every search failed, `generation` when
    nothing was generated or no answer could be judged; `failed` cases could not be measured at
    all. criteria: the workspace's own that were in force when it began."""

    metrics: means.RetrievalMetrics | None
    generation: means.GenerationMetrics | None
    failed: int
    prompt_tokens: int | None
    completion_tokens: int | None
    cost_usd: float | None
    mean_latency_ms: float | None
    criteria: list[CriterionMean]


class RunView(Listed):
    """A run; `done` of `cases` are measured. The means are null until it is completed.
    `embedding_model` is null where the retrieval asks none; prompt_version is of the judge;
    app_version is the release of the application that it measures. While a run waits for money of
    the daily budget, `waits_for` says why and `waits_until` when its next part is looked at
    again."""

    name: str
    dataset_id: uuid.UUID | None
    dataset_name: str
    dataset_version: int
    status: RunStatus
    k: int
    evaluation_type: EvaluationType
    retrieval: Retrieval
    embedding_model: str | None
    answer_model: str
    judge_model: str
    prompt_version: str | None
    app_version: str | None
    cases: int
    done: int
    metrics: means.RetrievalMetrics | None
    mean_faithfulness: float | None
    mean_answer_relevancy: float | None
    summary: RunSummary | None
    error_message: str | None
    waits_for: BudgetReason | None
    waits_until: dt.datetime | None
    created_at: dt.datetime
    updated_at: dt.datetime


class ResultView(BaseModel):
    """One case of a run. Retrieval figures are null where the search failed;
    `missing_chunk_ids` are of the ground truth, no longer exist and count as missed.
    faithfulness_decided: false where rules could not tell, and the score counts in no mean; null
    for models. outcome: `rightly_refused` where no score counts in a mean. passed: whether the
    answer to a case with notes of its own is as expected, null where nobody could tell; mended_in:
    where it failed before, the release, else the name, of the run since which it passes."""

    id: str
    test_case_id: uuid.UUID
    question: str
    retrieved_chunk_ids: list[str]
    missing_chunk_ids: list[str]
    precision: float | None
    recall: float | None
    hit: bool | None
    reciprocal_rank: float | None
    average_precision: float | None
    ndcg: float | None
    generated_answer: str | None
    faithfulness: float | None
    faithfulness_reasoning: str | None
    faithfulness_decided: bool | None
    outcome: Outcome | None
    answer_relevancy: float | None
    answer_relevancy_reasoning: str | None
    criteria: dict[str, CriterionOfCase] | None
    passed: bool | None
    mended_in: str | None
    error: str | None


class RunDetail(RunView):
    results: list[ResultView]


class RunPage(Page[RunView, uuid.UUID]):
    """`next` continues the list; it is null on the last page."""


def summarise_run(results: Sequence[EvalResult], k: int) -> RunSummary:
    """Means, intervals and coverage. Blocks for a moment with thousands of results."""
    judged = [result for result in results if result.faithfulness is not None]
    cost = sum_known(each.cost_usd for each in results)
    return RunSummary(
        metrics=means.summarise_retrieval(
            [_retrieval(each) for each in results if each.precision is not None], k
        ),
        generation=means.summarise_generation(
            [
                means.GenerationCaseMetrics.model_validate(each, from_attributes=True)
                for each in judged
            ],
            total=len(results),
        ),
        failed=sum(result.error is not None for result in results),
        prompt_tokens=sum_known(each.prompt_tokens for each in results),
        completion_tokens=sum_known(each.completion_tokens for each in results),
        cost_usd=None if cost is None else float(cost),
        mean_latency_ms=mean_known(each.latency_ms for each in results),
        criteria=criterion_means([each.criteria or {} for each in results]),
    )


def _retrieval(result: EvalResult) -> means.CaseRetrieval:
    figures = {name: getattr(result, name) for name in means.MEANS.values()}
    return means.CaseRetrieval(**figures, missing=tuple(result.missing_chunk_ids))


async def start_run(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    dataset_id: uuid.UUID,
    *,
    k: int,
    evaluation_type: EvaluationType,
    retrieval: Retrieval | None,
    models: RunModels,
    settings: Settings,
    name: str | None = None,
    app_version: str | None = None,
) -> uuid.UUID:
    """Stores the run and the jobs that do it; the caller commits.

    retrieval: None means the best over chunks that there is. name: None names it by its dataset
    and counts on. Raises NotFound, InvalidRequest for a retrieval that nothing is configured for
    and for a search without a case that searches, Conflict while no chunk has a vector for it.
    """
    await queries.keep_from_growing(session, workspace_id, dataset_id)
    dataset = await datasets.stored_dataset(session, workspace_id, dataset_id)
    chosen = chosen_retrieval(retrieval, settings)
    if evaluation_type is EvaluationType.RETRIEVAL_ONLY:
        await _check_searches(session, workspace_id, dataset_id)
    model = None if chosen is Retrieval.TEXT else embedding_model(settings)
    if chosen.needs_vectors:
        found = await coverage(session, workspace_id, model)
        if found.chunks and not found.embedded:
            raise Conflict.worded("no-vectors", model=model)
    if name is None:
        before = await session.scalar(
            select(func.count()).where(
                EvalRun.workspace_id == workspace_id, EvalRun.dataset_id == dataset_id
            )
        )
        name = f"{dataset['name']} v{dataset['version']} #{(before or 0) + 1}"
    run = EvalRun(
        id=new_id(),
        name=name,
        workspace_id=workspace_id,
        dataset_id=dataset_id,
        dataset_name=dataset["name"],
        dataset_version=dataset["version"],
        k=k,
        evaluation_type=evaluation_type.value,
        retrieval=chosen.value,
        embedding_model=model,
        answer_model=models.answer_model,
        judge_model=models.judge_model,
        prompt_version=models.prompt,
        criteria=list(models.criteria),
        app_version=app_version,
        cases=dataset["cases"],
    )
    session.add(run)
    await session.flush()
    await queries.RUNS.enqueue(session, workspace_id, run.id, run.cases)
    return run.id


async def _check_searches(
    session: AsyncSession, workspace_id: uuid.UUID, dataset_id: uuid.UUID
) -> None:
    searching = (
        EvalTestCase.workspace_id == workspace_id,
        EvalTestCase.dataset_id == dataset_id,
        EvalTestCase.notes.is_(None),
    )
    if not await session.scalar(select(exists().where(*searching))):
        raise InvalidRequest.worded("only-own-notes")


async def delete_dataset(
    session: AsyncSession, workspace_id: uuid.UUID, dataset_id: uuid.UUID
) -> None:
    """Runs over it stay, with what they have measured; those under way are cancelled, and their
    jobs end at the next heartbeat. The caller commits. Raises NotFound."""
    await session.execute(
        update(EvalRun)
        .where(
            EvalRun.workspace_id == workspace_id,
            EvalRun.dataset_id == dataset_id,
            EvalRun.status.in_([status.value for status in UNFINISHED_RUNS]),
        )
        .values(
            status=RunStatus.CANCELLED.value,
            error_message="The dataset was deleted while the run was under way.",
            updated_at=func.now(),
            finished_at=func.now(),
        )
    )
    if not await delete_one(session, EvalDataset, workspace_id, dataset_id):
        raise datasets.no_such_dataset()


async def run_view(session: AsyncSession, workspace_id: uuid.UUID, run_id: uuid.UUID) -> RunView:
    """Without its results. Raises NotFound, also for one of another workspace."""
    return RunView.model_validate(_figures(await queries.RUNS.read(session, workspace_id, run_id)))


async def run_detail(
    session: AsyncSession, workspace_id: uuid.UUID, run_id: uuid.UUID
) -> RunDetail:
    """With its results, in the order of the cases. Raises NotFound."""
    row = await queries.RUNS.read(session, workspace_id, run_id)
    results = await queries.run_results(session, workspace_id, run_id)
    mended = {}
    if row["dataset_id"] and any(result.passed for result in results):
        states = await datasets.case_states(session, workspace_id, row["dataset_id"], run_id)
        mended = {id_: each.release for id_, each in states.items() if each.state == "mended"}
    shown = [_result(result, mended.get(result.test_case_id)) for result in results]
    return RunDetail.model_validate({**_figures(row), "results": shown})


async def run_page(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    *,
    dataset_id: uuid.UUID | None,
    name: str | None,
    after: uuid.UUID | None,
    limit: int,
) -> RunPage:
    """Newest first; `after` is the last id of the page before."""
    only = {"dataset_id": dataset_id, "name": name}
    rows = await page(session, queries.RUN_PAGE, workspace_id, after=after, limit=limit, **only)
    return RunPage.of([RunView.model_validate(_figures(row)) for row in rows], limit)


def _figures(row: RowMapping) -> dict[str, Any]:
    stored = row["summary"]
    # Summaries of earlier releases have no criteria.
    summary = RunSummary.model_validate({"criteria": [], **stored}) if stored else None
    generation = summary and summary.generation
    return {
        **row,
        "summary": summary,
        "metrics": summary and summary.metrics,
        "mean_faithfulness": generation and generation.mean_faithfulness,
        "mean_answer_relevancy": generation and generation.mean_answer_relevancy,
    }


def _result(row: EvalResult, mended_in: str | None) -> ResultView:
    derived = {"id": f"{row.run_id}-{row.position}", "mended_in": mended_in}
    stored = {name: getattr(row, name) for name in ResultView.model_fields.keys() - derived}
    return ResultView(**stored, **derived)


async def measured_runs(
    session: AsyncSession, workspace_id: uuid.UUID, ids: Sequence[uuid.UUID]
) -> list[Measured]:
    """In the order of the ids. Raises NotFound, and Conflict while one is not completed."""
    runs = [await run_view(session, workspace_id, id_) for id_ in ids]
    measured = []
    for run in runs:
        if run.status is not RunStatus.COMPLETED:
            raise Conflict.worded("run-not-completed", run=run.id, status=run.status)
        results = await queries.run_results(session, workspace_id, run.id)
        measured.append(Measured(ComparedRun.model_validate(run), results))
    return measured
