"""Runs the evaluators that a claim asks for, whoever implements them."""

import asyncio
from collections.abc import Awaitable, Callable

from app.ai_router.quality_gate import QualityResult
from app.ai_router.search_qa_evaluator import SearchQAEvaluation
from app.evaluation.feedback import ALL_PHASES, MODEL_PHASES, FeedbackResult, Phase
from app.verdicts.outcome import Claim

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
    return await asyncio.gather(
        _evaluate(claim, evaluate) if "search_qa" in claim.evaluators else _nothing(),
        check(claim, check_quality) if "quality_gate" in claim.evaluators else _nothing(),
        review(claim, give_feedback) if phases(claim) else _nothing(),
        return_exceptions=True,
    )


async def check(claim: Claim, check_quality: CheckQuality) -> QualityResult | None:
    """The checklist alone. Answers from notes are checked as search_qa, whichever feature
    asked."""
    checklist = "search_qa" if "search_qa" in claim.evaluators else claim.feature
    return await check_quality(checklist, claim.question, claim.answer, claim.lang)


async def review(claim: Claim, give_feedback: GiveFeedback) -> FeedbackResult:
    """The phases alone."""
    return await give_feedback(
        claim.question,
        claim.answer,
        claim.evidence,
        claim.note_contents,
        claim.note_titles,
        claim.lang,
    )


def phases(claim: Claim) -> frozenset[Phase]:
    """Those of the four phases that are asked for."""
    names = {name.removesuffix(_BY_MODEL) for name in claim.evaluators}
    return frozenset(phase for phase in ALL_PHASES if phase in names)


def phases_by_model(claim: Claim) -> frozenset[Phase]:
    """Those that the judge model is to do."""
    return frozenset(phase for phase in MODEL_PHASES if phase + _BY_MODEL in claim.evaluators)


async def _evaluate(claim: Claim, evaluate: Evaluate) -> SearchQAEvaluation | None:
    notes, titles = list(claim.note_contents), list(claim.note_titles)
    return await evaluate(claim.question, notes, titles, claim.answer, claim.lang)


async def _nothing() -> None:
    return None
