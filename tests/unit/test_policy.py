"""Every finished answer is queued or skipped with a reason."""

import pytest

from app.db.base import new_id
from app.verdicts.policy import EvaluationPolicy
from app.verdicts.status import SkipReason, Status
from verdicts import settings


def plan(feature: str = "search_qa", *, from_notes: bool = True, has_notes: bool = True, **env):
    policy = EvaluationPolicy.from_settings(settings(**env))
    return policy.plan(new_id(), feature=feature, from_notes=from_notes, has_notes=has_notes)


PHASES = ("citation", "completeness", "groundedness", "next_steps")


def test_an_answer_from_notes_is_judged_by_gate_evaluator_and_phases() -> None:
    planned = plan()

    assert planned.status is Status.QUEUED
    assert planned.reason is None
    assert planned.evaluators == ("quality_gate", "search_qa", *PHASES)


def test_insight_in_search_mode_is_judged_like_search_qa() -> None:
    assert plan("insight").evaluators == plan().evaluators


def test_phases_are_chosen_and_given_to_rules_or_model() -> None:
    planned = plan(phases="citation, groundedness:model", judge_model="openai:gpt-4o-mini")

    assert planned.evaluators == ("quality_gate", "search_qa", "citation", "groundedness:model")
    assert "claims-" in planned.judge_key
    assert plan(phases="off").evaluators == ("quality_gate", "search_qa")


def test_a_phase_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match=r"phases\.1"):
        plan(phases="citation,style")


def test_only_answers_from_notes_that_are_judged_are_improved_by_themselves() -> None:
    assert plan(auto_refine=True).auto_refine
    assert not plan().auto_refine
    assert not plan(auto_refine=True, sample_rate=0).auto_refine
    writing = {"from_notes": False, "quality_gate_features": "writing"}
    assert not plan("writing", auto_refine=True, **writing).auto_refine


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"has_notes": False}, SkipReason.NO_CONTEXT),
        ({"feature": "writing", "from_notes": False, "has_notes": False}, SkipReason.NOT_SEARCH_QA),
        ({"evaluation_enabled": False}, SkipReason.DISABLED),
        ({"sample_rate": 0}, SkipReason.SAMPLED_OUT),
    ],
)
def test_what_is_not_judged_says_why(given: dict[str, object], reason: SkipReason) -> None:
    planned = plan(**given)

    assert (planned.status, planned.reason) == (Status.SKIPPED, reason)


def test_the_gate_can_be_switched_off_and_on_for_other_features() -> None:
    assert plan(quality_gate=False).evaluators == ("search_qa", *PHASES)
    writing = plan("writing", from_notes=False, quality_gate_features="writing,insight")
    assert (writing.status, writing.evaluators) == (Status.QUEUED, ("quality_gate",))


def test_the_sample_is_stable_and_near_its_rate() -> None:
    policy = EvaluationPolicy.from_settings(settings(sample_rate=0.3))
    answers = [new_id() for _ in range(2000)]

    def sampled() -> list[bool]:
        plans = [
            policy.plan(id_, feature="search_qa", from_notes=True, has_notes=True)
            for id_ in answers
        ]
        return [planned.status is Status.QUEUED for planned in plans]

    assert sampled() == sampled()
    assert 500 < sum(sampled()) < 700


def test_the_key_tells_judges_and_prompts_apart() -> None:
    keys = {plan().judge_key, plan(judge_model="openai:gpt-4o-mini").judge_key}

    assert len(keys) == 2
    assert any("openai:gpt-4o-mini" in key for key in keys)
