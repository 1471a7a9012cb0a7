"""Refinements for the API: requested, listed, shown."""

import datetime as dt
import uuid
from collections.abc import Sequence
from itertools import groupby
from typing import Literal

from pydantic import BaseModel, ConfigDict
from sqlalchemy import RowMapping
from sqlalchemy.ext.asyncio import AsyncSession

from app.answering.refine import queries
from app.answering.refine.automatic import REFINE_JOB
from app.answering.refine.state import StopReason
from app.platform.db.owned_queries import one
from app.platform.errors import Conflict, NotFound, no_such
from app.platform.jobs.service import enqueue
from app.platform.jobs.status import JobStatus
from app.verdicts.status import Status


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

    model_config = ConfigDict(from_attributes=True)

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


async def request_refinement(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    evaluation_id: uuid.UUID,
    *,
    threshold: float,
    max_iterations: int,
) -> uuid.UUID:
    """Puts the job in that improves the evaluation's answer; the caller commits. Returns the
    refinement's id, that of the one under way if there is one.

    Raises NotFound, and Conflict for an answer that was not made from notes: there is nothing
    to search again.
    """
    found = await queries.answer_of(session, workspace_id, evaluation_id)
    if found is None:
        raise no_such("evaluation", "평가가", "/qa-evaluations")
    judged_by_notes = found.status != Status.SKIPPED and "search_qa" in found.evaluators
    if found.search_method is None and not judged_by_notes:
        raise Conflict.worded("not-from-notes")
    refinement_id = await enqueue(
        session,
        workspace_id,
        REFINE_JOB,
        {"evaluation_id": str(evaluation_id)},
        dedupe_key=str(evaluation_id),
    )
    await queries.add(
        session,
        id=refinement_id,
        workspace_id=workspace_id,
        evaluation_id=evaluation_id,
        threshold=threshold,
        max_iterations=max_iterations,
        automatic=False,
    )
    return refinement_id


async def refinement_view(
    session: AsyncSession, workspace_id: uuid.UUID, refinement_id: uuid.UUID
) -> RefinementView:
    """Raises NotFound, also for one of another workspace."""
    row = await one(session, queries.VIEW, workspace_id, refinement_id)
    if row is None:
        raise NotFound.worded("no-such-refinement")
    found = await queries.iterations(session, workspace_id, [refinement_id])
    return _view(row, [IterationView.model_validate(each) for each in found])


async def refinements_of(
    session: AsyncSession, workspace_id: uuid.UUID, evaluation_id: uuid.UUID
) -> Sequence[RefinementView]:
    """Newest first; none for an evaluation of another workspace."""
    rows = await queries.views_of(session, workspace_id, evaluation_id)
    found = await queries.iterations(session, workspace_id, [row["id"] for row in rows])
    by_refinement = {
        id_: [IterationView.model_validate(each) for each in group]
        for id_, group in groupby(found, key=lambda each: each.refinement_id)
    }
    return [_view(row, by_refinement.get(row["id"], [])) for row in rows]


def _view(row: RowMapping, iterations: Sequence[IterationView]) -> RefinementView:
    return RefinementView.model_validate({**row, "iterations": iterations})
