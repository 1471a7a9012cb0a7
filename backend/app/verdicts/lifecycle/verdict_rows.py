"""Phases and cascade steps as rows: claims in their own table, the rest as scores with details."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from app.judges.phases.run import FeedbackResult, Phase
from app.verdicts.lifecycle.cascade import stored_evaluation
from app.verdicts.lifecycle.outcome import Lease, NextStep, Outcome, Verdict

CONTEXT_RELEVANCE = "context_relevance"
CITATION_RELEVANCE = "citation_relevance"
COMPLETENESS = "completeness"
GROUNDEDNESS = "groundedness"
NEXT_STEPS = "next_steps"

Row = dict[str, Any]


def claim_rows(feedback: FeedbackResult) -> list[Row]:
    """Rows of qa_claims, in the order of the answer."""
    if feedback.phase3 is None:
        return []
    return [
        {
            "position": position,
            "claim": claim.text,
            "verdict": claim.verdict,
            "fault": claim.fault,
            "note_index": claim.note_index,
            "quote": claim.quote,
            "quote_found": claim.quote_found,
            "start_char": claim.start,
            "end_char": claim.end,
            "reasoning": claim.reasoning,
            "source": claim.source,
        }
        for position, claim in enumerate(feedback.phase3.claims, start=1)
    ]


def issues_of(feedback: FeedbackResult) -> list[Row]:
    """What is wrong with the answer's marks."""
    if feedback.phase1 is None:
        return []
    return [
        {"kind": kind, "detail": detail}
        for kind, _, detail in (issue.partition(":") for issue in feedback.phase1.issues)
    ]


def score_rows(feedback: FeedbackResult) -> list[Row]:
    """Rows of qa_scores without their ids. A phase that found nothing to check has no value."""
    rows = []
    if (citation := feedback.phase1) is not None:
        details = [asdict(cited) for cited in citation.citations]
        relevance = None if citation.score is None else citation.citation_relevance
        rows.append(_score(CONTEXT_RELEVANCE, citation.score, details=details))
        rows.append(_score(CITATION_RELEVANCE, relevance))
    if (completeness := feedback.phase2) is not None:
        details = [asdict(nugget) for nugget in completeness.nuggets]
        rows.append(_score(COMPLETENESS, completeness.completeness, details=details))
    if (groundedness := feedback.phase3) is not None:
        rows.append(_score(GROUNDEDNESS, groundedness.groundedness))
    if (steps := feedback.phase4) is not None:
        details = [{"kind": "query", "text": text} for text in steps.suggested_queries]
        details += [{"kind": "action", "text": text} for text in steps.action_items]
        rows.append(_score(NEXT_STEPS, None, label=steps.urgency, details=details))
    return [row | _made_by(feedback, row["name"]) for row in rows]


def criterion_rows(verdict: Verdict) -> list[Row]:
    """Rows of qa_scores without their ids. Without a value where nobody said, never 0."""
    return [
        {
            "name": each.name,
            "value": each.value,
            "label": each.label,
            "reasoning": each.reason,
            "source": "rules" if each.by_rule else "judge",
            "criterion_version": each.version,
        }
        for each in verdict.criteria
    ]


_PHASE_OF: Mapping[str, Phase] = {
    CONTEXT_RELEVANCE: "citation",
    CITATION_RELEVANCE: "citation",
    COMPLETENESS: "completeness",
    GROUNDEDNESS: "groundedness",
    NEXT_STEPS: "next_steps",
}


def _score(
    name: str, value: float | None, *, label: str | None = None, details: list[Row] | None = None
) -> Row:
    return {"name": name, "value": value, "label": label, "details": details}


def _made_by(feedback: FeedbackResult, name: str) -> Row:
    """`reasoning` says why rules replaced the model."""
    phase = _PHASE_OF[name]
    return {"source": feedback.sources[phase], "reasoning": feedback.fallbacks.get(phase)}


def step_columns(lease: Lease, outcome: Outcome) -> dict[str, Any]:
    """The column `step`; none without a cascade. Rules in the place of a judge are no step."""
    match outcome:
        case Verdict(degraded_because=None) if lease.cascade:
            sure = None if lease.step is None else True
            return {"step": _step_scores(lease, outcome) | {"sure": sure, "decided": True}}
        case NextStep(verdict=None, because=because):
            return {"step": _NOTHING | {"error": because}}
        case NextStep(verdict=Verdict() as verdict, sure=sure):
            return {"step": _step_scores(lease, verdict) | {"sure": sure, "checked": sure}}
    return {}


_NOTHING = {"sure": False, "checked": False, "decided": False}


def _step_scores(lease: Lease, verdict: Verdict) -> dict[str, Any]:
    about = {"prompt_version": verdict.prompt_version, "judge_ms": verdict.judge_ms}
    stored = stored_evaluation(lease, verdict)
    if stored is None:
        return _NOTHING | about | {"error": "It was not asked for a score."}
    scores = {name: getattr(stored, name) for name in ("correctness", "utility", "confidence")}
    return _NOTHING | about | scores
