"""Runs the evaluators that a claim asks for, whoever implements them."""

import asyncio
from collections.abc import Awaitable, Callable

from app.ai_router.quality_gate import QualityResult
from app.ai_router.search_qa_evaluator import SearchQAEvaluation
from app.verdicts.outcome import Claim

Evaluate = Callable[..., Awaitable[SearchQAEvaluation | None]]
CheckQuality = Callable[..., Awaitable[QualityResult | None]]
Results = tuple[
    SearchQAEvaluation | BaseException | None,
    QualityResult | BaseException | None,
]


async def run_evaluators(claim: Claim, evaluate: Evaluate, check_quality: CheckQuality) -> Results:
    """Runs both side by side, or the one that is asked for, and returns what each gave or
    raised: when one fails the other may finish, because its reply is paid for."""
    return await asyncio.gather(
        _evaluate(claim, evaluate) if "search_qa" in claim.evaluators else _nothing(),
        check(claim, check_quality) if "quality_gate" in claim.evaluators else _nothing(),
        return_exceptions=True,
    )


async def check(claim: Claim, check_quality: CheckQuality) -> QualityResult | None:
    """The checklist alone. Answers from notes are checked as search_qa, whichever feature
    asked."""
    checklist = "search_qa" if "search_qa" in claim.evaluators else claim.feature
    return await check_quality(checklist, claim.question, claim.answer, claim.lang)


async def _evaluate(claim: Claim, evaluate: Evaluate) -> SearchQAEvaluation | None:
    notes, titles = list(claim.note_contents), list(claim.note_titles)
    return await evaluate(claim.question, notes, titles, claim.answer, claim.lang)


async def _nothing() -> None:
    return None
