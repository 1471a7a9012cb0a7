"""The state of a refinement as rows, and the gain of its searches."""

import uuid
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Any, Literal

from sqlalchemy import Row
from sqlalchemy.ext.asyncio import AsyncSession

from app.answering.models import RefinementIteration
from app.answering.profile import Slots
from app.answering.refine import queries
from app.answering.refine.same_judge import FirstVerdict, Spent
from app.answering.refine.state import AnswerVerdict, Iteration, RefinementState, StopReason
from app.judges.prompt_versions import find_prompt
from app.judges.published.refinement import Document, EvaluationResult
from app.judges.rules.vocabulary import ASKING, FRAMING
from app.text.morphemes import morphemes_of_many

# A note holds a text when it has this share of its content words.
HELD = 0.5

Relevance = Literal["ground_truth", "words"]


@dataclass(frozen=True, slots=True)
class RetrievalGain:
    """Figures from 0 to 1. None: not to be measured, as where no search was made again, a search
    found nothing, or no note is relevant."""

    relevance: Relevance | None = None
    targeted_retrieval: float | None = None
    first_precision: float | None = None
    first_recall: float | None = None
    last_precision: float | None = None
    last_recall: float | None = None


def retrieval_gain(state: RefinementState, relevant: frozenset[str] | None = None) -> RetrievalGain:
    """What the searches of a refinement found. relevant: ids of the notes that answer the question,
    None where nobody knows. Blocks for some milliseconds for each note."""
    words = _Words()
    rounds = [each for each in state.iterations if each.searched]
    searches = [each.documents for each in rounds if each.documents is not None]
    if relevant is None:
        # Not by id: notes that another application sent have none of ours.
        found = [{one.content: one for one in documents} for documents in searches]
        missing = (evaluation.missing_info for _, evaluation in state.evaluations)
        matter = [state.question, *chain.from_iterable(missing)]
        pool = {content: one for each in found for content, one in each.items()}
        relevant = frozenset(
            content
            for content, one in pool.items()
            if any(words.held(text, one) for text in matter)
        )
        relevance: Relevance = "words"
    else:
        found = [{one.id: one for one in documents} for documents in searches]
        relevance = "ground_truth"
    return RetrievalGain(
        relevance if relevant and found else None,
        _targeted(state, words.held),
        *_precision_and_recall(found[0] if found else None, relevant),
        *_precision_and_recall(found[-1] if len(found) > 1 else None, relevant),
    )


def _precision_and_recall(
    found: Collection[str] | None, relevant: frozenset[str]
) -> tuple[float | None, float | None]:
    if found is None or not relevant:
        return None, None
    hits = len(relevant.intersection(found))
    return hits / len(found) if found else None, hits / len(relevant)


def _targeted(state: RefinementState, held: Callable[[str, Document], bool]) -> float | None:
    wanted = found = 0
    for before, after in zip(state.iterations, state.iterations[1:], strict=False):
        if not after.searched or after.documents is None or before.evaluation is None:
            continue
        missing = before.evaluation.missing_info
        wanted += len(missing)
        found += sum(any(held(item, one) for one in after.documents) for item in missing)
    return found / wanted if wanted else None


class _Words:
    """The content words of texts, each analysed once."""

    def __init__(self) -> None:
        self._known: dict[str, frozenset[str]] = {}

    def held(self, text: str, document: Document) -> bool:
        wanted = self._terms(text) - FRAMING - ASKING
        return bool(wanted) and len(wanted & self._terms(_whole(document))) >= HELD * len(wanted)

    def _terms(self, text: str) -> frozenset[str]:
        if text not in self._known:
            (terms,) = morphemes_of_many([text])
            self._known[text] = frozenset(terms)
        return self._known[text]


def _whole(document: Document) -> str:
    return f"{document.title}\n{document.content}"


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
    first = FirstVerdict.from_row(answer, own)
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
