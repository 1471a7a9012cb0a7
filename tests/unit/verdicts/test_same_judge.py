"""The verdict on the better answer of a refinement is held to what holds for the first."""

import uuid

import pytest

from app.answering.refine.same_judge import _verdict_of
from app.judges.answer import AnswerToJudge
from app.judges.checklists import QualityItem, QualityResult
from app.verdicts.lifecycle.outcome import Lease
from verdict_world import verdict

LEASE = Lease(
    *(uuid.UUID(int=1), uuid.UUID(int=2), 1, 0, "openai:model", ("search_qa",)),
    AnswerToJudge("질문", "답변"),
)
FAILED = QualityResult(
    passed=False,
    pass_ratio=0.0,
    items=[QualityItem(item="질문에 직접적으로 답변했는가?", passed=False, reason="아니요")],
)


@pytest.mark.parametrize(("by_rules", "confidence"), [(False, "medium"), (True, "high")])
def test_a_checklist_that_its_judge_failed_keeps_it_from_high(by_rules, confidence):
    given = verdict(quality=FAILED, quality_by_rules=by_rules)
    clean = given.evaluation.model_copy(update={"confidence": "high", "grounding_issues": []})

    assert _verdict_of(LEASE, given._replace(evaluation=clean)).confidence == confidence
