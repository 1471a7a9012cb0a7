"""SearchQAEvaluator and QualityGate by their published paths, against a scripted model."""

import json
from typing import Any

import pytest

from app.ai_router.quality_gate import CHECKLISTS, QualityGate
from app.ai_router.search_qa_evaluator import SearchQAEvaluator
from app.judges.answer import confidence_of
from app.platform.errors import ConfigurationError, MalformedOutput
from cases import for_each
from scripted_router import ScriptedRouter

NOTES = ["어닐링 온도는 58도이다.", "신장은 72도에서 1분."]
TITLES = ["PCR 조건", "신장"]
QUESTION = "어닐링 온도는?"
ANSWER = "58도입니다. [노트 1]"


def verdict(**changes: object) -> str:
    whole = {
        "grounding_issues": [],
        "source_coverage": [
            {"note_index": 1, "cited": True, "relevant_claim": "58도", "quote": "온도는 58도"},
            {"note_index": 2, "cited": False, "relevant_claim": "", "quote": ""},
        ],
        "summary": "정확합니다.",
        "correctness": 0.9,
        "utility": 0.8,
    }
    return json.dumps(whole | changes, ensure_ascii=False)


def ticks(signs: str) -> str:
    """The reply of a judge that lets "+" pass and "-" not, as in "++-+"."""
    items = [
        {"item": number, "reason": f"이유 {number}", "passed": sign == "+"}
        for number, sign in enumerate(signs, start=1)
    ]
    return json.dumps({"items": items})


async def evaluated(*replies: str) -> tuple[Any, ScriptedRouter]:
    router = ScriptedRouter(*replies)
    return await SearchQAEvaluator(router).evaluate(QUESTION, NOTES, TITLES, ANSWER), router


@for_each(
    ("correctness", "utility", "confidence"),
    [
        (1.0, 1.0, "high"),
        (0.8, 0.7, "high"),
        (0.79, 1.0, "medium"),
        (0.8, 0.69, "medium"),
        (1.0, 0.0, "medium"),
        (0.5, 0.0, "medium"),
        (0.49, 1.0, "low"),
        (0.0, 0.0, "low"),
    ],
)
async def test_confidence(correctness, utility, confidence):
    """By the scores alone, and as the evaluator gives it with them."""
    assert confidence_of(correctness, utility) == confidence
    result, _ = await evaluated(verdict(correctness=correctness, utility=utility))
    assert (result.correctness, result.utility) == (correctness, utility)
    assert result.confidence == confidence


@for_each("score", ["correctness", "utility"])
@for_each("wrong", [-0.01, 1.01, None])
async def test_each_of_the_two_scores_is_between_zero_and_one(score, wrong):
    for right in (0.0, 1.0):
        result, router = await evaluated(verdict(**{score: wrong}), verdict(**{score: right}))
        scores = {"correctness": 0.9, "utility": 0.8, score: right}
        assert result is not None
        assert {name: getattr(result, name) for name in scores} == scores
        assert f"{score}: Input should be" in router.asked[1].prompt


async def test_evaluates_with_the_settings_of_a_judge():
    result, router = await evaluated(verdict())
    assert (result.correctness, result.utility, result.confidence) == (0.9, 0.8, "high")
    assert [source.note_title for source in result.source_coverage] == TITLES
    assert [source.cited for source in result.source_coverage] == [True, False]
    assert [source.quote_found for source in result.source_coverage] == [True, None]
    assert result.grounding_issues == []
    assert result.flags == []
    (asked,) = router.asked
    assert (asked.temperature, asked.max_tokens) == (0.1, 768)
    assert asked.output.name == "search_qa_evaluation"


@for_each("notes", [[], [""], [" ", "\n"]])
async def test_does_not_ask_without_notes(notes):
    router = ScriptedRouter()
    assert await SearchQAEvaluator(router).evaluate(QUESTION, notes, [], ANSWER) is None
    assert router.asked == []


@for_each(
    ("titles", "lang", "named"),
    [
        ([], "ko", ["노트 1", "노트 2"]),
        (["PCR"], "en", ["PCR", "Note 2"]),
        (["", "신장", "남는 제목"], "ko", ["노트 1", "신장"]),
    ],
)
async def test_names_notes_without_a_title(titles, lang, named):
    evaluator = SearchQAEvaluator(ScriptedRouter(verdict()))
    result = await evaluator.evaluate(QUESTION, NOTES, titles, ANSWER, lang)  # type: ignore[arg-type]
    assert [source.note_title for source in result.source_coverage] == named


async def test_a_note_left_out_by_the_judge_is_not_cited():
    only_second = [{"note_index": 2, "cited": True, "relevant_claim": "x", "quote": ""}]
    result, _ = await evaluated(verdict(source_coverage=only_second))
    assert [source.cited for source in result.source_coverage] == [False, True]


async def test_asks_once_more_and_says_what_was_wrong():
    bad = verdict(correctness="0.9", summary="SECRET-BAD-OUTPUT")
    result, router = await evaluated(bad, verdict())
    assert result is not None
    first, second = (asked.messages for asked in router.asked)
    assert [message.role for message in second] == ["system", "user"]
    assert second[0] == first[0]
    assert second[1].content.startswith(first[1].content)
    assert "correctness: Input should be a valid number" in second[1].content
    assert "SECRET-BAD-OUTPUT" not in second[1].content


async def test_gives_up_after_the_second_bad_reply():
    router = ScriptedRouter("not JSON", verdict(utility=2), verdict())
    with pytest.raises(MalformedOutput, match="utility"):
        await SearchQAEvaluator(router).evaluate(QUESTION, NOTES, TITLES, ANSWER)
    assert len(router.asked) == 2


@pytest.mark.parametrize("replies", [(), ("not JSON",)])
async def test_passes_provider_errors_through(replies):
    router = ScriptedRouter(*replies, ConfigurationError("no such model", status=404))
    with pytest.raises(ConfigurationError, match="no such model"):
        await SearchQAEvaluator(router).evaluate(QUESTION, NOTES, TITLES, ANSWER)


@for_each(
    ("correctness", "issues", "flags"),
    [
        (0.95, ["없는 숫자"], ["score_contradicts_issues"]),
        (0.94, ["없는 숫자"], []),
        (0.49, [], ["score_contradicts_issues"]),
        (0.49, [" "], ["score_contradicts_issues"]),
        (0.5, [], []),
        (0.1, ["없는 숫자"], []),
    ],
)
async def test_flags_scores_that_contradict_their_issues(correctness, issues, flags):
    result, _ = await evaluated(verdict(correctness=correctness, grounding_issues=issues))
    assert result.flags == flags


async def test_flags_quotes_that_are_not_in_their_note():
    sources = [
        {"note_index": 2, "cited": True, "relevant_claim": "58도", "quote": "온도는 58도"},
        {"note_index": 1, "cited": True, "relevant_claim": "58도", "quote": "“온도는  58도”"},
    ]
    result, _ = await evaluated(verdict(source_coverage=sources))
    assert result.flags == ["quote_not_found:2"]
    assert [source.quote_found for source in result.source_coverage] == [True, False]


async def test_quotes_are_looked_up_in_the_whole_note_not_in_what_was_sent():
    long_note = "가나다 " * 20_000 + "끝에 있는 문장이다."
    source = {"note_index": 1, "cited": True, "relevant_claim": "x", "quote": "끝에 있는 문장"}
    router = ScriptedRouter(verdict(source_coverage=[source]))
    result = await SearchQAEvaluator(router).evaluate(QUESTION, [long_note], [], ANSWER)
    assert result.source_coverage[0].quote_found is True
    assert "끝에 있는" not in router.asked[0].prompt


async def test_quality_gate_computes_the_ratio():
    router = ScriptedRouter(ticks("+++-"))
    result = await QualityGate(router).evaluate("search_qa", QUESTION, ANSWER)
    assert (result.passed, result.pass_ratio) == (True, 0.75)
    assert [item.item for item in result.items] == list(CHECKLISTS["search_qa"]["ko"].items)
    assert result.items[3].reason == "이유 4"
    assert not result.items[3].passed
    system = router.asked[0].messages[0].content
    assert all(item in system for item in CHECKLISTS["search_qa"]["ko"].items)


async def test_quality_gate_fails_below_its_ratio():
    router = ScriptedRouter(ticks("+-+-"))
    result = await QualityGate(router).evaluate("insight", QUESTION, ANSWER, lang="en")
    assert (result.passed, result.pass_ratio) == (False, 0.5)
    assert [item.item for item in result.items] == list(CHECKLISTS["insight"]["en"].items)


async def test_quality_gate_has_nothing_to_say_of_unknown_features():
    router = ScriptedRouter()
    assert await QualityGate(router).evaluate("translate", QUESTION, ANSWER) is None
    assert router.asked == []


@for_each(
    "bad",
    [
        ticks("+++"),
        ticks("+++++"),
        '{"items": []}',
        ticks("++++").replace('"item": 4', '"item": 3'),
        ticks("++++").replace("true", '"yes"'),
        '{"passed": true, "pass_ratio": 1.0}',
    ],
)
async def test_quality_gate_wants_every_item_once(bad):
    router = ScriptedRouter(bad, ticks("++++"))
    result = await QualityGate(router).evaluate("search_qa", QUESTION, ANSWER)
    assert result.pass_ratio == 1.0
    assert len(router.asked) == 2
    with pytest.raises(MalformedOutput):
        await QualityGate(ScriptedRouter(bad, bad)).evaluate("search_qa", QUESTION, ANSWER)


def test_every_checklist_speaks_both_languages_alike():
    for by_lang in CHECKLISTS.values():
        korean, english = by_lang["ko"], by_lang["en"]
        assert len(korean.items) == len(english.items)
        assert korean.min_pass_ratio == english.min_pass_ratio
