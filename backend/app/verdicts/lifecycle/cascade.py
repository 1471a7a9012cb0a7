"""The steps of a cascade: which verdicts of a judge stand, and which go on to the next one."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.platform.unit_hash import unit_hash
from app.verdicts.lifecycle.agreement import agreed
from app.verdicts.lifecycle.outcome import (
    CascadeStep,
    Failure,
    Fallback,
    Lease,
    NextStep,
    Outcome,
    Verdict,
)
from app.verdicts.policy.cascade import CascadeCalibration, StepThresholds
from app.verdicts.policy.document import DEFAULT_CASCADE_CHECK
from app.verdicts.policy.evaluation_policy import prompt_version
from app.verdicts.policy.guarantee import guarantee_of


def step_of(
    judge_model: str,
    cascade: tuple[str, ...],
    *,
    evaluators: Sequence[str],
    prompt: str | None,
    check: float | None,
    calibration: Mapping[str, Any] | None,
    needs_guarantee: bool,
) -> CascadeStep:
    """The place of a judge that is not the last of its cascade. calibration: the present one of the
    workspace; where it is for other judges or prompts than these, the judge is never sure."""
    return CascadeStep(
        later=cascade[cascade.index(judge_model) + 1 :],
        thresholds=_thresholds(judge_model, cascade, evaluators, prompt, calibration),
        check=DEFAULT_CASCADE_CHECK if check is None else check,
        needs_guarantee=needs_guarantee,
    )


def _thresholds(
    judge_model: str,
    cascade: tuple[str, ...],
    evaluators: Sequence[str],
    prompt: str | None,
    calibration: Mapping[str, Any] | None,
) -> StepThresholds | None:
    if calibration is None:
        return None
    found = CascadeCalibration.model_validate(calibration)
    versions = [prompt_version(each, evaluators, prompt) for each in found.judges]
    if found.active != cascade or found.prompt_versions != versions:
        return None
    return found.steps.get(judge_model)


def cascaded(lease: Lease, outcome: Outcome) -> Outcome:
    """What the outcome of a judge comes to in its cascade: a verdict that is not sure, and a
    failure, leave the answer to the next one; a part of the sure ones goes to the last."""
    step = lease.step
    if step is None:
        return outcome
    match outcome:
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


def _is_sure(lease: Lease, step: CascadeStep, verdict: Verdict) -> bool:
    """By its score, and with the confidence that it may be stored with."""
    evaluation = verdict.evaluation
    if step.thresholds is None or evaluation is None:
        return False
    guarantee = guarantee_of(verdict.prompt_version, lease.guarantees)
    stored = agreed(
        evaluation, verdict.feedback, verdict.own_checklist, guarantee, verdict.prompt_version
    )
    if stored.confidence == "high" and step.needs_guarantee and guarantee is None:
        return False
    return step.thresholds.beyond(stored.confidence, evaluation.correctness)
