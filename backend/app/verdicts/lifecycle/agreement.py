"""One verdict, one voice: high confidence never stands beside an unsupported claim."""

from app.judges.phases.feedback import FeedbackResult
from app.judges.search_qa.evaluator import SearchQAEvaluation

# The flag of a verdict whose confidence was lowered, with the reason as its detail.
LOWERED = "confidence_lowered"
UNSUPPORTED_CLAIM, NEEDS_IMPROVEMENT = "unsupported_claim", "needs_improvement"


def agreed(evaluation: SearchQAEvaluation, feedback: FeedbackResult | None) -> SearchQAEvaluation:
    """The evaluation as it may be stored: medium instead of high confidence where a phase finds
    an unsupported claim or that the answer needs improvement, with a flag that says so."""
    because = _against(feedback) if evaluation.confidence == "high" else None
    if because is None:
        return evaluation
    flags = [*evaluation.flags, f"{LOWERED}:{because}"]
    return evaluation.model_copy(update={"confidence": "medium", "flags": flags})


def _against(feedback: FeedbackResult | None) -> str | None:
    if feedback is None:
        return None
    grounded = feedback.phase3
    if grounded and any(claim.verdict == "unsupported" for claim in grounded.claims):
        return UNSUPPORTED_CLAIM
    return NEEDS_IMPROVEMENT if feedback.needs_improvement else None
