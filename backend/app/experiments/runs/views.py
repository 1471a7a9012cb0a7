"""Runs as readers get them."""

import datetime as dt
import uuid
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

from app.experiments.runs.models import EvalResult, EvaluationType, Retrieval
from app.platform.db.owned_queries import Listed, Page
from app.platform.jobs.status import RunStatus
from app.quality.metrics.retrieval import (
    MEANS,
    CaseRetrieval,
    GenerationCaseMetrics,
    GenerationMetrics,
    RetrievalMetrics,
    summarise_generation,
    summarise_retrieval,
)
from app.quality.metrics.statistics import mean_known, sum_known

BudgetReason = Literal["budget_spent", "budget_held", "budget_unpriced"]


class _View(BaseModel):
    model_config = ConfigDict(from_attributes=True)


class RunSummary(BaseModel):
    """The figures of a completed run. `metrics` is null when every search failed, `generation` when
    nothing was generated or no answer could be judged; `failed` cases could not be measured at
    all."""

    metrics: RetrievalMetrics | None
    generation: GenerationMetrics | None
    failed: int
    prompt_tokens: int | None
    completion_tokens: int | None
    cost_usd: float | None
    mean_latency_ms: float | None


class RunView(_View, Listed):
    """A run; `done` of `cases` are measured. The means are null until it is completed.
    `embedding_model` is null where the retrieval asks none; prompt_version is of the judge. While a
    run waits for money of the daily budget, `waits_for` says why and `waits_until` when its next
    part is looked at again."""

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
    cases: int
    done: int
    metrics: RetrievalMetrics | None
    mean_faithfulness: float | None
    mean_answer_relevancy: float | None
    summary: RunSummary | None
    error_message: str | None
    waits_for: BudgetReason | None
    waits_until: dt.datetime | None
    created_at: dt.datetime
    updated_at: dt.datetime


class ResultView(_View):
    """One case of a run. Retrieval figures are null where the search failed;
    `missing_chunk_ids` are of the ground truth, no longer exist and count as missed."""

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
    answer_relevancy: float | None
    answer_relevancy_reasoning: str | None
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
        metrics=summarise_retrieval(
            [_retrieval(each) for each in results if each.precision is not None], k
        ),
        generation=summarise_generation(
            [GenerationCaseMetrics.model_validate(each, from_attributes=True) for each in judged],
            total=len(results),
        ),
        failed=sum(result.error is not None for result in results),
        prompt_tokens=sum_known(each.prompt_tokens for each in results),
        completion_tokens=sum_known(each.completion_tokens for each in results),
        cost_usd=None if cost is None else float(cost),
        mean_latency_ms=mean_known(each.latency_ms for each in results),
    )


def _retrieval(result: EvalResult) -> CaseRetrieval:
    figures = {name: getattr(result, name) for name in MEANS.values()}
    return CaseRetrieval(**figures, missing=tuple(result.missing_chunk_ids))
