"""Asking for a better answer, and looking at how that goes."""

import uuid
from collections.abc import Sequence
from itertools import groupby

from sqlalchemy import RowMapping
from sqlalchemy.ext.asyncio import AsyncSession

from app.answering.refine import queries
from app.answering.refine.automatic import REFINE_JOB
from app.answering.refine.views import IterationView, RefinementView
from app.platform.db.owned_queries import one
from app.platform.errors import Conflict, NotFound, no_such
from app.platform.jobs.service import enqueue
from app.verdicts.status import Status


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
        raise Conflict(
            "This answer was not made from notes, so there is nothing to search again.",
            ko="노트로 답한 것이 아니어서 다시 찾아볼 노트가 없습니다.",
            code="not-from-notes",
        )
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
        raise NotFound(
            "There is no such refinement; GET /qa-evaluations/{id}/refinements lists them.",
            ko="그런 개선 기록이 없습니다. GET /qa-evaluations/{id}/refinements에서 확인하세요.",
        )
    found = await queries.iterations(session, workspace_id, [refinement_id])
    return _view(row, [IterationView.of(each) for each in found])


async def refinements_of(
    session: AsyncSession, workspace_id: uuid.UUID, evaluation_id: uuid.UUID
) -> Sequence[RefinementView]:
    """Newest first; none for an evaluation of another workspace."""
    rows = await queries.views_of(session, workspace_id, evaluation_id)
    found = await queries.iterations(session, workspace_id, [row["id"] for row in rows])
    by_refinement = {
        id_: [IterationView.of(each) for each in group]
        for id_, group in groupby(found, key=lambda each: each.refinement_id)
    }
    return [_view(row, by_refinement.get(row["id"], [])) for row in rows]


def _view(row: RowMapping, iterations: Sequence[IterationView]) -> RefinementView:
    return RefinementView.model_validate({**row, "iterations": iterations})
