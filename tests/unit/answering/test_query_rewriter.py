"""QueryRewriter: what it makes of a model's replies, and what it does without one."""

import json
import logging

import pytest

import samples
from app.ai_router.types import ModelName
from app.answering.profile import Slots, described
from app.answering.refine.query_rewriter import (
    MAX_GUESSED_KEYWORDS,
    MAX_KEYWORDS,
    QueryRewriter,
    RewrittenQuery,
    keywords,
    query_of,
)
from app.judges.published.refinement import EvaluationResult, result
from app.platform.errors import (
    ConfigurationError,
    MalformedOutput,
    ProviderError,
    TransientProviderError,
)
from cases import for_each
from scripted_router import ScriptedRouter

QUERY = "배지의 보관 온도는 몇 도인가요?"
ENGLISH = "At what temperature is the medium stored?"


def feedback(
    *missing: str, suggestions: tuple[str, ...] = (), heuristic: bool = False
) -> EvaluationResult:
    return result(
        0.4,
        0.3,
        0.7,
        missing_info=missing,
        improvement_suggestions=suggestions,
        reason="",
        heuristic=heuristic,
        threshold=0.5,
    )


async def rewritten(*replies: str | ProviderError, **options: object) -> RewrittenQuery:
    rewriter = QueryRewriter(ScriptedRouter(*replies), **options)  # type: ignore[arg-type]
    return await rewriter.rewrite(QUERY, feedback("개봉 후 보관 기한"), "냉장합니다.")


@for_each(
    "reply",
    [
        "배지의 보관 온도와 기한은?",
        "재작성된 질의: 배지의 보관 온도와 기한은?",
        "다시 쓴 질의:\n배지의 보관 온도와 기한은?",
        "**재작성된 질의:** 배지의 보관 온도와 기한은?",
        "다음은 재작성된 질의입니다: 배지의 보관 온도와 기한은?",
        "Rewritten query: 배지의 보관 온도와 기한은?",
        "Here is the rewritten query:\n\n배지의 보관 온도와 기한은?",
        '재작성된 질의: "배지의 보관 온도와 기한은?"',
        "“배지의 보관 온도와 기한은?”",
        "`배지의 보관 온도와 기한은?`",
        "```\n배지의 보관 온도와 기한은?\n```",
        "네, 알겠습니다.\n```text\n질의: 배지의 보관 온도와 기한은?\n```",
        "1. 배지의 보관 온도와 기한은?",
        "- 배지의 보관\n- 온도와 기한은?",
        "배지의 보관 온도와 기한은?\n\n변화 분석: 기한을 더했습니다.",
        "  배지의 보관  온도와\n기한은?  ",
    ],
)
def test_only_the_query_is_taken_from_the_reply(reply):
    assert query_of(reply, QUERY) == "배지의 보관 온도와 기한은?"


@for_each(
    "reply",
    [
        "개선된 배지 조성: 보관 온도는?",
        '"배지"와 "완충액"의 보관 온도는?',
        "배지(Taq polymerase, MgCl2 용액)의 보관 온도는?",
        "37. 5도에 둔 배지의 보관 기한은?",
    ],
)
def test_what_only_looks_like_a_label_or_a_mark_stays(reply):
    assert query_of(reply, QUERY).endswith(reply.removeprefix("37. "))


@for_each(
    ("reply", "original", "why"),
    [
        ("", QUERY, "empty"),
        ("재작성된 질의:", QUERY, "empty"),
        ('""', QUERY, "empty"),
        ("…", QUERY, "empty"),
        ("배지 보관 " * 200, QUERY, "too long"),
        ("How should the medium be stored?", QUERY, "another language"),
        ("培地の保存温度は何度ですか", QUERY, "another language"),
        ("배지는 몇 도에 보관합니까?", ENGLISH, "another language"),
    ],
)
def test_a_reply_that_is_no_query_is_refused(reply, original, why):
    with pytest.raises(MalformedOutput, match=why):
        query_of(reply, original)


def test_a_long_question_may_have_a_long_query():
    question = "배지 보관 " * 200
    assert query_of(question, question) == question.strip()


async def test_the_model_is_told_all_and_the_answer_only_in_part():
    router = ScriptedRouter(samples.REWRITTEN)
    query = await QueryRewriter(router).rewrite(
        samples.QUESTION,
        feedback(*samples.MISSING, suggestions=("금기 사항 추가",)),
        "가" * 201,
        profile_summary=samples.PROFILE,
        slot_out=samples.SLOTS,
        iteration_count=1,
    )
    [asked] = router.asked
    [line] = [line for line in asked.prompt.split("\n") if line.startswith("{")]
    assert query == RewrittenQuery(samples.REWRITTEN, "llm")
    assert asked.temperature == 0.5
    assert json.loads(line) == {
        "question": samples.QUESTION,
        "previous_answer": "가" * 200,
        "missing_info": samples.MISSING,
        "improvement_suggestions": ["금기 사항 추가"],
        "profile": samples.PROFILE,
        "slots": {"나이": "60", "성별": "남성", "질환": "2형 당뇨병"},
        "iteration": 1,
    }


async def test_without_feedback_only_the_profile_is_added_and_no_model_asked():
    router = ScriptedRouter()
    rewriter = QueryRewriter(router)
    for nothing in (None, feedback()):
        query = await rewriter.rewrite(QUERY, nothing, "냉장합니다.", "효모 실험실", Slots(age=30))
        assert query == RewrittenQuery(f"{QUERY} 효모 실험실", "profile")
    assert await rewriter.rewrite(QUERY, None, "") == RewrittenQuery(QUERY, "profile")
    assert router.asked == []


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "How should the medium be stored?",
        "죄송하지만 도와드릴 수 없습니다.",
        TransientProviderError("busy"),
        ConfigurationError("no key"),
    ],
)
async def test_a_model_that_fails_leaves_keywords_and_a_warning(reply, caplog):
    with caplog.at_level(logging.WARNING, logger="app.answering.refine"):
        query = await rewritten(reply)
    assert query == RewrittenQuery(f"{QUERY} 개봉 기한", "keywords")
    assert "keywords are added" in caplog.text
    assert QUERY not in caplog.text


@pytest.mark.parametrize("model", [None, ModelName("offline", "extractive")])
async def test_without_a_model_missing_words_and_profile_are_added(model):
    router = ScriptedRouter()
    router.model = model or router.model
    query = await QueryRewriter(router if model else None).rewrite(
        samples.QUESTION,
        feedback(*samples.MISSING),
        samples.FIRST_ANSWER,
        profile_summary=samples.PROFILE,
        slot_out=Slots(conditions=("2형 당뇨병",), medications=("리시노프릴",)),
    )
    assert query.method == "keywords"
    assert query.text.startswith(samples.QUESTION)
    assert all(word in query.text for word in ("설사", "유산", "신부전", "비타민"))
    assert query.text.endswith(f"{samples.PROFILE} 리시노프릴")
    assert query.text.count("2형 당뇨병") == 1
    assert router.asked == []


async def test_suggestions_tell_how_to_write_and_are_not_searched_for():
    query = await QueryRewriter(None).rewrite(QUERY, feedback(suggestions=("표로 정리",)), "")
    assert query == RewrittenQuery(QUERY, "keywords")


def test_every_missing_item_gets_its_turn_among_the_keywords():
    long = " ".join(f"word{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")
    found = keywords("질문", [long, "비타민 결핍"])
    assert len(found) == MAX_KEYWORDS
    assert {"비타민", "결핍"} <= set(found)


async def test_of_guessed_gaps_fewer_words_are_searched_for():
    missing = "개봉한 배지는 무균 상태로 밀봉하여 차광 용기에 담아 냉장고 안쪽 선반에 세워 둔다"
    said = await QueryRewriter(None).rewrite(QUERY, feedback(missing), "")
    guessed = await QueryRewriter(None).rewrite(QUERY, feedback(missing, heuristic=True), "")
    assert said.text.startswith(guessed.text)
    assert len(guessed.text.split()) == len(QUERY.split()) + MAX_GUESSED_KEYWORDS
    assert len(said.text.split()) > len(guessed.text.split())


def test_slots_have_korean_and_english_names():
    slots = Slots.model_validate({"나이": 60, "질환": ["고혈압", "천식"]})
    assert slots == Slots.model_validate({"age": 60, "conditions": ["고혈압", "천식"]})
    assert slots.named("en") == {"age": "60", "conditions": "고혈압, 천식"}
    assert described("간호사", slots, "ko") == "간호사; 나이: 60, 질환: 고혈압, 천식"
    assert described(" ", Slots(), "ko") is None
