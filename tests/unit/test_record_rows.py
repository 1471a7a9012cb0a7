"""Which outcomes the plain statement records: those that need nothing of the rest."""

import uuid
from dataclasses import replace

import pytest

from app.judges.answer import AnswerToJudge
from app.judges.search_qa.evaluator import SearchQAEvaluation
from app.verdicts.lifecycle.outcome import (
    Failure,
    Fallback,
    JudgeFailure,
    Lease,
    NextStep,
    Outcome,
    Pause,
    Release,
    Retry,
    Verdict,
)
from app.verdicts.lifecycle.record_rows import is_plain, record_row

LEASE = Lease(
    id=uuid.uuid4(),
    workspace_id=uuid.uuid4(),
    attempt=1,
    tries=0,
    judge_model="openai:gpt-4o-mini",
    evaluators=("search_qa",),
    subject=AnswerToJudge.from_texts("?", "!", ["note"], lang="en"),
)
EVALUATION = SearchQAEvaluation(
    correctness=0.9,
    utility=0.9,
    confidence="high",
    source_coverage=[],
    grounding_issues=[],
    summary="",
)
VERDICT = Verdict(
    EVALUATION,
    None,
    provider="openai",
    model="gpt-4o-mini",
    prompt_version="one_call_v1",
    judge_ms=500.0,
)
POOR = replace(VERDICT, evaluation=EVALUATION.model_copy(update={"confidence": "low"}))


def test_a_first_verdict_is_plain() -> None:
    assert is_plain(record_row(LEASE, VERDICT))


@pytest.mark.parametrize(
    ("lease", "outcome"),
    [
        pytest.param(replace(LEASE, attempt=2), VERDICT, id="sums the calls of two attempts"),
        pytest.param(replace(LEASE, cascade=("openai:gpt-4o-mini",)), VERDICT, id="is a step"),
        pytest.param(LEASE, POOR, id="asks for a refinement"),
        pytest.param(LEASE, replace(VERDICT, degraded_because="timeout"), id="rules stood in"),
        pytest.param(
            LEASE, replace(VERDICT, judge_failure=JudgeFailure("timeout")), id="the judge failed"
        ),
        *(
            pytest.param(LEASE, outcome, id=type(outcome).__name__)
            for outcome in (
                Retry("transient: timeout", 1.0, ()),
                Fallback("offline:rules", "timeout"),
                NextStep("openai:gpt-4o"),
                Failure("permanent: refused"),
                Pause("no key"),
                Release(),
            )
        ),
    ],
)
def test_others_are_not(lease: Lease, outcome: Outcome) -> None:
    assert not is_plain(record_row(lease, outcome))
