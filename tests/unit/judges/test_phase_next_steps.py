"""Phase 4: next steps by the rules of a pack, and by a model."""

import json

import pytest

from app.judges.answer import AnswerToJudge, Note
from app.judges.phases.next_steps import Phase4Result, evaluate_next_steps, judge_next_steps
from app.platform.errors import MalformedOutput
from app.text.language import Lang
from cases import for_each
from samples import GENERIC, GLASS, PACK, PLASTIC
from scripted_router import ScriptedRouter

KEY = b"0123456789abcdef"
WHERE = "가까운 분리수거함 위치가 궁금하시면 물어봐주세요!"
BULKY = "대형폐기물 수거 신청 방법도 알려드릴까요?"
DIRTY = PLASTIC._replace(matched_tags=("오염됨",))
LABEL, WASH = "라벨 제거 방법 확인하기", "올바른 세척 방법 확인하기"


def steps(query: str, answer: str, *tags: str, lang: Lang = "ko") -> Phase4Result:
    evidence = [GLASS._replace(matched_tags=(tag,)) for tag in tags]
    given = AnswerToJudge(query, answer, evidence=tuple(evidence), lang=lang)
    return evaluate_next_steps(PACK.next_steps, given, ["배출 장소"])


@for_each(
    ("tags", "actions", "urgency"),
    [
        ((), [], "low"),
        (("라벨_부착",), [LABEL], "low"),
        (("오염됨",), [WASH], "medium"),
        (("내용물_있음",), [], "medium"),
        (("오염됨", "라벨_부착", "오염됨"), [LABEL, WASH], "medium"),
    ],
)
def test_tags_decide_actions_and_urgency(tags, actions, urgency):
    result = steps("페트병은?", "위치는 1층입니다.", *tags)
    assert (result.action_items, result.urgency) == (actions, urgency)


@for_each(
    ("query", "answer", "suggested"),
    [
        ("페트병은?", "라벨을 떼세요.", [WHERE]),
        ("페트병은?", "수거함 위치는 1층입니다.", []),
        ("대형 가구는?", "라벨을 떼세요.", [WHERE, BULKY]),
        ("대형 가구는?", "구청에 신청하세요. 위치는 1층입니다.", []),
        ("대형 가구는?", "위치는 1층입니다.", [BULKY]),
    ],
)
def test_what_question_and_answer_say_decides_suggestions(query, answer, suggested):
    assert steps(query, answer).suggested_queries == suggested


@pytest.mark.parametrize("query", ["유해 폐기물은?", "위험한 물질은?"])
def test_danger_is_urgent_whatever_the_tags(query):
    assert steps(query, "", "오염됨").urgency == "high"


def test_suggestions_are_in_the_language_of_the_reader():
    result = steps("Where?", "In the bin.", lang="en")
    assert result.suggested_queries == ["Ask me where the nearest recycling bin is!"]


def test_a_pack_without_suggestions_offers_what_is_missing():
    missing = ["온도", "시간", "반복 횟수", "시료"]
    result = evaluate_next_steps(GENERIC.next_steps, AnswerToJudge("어닐링은?", ""), missing)
    assert result == Phase4Result(
        [
            "“온도”에 대해서도 알려 드릴까요?",
            "“시간”에 대해서도 알려 드릴까요?",
            "“반복 횟수”에 대해서도 알려 드릴까요?",
        ],
        [],
        "low",
    )


def written(**changes: object) -> str:
    whole = {"suggested_queries": ["몇 번?"], "action_items": ["기록하기"], "urgency": "medium"}
    return json.dumps(whole | changes, ensure_ascii=False)


async def judged(router: ScriptedRouter) -> Phase4Result:
    given = AnswerToJudge("어닐링은?", "58도.", (Note("PCR", "58도"),), (DIRTY,))
    return await judge_next_steps(router, given, ["시간"], KEY)


async def test_a_model_sees_what_is_missing_and_suggests():
    router = ScriptedRouter(written())
    assert await judged(router) == Phase4Result(["몇 번?"], ["기록하기"], "medium")
    for known in ("시간", "PCR", "오염됨", "58도."):
        assert known in router.asked[0].prompt


async def test_of_many_suggestions_the_first_three_are_kept():
    result = await judged(ScriptedRouter(written(suggested_queries=[*"가나다라"])))
    assert result.suggested_queries == ["가", "나", "다"]


@for_each(
    "change",
    [{"urgency": "now"}, {"action_items": [""]}, {"action_items": ["가"] * 7}, {"urgency": None}],
)
async def test_a_reply_of_another_form_is_refused(change):
    reply = written(**change)
    with pytest.raises(MalformedOutput):
        await judged(ScriptedRouter(reply, reply))
