"""Refinements as readers get them."""

import datetime as dt
import uuid
from typing import Self

from pydantic import BaseModel

from app.jobs.status import JobStatus
from app.refine.models import RefinementIteration
from app.refine.state import StopReason


class DocumentView(BaseModel):
    """A note as the answer was given it. `id` is the note's, or another application's."""

    id: str
    title: str
    content: str


class IterationView(BaseModel):
    """One round; 0 is the first answer. Null is what it has not come to. `heuristic`: the scores
    (0 to 1) were estimated without a model."""

    position: int
    query: str
    rewritten_by: str | None
    documents: list[DocumentView] | None
    answer: str | None
    grounding: float | None
    completeness: float | None
    accuracy: float | None
    overall_score: float | None
    missing_info: list[str] | None
    improvement_suggestions: list[str] | None
    reason: str | None
    heuristic: bool | None

    @classmethod
    def of(cls, row: RefinementIteration) -> Self:
        return cls.model_validate(row, from_attributes=True)


class RefinementView(BaseModel):
    """The improvement of one answer. `best_iteration` is 0 when no later answer is better, and
    `lift` by how much the best is better than the first; both are null while nobody can say."""

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
    created_at: dt.datetime
    finished_at: dt.datetime | None
    iterations: list[IterationView]

    @property
    def better(self) -> IterationView | None:
        """The iteration to offer in place of the first answer, if there is one."""
        return self.iterations[self.best_iteration] if self.best_iteration else None
