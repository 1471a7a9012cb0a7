"""Datasets and runs as readers get them."""

import datetime as dt
import uuid
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, computed_field

from app.datasets.evaluation_type import EvaluationType, Retrieval
from app.datasets.generation_metrics import GenerationMetrics
from app.datasets.retrieval_metrics import RetrievalMetrics
from app.datasets.status import RunStatus

_REVIEW: Mapping[str, Literal["proposed", "accepted"]] = {
    "generated": "proposed",
    "reviewed": "accepted",
}


class _View(BaseModel):
    model_config = ConfigDict(from_attributes=True)


class DatasetView(_View):
    """One version of a dataset; `cases` is how many it has. `origin` says where they are from.
    `review` is `proposed` for generated questions, `accepted` for what a person has left of a
    version, and null for questions that were brought in."""

    id: uuid.UUID
    name: str
    version: int
    notebook_id: uuid.UUID | None
    origin: dict[str, Any]
    cases: int
    created_at: dt.datetime

    @computed_field  # type: ignore[prop-decorator]  # as pydantic documents it
    @property
    def review(self) -> Literal["proposed", "accepted"] | None:
        return _REVIEW.get(self.origin["kind"])


class PassageView(_View):
    """A chunk that answers a question of a dataset."""

    id: str
    note_id: uuid.UUID
    title: str
    content: str


class CaseView(_View):
    id: uuid.UUID
    position: int
    question: str
    ground_truth_chunk_ids: list[str]
    reference_answer: str | None
    lang: str


class DatasetDetail(DatasetView):
    test_cases: list[CaseView]


class RunSummary(BaseModel):
    """The figures of a completed run. `metrics` is null when no case has ground truth that still
    exists, `generation` when nothing was generated or no answer could be judged; `failed` cases
    could not be measured at all."""

    metrics: RetrievalMetrics | None
    generation: GenerationMetrics | None
    failed: int
    prompt_tokens: int | None
    completion_tokens: int | None
    cost_usd: float | None
    mean_latency_ms: float | None


class RunView(_View):
    """A run; `done` of `cases` are measured. The means are null until it is completed.
    `embedding_model` is null where the retrieval asks none."""

    id: uuid.UUID
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
    cases: int
    done: int
    metrics: RetrievalMetrics | None
    mean_faithfulness: float | None
    mean_answer_relevancy: float | None
    summary: RunSummary | None
    error_message: str | None
    created_at: dt.datetime
    updated_at: dt.datetime


class ResultView(_View):
    """One case of a run. Retrieval figures are null when none of its chunks exist any more."""

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


class DatasetPage(BaseModel):
    """`next` continues the list; it is null on the last page."""

    items: list[DatasetView]
    next: uuid.UUID | None


class RunPage(BaseModel):
    """`next` continues the list; it is null on the last page."""

    items: list[RunView]
    next: uuid.UUID | None
