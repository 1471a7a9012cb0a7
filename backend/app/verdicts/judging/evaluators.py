"""Runs the evaluators that a claim asks for, whoever implements them."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import lru_cache
from typing import Any, cast

from app.judges.answer_parts import answer_parts
from app.judges.phases.run import ALL_PHASES, MODEL_PHASES, FeedbackResult, Phase
from app.judges.quality_gate import QualityResult
from app.judges.search_qa.evaluator import SearchQAEvaluation
from app.verdicts.lifecycle.outcome import Claim
from app.verdicts.policy.judge_prices import IN_PARTS

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
    claim: Claim, evaluate: Evaluate, check_quality: CheckQuality, give_feedback: GiveFeedback
) -> Results:
    """Runs those that are asked for side by side, and returns what each gave or raised: when
    one fails the others may finish, because their replies are paid for."""
    parts: tuple[Coroutine[Any, Any, Any] | None, ...] = (
        _evaluate(claim, evaluate) if "search_qa" in claim.evaluators else None,
        check(claim, check_quality) if "quality_gate" in claim.evaluators else None,
        review(claim, give_feedback) if phases(claim) else None,
    )
    asked = [part for part in parts if part is not None]
    results = iter(await (_side_by_side(asked) if len(asked) > 1 else _alone(asked)))
    return cast("Results", tuple(None if part is None else next(results) for part in parts))


async def check(claim: Claim, check_quality: CheckQuality) -> QualityResult | None:
    """The checklist alone."""
    return await check_quality(checklist_of(claim), claim.question, claim.answer, claim.lang)


async def review(claim: Claim, give_feedback: GiveFeedback) -> FeedbackResult:
    """The phases alone."""
    return await give_feedback(
        claim.question,
        claim.answer,
        claim.passages,
        claim.note_contents,
        claim.note_titles,
        claim.lang,
    )


def checklist_of(claim: Claim) -> str:
    """The feature whose checklist is ticked. Answers from notes are checked as search_qa,
    whichever feature asked."""
    return "search_qa" if "search_qa" in claim.evaluators else claim.feature


def phases(claim: Claim) -> frozenset[Phase]:
    """Those of the four phases that are asked for."""
    return _phases(claim.evaluators)


def phases_by_model(claim: Claim) -> frozenset[Phase]:
    """Those that the judge model is to do."""
    return frozenset(phase for phase in MODEL_PHASES if phase + _BY_MODEL in claim.evaluators)


def calls_undisturbed(claim: Claim) -> int:
    """Calls of a verdict where every first reply can be used."""
    parts = len(answer_parts(claim.answer))
    called = {
        **dict.fromkeys(IN_PARTS, parts),
        "quality_gate": 1,
        "next_steps:model": 1,
        # Nuggets first, then what supports them.
        "completeness:model": 2,
    }
    return sum(called.get(name, 0) for name in claim.evaluators)


@lru_cache(maxsize=256)
def _phases(evaluators: tuple[str, ...]) -> frozenset[Phase]:
    names = {name.removesuffix(_BY_MODEL) for name in evaluators}
    return frozenset(phase for phase in ALL_PHASES if phase in names)


async def _evaluate(claim: Claim, evaluate: Evaluate) -> SearchQAEvaluation | None:
    notes, titles = list(claim.note_contents), list(claim.note_titles)
    return await evaluate(claim.question, notes, titles, claim.answer, claim.lang)


async def _side_by_side(parts: Sequence[Coroutine[Any, Any, Any]]) -> Sequence[Any]:
    return await asyncio.gather(*parts, return_exceptions=True)


async def _alone(parts: Sequence[Coroutine[Any, Any, Any]]) -> Sequence[Any]:
    """The same for one at most, which needs no task of its own."""
    try:
        return [await part for part in parts]
    except Exception as error:  # noqa: BLE001  as gather returns it
        return [error]
