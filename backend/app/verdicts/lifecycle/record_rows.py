"""The row that each outcome becomes in the record statement."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, get_args

from app.judges.answer import Fault, SearchQAEvaluation
from app.judges.answer import Outcome as RulesOutcome
from app.judges.checklists import QualityResult
from app.judges.phases.run import FeedbackResult
from app.platform.ids import new_id
from app.verdicts.lifecycle.cascade import guarantee_for, stored_evaluation
from app.verdicts.lifecycle.outcome import (
    Failure,
    Fallback,
    Lease,
    NextStep,
    Outcome,
    Pause,
    Release,
    Retry,
    Verdict,
)
from app.verdicts.lifecycle.verdict_rows import (
    claim_rows,
    criterion_rows,
    issues_of,
    score_rows,
    step_columns,
)
from app.verdicts.status import Status, WaitReason

GROUNDING = "grounding"
_SUPPORT = ("supported", "partly", "unsupported", *get_args(Fault))
QUALITY_GATE = "quality_gate"
_NOT_PLAIN = frozenset({"step", "judge_failure", "refine_job"})


def record_row(lease: Lease, outcome: Outcome) -> dict[str, Any]:
    """Values for jsonb_to_recordset; columns that are missing here become NULL."""
    return {
        "id": lease.id,
        "attempt": lease.attempt,
        "judge_model": lease.judge_model,
        "delay": 0,
        "tried": 0,
        "degraded": False,
        "from_cache": False,
        "discards": [],
        # The verdict of a first attempt has its cost; after a crash or a failure, of this
        # attempt or an earlier one, the calls are counted.
        "sums_calls": lease.attempt > 1,
        "sources": [],
        "issues": [],
        "claims": [],
        "scores": [],
        **_failure_columns(outcome),
        **_columns(lease, outcome),
        **step_columns(lease, outcome),
    }


def is_plain(row: Mapping[str, Any]) -> bool:
    """Whether a row needs nothing of `record_rest.sql`, no sum of calls and no refinement, as a
    judge's first verdict of an answer that is not poor."""
    return (
        row["status"] is Status.SUCCEEDED
        and not row["sums_calls"]
        and not row["discards"]
        and _NOT_PLAIN.isdisjoint(row)
    )


def _failure_columns(outcome: Outcome) -> dict[str, Any]:
    match outcome:
        case Verdict() | Retry() | Fallback() | NextStep() | Failure() if outcome.judge_failure:
            failure = outcome.judge_failure
            return {"judge_failure": failure.reason, "judge_rest": failure.rest}
    return {}


def _columns(lease: Lease, outcome: Outcome) -> dict[str, Any]:
    match outcome:
        case Verdict():
            return _verdict_columns(lease, outcome)
        case Retry(error, delay, discards):
            return {
                "status": Status.RETRYING,
                "reason": WaitReason.TRANSIENT_FAILURE,
                "error": error,
                "delay": delay,
                "tried": 1,
                "discards": discards,
                "sums_calls": True,
            }
        case Fallback(model, because):
            return {
                "status": Status.QUEUED,
                "reason": WaitReason.FALLBACK,
                "next_model": model,
                "fallback_because": because,
                "sums_calls": True,
            }
        case NextStep(model):
            return {
                "status": Status.QUEUED,
                "reason": WaitReason.CASCADE,
                "next_model": model,
                "from_cache": outcome.verdict is not None and outcome.verdict.from_cache,
                "sums_calls": True,
            }
        case Failure(error):
            return {"status": Status.FAILED, "error": error, "tried": 1, "sums_calls": True}
        case Pause(reason, tried):
            return {
                "status": Status.QUEUED,
                "reason": WaitReason.JUDGE_PAUSED,
                "pauses": reason,
                "tried": int(tried),
            }
        case Release():
            return {"status": Status.QUEUED, "reason": WaitReason.RELEASED}


def _verdict_columns(lease: Lease, verdict: Verdict) -> dict[str, Any]:
    usage = verdict.usage
    columns: dict[str, Any] = {
        "status": Status.SUCCEEDED,
        "error": verdict.degraded_because,
        "degraded": verdict.degraded_because is not None,
        "from_cache": verdict.from_cache,
        "provider": verdict.provider,
        "model": verdict.model,
        "prompt_version": verdict.prompt_version,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "cost_usd": None if usage.cost_usd is None else str(usage.cost_usd),
        "judge_ms": verdict.judge_ms,
    }
    if verdict.degraded_because is not None:
        columns["sums_calls"] = True
    if stored := stored_evaluation(lease, verdict):
        guarantee = guarantee_for(lease, verdict)
        columns |= _evaluation_columns(stored)
        columns["probability"] = guarantee and guarantee.chance(stored.correctness)
    scores = []
    if verdict.quality is not None:
        by_rules = verdict.quality_by_rules or verdict.provider == "offline"
        scores.append(_quality_score(verdict.quality, "rules" if by_rules else "judge"))
    scores += criterion_rows(verdict)
    issues = columns.get("issues", [])
    if verdict.feedback is not None:
        feedback = verdict.feedback
        columns["overall_score"] = feedback.overall_score
        columns["needs_improvement"] = _needs_improvement(feedback, columns.get("outcome"))
        columns["claims"] = claim_rows(feedback)
        if feedback.phase3 is not None:
            kinds = ("verdict", "fault")
            counts = Counter(claim[kind] for claim in columns["claims"] for kind in kinds)
            columns |= {f"claims_{kind}": counts[kind] for kind in _SUPPORT}
        scores += score_rows(feedback)
        issues += issues_of(feedback)
    columns["scores"] = [{"id": new_id(), **score} for score in scores]
    columns["issues"] = [{"position": n, **issue} for n, issue in enumerate(issues, start=1)]
    # Worth trying to improve the answer.
    if columns.get("needs_improvement") or columns.get("confidence") == "low":
        columns["refine_job"] = new_id()
    return columns


def _needs_improvement(feedback: FeedbackResult, outcome: RulesOutcome | None) -> bool | None:
    """None where rules could not tell whether the answer is grounded: its phases are of the same
    rules. What the notes do not hold, no other answer finds."""
    if outcome == "undecided":
        return None
    return feedback.needs_improvement if outcome != "rightly_refused" else False


def _evaluation_columns(evaluation: SearchQAEvaluation) -> dict[str, Any]:
    issues = [{"kind": GROUNDING, "detail": issue} for issue in evaluation.grounding_issues]
    for flag in evaluation.flags:
        kind, _, detail = flag.partition(":")
        issues.append({"kind": kind, "detail": detail})
    return {
        "correctness": evaluation.correctness,
        "utility": evaluation.utility,
        "confidence": evaluation.confidence,
        "outcome": evaluation.outcome,
        "summary": evaluation.summary,
        "sources": [
            source.model_dump(exclude={"note_title"}) for source in evaluation.source_coverage
        ],
        "cited_notes": [s.note_index for s in evaluation.source_coverage if s.cited],
        "misquoted_notes": [
            s.note_index for s in evaluation.source_coverage if s.quote_found is False
        ],
        "issues": issues,
        **(evaluation.extent.model_dump() if evaluation.extent else {}),
    }


def _quality_score(quality: QualityResult, source: str) -> dict[str, Any]:
    return {
        "name": QUALITY_GATE,
        "value": quality.pass_ratio,
        "label": "pass" if quality.passed else "fail",
        "source": source,
        "details": [item.model_dump() for item in quality.items],
    }
