"""Which outcomes the plain statement records: those that need nothing of the rest."""

import uuid

import pytest

from app.judges.answer import AnswerToJudge
from app.verdicts.lifecycle.outcome import (
    Failure,
    Fallback,
    JudgeFailure,
    Lease,
    NextStep,
    Pause,
    Release,
    Retry,
)
from app.verdicts.lifecycle.record_rows import is_plain, record_row
from verdict_world import verdict

LEASE = Lease(
    id=uuid.uuid4(),
    workspace_id=uuid.uuid4(),
    attempt=1,
    tries=0,
    judge_model="openai:gpt-4o-mini",
    evaluators=("search_qa",),
    subject=AnswerToJudge.from_texts("?", "!", ["note"], lang="en"),
)
VERDICT = verdict()
POOR = VERDICT._replace(evaluation=VERDICT.evaluation.model_copy(update={"confidence": "low"}))


def test_a_first_verdict_is_plain():
    assert is_plain(record_row(LEASE, VERDICT))


@pytest.mark.parametrize(
    ("lease", "outcome"),
    [
        pytest.param(LEASE._replace(attempt=2), VERDICT, id="sums the calls of two attempts"),
        pytest.param(LEASE._replace(cascade=("openai:gpt-4o-mini",)), VERDICT, id="is a step"),
        pytest.param(LEASE, POOR, id="asks for a refinement"),
        pytest.param(LEASE, VERDICT._replace(degraded_because="timeout"), id="rules stood in"),
        pytest.param(
            LEASE, VERDICT._replace(judge_failure=JudgeFailure("timeout")), id="the judge failed"
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
def test_others_are_not(lease, outcome):
    assert not is_plain(record_row(lease, outcome))
