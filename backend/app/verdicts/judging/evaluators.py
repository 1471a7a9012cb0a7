"""Runs the evaluators that a held evaluation asks for, whoever implements them."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import lru_cache
from typing import Any, cast

from app.judges.answer_parts import answer_parts
from app.judges.estimate import verdict_calls
from app.judges.phases.run import ALL_PHASES, MODEL_PHASES, FeedbackResult, Phase
from app.judges.quality_gate import QualityResult
from app.judges.search_qa.evaluator import SearchQAEvaluation
from app.verdicts.lifecycle.outcome import Lease

Evaluate = Callable[..., Awaitable[SearchQAEvaluation | None]]
CheckQuality = Callable[..., Awaitable[QualityResult | None]]
GiveFeedback = Callable[..., Awaitable[FeedbackResult]]
Results = tuple[
    SearchQAEvaluation | BaseException | None,
    QualityResult | BaseException | None,
    FeedbackResult | BaseException | None,
]

_BY_MODEL = ":model"


async def run_evaluators(
    lease: Lease, evaluate: Evaluate, check_quality: CheckQuality, give_feedback: GiveFeedback
) -> Results:
    """Runs those that are asked for side by side, and returns what each gave or raised: when
    one fails the others may finish, because their replies are paid for."""
    parts: tuple[Coroutine[Any, Any, Any] | None, ...] = (
        _evaluate(lease, evaluate) if "search_qa" in lease.evaluators else None,
        check(lease, check_quality) if "quality_gate" in lease.evaluators else None,
        review(lease, give_feedback) if phases(lease) else None,
    )
    asked = [part for part in parts if part is not None]
    results = iter(await (_side_by_side(asked) if len(asked) > 1 else _alone(asked)))
    return cast("Results", tuple(None if part is None else next(results) for part in parts))


async def check(lease: Lease, check_quality: CheckQuality) -> QualityResult | None:
    """The checklist alone."""
    return await check_quality(checklist_of(lease), lease.question, lease.answer, lease.lang)


async def review(lease: Lease, give_feedback: GiveFeedback) -> FeedbackResult:
    """The phases alone."""
    return await give_feedback(
        lease.question,
        lease.answer,
        lease.passages,
        lease.note_contents,
        lease.note_titles,
        lease.lang,
    )


def checklist_of(lease: Lease) -> str:
    """The feature whose checklist is ticked. Answers from notes are checked as search_qa,
    whichever feature asked."""
    return "search_qa" if "search_qa" in lease.evaluators else lease.feature


def phases(lease: Lease) -> frozenset[Phase]:
    """Those of the four phases that are asked for."""
    return _phases(lease.evaluators)


def phases_by_model(lease: Lease) -> frozenset[Phase]:
    """Those that the judge model is to do."""
    return frozenset(phase for phase in MODEL_PHASES if phase + _BY_MODEL in lease.evaluators)


def calls_undisturbed(lease: Lease) -> int:
    """Calls of a verdict where every first reply can be used."""
    parts = len(answer_parts(lease.answer))
    return sum(call.times(parts) for call in verdict_calls(lease.evaluators, lease.lang))


@lru_cache(maxsize=256)
def _phases(evaluators: tuple[str, ...]) -> frozenset[Phase]:
    names = {name.removesuffix(_BY_MODEL) for name in evaluators}
    return frozenset(phase for phase in ALL_PHASES if phase in names)


async def _evaluate(lease: Lease, evaluate: Evaluate) -> SearchQAEvaluation | None:
    notes, titles = list(lease.note_contents), list(lease.note_titles)
    return await evaluate(lease.question, notes, titles, lease.answer, lease.lang)


async def _side_by_side(parts: Sequence[Coroutine[Any, Any, Any]]) -> Sequence[Any]:
    return await asyncio.gather(*parts, return_exceptions=True)


async def _alone(parts: Sequence[Coroutine[Any, Any, Any]]) -> Sequence[Any]:
    """The same for one at most, which needs no task of its own."""
    try:
        return [await part for part in parts]
    except Exception as error:  # noqa: BLE001  as gather returns it
        return [error]
