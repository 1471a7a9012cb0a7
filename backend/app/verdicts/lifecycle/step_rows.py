"""The row that a step of a cascade becomes in the record statement."""

from typing import Any

from app.verdicts.lifecycle.agreement import agreed
from app.verdicts.lifecycle.outcome import Lease, NextStep, Outcome, Verdict
from app.verdicts.policy.guarantee import guarantee_of


def step_columns(lease: Lease, outcome: Outcome) -> dict[str, Any]:
    """The column `step`; none without a cascade. Rules in the place of a judge are no step."""
    match outcome:
        case Verdict(degraded_because=None) if lease.cascade:
            sure = None if lease.step is None else True
            return {"step": _said(lease, outcome) | {"sure": sure, "decided": True}}
        case NextStep(verdict=None, because=because):
            return {"step": _NOTHING | {"error": because}}
        case NextStep(verdict=Verdict() as verdict, sure=sure):
            return {"step": _said(lease, verdict) | {"sure": sure, "checked": sure}}
    return {}


_NOTHING = {"sure": False, "checked": False, "decided": False}


def _said(lease: Lease, verdict: Verdict) -> dict[str, Any]:
    about = {"prompt_version": verdict.prompt_version, "judge_ms": verdict.judge_ms}
    evaluation = verdict.evaluation
    if evaluation is None:
        return _NOTHING | about | {"error": "It was not asked for a score."}
    guarantee = guarantee_of(verdict.prompt_version, lease.guarantees)
    stored = agreed(
        evaluation, verdict.feedback, verdict.own_checklist, guarantee, verdict.prompt_version
    )
    scores = {name: getattr(stored, name) for name in ("correctness", "utility", "confidence")}
    return _NOTHING | about | scores
