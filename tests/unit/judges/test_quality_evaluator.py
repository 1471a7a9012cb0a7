"""QualityEvaluator against a scripted model, and the heuristic that stands in for it."""

import json
import logging

import pytest

import samples
from app.ai_router.types import ModelName
from app.judges.published.quality_evaluator import QualityEvaluator
from app.judges.published.refinement import Document, EvaluationResult, overall
from app.platform.errors import ConfigurationError, ProviderError, TransientProviderError
from cases import for_each
from scripted_router import ScriptedRouter

DOCUMENTS = [
    Document(id="pcr", title="PCR 조건", content="어닐링 온도는 58도이다. 신장은 72도에서 1분.")
]
QUESTION = "PCR의 어닐링 온도는?"
NOTHING_FOUND = "제공된 노트에서는 이 질문의 답을 찾을 수 없습니다."


async def judged(*replies: str | ProviderError, **options: object) -> EvaluationResult:
    evaluator = QualityEvaluator(ScriptedRouter(*replies), **options)  # type: ignore[arg-type]
    return await evaluator.evaluate(samples.QUESTION, samples.FIRST_ANSWER, samples.DOCUMENTS)


async def estimated(question: str, answer: str, documents: list[Document]) -> EvaluationResult:
    return await QualityEvaluator(None).evaluate(question, answer, documents)


def shown_material(router: ScriptedRouter, call: int = 0) -> dict[str, object]:
    [line] = [line for line in router.asked[call].prompt.split("\n") if line.startswith("{")]
    return json.loads(line)


async def test_the_worked_example_scores_42_percent_and_needs_another_search():
    result = await judged(samples.evaluation())
    assert result.overall_score == 0.42
    assert (result.grounding_score, result.completeness_score, result.accuracy_score) == (
        0.4,
        0.3,
        0.7,
    )
    assert result.missing_info == samples.MISSING
    assert result.improvement_suggestions == samples.SUGGESTIONS
    assert result.needs_retrieval
    assert not result.heuristic


async def test_without_a_model_an_answer_that_the_documents_refute_has_no_grounding():
    note = Document(id="x", title="배양기", content="CO2 배양기의 온도는 37도이다.")
    wrong = await estimated("배양기는 몇 도로 맞추나요?", "CO2 배양기의 온도는 55도이다.", [note])
    assert wrong.grounding_score == 0
    assert wrong.needs_retrieval


@for_each("name", ["grounding_score", "completeness_score", "accuracy_score"])
async def test_each_score_is_between_zero_and_one(name):
    for right in (0.0, 1.0):
        assert getattr(await judged(samples.evaluation(**{name: right})), name) == right
        for wrong in (-0.01, 1.01):
            replies = [samples.evaluation(**{name: score}) for score in (wrong, right)]
            result = await judged(*replies)
            assert (getattr(result, name), result.heuristic) == (right, False)


@for_each(
    ("scores", "expected"),
    [((0, 0, 0), 0.0), ((1, 1, 1), 1.0), ((1, 0, 0), 0.4), ((0, 1, 0), 0.4), ((0, 0, 1), 0.2)],
)
def test_grounding_and_completeness_weigh_twice_as_much_as_accuracy(scores, expected):
    assert overall(*scores) == expected


@for_each(
    ("score", "flag", "missing", "needs"),
    [
        (0.49, False, [], False),
        (0.49, True, [], True),
        (0.5, False, ["용량"], False),
        (0.5, True, ["용량"], True),
        (0.5, True, [], False),
    ],
)
async def test_the_judge_decides_and_from_the_threshold_on_a_wish_needs_an_object(
    score, flag, missing, needs
):
    scores = dict.fromkeys(("grounding_score", "completeness_score", "accuracy_score"), score)
    reply = samples.evaluation(needs_retrieval=flag, missing_info=missing, **scores)
    assert (await judged(reply)).needs_retrieval is needs


async def test_the_model_is_asked_once_and_sees_all_that_helps_to_judge():
    router = ScriptedRouter(samples.evaluation(), samples.praise())
    evaluator = QualityEvaluator(router)
    first = await evaluator.evaluate(samples.QUESTION, samples.FIRST_ANSWER, samples.DOCUMENTS)
    await evaluator.evaluate(
        samples.QUESTION,
        samples.BETTER_ANSWER,
        samples.DOCUMENTS,
        profile_summary=samples.PROFILE,
        previous_feedback=first,
    )
    assert [asked.temperature for asked in router.asked] == [0.3, 0.3]
    assert router.asked[0].output is not None
    before, after = shown_material(router), shown_material(router, 1)
    assert (before["profile"], before["previous_feedback"]) == (None, None)
    assert after["profile"] == samples.PROFILE
    assert after["previous_feedback"] == {
        "missing_info": samples.MISSING,
        "improvement_suggestions": samples.SUGGESTIONS,
    }


async def test_the_model_sees_five_documents_of_500_characters():
    router = ScriptedRouter(samples.evaluation())
    documents = [Document(id=str(n), title=f"문서 {n}", content="가" * 501) for n in range(6)]
    documents[1] = Document(id="short", title="짧은 문서", content="나" * 500)
    await QualityEvaluator(router).evaluate("질문", "답변", documents)
    shown = shown_material(router)["documents"]
    assert isinstance(shown, list)
    assert [len(document["content"]) for document in shown] == [500] * 5
    assert [document["cut"] for document in shown] == [True, False, True, True, True]


async def test_a_reply_that_cannot_be_used_is_asked_for_again():
    result = await judged("점수는 0.4입니다.", samples.evaluation())
    assert result.overall_score == 0.42
    assert not result.heuristic


@pytest.mark.parametrize(
    "replies",
    [
        ("{}", "{}"),
        (samples.evaluation(grounding_score=1.5), samples.evaluation(accuracy_score="0.7")),
        (TransientProviderError("busy"),),
        (ConfigurationError("no key"),),
    ],
)
async def test_a_model_that_fails_leaves_a_marked_estimate_and_a_warning(replies, caplog):
    with caplog.at_level(logging.WARNING, logger="app.answering.refine"):
        result = await judged(*replies)
    assert result.heuristic
    assert "쓸 수 없어" in result.reason
    assert "estimated" in caplog.text
    assert samples.FIRST_ANSWER not in caplog.text


async def test_an_offline_model_is_not_asked_to_judge_by_a_prompt():
    router = ScriptedRouter()
    router.model = ModelName("offline", "extractive")
    result = await QualityEvaluator(router).evaluate(QUESTION, "58도이다.", DOCUMENTS)
    assert result.heuristic
    assert router.asked == []


async def test_lists_from_the_model_are_cut_to_what_a_query_can_hold():
    missing = ["용량", " 용량 ", "", *(f"정보 {n}" for n in range(20)), "긴 " * 500]
    result = await judged(samples.evaluation(missing_info=missing))
    assert result.missing_info == ["용량", *(f"정보 {n}" for n in range(7))]


async def test_without_a_model_the_four_missing_facts_are_found_in_the_documents():
    result = await estimated(samples.QUESTION, samples.FIRST_ANSWER, list(samples.DOCUMENTS))
    missing = " ".join(result.missing_info)
    assert all(fact in missing for fact in ("위장 장애", "유산증", "신부전", "비타민 B12"))
    assert result.heuristic
    assert result.needs_retrieval


async def test_without_a_model_what_the_answer_says_is_not_missing():
    result = await estimated(
        samples.QUESTION, samples.BETTER_ANSWER, [*samples.DOCUMENTS, samples.KIDNEY]
    )
    assert not any("B12" in item or "위장" in item for item in result.missing_info)
    assert result.overall_score >= 0.5


@for_each(
    ("answer", "documents"),
    [
        ("", DOCUMENTS),
        ("  \n", DOCUMENTS),
        (NOTHING_FOUND, DOCUMENTS),
        ("김치는 발효 식품이며 맛이 좋다고 널리 알려져 있습니다.", DOCUMENTS),
        ("어닐링 온도는 58도입니다.", []),
    ],
)
async def test_without_a_model_an_answer_from_nothing_is_searched_for_again(answer, documents):
    result = await estimated(QUESTION, answer, documents)
    assert result.needs_retrieval
    assert result.overall_score < 0.5


async def test_without_a_model_a_grounded_answer_is_good_enough():
    result = await estimated(QUESTION, "어닐링 온도는 58도이다. [노트 1]", DOCUMENTS)
    assert result.overall_score >= 0.5
    assert not result.needs_retrieval
    assert result.accuracy_score == 0.5


async def test_an_empty_answer_scores_nothing():
    assert (await estimated(QUESTION, "", DOCUMENTS)).overall_score == 0.0


async def test_what_other_documents_say_is_not_missing():
    other = Document(id="x", title="재고", content="PCR 튜브는 선반에 있다. 장갑은 서랍에 있다.")
    result = await estimated("PCR 어닐링 온도와 시간은?", NOTHING_FOUND, [other])
    assert sorted(result.missing_info) == ["pcr", "시간", "어닐링", "온도"]
