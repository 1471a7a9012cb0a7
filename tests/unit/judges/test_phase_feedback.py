"""All phases together: their score, who judges them, and what happens when a model fails."""

import pytest

from app.judges.answer import AnswerToJudge
from app.judges.phases.citation import Phase1Result
from app.judges.phases.completeness import Phase2Result
from app.judges.phases.groundedness import Phase3Result
from app.judges.phases.reading import Reading
from app.judges.phases.run import (
    ALL_PHASES,
    FallBack,
    FeedbackResult,
    Phase,
    PhasesJudge,
    always,
    run_phases,
)
from app.judges.rules.judge import judge
from app.platform.errors import (
    ConfigurationError,
    PermanentProviderError,
    ProviderError,
    TransientProviderError,
)
from app.platform.processes.calls import Limits
from app.text.evidence import Evidence
from cases import for_each
from samples import ABOUT_PLASTIC, GENERIC, PACK, PLASTIC
from scripted_router import ScriptedRouter, by_task

KEY = b"0123456789abcdef"
MODEL: frozenset[Phase] = frozenset(("completeness", "groundedness", "next_steps"))
NOTE = "어닐링은 58도에서 30초 진행한다."
EVIDENCE = [Evidence("pcr", "high", NOTE, note_index=1)]
ANSWER = "어닐링은 58도에서 진행합니다. [노트 1]"


def phase1(score: float | None) -> Phase1Result:
    chunks = [] if score is None else ["a"]
    return Phase1Result(score or 0.0, chunks, [], score or 0.0, [], [])


def phase2(score: float | None) -> Phase2Result:
    return Phase2Result(score, [], [], [])


def phase3(score: float | None) -> Phase3Result:
    return Phase3Result(score, [], [], [], [])


@for_each(
    ("citation", "completeness", "groundedness", "overall", "needs_improvement"),
    [
        (1.0, 1.0, 1.0, 1.0, False),
        (0.0, 0.0, 0.0, 0.1, True),
        (1.0, 0.5, 0.5, 0.65, True),
        (0.5, 0.75, 1.0, 0.825, False),
        (1 / 3, 0.25, 0.5, 0.4417, True),
        (0.5, 0.5, 0.875, 0.7, False),
        (0.0, 1.0, 0.75, 0.7, False),
        (0.5, 0.5, 0.874, 0.6996, True),
        # .2 and .4 are raised to .3 and .6, .3 and .4 to .9 times 3/7 and 4/7, and so on.
        (1.0, None, 0.5, 0.7, False),
        (None, 0.5, 1.0, 0.8071, False),
        (0.5, 1.0, None, 0.82, False),
        (None, None, 0.5, 0.55, True),
        (None, None, None, None, None),
    ],
)
def test_overall_score(citation, completeness, groundedness, overall, needs_improvement):
    result = FeedbackResult(phase1(citation), phase2(completeness), phase3(groundedness))
    assert result.overall_score == overall
    assert result.needs_improvement is needs_improvement


def test_phases_that_did_not_run_count_as_nothing_to_check():
    assert FeedbackResult().overall_score is None
    assert FeedbackResult().needs_improvement is None
    assert FeedbackResult(phase3=phase3(1.0)).overall_score == 1.0


async def test_the_waste_example_by_rules():
    notes = ["플라스틱 용기는 라벨을 제거하고 내용물을 비운 뒤 분리수거함에 버린다."]
    given = AnswerToJudge.from_texts(
        "플라스틱 용기는 어떻게 버리나요?", ABOUT_PLASTIC, notes, ["플라스틱"], evidence=[PLASTIC]
    )
    result = await PhasesJudge(PACK).judge(given)
    assert result.phase1.context_relevance == 1.0
    assert result.phase2.completeness == 0.75
    assert result.phase2.missing_nuggets == ["주의 사항"]
    assert result.phase3.groundedness == 1.0
    assert result.phase4.action_items == ["라벨 제거 방법 확인하기"]
    assert result.phase4.urgency == "medium"
    assert result.overall_score == 0.925
    assert set(result.sources) == ALL_PHASES
    assert set(result.sources.values()) == {"rules"}
    assert result.fallbacks == {}


async def test_only_the_wanted_phases_run():
    given = AnswerToJudge.from_texts("?", ANSWER, [NOTE], evidence=EVIDENCE)
    result = await PhasesJudge(PACK, phases=frozenset(["groundedness"])).judge(given)
    assert (result.phase1, result.phase2, result.phase4) == (None, None, None)
    assert result.phase3 is not None
    assert result.overall_score == 1.0
    assert result.sources == {"groundedness": "rules"}


def test_the_verdict_of_the_rules_can_share_the_analysis():
    given = AnswerToJudge.from_texts("어닐링은?", ANSWER, [NOTE], ["PCR"], evidence=EVIDENCE)
    reading = Reading(given)
    assert run_phases(GENERIC, ALL_PHASES, reading).overall_score == 1.0
    assert judge(given, reading.material) == judge(given)


REPLIES = {
    "nuggets": {"nuggets": [{"text": "30초", "importance": "vital"}]},
    "nugget_support": {"nuggets": [{"nugget": 1, "support": "partial_support"}]},
    "claims": {
        "claims": [
            {
                "text": "어닐링은 58도에서 진행합니다.",
                "reasoning": "맞습니다.",
                "note_index": 1,
                "quote": "58도에서",
                "verdict": "supported",
            }
        ]
    },
    "next_steps": {"suggested_queries": ["몇 초?"], "action_items": [], "urgency": "low"},
}


def model_by_task(**failures: ProviderError) -> ScriptedRouter:
    return ScriptedRouter(respond=by_task(REPLIES | failures))


async def judged(model: ScriptedRouter, *, fall_back: FallBack = always) -> FeedbackResult:
    judge = PhasesJudge(GENERIC, by_model=MODEL, router=model, fence_key=KEY, fall_back=fall_back)
    given = AnswerToJudge.from_texts("어닐링은?", ANSWER, [NOTE], ["PCR"], evidence=EVIDENCE)
    return await judge.judge(given)


async def test_phases_by_model():
    model = model_by_task()
    result = await judged(model)
    assert result.sources == {
        "citation": "rules",
        "completeness": "judge",
        "groundedness": "judge",
        "next_steps": "judge",
    }
    assert result.phase2.completeness == 0.5
    assert result.phase3.groundedness == 1.0
    assert result.phase4.suggested_queries == ["몇 초?"]
    assert result.overall_score == 0.85
    assert sorted(model.tasks) == ["claims", "next_steps", "nugget_support", "nuggets"]


async def test_groundedness_does_not_wait_for_completeness_but_next_steps_do():
    model = model_by_task()
    await judged(model)
    assert set(model.tasks[:2]) == {"claims", "nuggets"}
    assert '"missing":["30초"]' in model.asked[model.tasks.index("next_steps")].prompt


@for_each(
    ("task", "phase", "failure", "kind"),
    [
        ("claims", "groundedness", TransientProviderError("busy"), "transient"),
        ("nuggets", "completeness", PermanentProviderError("refused"), "permanent"),
        ("nugget_support", "completeness", ConfigurationError("no key"), "configuration"),
        ("next_steps", "next_steps", TransientProviderError("busy"), "transient"),
    ],
)
async def test_a_failing_model_is_replaced_by_rules_in_that_phase(task, phase, failure, kind):
    result = await judged(model_by_task(**{task: failure}))
    assert result.sources[phase] == "rules"
    assert result.fallbacks == {phase: f"{kind}: {failure}"}
    assert list(result.sources.values()).count("judge") == 2
    assert result.phase3.groundedness == 1.0
    assert result.phase4 is not None


async def test_without_falling_back_the_failure_is_raised_after_the_other_calls():
    model = model_by_task(claims=TransientProviderError("busy"))
    with pytest.raises(TransientProviderError, match="busy"):
        await judged(model, fall_back=lambda _: False)
    assert model.tasks[-1] == "next_steps"


@for_each(
    ("by_model", "router", "key"),
    [
        ({"citation"}, model_by_task(), KEY),
        ({"groundedness"}, None, KEY),
        ({"groundedness"}, model_by_task(), b""),
    ],
)
def test_a_phase_that_no_model_can_judge_is_refused(by_model, router, key):
    with pytest.raises(ValueError, match="phase"):
        PhasesJudge(PACK, by_model=frozenset(by_model), router=router, fence_key=key)


# Of the longest, which are for others to refuse.
LONG = Limits(seconds=300, megabytes=1024)
LONG_NOTES = [f"{number}번 시료는 선반 {number}에 둔다." for number in range(1, 201)]


@pytest.mark.parametrize(
    ("answer", "notes"),
    [
        ("", [NOTE]),
        (" \n\t", [NOTE]),
        ("\0", ["\0"]),
        ("어닐링은\0 58도 \ud800", [NOTE + "\0", "\udfff"]),
        pytest.param("가다. " * 25_000, [NOTE], marks=pytest.mark.slow),
        pytest.param("노트 질문 궁금" * 12_500, ["정보 " * 20_000], marks=pytest.mark.slow),
        ("[노트 99]" * 100, [NOTE]),
        ("3번 시료는 선반 3에 둡니다. [노트 3]", LONG_NOTES),
        ("試料は4度で保管します。", [NOTE]),
        (ANSWER, []),
        (ANSWER, ["", ""]),
    ],
)
async def test_odd_input_has_a_result(answer, notes):
    evidence = [
        Evidence("a", "low", "", note_index=1),
        Evidence("b", "high", "\0", note_index=500),
        Evidence("c", "medium", "어닐링은 58도", matched_tags=("없는 태그",)),
    ]
    model = model_by_task()
    given = AnswerToJudge.from_texts("어닐링은?", answer, notes, evidence=evidence)
    for phases_judge in (
        PhasesJudge(PACK, limits=LONG),
        PhasesJudge(GENERIC, by_model=MODEL, router=model, fence_key=KEY, limits=LONG),
    ):
        result = await phases_judge.judge(given)
        assert result.fallbacks == {}
        assert result.overall_score is not None
        assert 0.1 <= result.overall_score <= 1
        assert result.phase1 is not None
        for citation in result.phase1.citations:
            assert answer[citation.start : citation.end].strip()
        assert result.phase3 is not None
        for claim in result.phase3.claims:
            if claim.start is not None and claim.end is not None:
                assert claim.text == answer[claim.start : claim.end]
