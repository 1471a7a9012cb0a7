"""High confidence is not stored beside an unsupported claim."""

from typing import Literal

import pytest

from app.judges.phases.citation import Phase1Result
from app.judges.phases.feedback import FeedbackResult
from app.judges.phases.groundedness import AnswerClaim, Phase3Result
from app.judges.search_qa.evaluator import Confidence, SearchQAEvaluation
from app.verdicts.lifecycle.agreement import agreed


def evaluation(confidence: Confidence) -> SearchQAEvaluation:
    return SearchQAEvaluation(
        correctness=0.9,
        utility=0.9,
        confidence=confidence,
        source_coverage=[],
        grounding_issues=[],
        summary="",
    )


def feedback(
    verdict: Literal["supported", "partly", "unsupported"], score: float
) -> FeedbackResult:
    claim = AnswerClaim("c", verdict, 1, "", None, 0, 1, "", "judge")
    cited = Phase1Result(score, [], [], score, [], [])
    if score:
        cited = Phase1Result(score, ["a"], [], score, [], [])
    return FeedbackResult(phase1=cited, phase3=Phase3Result(score, [], [], [claim], []))


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
def test_one_voice(
    given: Confidence, phases: FeedbackResult | None, stored: Confidence, flags: list[str]
) -> None:
    result = agreed(evaluation(given), phases)
    assert result.confidence == stored
    assert result.flags == flags
