"""The state of a refinement as rows."""

import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Row
from sqlalchemy.ext.asyncio import AsyncSession

from app.judges.refinement.evaluation import Document, EvaluationResult
from app.refine import queries
from app.refine.models import RefinementIteration
from app.refine.profile import Slots
from app.refine.state import Iteration, RefinementState, StopReason
from app.verdicts.lifecycle.outcome import Usage

# Where an iteration keeps its evaluation.
_COLUMNS = {name: name.removesuffix("_score") for name in EvaluationResult.model_fields}
_COLUMNS["overall_score"] = "overall_score"


@dataclass(frozen=True, slots=True)
class Refining:
    """A refinement as far as it has come. `notebook_id`: the only notebook to search in."""

    id: uuid.UUID
    workspace_id: uuid.UUID
    notebook_id: uuid.UUID | None
    threshold: float
    max_iterations: int
    state: RefinementState


async def load(
    session: AsyncSession, workspace_id: uuid.UUID, refinement_id: uuid.UUID
) -> Refining | None:
    """None when the answer was deleted, and the refinement with it."""
    refinement = await queries.one(session, workspace_id, refinement_id)
    if refinement is None:
        return None
    answer = await queries.answer_of(session, workspace_id, refinement.evaluation_id)
    assert answer is not None, "the refinement goes with its evaluation"
    rows = await queries.iterations(session, workspace_id, [refinement_id])
    iterations = [_iteration(row) for row in rows]
    if not iterations:
        sources = await queries.sources_of(session, workspace_id, answer.answer_id)
        iterations = [
            Iteration(query=answer.question, documents=_documents(sources), answer=answer.answer)
        ]
    state = RefinementState(
        question=answer.question,
        lang=answer.lang,
        profile_summary=answer.profile,
        slots=Slots.model_validate(answer.slots) if answer.slots else None,
        iterations=tuple(iterations),
        stop=StopReason(refinement.stop_reason) if refinement.stop_reason else None,
    )
    return Refining(
        refinement_id,
        workspace_id,
        answer.notebook_id,
        refinement.threshold,
        refinement.max_iterations,
        state,
    )


async def save(
    session: AsyncSession, refining: Refining, state: RefinementState, usage: Usage
) -> None:
    """Writes what the last step has changed: the first answer once, the last iteration, and how
    it ended. `usage` is what the step took. The caller commits."""
    first, last = 0, len(state.iterations) - 1
    for position in sorted({first, last}):
        spent = usage if position == last else Usage()
        row = _row(refining, position, state.iterations[position], spent)
        await queries.save_iteration(session, row)
    if state.stop is not None:
        await queries.finish(
            session,
            refining.id,
            stop_reason=state.stop.value,
            best_iteration=state.best,
            lift=state.lift,
        )


def _documents(sources: Sequence[Row[Any]]) -> tuple[Document, ...]:
    return tuple(
        Document(
            # Notes of another application have no id of ours.
            id=str(source.note_id or f"source-{source.note_index}"),
            title=source.title,
            content=source.content,
        )
        for source in sources
    )


def _iteration(row: RefinementIteration) -> Iteration:
    documents = row.documents
    return Iteration(
        query=row.query,
        rewritten_by=row.rewritten_by,
        documents=None if documents is None else tuple(Document(**each) for each in documents),
        answer=row.answer,
        evaluation=_evaluation(row),
    )


def _evaluation(row: RefinementIteration) -> EvaluationResult | None:
    if row.overall_score is None:
        return None
    return EvaluationResult(**{name: getattr(row, column) for name, column in _COLUMNS.items()})


def _row(refining: Refining, position: int, iteration: Iteration, spent: Usage) -> dict[str, Any]:
    evaluation, documents = iteration.evaluation, iteration.documents
    row = {
        "workspace_id": refining.workspace_id,
        "refinement_id": refining.id,
        "position": position,
        "query": iteration.query,
        "rewritten_by": iteration.rewritten_by,
        "documents": None if documents is None else [each.model_dump() for each in documents],
        "answer": iteration.answer,
        **asdict(spent),
    }
    if evaluation is not None:
        row |= {column: getattr(evaluation, name) for name, column in _COLUMNS.items()}
    return row
