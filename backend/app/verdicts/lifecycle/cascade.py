"""Which verdicts of a cascade's judges stand, and with which confidence.

High confidence is never stored beside what contradicts it, nor below the threshold of the judge's
guarantee.
"""

from app.judges.answer import SearchQAEvaluation
from app.judges.checklists import QualityResult
from app.judges.phases.run import FeedbackResult
from app.judges.prompts.one_call import HISTORY_VERSION
from app.judges.verdict_prompts import is_of_workspace
from app.platform.ids import unit_hash
from app.verdicts.lifecycle.outcome import (
    CascadeStep,
    Failure,
    Fallback,
    Lease,
    NextStep,
    Outcome,
    Verdict,
)
from app.verdicts.policy.cascade import BELOW_GUARANTEE, PROMPT_UNPROVEN, JudgeGuarantee

# The flag of a verdict whose confidence was lowered, with the reason as its detail.
LOWERED = "confidence_lowered"
GROUNDING_ISSUE, UNSUPPORTED_CLAIM = "grounding_issue", "unsupported_claim"
NEEDS_IMPROVEMENT, CHECKLIST_NOT_PASSED = "needs_improvement", "checklist_not_passed"


def cap_confidence(
    evaluation: SearchQAEvaluation,
    feedback: FeedbackResult | None,
    quality: QualityResult | None = None,
    guarantee: JudgeGuarantee | None = None,
    prompt_version: str | None = None,
) -> SearchQAEvaluation:
    """The evaluation as it may be stored: medium instead of high confidence where the same verdict
    lists a grounding issue or an unsupported claim, asks for improvement, or fails its checklist,
    where its score is below that of the guarantee, or where it was made by a prompt of the
    workspace (prompt_version) that has none, with a flag that says so. Rules are undecided then,
    unless the answer is merely incomplete. quality: None where others than the judge ticked it."""
    if evaluation.confidence != "high":
        return evaluation
    because = _against(evaluation, feedback, quality)
    if because is None and guarantee and evaluation.correctness < guarantee.threshold:
        because = BELOW_GUARANTEE
    if because is None and guarantee is None and is_of_workspace(prompt_version):
        because = PROMPT_UNPROVEN
    if because is None:
        return evaluation
    lowered = {"confidence": "medium", "flags": [*evaluation.flags, f"{LOWERED}:{because}"]}
    # An answer may match its notes and still be incomplete.
    if evaluation.outcome == "matches" and because not in (NEEDS_IMPROVEMENT, CHECKLIST_NOT_PASSED):
        lowered["outcome"] = "undecided"
    return evaluation.model_copy(update=lowered)


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


def cascaded(lease: Lease, outcome: Outcome) -> Outcome:
    """What the outcome of a judge comes to in its cascade: a verdict that is not sure, and a
    failure, leave the answer to the next one; a part of the sure ones goes to the last. In a jury
    the verdict that makes a majority stands."""
    step = lease.step
    if step is None:
        return outcome
    match outcome:
        case Verdict(degraded_because=None) if step.votes is not None:
            vote = stored_evaluation(lease, outcome)
            alike = 1 + step.votes.count(vote.confidence) if vote else 0
            return outcome if alike >= step.majority else NextStep(step.later[0], outcome)
        case Verdict(degraded_because=None):
            sure = _is_sure(lease, step, outcome)
            # By its id, so that what is checked is checked again after a crash.
            if sure and unit_hash(lease.id.bytes, b"cascade") >= step.check:
                return outcome
            return NextStep(step.later[-1] if sure else step.later[0], outcome, sure=sure)
        case Fallback(because=because, judge_failure=failure):
            return NextStep(step.later[0], because=because, judge_failure=failure)
        case Failure(error, failure):
            return NextStep(step.later[0], because=error, judge_failure=failure)
    return outcome


def guarantee_for(lease: Lease, verdict: Verdict) -> JudgeGuarantee | None:
    """The guarantee of the very prompt that the verdict was made with, whose threshold holds for
    answers with a history too; none for rules in the place of a judge."""
    if verdict.degraded_because:
        return None
    version = verdict.prompt_version.removesuffix(f"+{HISTORY_VERSION}")
    return next((each for each in lease.guarantees if each.prompt_version == version), None)


def stored_evaluation(lease: Lease, verdict: Verdict) -> SearchQAEvaluation | None:
    """The evaluation with the confidence that it may be stored with."""
    if verdict.evaluation is None:
        return None
    return cap_confidence(
        verdict.evaluation,
        verdict.feedback,
        verdict.own_checklist,
        guarantee_for(lease, verdict),
        verdict.prompt_version,
    )


def _is_sure(lease: Lease, step: CascadeStep, verdict: Verdict) -> bool:
    """By its score, and with the confidence that it may be stored with."""
    stored = stored_evaluation(lease, verdict)
    if step.thresholds is None or stored is None:
        return False
    if not stored.decided or stored.outcome == "rightly_refused":
        return False
    high = stored.confidence == "high"
    if high and step.needs_guarantee and guarantee_for(lease, verdict) is None:
        return False
    return step.thresholds.beyond(stored.confidence, stored.correctness)
