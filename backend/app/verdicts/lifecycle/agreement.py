"""One verdict, one voice: high confidence is never stored beside what speaks against it, nor below
the threshold of the judge's guarantee."""

from app.judges.phases.feedback import FeedbackResult
from app.judges.quality_gate import QualityResult
from app.judges.search_qa.verdict import SearchQAEvaluation
from app.judges.verdict_prompts import is_of_workspace
from app.verdicts.policy.guarantee import BELOW_GUARANTEE, PROMPT_UNPROVEN, JudgeGuarantee

# The flag of a verdict whose confidence was lowered, with the reason as its detail.
LOWERED = "confidence_lowered"
GROUNDING_ISSUE, UNSUPPORTED_CLAIM = "grounding_issue", "unsupported_claim"
NEEDS_IMPROVEMENT, CHECKLIST_NOT_PASSED = "needs_improvement", "checklist_not_passed"


def agreed(
    evaluation: SearchQAEvaluation,
    feedback: FeedbackResult | None,
    quality: QualityResult | None = None,
    guarantee: JudgeGuarantee | None = None,
    prompt_version: str | None = None,
) -> SearchQAEvaluation:
    """The evaluation as it may be stored: medium instead of high confidence where the same verdict
    lists a grounding issue or an unsupported claim, asks for improvement, or fails its checklist,
    where its score is below that of the guarantee, or where it was made by a prompt of the
    workspace (prompt_version) that has none, with a flag that says so. quality: None where others
    than the judge ticked it."""
    if evaluation.confidence != "high":
        return evaluation
    because = _against(evaluation, feedback, quality)
    if because is None and guarantee and evaluation.correctness < guarantee.threshold:
        because = BELOW_GUARANTEE
    if because is None and guarantee is None and is_of_workspace(prompt_version):
        because = PROMPT_UNPROVEN
    if because is None:
        return evaluation
    flags = [*evaluation.flags, f"{LOWERED}:{because}"]
    return evaluation.model_copy(update={"confidence": "medium", "flags": flags})


def _against(
    evaluation: SearchQAEvaluation,
    feedback: FeedbackResult | None,
    quality: QualityResult | None,
) -> str | None:
    grounded = feedback.phase3 if feedback else None
    if grounded and any(claim.verdict == "unsupported" for claim in grounded.claims):
        return UNSUPPORTED_CLAIM
    if evaluation.grounding_issues:
        return GROUNDING_ISSUE
    if feedback and feedback.needs_improvement:
        return NEEDS_IMPROVEMENT
    return CHECKLIST_NOT_PASSED if quality and not quality.passed else None
