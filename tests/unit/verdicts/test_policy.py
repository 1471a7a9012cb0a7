"""Every finished answer is queued or skipped with a reason."""

import uuid
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.answering.context import Feature
from app.judges.answer_parts import PART_CHARS
from app.judges.estimate import verdict_calls
from app.judges.verdict_prompts import DEFAULT_PROMPT, resolve_prompt, with_instructions
from app.platform.errors import InvalidRequest
from app.platform.ids import new_id
from app.verdicts.models.policy import EvaluationPolicyRow
from app.verdicts.policy.changes import with_successor
from app.verdicts.policy.document import Feature as NamedFeature
from app.verdicts.policy.document import WorkspacePolicy, server_policy
from app.verdicts.policy.evaluation_policy import EvaluationPlan, EvaluationPolicy, prompt_version
from app.verdicts.policy.judge_prices import JudgePrices
from app.verdicts.status import SkipReason, Status
from cases import for_each
from verdict_world import finished_answer, settings


def plan(feature: str = "search_qa", *, from_notes: bool = True, has_notes: bool = True, **env):
    policy = EvaluationPolicy.from_settings(settings(**env))
    return policy.plan(new_id(), feature=feature, from_notes=from_notes, has_notes=has_notes)


PHASES = ("citation", "completeness", "groundedness", "next_steps")


def test_an_answer_from_notes_is_judged_by_gate_evaluator_and_phases():
    planned = plan()

    assert planned.status is Status.QUEUED
    assert planned.reason is None
    assert planned.evaluators == ("quality_gate", "search_qa", *PHASES)


def test_phases_are_chosen_and_given_to_rules_or_model():
    planned = plan(phases="citation, groundedness:model", judge_model="openai:gpt-4o-mini")

    assert planned.evaluators == ("quality_gate", "search_qa", "citation", "groundedness:model")
    assert "claims-" in planned.judge_key
    assert plan(phases="off").evaluators == ("quality_gate", "search_qa")


def test_a_phase_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match=r"SEARCHQA_PHASES\.1"):
        plan(phases="citation,style")


def test_only_answers_from_notes_that_are_judged_are_improved_by_themselves():
    assert plan(auto_refine=True).auto_refine
    assert not plan().auto_refine
    assert not plan(auto_refine=True, sample_rate=0).auto_refine
    writing = {"from_notes": False, "quality_gate_features": "writing"}
    assert not plan("writing", auto_refine=True, **writing).auto_refine


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"has_notes": False}, SkipReason.NO_CONTEXT),
        (
            {"feature": "writing", "from_notes": False, "quality_gate_features": "search_qa"},
            SkipReason.NOT_SEARCH_QA,
        ),
        ({"evaluation_enabled": False}, SkipReason.DISABLED),
        ({"sample_rate": 0}, SkipReason.SAMPLED_OUT),
    ],
)
def test_what_is_not_judged_says_why(given, reason):
    planned = plan(**given)

    assert (planned.status, planned.reason) == (Status.SKIPPED, reason)


@pytest.mark.parametrize("feature", ["insight", "writing"])
def test_rules_tick_the_checklist_of_answers_without_notes(feature):
    """Without cost, for any judge of the others."""
    planned = plan(feature, from_notes=False, has_notes=False, judge_model="openai:gpt-4o-mini")

    assert (planned.status, planned.evaluators) == (Status.QUEUED, ("quality_gate",))
    assert planned.judge_model == "offline:rules"
    assert planned.cost_estimate_usd == 0


def test_the_judge_ticks_it_where_the_policy_says_so():
    chosen = {"quality_gate_features": "writing:model", "judge_model": "openai:gpt-4o-mini"}

    writing = plan("writing", from_notes=False, **chosen)

    assert (writing.evaluators, writing.judge_model) == (("quality_gate",), "openai:gpt-4o-mini")
    assert writing.cost_estimate_usd
    assert plan("insight", from_notes=False, **chosen).status is Status.SKIPPED


def test_the_gate_can_be_switched_off():
    assert plan(quality_gate=False).evaluators == ("search_qa", *PHASES)
    off = plan("writing", from_notes=False, quality_gate=False)
    assert (off.status, off.reason) == (Status.SKIPPED, SkipReason.NOT_SEARCH_QA)


def test_the_sample_is_stable_and_near_its_rate():
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


NOTEBOOK = uuid.UUID(int=7)


def workspace_plan(answer_id: uuid.UUID | None = None, **policy: object) -> EvaluationPlan:
    """Of a short Korean answer from a notebook, under the policy of its workspace."""
    row = dict.fromkeys(EvaluationPolicyRow.__table__.columns.keys()) | {"version": 4} | policy
    answer = finished_answer(uuid.UUID(int=1), notebook_id=NOTEBOOK)
    server = EvaluationPolicy.from_settings(settings())
    return server.with_workspace(row).plan_answer(answer_id or new_id(), answer)


@for_each(
    ("policy", "reason"),
    [
        ({"features": ["insight", "writing"]}, SkipReason.FILTERED_FEATURE),
        ({"languages": ["en"]}, SkipReason.FILTERED_LANGUAGE),
        ({"min_answer_chars": 1000}, SkipReason.FILTERED_LENGTH),
        ({"max_answer_chars": 5}, SkipReason.FILTERED_LENGTH),
        ({"notebook_ids": [str(uuid.UUID(int=8))]}, SkipReason.FILTERED_NOTEBOOK),
        ({"enabled": False, "languages": ["en"]}, SkipReason.DISABLED),
        ({"sample_rate": 0, "languages": ["en"]}, SkipReason.FILTERED_LANGUAGE),
        ({"features": ["search_qa"]}, None),
        ({"languages": ["en", "ko"]}, None),
        ({"min_answer_chars": 21, "max_answer_chars": 21}, None),
        ({"notebook_ids": [str(NOTEBOOK)]}, None),
        ({}, None),
    ],
)
def test_what_a_filter_leaves_out_says_which(policy, reason):
    planned = workspace_plan(**policy)

    status = Status.SKIPPED if reason else Status.QUEUED
    assert (planned.status, planned.reason, planned.policy_version) == (status, reason, 4)


def test_the_workspaces_judge_and_evaluators_go_before_the_servers():
    planned = workspace_plan(
        judge_model="openai:gpt-4o", quality_gate=False, phases=[], auto_refine=True
    )

    assert (planned.judge_model, planned.evaluators) == ("openai:gpt-4o", ("search_qa",))
    assert planned.auto_refine
    assert planned.cost_estimate_usd is not None


def test_a_policy_names_the_features_whose_answers_are_improved():
    assert workspace_plan(auto_refine=True, auto_refine_features=["search_qa"]).auto_refine
    assert not workspace_plan(auto_refine=True, auto_refine_features=["insight"]).auto_refine
    assert not workspace_plan(auto_refine=True, auto_refine_features=[]).auto_refine
    assert not workspace_plan(auto_refine_features=["search_qa"]).auto_refine


def test_only_judges_with_a_price_have_an_estimate():
    assert workspace_plan().cost_estimate_usd == 0
    assert workspace_plan(judge_model="ollama:llama3.2").cost_estimate_usd == 0
    unpriced = workspace_plan(judge_model="openai:my-own", fallback_models=["openai:gpt-4o"])
    assert unpriced.cost_estimate_usd is None, "nor has a chain with one without a price"


def test_the_estimate_is_of_the_dearest_judge_of_the_chain():
    cheap = workspace_plan(judge_model="openai:gpt-4o-mini").cost_estimate_usd
    chain = workspace_plan(judge_model="openai:gpt-4o-mini", fallback_models=["openai:gpt-4o"])

    assert cheap is not None
    assert chain.cost_estimate_usd is not None
    assert chain.cost_estimate_usd > 10 * cheap


def test_the_estimate_counts_a_call_for_each_part_of_a_long_answer():
    prices = JudgePrices(settings())
    model, texts = ["openai:gpt-4o-mini"], 20_000
    evaluators = ["search_qa", "quality_gate"]
    claims = prices.estimate(model, ["groundedness:model"], texts)
    both = prices.estimate(model, [*evaluators, "groundedness:model"], texts)
    assert claims is not None
    assert both is not None

    one_call = prices.estimate(model, evaluators, texts)
    assert one_call is not None
    assert prices.estimate(model, evaluators, texts, parts=3) == pytest.approx(3 * one_call)
    assert float(both) == pytest.approx(float(one_call + claims))


def test_one_call_needs_no_second_one_for_the_checklist():
    assert len(verdict_calls(("quality_gate", "search_qa", "groundedness"), "ko")) == 1
    assert len(verdict_calls(("quality_gate", "search_qa", "groundedness:model"), "ko")) == 2


def test_a_long_answer_is_planned_with_its_parts():
    server = EvaluationPolicy.from_settings(
        settings(judge_model="openai:gpt-4o-mini", quality_gate=False)
    )
    costs = [
        server.plan_answer(new_id(), finished_answer(uuid.UUID(int=1), answer=text))
        for text in ("답" * PART_CHARS, "답" * (PART_CHARS + 1))
    ]
    one, two = (planned.cost_estimate_usd for planned in costs)
    assert one is not None
    assert two is not None
    assert float(two) == pytest.approx(2 * float(one), rel=1e-3)


def test_another_prompt_makes_another_verdict():
    usual = workspace_plan(judge_model="openai:gpt-4o-mini")
    same = workspace_plan(judge_model="openai:gpt-4o-mini", judge_prompt="search-qa-eval-5")
    other = workspace_plan(judge_model="openai:gpt-4o-mini", judge_prompt="search-qa-eval-6")

    assert same == usual
    assert other.judge_prompt == "search-qa-eval-6"
    assert other.judge_key == usual.judge_key.replace("search-qa-eval-5", "search-qa-eval-6")
    assert usual.cost_estimate_usd is not None
    assert other.cost_estimate_usd is not None
    assert other.cost_estimate_usd < usual.cost_estimate_usd
    by_rules = workspace_plan(judge_prompt="search-qa-eval-6")
    assert (by_rules.judge_key, by_rules.judge_prompt) == (workspace_plan().judge_key, None)
    assert workspace_plan(judge_prompt="gone").judge_prompt is None


@pytest.mark.parametrize("retired", [f"search-qa-eval-{number}" for number in (1, 2, 3)])
def test_a_retired_prompt_is_read_as_the_default(retired):
    model = "openai:gpt-4o-mini"
    row = dict.fromkeys(WorkspacePolicy.model_fields) | {"judge_prompt": retired}

    assert WorkspacePolicy.from_row(row) == WorkspacePolicy()
    assert workspace_plan(judge_model=model, judge_prompt=retired) == workspace_plan(
        judge_model=model
    )
    assert resolve_prompt(retired).version == DEFAULT_PROMPT
    assert prompt_version(model, ("search_qa",), retired) == DEFAULT_PROMPT


def test_the_retired_short_prompt_is_read_as_the_short_one():
    row = dict.fromkeys(WorkspacePolicy.model_fields) | {"judge_prompt": "search-qa-eval-4"}

    assert WorkspacePolicy.from_row(row).judge_prompt == "search-qa-eval-6"
    plan = workspace_plan(judge_model="openai:gpt-4o-mini", judge_prompt="search-qa-eval-4")
    assert plan.judge_prompt == "search-qa-eval-6"
    assert resolve_prompt("search-qa-eval-4").version == "search-qa-eval-6"
    own = with_instructions("workspace:a@1", "search-qa-eval-4", {"ko": "…"})
    assert own
    assert own.form == resolve_prompt("search-qa-eval-6").form


rates = st.floats(0, 1)


@given(st.uuids(), rates, rates)
def test_whoever_is_in_a_sample_is_in_every_larger_one(answer_id, one, other):
    less, more = sorted((one, other))

    def chosen(rate: float) -> bool:
        return workspace_plan(answer_id, sample_rate=rate).status is Status.QUEUED

    assert chosen(less) <= chosen(more)
    assert chosen(less) is chosen(less)
    assert chosen(1)
    assert not chosen(0)


def test_the_document_names_every_feature_and_column_that_there_is():
    assert set(get_args(NamedFeature)) == set(Feature)
    columns = set(EvaluationPolicyRow.__table__.columns.keys())
    # What is computed or has a route of its own is no part of the document.
    ours = {"workspace_id", "version", "updated_at", "cascade_calibration", "criteria"}
    assert columns - ours == set(WorkspacePolicy.model_fields)
    unset = {name for name, value in server_policy(settings()) if value is None}
    assert unset == {
        *("features", "languages", "notebook_ids", "min_answer_chars", "max_answer_chars"),
        *("auto_refine_features", "daily_budget_usd", "keep_answers_days"),
        "redact_pattern",
    }


# The effective policy, and what of it the switch from `old` to `new` sets.
SUCCESSIONS = [
    ({"judge_model": "old"}, {"judge_model": "new"}),
    ({"fallback_models": ["a", "old"]}, {"fallback_models": ["a", "new"]}),
    # A judge that would be named twice keeps one place, the judge's own first.
    (
        {"judge_model": "old", "fallback_models": ["new", "a"]},
        {"judge_model": "new", "fallback_models": ["a"]},
    ),
    (
        {"judge_model": "old", "cascade": ["a", "old"]},
        {"judge_model": "new", "cascade": ["a", "new"]},
    ),
    ({"judge_model": "b", "cascade": ["old", "b"]}, {"cascade": ["new", "b"]}),
    # What gets too short ends.
    ({"judge_model": "old", "cascade": ["new", "old"]}, {"judge_model": "new", "cascade": []}),
    ({"judge_model": "old", "jury": ["a", "new", "old"]}, {"judge_model": "new", "jury": []}),
]


@for_each(("named", "changed"), SUCCESSIONS)
def test_a_successor_takes_every_place_of_a_judge(named, changed):
    effective = server_policy(settings()).model_copy(update=named)
    own = WorkspacePolicy(sample_rate=0.5)
    after = with_successor(own, effective, "old", "new")
    assert after == own.model_copy(update=changed)


def test_a_judge_that_nothing_names_has_no_successor():
    with pytest.raises(InvalidRequest, match="old is not a judge of the policy"):
        with_successor(WorkspacePolicy(), server_policy(settings()), "old", "new")
