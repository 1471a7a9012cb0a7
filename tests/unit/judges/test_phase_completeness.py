"""Phase 2: the nuggets of a pack by keywords, and nuggets that a model finds."""

import json
import unicodedata

import pytest

from app.judges.answer import AnswerToJudge
from app.judges.phases.completeness import (
    NuggetVerdict,
    Phase2Result,
    evaluate_completeness,
    judge_completeness,
)
from app.judges.phases.reading import Reading
from app.platform.errors import MalformedOutput
from cases import for_each
from samples import GENERIC, PACK
from scripted_router import ScriptedRouter

KEY = b"0123456789abcdef"
QUESTION, ANSWER = "어닐링 조건은?", "어닐링은 58도에서 합니다."
NOTE = "어닐링은 58도에서 30초 진행한다."


@for_each(
    ("answer", "completeness", "missing"),
    [
        ("라벨을 제거하고 분리수거함에 버리세요. 섞으면 안됩니다.", 1.0, []),
        ("깨끗이 헹궈서 종량제 봉투에 버리세요.", 0.5, ["주의 사항", "분리 여부"]),
        ("분리수거함에 넣습니다.", 0.5, ["배출 방법", "주의 사항"]),
        ("깨지지 않게 조심하세요. 뚜껑은 따로 모읍니다.", 0.75, ["배출 장소"]),
        ("수거함은 1층에 있습니다.", 0.25, ["배출 방법", "주의 사항", "분리 여부"]),
        ("", 0.0, ["배출 방법", "배출 장소", "주의 사항", "분리 여부"]),
    ],
)
def test_keywords_of_the_pack(answer, completeness, missing):
    result = evaluate_completeness(answer, PACK.nuggets)
    assert result.completeness == completeness
    assert result.missing_nuggets == missing
    names = [nugget.name for nugget in PACK.nuggets]
    assert result.covered_nuggets == [name for name in names if name not in missing]
    assert {nugget.source for nugget in result.nuggets} == {"rules"}


def test_a_pack_without_nuggets_has_nothing_to_look_for():
    assert evaluate_completeness("무엇이든", GENERIC.nuggets) == Phase2Result(None, [], [], [])


def test_hangul_that_is_taken_apart_is_still_found():
    answer = unicodedata.normalize("NFD", "종량제 봉투에 버리세요.")
    assert evaluate_completeness(answer, PACK.nuggets).completeness == 0.5


def extracted(*nuggets: tuple[str, str]) -> str:
    members = [{"text": text, "importance": importance} for text, importance in nuggets]
    return json.dumps({"nuggets": members}, ensure_ascii=False)


def assigned(*support: str) -> str:
    members = [{"nugget": n, "support": one} for n, one in enumerate(support, start=1)]
    return json.dumps({"nuggets": members})


FOUND = extracted(("온도는 58도", "vital"), ("30초 동안", "vital"), ("변성 다음에", "okay"))


def reading(answer: str, *notes: str) -> Reading:
    return Reading(AnswerToJudge.from_texts(QUESTION, answer, notes or [NOTE], ["PCR"]))


async def judged(*replies: str, answer: str = ANSWER) -> tuple[Phase2Result, ScriptedRouter]:
    router = ScriptedRouter(*replies)
    return await judge_completeness(router, reading(answer), KEY), router


async def test_the_score_is_the_vital_score_of_the_trec_rag_track():
    result, _ = await judged(FOUND, assigned("support", "partial_support", "not_support"))
    assert result.completeness == 0.75
    assert result.covered_nuggets == ["온도는 58도"]
    assert result.missing_nuggets == ["30초 동안", "변성 다음에"]
    assert result.nuggets == [
        NuggetVerdict("온도는 58도", "vital", "supported", "judge"),
        NuggetVerdict("30초 동안", "vital", "partly", "judge"),
        NuggetVerdict("변성 다음에", "okay", "not", "judge"),
    ]


async def test_without_a_vital_nugget_all_count():
    result, _ = await judged(
        extracted(("가", "okay"), ("나", "okay")), assigned("support", "not_support")
    )
    assert result.completeness == 0.5


async def test_nuggets_come_from_question_and_notes_and_not_from_the_answer():
    _, router = await judged(FOUND, assigned("support", "support", "support"))
    first, second = router.asked
    assert ANSWER not in first.prompt
    assert NOTE in first.prompt
    assert ANSWER in second.prompt
    assert "30초 동안" in second.prompt


async def test_no_nugget_is_nothing_to_check():
    result, router = await judged(extracted())
    assert result == Phase2Result(None, [], [], [])
    assert len(router.asked) == 1


async def test_an_empty_answer_holds_no_nugget_and_is_not_sent():
    result, router = await judged(FOUND, answer=" \n")
    assert result.completeness == 0.0
    assert len(router.asked) == 1


async def test_no_call_is_made_without_sources():
    router = ScriptedRouter()
    result = await judge_completeness(router, reading(ANSWER, "", "  "), KEY)
    assert result.completeness is None
    assert router.asked == []


@for_each(
    "reply",
    [
        assigned("support", "support"),
        assigned("support", "support", "support", "support"),
        assigned("support", "yes", "support"),
        json.dumps({"nuggets": [{"nugget": 1, "support": "support"}] * 3}),
        "좋은 답변입니다.",
    ],
)
async def test_a_reply_that_does_not_judge_each_nugget_once_is_asked_for_again(reply):
    result, router = await judged(FOUND, reply, assigned("support", "support", "support"))
    assert result.completeness == 1.0
    assert len(router.asked) == 3
    with pytest.raises(MalformedOutput):
        await judged(FOUND, reply, reply)
