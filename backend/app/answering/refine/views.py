"""Refinements as readers get them."""

import datetime as dt
import uuid
from typing import Literal, Self

from pydantic import BaseModel

from app.answering.refine.models import RefinementIteration
from app.answering.refine.state import StopReason
from app.platform.jobs.status import JobStatus


class DocumentView(BaseModel):
    """A note as the answer was given it. `id` is the note's, or another application's."""

    id: str
    title: str
    content: str


class IterationView(BaseModel):
    """One round; 0 is the first answer. Null is what it has not come to. `heuristic`: the scores
    (0 to 1) were estimated without a model. needs_retrieval: whether the evaluation wants another
    search; searched: false where the answer was rewritten from the notes of the round before.
    judged_by (provider:model/version) to verdict_error: the verdict by the judge of the first
    answer, given to the first answer and to the best one. calls: those to models."""

    position: int
    query: str
    rewritten_by: str | None
    searched: bool
    documents: list[DocumentView] | None
    answer: str | None
    grounding: float | None
    completeness: float | None
    accuracy: float | None
    overall_score: float | None
    missing_info: list[str] | None
    improvement_suggestions: list[str] | None
    needs_retrieval: bool | None
    reason: str | None
    heuristic: bool | None
    judged_by: str | None
    correctness: float | None
    utility: float | None
    confidence: str | None
    verdict_overall: float | None
    verdict_error: str | None
    calls: int

    @classmethod
    def of(cls, row: RefinementIteration) -> Self:
        return cls.model_validate(row, from_attributes=True)


class RefinementView(BaseModel):
    """The improvement of one answer. `best_iteration` is 0 when no later answer is better, and
    `lift` by how much the best is better than the first; both are null while nobody can say.
    correctness_lift, utility_lift (-1 to 1): the same by the verdicts of the judge of the first
    answer. targeted_retrieval: share of the missing information that the searches for it found;
    precision and recall of the first and of the last search by the notes that are relevant, as
    `relevance` says: `ground_truth` of a dataset with this question, or by shared `words`."""

    id: uuid.UUID
    evaluation_id: uuid.UUID
    status: JobStatus
    error: str | None
    automatic: bool
    threshold: float
    max_iterations: int
    stop_reason: StopReason | None
    best_iteration: int | None
    lift: float | None
    correctness_lift: float | None
    utility_lift: float | None
    relevance: Literal["ground_truth", "words"] | None
    targeted_retrieval: float | None
    first_precision: float | None
    first_recall: float | None
    last_precision: float | None
    last_recall: float | None
    created_at: dt.datetime
    finished_at: dt.datetime | None
    iterations: list[IterationView]

    @property
    def better(self) -> IterationView | None:
        """The iteration to offer in place of the first answer, if there is one."""
        return self.iterations[self.best_iteration] if self.best_iteration else None
