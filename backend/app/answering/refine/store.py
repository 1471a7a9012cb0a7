"""The state of a refinement as rows."""

import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Row
from sqlalchemy.ext.asyncio import AsyncSession

from app.answering.refine import queries
from app.answering.refine.models import RefinementIteration
from app.answering.refine.profile import Slots
from app.answering.refine.retrieval_gain import RetrievalGain
from app.answering.refine.same_judge import FirstVerdict
from app.answering.refine.state import Iteration, RefinementState, StopReason
from app.answering.refine.step_router import Spent
from app.answering.refine.verdict import AnswerVerdict
from app.judges.prompt_versions.service import find_prompt
from app.judges.published.refinement import Document, EvaluationResult

# Where an iteration keeps its evaluation.
_COLUMNS = {name: name.removesuffix("_score") for name in EvaluationResult.model_fields}
_COLUMNS["overall_score"] = "overall_score"
# And the verdict on its answer.
_VERDICT_COLUMNS = {
    "judged_by": "judged_by",
    "correctness": "correctness",
    "utility": "utility",
    "confidence": "confidence",
    "overall": "verdict_overall",
    "error": "verdict_error",
}

# Begins the ids of notes that another application sent, which have none of ours.
FOREIGN = "source-"


@dataclass(frozen=True, slots=True)
class Refining:
    """A refinement as far as it has come. `notebook_id`: the only notebook to search in; first: the
    verdict on the first answer, None where it has none; traceparent: of the first answer."""

    id: uuid.UUID
    workspace_id: uuid.UUID
    notebook_id: uuid.UUID | None
    threshold: float
    max_iterations: int
    state: RefinementState
    first: FirstVerdict | None
    traceparent: str | None


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
    own = await find_prompt(session, workspace_id, answer.judge_prompt)
    first = FirstVerdict.of(answer, own)
    if not iterations:
        sources = await queries.sources_of(session, workspace_id, answer.answer_id)
        iterations = [
            Iteration(
                query=answer.question,
                documents=_documents(sources),
                answer=answer.answer,
                verdict=first and first.verdict,
            )
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
        first,
        answer.traceparent,
    )


async def save(
    session: AsyncSession,
    refining: Refining,
    state: RefinementState,
    spent: Spent,
    gain: RetrievalGain | None = None,
) -> None:
    """Writes what the last step has changed: the first answer once, the last iteration and the one
    that may be offered, and how it ended. `spent` is what the step took, gain what the searches of
    a refinement that has ended have found. The caller commits."""
    last = len(state.iterations) - 1
    for position in sorted({0, state.candidate or 0, last}):
        took = spent if position == last else Spent()
        row = _row(refining, position, state.iterations[position], took)
        await queries.save_iteration(session, row)
    if state.stop is not None:
        correctness, utility = state.verdict_lift or (None, None)
        await queries.finish(
            session,
            refining.id,
            stop_reason=state.stop.value,
            best_iteration=state.best,
            lift=state.lift,
            correctness_lift=correctness,
            utility_lift=utility,
            **(asdict(gain) if gain else {}),
        )


def _documents(sources: Sequence[Row[Any]]) -> tuple[Document, ...]:
    return tuple(
        Document(
            id=str(source.note_id or f"{FOREIGN}{source.note_index}"),
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
        searched=row.searched,
        documents=None if documents is None else tuple(Document(**each) for each in documents),
        answer=row.answer,
        evaluation=_evaluation(row),
        verdict=_verdict(row),
    )


def _evaluation(row: RefinementIteration) -> EvaluationResult | None:
    if row.overall_score is None:
        return None
    return EvaluationResult(**{name: getattr(row, column) for name, column in _COLUMNS.items()})


def _verdict(row: RefinementIteration) -> AnswerVerdict | None:
    if row.judged_by is None and row.verdict_error is None:
        return None
    return AnswerVerdict.model_validate(
        {name: getattr(row, column) for name, column in _VERDICT_COLUMNS.items()}
    )


def _row(refining: Refining, position: int, iteration: Iteration, spent: Spent) -> dict[str, Any]:
    evaluation, documents, verdict = iteration.evaluation, iteration.documents, iteration.verdict
    row = {
        "workspace_id": refining.workspace_id,
        "refinement_id": refining.id,
        "position": position,
        "query": iteration.query,
        "rewritten_by": iteration.rewritten_by,
        "searched": iteration.searched,
        "documents": None if documents is None else [each.model_dump() for each in documents],
        "answer": iteration.answer,
        "calls": spent.calls,
        **asdict(spent.usage),
    }
    if evaluation is not None:
        row |= {column: getattr(evaluation, name) for name, column in _COLUMNS.items()}
    if verdict is not None:
        row |= {column: getattr(verdict, name) for name, column in _VERDICT_COLUMNS.items()}
    return row
