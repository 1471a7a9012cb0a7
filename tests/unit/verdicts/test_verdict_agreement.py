"""High confidence is never stored beside a contradiction, for every judge."""

import uuid
from typing import Any, Literal

import pytest
from hypothesis import given as draw
from hypothesis import strategies as st

from app.judges.answer import AnswerToJudge, Confidence, SearchQAEvaluation
from app.judges.checklists import QualityItem, QualityResult
from app.judges.phases.citation import Phase1Result
from app.judges.phases.groundedness import AnswerClaim, Phase3Result
from app.judges.phases.run import FeedbackResult
from app.verdicts.lifecycle.cascade import cap_confidence, cascaded
from app.verdicts.lifecycle.outcome import CascadeStep, Lease, NextStep, Verdict
from app.verdicts.lifecycle.record_rows import record_row
from app.verdicts.policy.cascade import StepThresholds

LEASE = Lease(
    id=uuid.uuid4(),
    workspace_id=uuid.uuid4(),
    attempt=1,
    tries=0,
    judge_model="openai:gpt-4o-mini",
    evaluators=("search_qa", "quality_gate", "groundedness"),
    subject=AnswerToJudge.from_texts("?", "!", ["note"], lang="en"),
)
JUDGES = [("openai", "gpt-4o-mini"), ("local", "/models/detector"), ("offline", "rules")]


def evaluation(confidence: Confidence, *issues: str) -> SearchQAEvaluation:
    return SearchQAEvaluation(
        correctness=0.9,
        utility=0.9,
        confidence=confidence,
        source_coverage=[],
        grounding_issues=list(issues),
        summary="",
    )


def feedback(
    verdict: Literal["supported", "partly", "unsupported"], score: float
) -> FeedbackResult:
    claim = AnswerClaim("c", verdict, 1, "", None, 0, 1, "", "judge")
    cited = Phase1Result(score, [], [], score, [], [])
    if score:
        cited = Phase1Result(score, ["a"], [], score, [], [])
    return FeedbackResult(
        phase1=cited,
        phase3=Phase3Result(score, [], [], [claim], []),
        sources={"citation": "rules", "groundedness": "judge"},
    )


@pytest.mark.parametrize(
    ("given", "phases", "stored", "flags"),
    [
        ("high", None, "high", []),
        ("high", feedback("supported", 1.0), "high", []),
        ("high", feedback("partly", 1.0), "high", []),
        ("high", feedback("unsupported", 1.0), "medium", ["confidence_lowered:unsupported_claim"]),
        ("high", feedback("partly", 0.0), "medium", ["confidence_lowered:needs_improvement"]),
        ("medium", feedback("unsupported", 0.0), "medium", []),
        ("low", feedback("unsupported", 0.0), "low", []),
    ],
)
def test_one_voice(given, phases, stored, flags):
    result = cap_confidence(evaluation(given), phases)
    assert result.confidence == stored
    assert result.flags == flags


@pytest.mark.parametrize(
    ("outcome", "confidence", "phases", "stored", "needs_improvement", "refined"),
    [
        ("matches", "high", feedback("supported", 1.0), "matches", False, False),
        ("matches", "high", feedback("unsupported", 1.0), "undecided", None, False),
        ("matches", "high", feedback("partly", 0.0), "matches", True, True),
        ("undecided", "medium", feedback("unsupported", 0.0), "undecided", None, False),
        ("rightly_refused", "medium", feedback("supported", 0.0), "rightly_refused", False, False),
        ("mismatch", "low", feedback("unsupported", 0.0), "mismatch", True, True),
    ],
)
@pytest.mark.parametrize("degraded_because", [None, "busy"])
def test_rules_that_cannot_tell_ask_for_nothing(
    outcome, confidence, phases, stored, needs_improvement, refined, degraded_because
):
    found = evaluation(confidence).model_copy(update={"outcome": outcome})
    verdict = Verdict(
        *(found, None, "offline", "rules", "rules-4"),
        judge_ms=1.0,
        feedback=phases,
        degraded_because=degraded_because,
    )
    row = record_row(LEASE, verdict)
    assert (row["outcome"], row["needs_improvement"]) == (stored, needs_improvement)
    assert ("refine_job" in row) is refined


@pytest.mark.parametrize(
    ("outcome", "confidence", "sure"),
    [
        ("matches", "high", True),
        ("mismatch", "low", True),
        ("undecided", "medium", False),
        ("rightly_refused", "medium", False),
    ],
)
def test_a_cascade_passes_on_what_rules_cannot_tell(outcome, confidence, sure):
    step = CascadeStep(
        ("openai:gpt-4o-mini",), StepThresholds(low=1, high=0), check=0, needs_guarantee=False
    )
    found = evaluation(confidence).model_copy(update={"outcome": outcome})
    verdict = Verdict(found, None, "offline", "rules", "rules-4", judge_ms=1.0)
    passed_on = isinstance(cascaded(LEASE._replace(step=step), verdict), NextStep)
    assert passed_on is not sure


def checklist(met: int) -> QualityResult:
    """Four items, of which three are enough."""
    items = [QualityItem(item="?", passed=at < met, reason="") for at in range(4)]
    ratio = met / 4
    return QualityResult(passed=ratio >= 0.75, pass_ratio=ratio, items=items)


@pytest.mark.parametrize(
    ("issues", "quality", "stored", "flags"),
    [
        (("72도는 노트에 없음",), None, "medium", ["confidence_lowered:grounding_issue"]),
        ((), checklist(3), "high", []),
        ((), checklist(2), "medium", ["confidence_lowered:checklist_not_passed"]),
    ],
)
def test_issues_and_checklist_have_the_same_voice(issues, quality, stored, flags):
    result = cap_confidence(evaluation("high", *issues), None, quality)
    assert (result.confidence, result.flags) == (stored, flags)


@draw(
    judge=st.sampled_from(JUDGES),
    degraded=st.booleans(),
    confidence=st.sampled_from(["high", "medium", "low"]),
    issues=st.lists(st.just("x"), max_size=2),
    claim=st.sampled_from(["supported", "partly", "unsupported"]),
    score=st.sampled_from([0.0, 1.0]),
    met=st.integers(0, 4),
    phases=st.booleans(),
)
def test_no_judge_has_a_contradiction_recorded(
    judge, degraded, confidence, issues, claim, score, met, phases
):
    """Every outcome that becomes a row goes through record_row."""
    provider, model = judge
    verdict = Verdict(
        evaluation(confidence, *issues),
        checklist(met),
        provider=provider,
        model=model,
        prompt_version="v",
        judge_ms=1.0,
        feedback=feedback(claim, score) if phases else None,
        degraded_because="busy" if degraded else None,
    )
    row: dict[str, Any] = record_row(LEASE, verdict)
    if row["confidence"] == "high":
        assert not any(issue["kind"] == "grounding" for issue in row["issues"])
        assert not row.get("claims_unsupported")
        assert not row.get("needs_improvement")
        assert [score["label"] for score in row["scores"][:1]] == ["pass"]
    if confidence != "high":
        assert row["confidence"] == confidence
